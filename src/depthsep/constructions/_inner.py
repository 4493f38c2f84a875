r"""Inner products on spheres by squares, then a function of one variable: depth 3.

On the spheres <x, x'> = sum_i (x_i + x'_i)^2 / 2 - 1. The first layer interpolates each
z^2 / 2 on [-2, 2] with step h, too large by at most h^2 / 8; the second interpolates f.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.constructions._base import AbstractConstruction, Upper
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
)
from depthsep.exact import ball_upper, ceil_root, dyadic_near
from depthsep.networks import Affine, Network, deepen
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Wave

PRECISION = 192
SHORT = 8
BITS = 30


@dataclass(frozen=True)
class InnerSizes:
    """Steps of the two layers, dyadic, and the widths they need."""

    inner_step: fmpq
    outer_step: fmpq
    widths: tuple[int, int]


def inner_sizes(dim: int, lipschitz: fmpq, bend: fmpq, accuracy: fmpq) -> InnerSizes:
    r"""Half the accuracy for each layer: L d h^2 / 16 and M k^2 / 8.

    h for squares, centred, L a Lipschitz constant of f; k for f, M a bound of |f''|.
    """
    room = accuracy * fmpq(255, 256) / 2
    inner = _short_below(16 * room / (lipschitz * dim))
    outer = _short_below(8 * room / bend)
    first = 2 * dim * int((2 / inner).ceil())
    return InnerSizes(inner, outer, (first, int((2 / outer).ceil())))


def _short_below(square: fmpq) -> fmpq:
    """A number of 8 bits just below the square root, at most 1."""
    unit = fmpq(1)
    while (unit * 2**SHORT) ** 2 > square * 4:
        unit /= 2
    while True:
        count = ceil_root(square / unit**2, 2)
        count -= fmpq(count) ** 2 * unit**2 > square
        if count >= 1:
            return min(count * unit, fmpq(1))
        unit /= 2


def printed_width(dim: int, lipschitz: fmpq, accuracy: fmpq) -> fmpq:
    """16 d^2 L / E, the printed size of the first layer; 4 L / E that of the second."""
    return 16 * dim**2 * lipschitz / accuracy


def _evaluate(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(printed_width(dim, lipschitz, accuracy), Rigour.EXACT)


@dataclass(frozen=True)
class InnerBySquares(AbstractConstruction):
    """sin(a <x, x'>) and cos by two hidden layers, exact weights."""

    @property
    def statement(self) -> Statement:
        return Statement(
            "daniely-upper",
            "Width of depth 3 for a Lipschitz function of the inner product on spheres",
            ("f is L-Lipschitz on [-1, 1]", "sup error E"),
            "16 d^2 L / E (first layer), 4 L / E (second)",
            Source("daniely2017", "the network of depth 3"),
            (
                Parameter("dim", "integer", "d", "2", most=10**6),
                Parameter("lipschitz", "rational", "L"),
                Parameter("accuracy", "rational", "E", "1/10"),
            ),
            _evaluate,
            errata=(
                "with the step E / L the printed size is exceeded unless 2 L / E is "
                "whole; chords err by L h / 2, so twice the step is enough",
                "the bound on read-out weights is left out: they reach 2 L",
                "squares err by h^2 / 8 to one side only: centred, far fewer units do",
            ),
        )

    def prove(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target
        if not isinstance(target, InnerProduct):
            return Inapplicable("builds functions of inner products", off_topic=True)
        if depth < 3:
            return Inapplicable("needs two hidden layers")
        wave = target.wave
        if wave is None:
            return Inapplicable("builds sines and cosines of inner products")
        lipschitz, bend = _steepness(wave)
        sizes = inner_sizes(target.dim, lipschitz, bend, problem.accuracy)
        widths = sizes.widths + (min(2, sizes.widths[1]),) * (depth - 3)
        return Upper(
            widths=widths,
            error=problem.accuracy,
            rigour=Rigour.ENCLOSED,
            source=self.statement.source,
            make=_maker(target, sizes, depth),
            in_dim=target.in_dim,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(InnerProduct("sin(3*t)", 3), norm="l2", accuracy="1/5"),
            Problem(InnerProduct("cos(pi*t)/2 + 1", 2), accuracy="1/10"),
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


def inner_network(target: InnerProduct, sizes: InnerSizes) -> Network:
    """The network: rows +-(x_i + x'_i), then one direction, then the values of f."""
    d, h, k = target.dim, sizes.inner_step, sizes.outer_step
    count = sizes.widths[0] // (2 * d)
    first = np.zeros((sizes.widths[0], 2 * d))
    bias, ahead = np.zeros(sizes.widths[0]), np.zeros(sizes.widths[0])
    step = float(int(h.p) / int(h.q))
    for i in range(d):
        for side, sign in enumerate((1.0, -1.0)):
            rows = slice((2 * i + side) * count, (2 * i + side + 1) * count)
            first[rows, i] = first[rows, d + i] = sign
            bias[rows] = -step * np.arange(count)
            ahead[rows] = [step / 2, *[step] * (count - 1)]
    starts = [fmpq(-1) + j * k for j in range(sizes.widths[1])]
    start, changes = _chords(target, starts, k)
    level = 1 + d * h * h / 16
    second = Affine(
        np.tile(ahead, (len(starts), 1)), _column([-level - t for t in starts])
    )
    last = Affine(_column(changes)[None, :], _column([start]))
    return Network([Affine(first, bias), second, last])


def _chords(
    target: InnerProduct, starts: list[fmpq], step: fmpq
) -> tuple[fmpq, list[fmpq]]:
    """f(-1) and the changes of slope of its interpolant, rounded without drift."""
    profile = target.profile
    with ctx.workprec(PRECISION):
        ends = [*starts[1:], starts[-1] + step]
        values = [_middle(profile.jet(arb(t)).value) for t in [starts[0], *ends]]
    start = dyadic_near(values[0], 2 * BITS // 2)
    now, before, changes = start, fmpq(0), []
    for value in values[1:]:
        slope = dyadic_near((value - now) / step, BITS)
        changes.append(slope - before)
        now, before = now + slope * step, slope
    return start, changes


def _middle(ball: arb) -> fmpq:
    man, exp = ball.mid().man_exp()
    return fmpq(int(man)) * fmpq(2) ** int(exp)


def _column(values: list[fmpq]) -> np.ndarray:
    """Float64 where that is exact, as it is for short dyadic numbers."""
    floats = np.array([int(v.p) / int(v.q) for v in values])
    exact = np.empty(len(values), dtype=object)
    exact[:] = values
    same = all(
        fmpq(*f.as_integer_ratio()) == v
        for f, v in zip(floats.tolist(), values, strict=True)
    )
    return floats if same else exact
