r"""Inner products on spheres by squares, then a function of one variable: depth 3.

On the spheres <x, x'> = sum_i (x_i + x'_i)^2 / 2 - 1. The first layer interpolates each
z^2 / 2 on [-2, 2] with step h, too large by at most h^2 / 8; the second interpolates f.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import on_interval
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.symmetric._read_out import (
    read_out_units,
    short_below,
)
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper, dyadic_near, exact_column, midpoint
from depthsep.laws import Segment
from depthsep.networks import Affine, Network, deepen
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Wave

PRECISION = 192
BEYOND = (fmpq(-9, 8), fmpq(9, 8))
BITS = 30


@dataclass(frozen=True)
class InnerSizes:
    """Steps of the two layers, dyadic, and the widths they need.

    Attributes:
        bits: values and slopes of f are rounded to multiples of 2^-bits.
    """

    inner_step: fmpq
    outer_step: fmpq
    widths: tuple[int, int]
    bits: int


def inner_sizes(dim: int, lipschitz: fmpq, bend: fmpq, accuracy: fmpq) -> InnerSizes:
    r"""Half the accuracy for each layer: L d h^2 / 16 and M k^2 / 8.

    h for squares, centred, L a Lipschitz constant of f; k for f, M a bound of |f''|.
    A 256th is kept for the rounding of f, which is at most a 4096th.
    """
    room = accuracy * fmpq(255, 256) / 2
    inner = short_below(16 * room / (lipschitz * dim))
    outer = short_below(8 * room / bend)
    first = 2 * dim * int((2 / inner).ceil())
    bits = BITS
    while fmpq(1, 1 << bits) > accuracy / 4096:
        bits += 1
    return InnerSizes(inner, outer, (first, int((2 / outer).ceil())), bits)


def printed_width(dim: int, lipschitz: fmpq, accuracy: fmpq) -> fmpq:
    """16 d^2 L / E, the printed size of the first layer; 4 L / E that of the second."""
    return 16 * dim**2 * lipschitz / accuracy


def _evaluate(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(printed_width(dim, lipschitz, accuracy), Rigour.EXACT)


@dataclass(frozen=True)
class InnerBySquares(AbstractConstruction):
    """f(<x, x'>) by two hidden layers, exact weights.

    For sines and cosines all sizes are known in advance; other formulas take the best
    interpolant on [-1, 1].
    """

    statement: ClassVar[Statement] = Statement(
        "daniely-upper",
        "Width that is enough at depth 3 for a Lipschitz function of "
        "the inner product on spheres",
        (
            "f is L-Lipschitz on [-1, 1]",
            "x and x' lie on the unit sphere in R^d; the error is at most E in sup "
            "norm",
        ),
        Source("daniely2017", "the network of depth 3"),
        (
            Parameter("dim", "integer", "d, the dimension", "2", most=10**6),
            Parameter("lipschitz", "rational", "L, the Lipschitz constant"),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        ),
        _evaluate,
        errata=(
            (
                "if the knots are E / L apart, as printed, the source "
                "gives too few units unless 2 L / E is a whole number; "
                "as chords over a distance h have errors of at most L "
                "h / 2, a distance twice as large is small enough"
            ),
            (
                "the printed bound on the read-out weights is left out, as "
                "these weights reach 2 L"
            ),
            (
                "the squares z^2 / 2, interpolated with step h, have "
                "errors of up to h^2 / 8, all of one sign; with these "
                "errors centred at 0, far fewer units are enough"
            ),
        ),
        sample="dim=10 lipschitz=20 accuracy=1/10",
        tex=r"\text{widths } m_1 = \frac{16 \, d^2 L}{E}, \quad m_2 = \frac{4 L}{E}",
        proof=proved("sphere-rank"),
    )

    scope = Scope(
        "this construction builds networks only for functions of inner products",
        InnerProduct,
        least_depth=3,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(InnerProduct)
        if target.wave is None:
            return _by_interpolant(problem, target, depth, self.statement)
        lipschitz, bend = _steepness(target.wave)
        sizes = inner_sizes(target.dim, lipschitz, bend, problem.accuracy)
        return Upper(
            widths=sizes.widths + (min(2, sizes.widths[1]),) * (depth - 3),
            error=problem.accuracy,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            make=_maker(target, sizes, depth),
            in_dim=target.in_dim,
            largest_weight=_largest_weight(target.wave, lipschitz),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(InnerProduct("sin(3*t)", 3), norm="l2", accuracy="1/5"),
            Problem(InnerProduct("cos(pi*t)/2 + 1", 2), accuracy="1/10"),
            Problem(InnerProduct("abs(t) + exp(t)/4", 3), accuracy="1/20"),
        ]


def _maker(
    target: InnerProduct, sizes: InnerSizes, depth: int
) -> Callable[[], Network]:
    return lambda: deepen(inner_network(target, sizes), depth)


def _steepness(wave: Wave) -> tuple[fmpq, fmpq]:
    """Bounds of |f'| and |f''|: A a and A a^2."""
    with ctx.workprec(PRECISION):
        a = ball_upper(wave.argument())
    return wave.amplitude * a, wave.amplitude * a * a


def _largest_weight(wave: Wave, lipschitz: fmpq) -> fmpq:
    """Changes of slope are at most 2 L, offsets 1 + 1 + d h^2 / 16 < 3; balanced."""
    slack, c = fmpq(1, 256), fmpq(_balance(lipschitz))
    constant = abs(wave.offset) + wave.amplitude
    return max((2 * lipschitz + slack) / c, constant + slack, 3 * c)


def _balance(lipschitz: fmpq) -> int:
    """A power of 2 that the second layer is multiplied and the third divided by."""
    c = 1
    while 3 * (2 * c) ** 2 <= 2 * lipschitz:
        c *= 2
    return c


def _by_interpolant(
    problem: Problem, target: InnerProduct, depth: int, statement: Statement
) -> Upper | Inapplicable:
    """Half the accuracy for the interpolant of f, half for the squares before it."""
    line = Problem(target.profile, Segment(-1, 1), accuracy=problem.accuracy / 2)
    outer = SpreadInterpolant().prove(line, 2)
    if isinstance(outer, Inapplicable):
        return outer
    try:
        f = on_interval(outer.network, *BEYOND)
    except HypothesisError:
        return Inapplicable(
            "no interpolant of the function of the inner product was found that is "
            "accurate enough; this function may jump on [-1, 1]"
        )
    steepest = max(abs(s) for s in f.slopes.tolist()) or fmpq(1)
    room = min(problem.accuracy * fmpq(255, 256) / (2 * steepest), fmpq(1, 8))
    step = short_below(16 * room / target.dim)
    first = 2 * target.dim * int((2 / step).ceil())
    return Upper(
        widths=(first, outer.width) + (min(2, outer.width),) * (depth - 3),
        error=problem.accuracy,
        rigour=outer.rigour,
        statement=statement,
        make=lambda: deepen(
            _together(target.dim, step, first, *read_out_units(outer.network)), depth
        ),
        in_dim=target.in_dim,
    )


def inner_network(target: InnerProduct, sizes: InnerSizes) -> Network:
    """The network of a sine or cosine: chords of step k, from -1 on."""
    k = sizes.outer_step
    starts = [fmpq(-1) + j * k for j in range(sizes.widths[1])]
    start, changes = _chords(target, starts, k, sizes.bits)
    offsets = [-t for t in starts]
    width = sizes.widths[0]
    c = _balance(_steepness(target.wave)[0]) if target.wave else 1
    return _together(
        target.dim,
        sizes.inner_step,
        width,
        [fmpq(c)] * len(starts),
        [c * b for b in offsets],
        [v / c for v in changes],
        start,
    )


def rows_of_sums(dim: int, count: int) -> np.ndarray:
    """Rows x_i + x'_i and -(x_i + x'_i), `count` times each, (2 d count, 2 d)."""
    signs = np.kron(np.eye(dim), np.repeat([1.0, -1.0], count)[:, None])
    return np.hstack([signs, signs]) + 0.0  # no negative zeros


def _together(
    dim: int,
    step: fmpq,
    width: int,
    signs: list[fmpq],
    offsets: list[fmpq],
    weights: list[fmpq],
    constant: fmpq,
) -> Network:
    """Rows +-(x_i + x'_i), then one direction, then the units of f."""
    count, h = width // (2 * dim), float(int(step.p) / int(step.q))
    first = rows_of_sums(dim, count)
    bias = np.tile(-h * np.arange(count), 2 * dim)
    ahead = np.tile([h / 2, *[h] * (count - 1)], 2 * dim)
    level = 1 + dim * step * step / 16
    turned = np.array([float(int(s.p)) for s in signs])
    moved = [b - s * level for s, b in zip(signs, offsets, strict=True)]
    second = Affine(turned[:, None] * ahead, exact_column(moved))
    last = Affine(exact_column(weights)[None, :], exact_column([constant]))
    return Network([Affine(first, bias), second, last])


def _chords(
    target: InnerProduct, starts: list[fmpq], step: fmpq, bits: int
) -> tuple[fmpq, list[fmpq]]:
    """f(-1) and the changes of slope of its interpolant, rounded without drift."""
    profile = target.profile
    with ctx.workprec(PRECISION):
        ends = [*starts[1:], starts[-1] + step]
        values = [midpoint(profile.jet(arb(t)).value) for t in [starts[0], *ends]]
    start = dyadic_near(values[0], bits)
    now, before, changes = start, fmpq(0), []
    for value in values[1:]:
        slope = dyadic_near((value - now) / step, bits)
        changes.append(slope - before)
        now, before = now + slope * step, slope
    return start, changes
