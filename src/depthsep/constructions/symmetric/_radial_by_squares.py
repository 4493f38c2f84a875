r"""Radial functions by two hidden layers: |x|^2 by squares, then a function of it.

The first layer interpolates each x_i^2 with step h up to a radius rho beyond the
target's support and is constant from there on; centred, the sum S is within d h^2 / 8
of |x|^2 where all |x_i| <= rho, and at least rho^2 - d h^2 / 8 elsewhere, where the
target is 0. The second layer follows s -> G(unit sqrt(s)) and is constant beyond its
end. So the sup error holds on all of R^d; under a law on the unit ball, on the ball.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import on_interval
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.symmetric._radial_ramps import with_ramps
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
from depthsep.exact import ceil_root, exact_column
from depthsep.laws import AbstractRadialLaw, Segment
from depthsep.networks import Affine, Network, deepen
from depthsep.problems import Problem
from depthsep.targets import Radial, RadialLine

MOST_RAMPS = 2000


def printed_width(dim: int, lipschitz: fmpq, end: fmpq, accuracy: fmpq) -> int:
    """d (2 K + 2), K = ceil(sqrt(s_1) / h), h^2 = 8 delta / d, delta = E / (2 L)."""
    square = 4 * accuracy / (lipschitz * dim)
    return dim * (2 * ceil_root(end / square, 2) + 2)


def _evaluate(dim: int, lipschitz: fmpq, end: fmpq, accuracy: fmpq) -> Value:
    return Value(printed_width(dim, lipschitz, end, accuracy), Rigour.EXACT)


@dataclass(frozen=True)
class RadialBySquares(AbstractConstruction):
    """Radial functions with a bounded support, float64 or exact weights."""

    statement: ClassVar[Statement] = Statement(
        "radial-upper",
        "Width that is enough at depth 3 for a radial function "
        "G(|x|^2), in the sup norm",
        (
            "G is L-Lipschitz, and 0 from s_1 on",
            "the error is at most E in the sup norm",
        ),
        Source("depthsep", "saturated squares (after Eldan and Shamir 2016)"),
        (
            Parameter("dim", "integer", "d, the dimension", "2", most=10**6),
            Parameter("lipschitz", "rational", "L, the Lipschitz constant"),
            Parameter("end", "rational", "s_1, where G(s) = 0 for every s >= s_1", "1"),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        ),
        _evaluate,
        errata=(
            (
                "squares that are not cut off have an infinite error "
                "under the law with density phi^2 of Eldan and Shamir, "
                "because |x|^2 has no finite mean under it"
            ),
        ),
        sample="dim=10 lipschitz=5 end=2 accuracy=1/20",
        tex=(
            r"\text{widths } m_1 = d \, (2 K + 2), "
            r"\quad K = \left\lceil \sqrt{\frac{s_1 L d}{4 E}} \right\rceil, "
            r"\quad m_2 = \frac{s_1 L}{E} + 1"
        ),
        proof=proved("radial-tubes"),
    )

    scope = Scope(
        "this construction builds networks only for radial functions",
        Radial,
        AbstractRadialLaw,
        least_depth=3,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target, law = problem.target_as(Radial), problem.law_as(AbstractRadialLaw)
        line, room = target.along, problem.accuracy
        on_ball = target.line_on_ball(law)
        if on_ball is not None:
            return _by_squares(problem, on_ball, fmpq(1), room, depth, self.statement)
        if target.jumps:
            if problem.norm != "l2":
                return Inapplicable(
                    f"{target} is not proved to be continuous, so this "
                    "construction approximates it in l2 only"
                )
            if len(target.jumps) > MOST_RAMPS:
                return Inapplicable(
                    f"{len(target.jumps)} jumps are too many to replace by ramps; at "
                    f"most {MOST_RAMPS} are replaced"
                )
            room = problem.accuracy / 2
            free = (problem.accuracy**2 - room**2) * fmpq(255, 256)
            ramps = with_ramps(target, law, room, free)
            if ramps is None:
                return Inapplicable(
                    "the ramps that replace the jumps would be too steep"
                )
            line = RadialLine(target, ramps.pieces)
        return _by_squares(problem, line, line.end, room, depth, self.statement)

    def examples(self) -> list[Problem]:
        return [
            Problem(Radial("relu", 2), norm="linf", accuracy="1/5"),
            Problem(Radial("triangle:2", 2), norm="l2", accuracy="1/4"),
            Problem(Radial("ball", 3), norm="l2", accuracy="1/4"),
        ]


def _by_squares(
    problem: Problem,
    line: RadialLine,
    end: fmpq,
    room: fmpq,
    depth: int,
    statement: Statement,
) -> Upper | Inapplicable:
    """Half the room for the interpolant of the profile, half for the squares.

    Args:
        end: of |x|^2, beyond which the profile is 0, or is not asked.
    """
    dim = problem.target.in_dim
    outer = SpreadInterpolant().prove(
        Problem(line, Segment(0, end), accuracy=room / 2), 2
    )
    if isinstance(outer, Inapplicable):
        return outer
    try:
        f = on_interval(outer.network, fmpq(0), end)
    except HypothesisError:
        return Inapplicable(
            "no interpolant of the profile was found that is accurate enough"
        )
    steepest = max(abs(s) for s in f.slopes.tolist()) or fmpq(1)
    step = short_below(8 * (room / 2) * fmpq(255, 256) / (steepest * dim))
    cells = ceil_root(end / step**2, 2)
    first, second = 2 * dim * (cells + 1), outer.width + 1
    return Upper(
        widths=(first, second) + (min(2, second),) * (depth - 3),
        error=problem.accuracy,
        rigour=outer.rigour,
        statement=statement,
        make=lambda: deepen(
            radial_network(dim, step, cells, end, outer.network), depth
        ),
        in_dim=dim,
    )


def radial_network(
    dim: int, step: fmpq, cells: int, end: fmpq, outer: Network
) -> Network:
    """Rows +-x_i, then one direction, then the units of the profile and its end."""
    signs, offsets, weights, constant = read_out_units(outer)
    last = sum((w * s for s, w in zip(signs, weights, strict=True) if s > 0), fmpq(0))
    signs, offsets, weights = [*signs, fmpq(1)], [*offsets, -end], [*weights, -last]
    count, h = cells + 1, float(int(step.p) / int(step.q))
    first, bias = (
        np.zeros((2 * dim * count, dim)),
        np.tile(-h * np.arange(count), 2 * dim),
    )
    for i in range(dim):
        for side, sign in enumerate((1.0, -1.0)):
            first[(2 * i + side) * count : (2 * i + side + 1) * count, i] = sign
    ahead = np.tile([h, *[2 * h] * (cells - 1), -(2 * cells - 1) * h], 2 * dim)
    level = dim * step * step / 8
    turned = np.array([float(int(s.p)) for s in signs])
    moved = [b - s * level for s, b in zip(signs, offsets, strict=True)]
    return Network(
        [
            Affine(first, bias),
            Affine(turned[:, None] * ahead, exact_column(moved)),
            Affine(exact_column(weights)[None, :], exact_column([constant])),
        ]
    )
