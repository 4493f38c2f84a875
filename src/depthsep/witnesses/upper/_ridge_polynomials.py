"""Polynomials near the parts of a network, which add up to one of |z|^2."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep.approximation import monomials
from depthsep.exact import nearest_float, rational
from depthsep.witnesses._numbers import fmpq_of, fraction, rounded
from depthsep.witnesses.upper._ridge_parts import Form, Part

MOST_DEGREE = 24
SAME = 1e-9  # relative: values on a polynomial
TOLERANCES = (0.02, 0.002, 0.0002, 0.0)  # for a leading coefficient to be a short one
HALF, ZERO = fmpq(1, 2), fmpq(0)
Powers = list[fmpq]


def quadratics(parts: Sequence[Part]) -> list[Powers]:
    """c x^2 + p for each, centred."""
    return [_centred(part, _leading(part)) for part in parts]


def _leading(part: Part) -> fmpq:
    """c with the least difference, of some short numbers."""
    x = np.array([nearest_float(a) for a, _ in part.kinks])
    y = np.array([nearest_float(b) for _, b in part.kinks])
    if len(x) < 3:
        return fmpq(0)
    found = fraction(rational(float(np.polyfit(x, y, 2)[0])))
    choices = {fmpq_of(_simplest(found, t)) for t in TOLERANCES}
    return min(choices, key=lambda c: _width(_differences(part, c)))


def _simplest(value: Fraction, tolerance: float) -> Fraction:
    """A short fraction that is so near, relatively; the value itself for 0."""
    if not tolerance:
        return value
    if abs(value) < 1 and value:
        return 1 / _simplest(1 / value, tolerance)
    for q in range(1, int(2 / tolerance) + 1):
        near = Fraction(round(value * q), q)
        if abs(near - value) <= tolerance * abs(value):
            return near
    return value


def _differences(part: Part, c: fmpq, tilt: fmpq = ZERO) -> list[fmpq]:
    """The part less c x^2 + tilt x where it can be largest or least."""
    found = [y - x * (tilt + c * x) for x, y in part.kinks]
    for (a, v), (b, w) in pairwise(part.kinks):
        slope = (w - v) / (b - a)
        turn = (slope - tilt) / (2 * c) if c else a
        if a < turn < b:
            found.append(v + slope * (turn - a) - turn * (tilt + c * turn))
    return found


def _width(values: Sequence[fmpq]) -> fmpq:
    return max(values) - min(values)


def _centred(part: Part, c: fmpq, tilt: fmpq = ZERO) -> Powers:
    values = _differences(part, c, tilt)
    return [rounded((max(values) + min(values)) / 2), tilt, c]


def products(parts: Sequence[Part]) -> list[Powers] | None:
    """Quadratics that add up to x1 x2, for two or three directions that bend.

    Parts without a kink are straight lines; what they add up to, the others take off.
    """
    bent = [part for part in parts if len(part.kinks) > 2]
    straight = [part for part in parts if len(part.kinks) == 2]
    sizes = _for_product([part.form for part in bent])
    tilts = _against([part.form for part in bent], straight)
    if sizes is None or tilts is None:
        return None
    known = iter(zip(sizes, tilts, strict=True))
    found = [
        _centred(part, *next(known))
        if len(part.kinks) > 2
        else _centred(part, ZERO, _slope(part))
        for part in parts
    ]
    left = sum((powers[0] for powers in found), fmpq(0))
    found[0][0] -= left  # nothing is left: what it costs, it costs anywhere
    return found


def _slope(part: Part) -> fmpq:
    (a, v), (b, w) = part.kinks
    return (w - v) / (b - a)


def _against(forms: Sequence[Form], straight: Sequence[Part]) -> list[fmpq] | None:
    """Multiples of the forms that cancel the linear parts of straight lines."""
    if not straight:
        return [ZERO] * len(forms)
    if len(forms) != 2:
        return None
    rows = [fmpq_of(form[i]) for i in (0, 1) for form in forms]
    wanted = [
        -sum((_slope(p) * fmpq_of(p.form[i]) for p in straight), ZERO) for i in (0, 1)
    ]
    try:
        found = fmpq_mat(2, 2, rows).solve(fmpq_mat(2, 1, wanted))
    except ZeroDivisionError:
        return None
    return [fmpq(v) for v in found.entries()]


def _for_product(forms: Sequence[Form]) -> list[fmpq] | None:
    exact = [[fmpq_of(c) for c in form] for form in forms]
    wanted = [fmpq(0), HALF, fmpq(0)]
    pairs = ((0, 0), (0, 1), (1, 1))
    matrix = [[a[i] * a[j] for a in exact] for i, j in pairs]
    if len(exact) not in (2, 3):
        return None
    # with two, the third equation follows, or there is no answer
    rows = matrix[: len(exact)]
    square = fmpq_mat(len(exact), len(exact), [v for row in rows for v in row])
    try:
        known = fmpq_mat(len(exact), 1, wanted[: len(exact)])
        sizes = [fmpq(v) for v in square.solve(known).entries()]
    except ZeroDivisionError:
        return None
    left = sum(c * v for c, v in zip(sizes, matrix[2], strict=True))
    return sizes if left == 0 else None


def even_polynomials(parts: Sequence[Part]) -> list[Powers] | None:
    """Of the least degree that fits the values at the kinks of all; None if none."""
    for degree in range(2, 2 * MOST_DEGREE + 1, 2):
        found = list(_fitted(parts, degree))
        if None not in found:
            return [powers for powers in found if powers is not None]
    return None


def _fitted(parts: Sequence[Part], degree: int) -> Iterator[Powers | None]:
    for part in parts:
        x = np.array([nearest_float(a) for a, _ in part.kinks])
        y = np.array([nearest_float(b) for _, b in part.kinks])
        far = nearest_float(part.on.stop)
        if len(x) < degree + 2:
            yield None
            return
        fit = np.polynomial.chebyshev.chebfit(x / far, y, degree)
        off = np.abs(np.polynomial.chebyshev.chebval(x / far, fit) - y).max()
        if off > SAME * np.abs(y).max():
            yield None
            return
        fit[1::2] = 0
        powers = monomials(tuple(rational(c) for c in fit.tolist()), part.on)
        powers = [*map(rounded, powers)]
        powers[0] -= rounded(rational(_off_centre(part, fit, x / far, y)))
        yield powers


def _off_centre(part: Part, fit: np.ndarray, t: np.ndarray, y: np.ndarray) -> float:
    """The middle of what the polynomial is above the part."""
    middle, chord = (t[1:] + t[:-1]) / 2, (y[1:] + y[:-1]) / 2
    gap = np.polynomial.chebyshev.chebval(middle, fit) - chord
    return float(max(gap.max(), 0) + min(gap.min(), 0)) / 2


def of_square(parts: Sequence[Part], powers: Sequence[Powers], dim: int) -> Powers:
    """Q with sum of P(a.z) = Q(|z|^2), if the sum is radial: means over spheres."""
    length = max(len(p) for p in powers)
    found, moment = [], fmpq(1)
    for k in range((length + 1) // 2):
        total = fmpq(0)
        for part, p in zip(parts, powers, strict=True):
            size = sum(fmpq_of(c * c) for c in part.form[:dim])
            total += p[2 * k] * size**k if 2 * k < len(p) else 0
        found.append(rounded(total * moment) if k > 1 else total * moment)
        moment *= fmpq(2 * k + 1, dim + 2 * k)
    return found
