r"""One dimension: g(x) = g(A) + \int_A^B g'(b) 1[x >= b] db on [A, B].

Proposition 2.8, on any interval and with g(A) added; the source has [0, 1], g(0) = 0.
The mass is the total variation. Off the interval the right side is g at the nearer end.
"""

from dataclasses import replace

import numpy as np
from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import HypothesisError
from depthsep.approximation import Run, monotone_runs, total_variation
from depthsep.evidence import Enclosure, Rigour, Source, enclosure
from depthsep.exact import few_steps, nearest_float
from depthsep.infinite_width._balls import PRECISION
from depthsep.infinite_width._representation import Features, Representation
from depthsep.laws import Segment
from depthsep.networks import RELU, THRESHOLD
from depthsep.targets import AbstractLineTarget, Expression, interval_ball

SOURCE = Source("telgarsky2023", "Proposition 2.8")
CELLS = 1 << 12
BISECTIONS = 60


def univariate(target: AbstractLineTarget, on: Segment) -> Representation:
    """The representation by thresholds at b with density |g'|, signs those of g'.

    Raises:
        HypothesisError: g is constant (nothing to sample), jumps, or turns too often.
    """
    mass = total_variation(target, on)
    if mass.upper == 0:
        raise HypothesisError(
            f"{target} is constant on {on}, so there is nothing to sample"
        )
    runs = [r for r in monotone_runs(target, on) if r.direction]
    ends = np.array([[nearest_float(x) for x in (r.start, r.stop)] for r in runs])
    values = target.floats(ends.ravel()).reshape(ends.shape)
    signs = np.array([float(r.direction or 0) for r in runs])
    rises = np.abs(values[:, 1] - values[:, 0])
    size = float(mass)

    def draw(count: int, rng: np.random.Generator) -> Features:
        run = rng.choice(len(runs), size=count, p=rises / rises.sum())
        level = values[run, 0] + (values[run, 1] - values[run, 0]) * rng.random(count)
        low, high = ends[run, 0], ends[run, 1]
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            before = (target.floats(middle) - level) * signs[run] < 0
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        return Features(np.ones((count, 1)), (low + high) / 2, size * signs[run])

    first, last = target.floats(
        np.array([nearest_float(on.start), nearest_float(on.stop)])
    )
    reach = max(abs(nearest_float(on.start)), abs(nearest_float(on.stop)))
    return Representation(
        1,
        THRESHOLD,
        reach,
        draw,
        mass,
        float(first),
        np.zeros(1),
        SOURCE,
        total=float(last - first),
        interval=(nearest_float(on.start), nearest_float(on.stop)),
    )


def univariate_relus(target: Expression, on: Segment) -> Representation:
    r"""g(x) = g(A) + g'(A) (x - A) + \int_A^B g''(b) relu(x - b) db on [A, B].

    ReLUs at b with density |g''|, signs those of g''; |V| <= (B - A) int |g''|. For
    x^2 the kinks are uniform.

    Raises:
        HypothesisError: g is affine, or g' is not a formula, jumps or turns too often.

    Source:
        Telgarsky (2023), section 4.1, x^2 as an integral of ReLUs, for any g in C^1.
    """
    slope = derivative(target)
    steps = univariate(slope, on)
    start, length = nearest_float(on.start), on.stop - on.start
    first, tilt = (float(f.floats(np.array([start]))[0]) for f in (target, slope))
    mass = steps.largest
    return replace(
        steps,
        activation=RELU,
        largest=Enclosure(mass.lower * length, mass.upper * length, mass.rigour),
        constant=first - tilt * start,
        slope=np.array([tilt]),
        source=Source("telgarsky2023", "section 4.1, an integral of ReLUs"),
        total=None,
    )


def derivative(target: Expression) -> Expression:
    """The derivative of a formula, as a formula.

    Raises:
        HypothesisError: it has none that can be written with the known functions.
    """
    import sympy

    x = sympy.Symbol("x", real=True)
    with few_steps(target.text):
        slope = sympy.diff(target.expression, x)
    try:
        return Expression(str(slope))
    except HypothesisError:
        raise HypothesisError(
            f"the derivative of {target} cannot be written as a "
            "formula; give a smooth function"
        ) from None


