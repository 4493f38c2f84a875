"""The wave, its moments, and what an affine piece saves against it, exactly.

Lengths are in tooth units: f(t) = 1 - |1 - (t mod 2)| and phi = f - 1/2. Step 1 of
docs/proofs/sawtooth-savings.md defines savings; step 9 has the closed forms.
"""

from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from flint import fmpq


class Piece(NamedTuple):
    """An affine function on [left, right], by its values at the ends."""

    left: fmpq
    right: fmpq
    at_left: fmpq
    at_right: fmpq


# `phi`, `inner` and `projection` serve fmpq and float.


def phi(t):
    """The triangle wave of period 2, centred: |.| <= 1/2, phi(0) = -1/2."""
    u = t - 2 * floor(t / 2)
    return (2 * u - 1) / 2 if u <= 1 else (3 - 2 * u) / 2


def inner(d, u0, u1, w0, w1):
    """The integral of u w, both affine on a length d with these end values."""
    return d * (u0 * (2 * w0 + w1) + u1 * (w0 + 2 * w1)) / 6


def projection(pieces, middle, length):
    """(a, b): the affine function a + b (t - middle) nearest to `pieces` in L2."""
    m0 = m1 = 0
    for t0, t1, u0, u1 in pieces:
        m0 += (t1 - t0) * (u0 + u1) / 2
        m1 += inner(t1 - t0, u0, u1, t0 - middle, t1 - middle)
    return m0 / length, 12 * m1 / length**3


def wave(start: fmpq, end: fmpq) -> list[Piece]:
    """phi on [start, end], cut at the integers, where it bends."""
    ts = [start, *map(fmpq, range(floor(start) + 1, ceil(end))), end]
    return [Piece(t0, t1, phi(t0), phi(t1)) for t0, t1 in pairwise(ts) if t0 < t1]


def _residuals(start: fmpq, length: fmpq, slope: fmpq, intercept: fmpq) -> list[Piece]:
    """f - p on [start, start + length], for p(t) = intercept + slope t."""
    level = intercept - fmpq(1, 2)
    return [
        Piece(t0, t1, v0 - level - slope * t0, v1 - level - slope * t1)
        for t0, t1, v0, v1 in wave(start, start + length)
    ]


def _absolute_integral(piece: Piece) -> fmpq:
    t0, t1, r0, r1 = piece
    if r0 * r1 >= 0:
        return (t1 - t0) * abs(r0 + r1) / 2
    return (t1 - t0) * (r0 * r0 + r1 * r1) / (2 * abs(r0 - r1))


def saving_l1(start: fmpq, length: fmpq, slope: fmpq, intercept: fmpq) -> fmpq:
    r"""$\int 1/4 - |f - p|$ over [start, start + length], exactly.

    Tooth units; $p(t)$ = `intercept` + `slope` $t$ with $t$ counted from 0, not
    from `start`; `length` >= 0.
    """
    pieces = _residuals(start, length, slope, intercept)
    return length / 4 - sum(map(_absolute_integral, pieces), fmpq(0))


def saving_l2(start: fmpq, length: fmpq, slope: fmpq, intercept: fmpq) -> fmpq:
    r"""$\int 1/12 - (f - p)^2$ over [start, start + length], exactly.

    Conventions of `saving_l1`.
    """
    pieces = _residuals(start, length, slope, intercept)
    losses = (inner(t1 - t0, r0, r1, r0, r1) for t0, t1, r0, r1 in pieces)
    return length / 12 - sum(losses, fmpq(0))


# The closed forms of step 9. s and e are fmpq or arb, in the unit cells that begin at
# the integers n_s and n_e.


def primitives(t, n):
    """phi, G, K and H of step 9, for t in [n, n + 1]."""
    u, even = t - n, n % 2 == 0
    sign = 1 if even else -1
    bracket = u * u * (3 - 2 * u) / 12
    return (
        sign * (2 * u - 1) / 2,
        -sign * u * (1 - u) / 2,
        -bracket if even else bracket - fmpq(1, 12),
        -u * (1 - u) * (1 - 2 * u) / 6,
    )


def wave_moments(s, e, n_s, n_e):
    """The integrals of phi and of (t - (s + e)/2) phi over [s, e]."""
    _, g_s, k_s, _ = primitives(s, n_s)
    _, g_e, k_e, _ = primitives(e, n_e)
    return g_e - g_s, (e - s) * (g_e + g_s) / 2 - (k_e - k_s)


def square_saving(s, e, n_s, n_e):
    """The mean square saving of the best affine piece on [s, e]."""
    m0, m1 = wave_moments(s, e, n_s, n_e)
    length = e - s
    h_s, h_e = primitives(s, n_s)[-1], primitives(e, n_e)[-1]
    return h_e - h_s + m0 * m0 / length + 12 * m1 * m1 / length**3


def best_saving_l2(start: fmpq, length: fmpq) -> fmpq:
    """The largest `saving_l2` over all affine pieces, exactly; `length` > 0."""
    end = start + length
    return square_saving(start, end, floor(start), floor(end))
