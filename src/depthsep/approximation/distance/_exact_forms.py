"""Exact forms under affine substitution, and residuals of affine pieces."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep.approximation.distance._residuals import Residual
from depthsep.targets import ExactForm, sawtooth_value

ZERO = fmpq(0)
MAX_TEETH_IN_A_CELL = 1 << 16


def zoomed(form: ExactForm, low: fmpq, high: fmpq) -> ExactForm:
    """The same function on [low, high], with the sawtooth unfolded where it is affine.

    If rho x + sigma stays in one half of [0, 1] there, D^k is D^(k-1) of an affine
    map; repeated until k = 0 or a fold lies inside. The result is canonical, so equal
    pieces of a sawtooth become equal forms.
    """
    if form.amplitude == 0 and form.folds == 0:
        return form
    amplitude, folds, rho, sigma = form.amplitude, form.folds, form.rho, form.sigma
    ends = rho * low + sigma, rho * high + sigma
    a, b = min(ends), max(ends)
    if folds and (b <= 0 or a >= 1):
        amplitude = ZERO
    elif folds and amplitude != 0 and a >= 0 and b <= 1:
        unfolded = _unfolded(a, b, folds)
        n, j = 1 << unfolded, _cell_of(a, unfolded)
        sign, shift = (1, -j) if j % 2 == 0 else (-1, j + 1)
        rho, sigma = sign * n * rho, sign * n * sigma + shift
        folds -= unfolded
    if amplitude == 0 or folds == 0:
        beta, gamma = form.beta + amplitude * rho, form.gamma + amplitude * sigma
        return ExactForm(form.alpha, beta, gamma)
    return replace(form, folds=folds, rho=rho, sigma=sigma)


def _cell_of(a: fmpq, k: int) -> int:
    """The dyadic cell of width 2^-k that begins at a or holds it."""
    return int((a * (1 << k)).floor())


def _unfolded(a: fmpq, b: fmpq, folds: int) -> int:
    """The largest k up to folds for which a dyadic cell of width 2^-k holds [a, b].

    There D^k is affine.
    """

    def holds(k: int) -> bool:
        return b * (1 << k) <= _cell_of(a, k) + 1

    if holds(folds):
        return folds
    return bisect_left(range(folds), True, key=lambda k: not holds(k + 1))


def pulled(
    form: ExactForm, slope: fmpq, level: fmpq, minus_slope: fmpq, minus_level: fmpq
) -> ExactForm:
    """T~ with T~(slope y + level) = form(y) - (minus_slope y + minus_level)."""
    # y = (w - level) / slope
    alpha, beta = form.alpha, form.beta - minus_slope
    gamma = form.gamma - minus_level
    inverse, back = 1 / slope, -level / slope
    return ExactForm(
        alpha * inverse * inverse,
        2 * alpha * inverse * back + beta * inverse,
        alpha * back * back + beta * back + gamma,
        form.amplitude,
        form.folds,
        form.rho * inverse,
        form.rho * back + form.sigma,
    )


def residuals(
    form: ExactForm, start: fmpq, stop: fmpq, slope: fmpq, level: fmpq
) -> Iterator[Residual]:
    """slope x + level - form(x) on [start, stop], cut where the form has kinks.

    Raises:
        TooLargeError: more teeth in the cell than can be enumerated.
    """
    if form.amplitude == 0:
        yield _against_quadratic(form, start, stop, slope, level)
        return
    form = zoomed(form, start, stop)
    cuts = [start, *_kinks(form, start, stop), stop]
    for a, b in pairwise(cuts):
        part = form if len(cuts) == 2 else zoomed(form, a, b)
        if part.amplitude != 0:
            part = _straightened(part, a, b)
        yield _against_quadratic(part, a, b, slope, level)


def _against_quadratic(
    form: ExactForm, a: fmpq, b: fmpq, slope: fmpq, level: fmpq
) -> Residual:
    curve = form.alpha * a
    r0 = slope * a + level - (form.gamma + a * (form.beta + curve))
    return Residual(b - a, r0, slope - form.beta - 2 * curve, -form.alpha)


def _kinks(form: ExactForm, start: fmpq, stop: fmpq) -> list[fmpq]:
    if form.amplitude == 0 or form.rho == 0:
        return []
    steps = fmpq(1 << form.folds)
    ends = sorted((form.rho * x + form.sigma) * steps for x in (start, stop))
    first, last = int(ends[0].floor()) + 1, int(ends[1].ceil()) - 1
    first, last = max(first, 0), min(last, 1 << form.folds)
    if last - first > MAX_TEETH_IN_A_CELL:
        raise TooLargeError(
            f"one affine piece spans at least {last - first} kinks of "
            "the target, too many to enumerate"
        )
    places = ((fmpq(n) / steps - form.sigma) / form.rho for n in range(first, last + 1))
    return sorted(x for x in places if start < x < stop)


def _straightened(form: ExactForm, a: fmpq, b: fmpq) -> ExactForm:
    """The affine function that equals the form's sawtooth part between two kinks."""
    low = sawtooth_value(form.folds, form.rho * a + form.sigma)
    high = sawtooth_value(form.folds, form.rho * b + form.sigma)
    slope = form.amplitude * (high - low) / (b - a)
    beta, gamma = form.beta + slope, form.gamma + form.amplitude * low - slope * a
    return ExactForm(form.alpha, beta, gamma)