def sampling_variance(
    target: AbstractLineTarget, on: Segment, *, centred: bool = False
) -> Enclosure:
    r"""k times the mean squared error of k sampled thresholds, in L2 (uniform law).

    Plain: Z \int |g'(b)| P(x >= b) db - ||g - g(A)||^2. Centred (1[...] - 1/2, with the
    constant that this costs): Z^2 / 4 - ||g - (g(A) + g(B)) / 2||^2. Exact for
    polynomials with rational turning points, else enclosed.
    """
    runs, coefficients = monotone_runs(target, on), target.polynomial()
    if coefficients is not None and all(r.direction is not None for r in runs):
        value = _exact_variance(fmpq_poly(coefficients), runs, on, centred)
        return Enclosure(value, value, Rigour.EXACT)
    with ctx.workprec(PRECISION):
        return enclosure(_ball_variance(target, runs, on, centred))


def _exact_variance(
    g: fmpq_poly, runs: tuple[Run, ...], on: Segment, centred: bool
) -> fmpq:
    first, last = fmpq(g(on.start)), fmpq(g(on.stop))
    mass = sum((abs(fmpq(g(r.stop)) - fmpq(g(r.start))) for r in runs), fmpq(0))
    level = (first + last) / 2 if centred else first
    square = _mean((g - level) * (g - level), on)
    if centred:
        return mass * mass / 4 - square
    # P(x >= b) = (B - b) / (B - A)
    weighted = g.derivative() * fmpq_poly([on.stop, -1])
    terms = ((r.direction or 0) * _integral(weighted, r.start, r.stop) for r in runs)
    return mass * sum(terms, fmpq(0)) / on.length - square


def _integral(p: fmpq_poly, start: fmpq, stop: fmpq) -> fmpq:
    whole = p.integral()
    return fmpq(whole(stop)) - fmpq(whole(start))


def _mean(p: fmpq_poly, on: Segment) -> fmpq:
    return _integral(p, on.start, on.stop) / on.length


def _ball_variance(
    target: AbstractLineTarget, runs: tuple[Run, ...], on: Segment, centred: bool
) -> arb:
    first, last = (target.jet(arb(x)).value for x in (on.start, on.stop))
    length = arb(on.length)
    level = (first + last) / 2 if centred else first
    square = _quadrature(target, on.start, on.stop, level, 2) / length
    mass, weighted = arb(0), arb(0)
    for run in runs:
        change, moment = _of_run(target, run, on.stop)
        mass, weighted = mass + change, weighted + moment
    return mass * mass / 4 - square if centred else mass * weighted / length - square


def _of_run(target: AbstractLineTarget, run: Run, end: fmpq) -> tuple[arb, arb]:
    r"""\int |g'| and \int |g'(b)| (B - b) db over one run, by parts."""
    if run.direction is None:
        most = arb((run.stop - run.start) * run.steepest)
        return arb(0).union(most), arb(0).union(most * arb(end - run.start))
    a, b = (target.jet(arb(x)).value for x in (run.start, run.stop))
    parts = b * arb(end - run.stop) - a * arb(end - run.start)
    area = _quadrature(target, run.start, run.stop, arb(0), 1)
    return run.direction * (b - a), run.direction * (parts + area)


def _quadrature(
    target: AbstractLineTarget, start: fmpq, stop: fmpq, level: arb, power: int
) -> arb:
    r"""\int (g - level)^p, p = 1 or 2: midpoint values, g'' enclosed on each cell."""
    step, whole = (stop - start) / CELLS, arb(0)
    half = arb(step) / 2
    for i in range(CELLS):
        left = start + i * step
        here = target.jet(arb(left + step / 2)).value - level
        over = target.jet(interval_ball(left, left + step))
        if power == 1:
            value, second = here, over.second
        else:
            value = here * here
            second = 2 * (over.first**2 + (over.value - level) * over.second)
        if second.is_finite():
            whole += 2 * half * value + second * half**3 / 3
        else:
            whole += 2 * half * (over.value - level) ** power
    return whole
