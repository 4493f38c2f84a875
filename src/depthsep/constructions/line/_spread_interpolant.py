"""Any function on an interval: a good interpolant, spread over the hidden layers."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.analysis import examine
from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Upper
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line._interpolate import (
    Interpolant,
    flat_interpolant,
    interpolant,
)
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import rational
from depthsep.networks import Affine, Network
from depthsep.problems import Problem


def _evaluate(pieces: int, layers: int) -> Value:
    width = max(_widths(kinks_per_layer(pieces - 1, layers)))
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SpreadInterpolant(AbstractConstruction):
    """An interpolant with as few pieces as we find, its kinks spread over L layers.

    Depth 2: N pieces with N units, N - 1 where a piece can be flat: kinks before it
    face left then. Deeper: each layer adds its kinks to a carried sum
    and passes x on, so about N / L + 2 units a layer. Pieces are found in float64; the
    claim is `sampled` until the examiner has enclosed the error of the network.

    Args:
        flat: look for a flat piece, which takes fifty tunnels and saves one unit.
    """

    safety: float = 2.5e-3
    flat: bool = True

    statement: ClassVar[Statement] = Statement(
        "interpolant",
        "Width that is enough for L hidden layers to represent a "
        "continuous piecewise affine function with N pieces",
        ("there is one input, which lies in an interval",),
        Source("imai1986", "the fewest pieces, with kinks spread over the layers"),
        (
            Parameter("pieces", "integer", "N, the number of affine pieces"),
            LAYERS,
        ),
        _evaluate,
        sample="pieces=100 layers=2",
        tex=(
            r"\text{width } m_1 = N \text{ at depth } 2, \; N - 1 "
            r"\text{ if a piece is flat}; \quad "
            r"\text{at larger depths the kinks are spread over the layers, and } "
            r"x \text{ and the sum so far are passed on}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = InexactScope(least_depth=2, weighs=True)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        found = interpolant(problem, self.safety)
        if isinstance(found, Inapplicable):
            return found
        wanted = self.flat and depth == 2
        flat = flat_interpolant(problem, self.safety) if wanted else None
        if flat is not None:
            return Upper(
                widths=(flat.pieces - 1,),
                error=problem.accuracy,
                rigour=Rigour.SAMPLED,
                statement=self.statement,
                make=lambda: flat_network(flat),
            )
        counts = kinks_per_layer(found.pieces - 1, depth - 1)
        claim = Upper(
            widths=_widths(counts),
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=lambda: spread_network(found, counts),
        )
        if claim.predicted_weights <= MAX_WEIGHTS:
            return claim
        return _as_shallow(claim, problem, found, counts)

    def more_careful(self) -> "SpreadInterpolant | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return replace(self, safety=8 * self.safety) if self.safety < 0.1 else None

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", norm=norm, accuracy="1e-2")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:abs(x - 1/3) + sqrt(x)", accuracy="1e-2")]


def _as_shallow(
    claim: Upper, problem: Problem, found: Interpolant, counts: tuple[int, ...]
) -> Upper:
    """A claim about a network too large to build, by the theorem that it is the same
    function as its form of depth 2, up to the rounding of one constant."""
    error = _shallow_error(problem, found)
    if error is None:
        return claim
    offset = rational(found.values[0]) - rational(_start(found, _lift(found, counts)))
    return replace(claim, error=error + abs(offset), rigour=Rigour.ENCLOSED)


@lru_cache(maxsize=16)
def _shallow_error(problem: Problem, found: Interpolant) -> fmpq | None:
    shallow = spread_network(found, (found.pieces - 1,))
    examined = examine(shallow, problem)
    if isinstance(examined, Inapplicable):
        return None
    return examined.error.upper


def kinks_per_layer(kinks: int, layers: int) -> tuple[int, ...]:
    """Kinks in each layer, for the least width.

    The first layer has one unit more than kinks (x), the last one more (the sum), those
    between two more (both); a single layer has one more (x).
    """
    if layers == 1:
        return (kinks,)
    width = max(2 if layers > 2 else 1, -(-(kinks + 2 + 2 * (layers - 2)) // layers))
    room = [width - 1, *[width - 2] * (layers - 2), width - 1]
    counts: list[int] = []
    for space in room:
        counts.append(min(space, kinks - sum(counts)))
    return tuple(counts)


def _widths(counts: tuple[int, ...]) -> tuple[int, ...]:
    if len(counts) == 1:
        return (counts[0] + 1,)
    widths = [counts[0] + 1]
    for j, count in enumerate(counts[1:], start=1):
        widths.append(count + 1 + (any(counts[j + 1 :])))
    return tuple(widths)


def spread_network(found: Interpolant, counts: tuple[int, ...]) -> Network:
    """Float64 weights; layer j takes counts[j] of the kinks, from left to right."""
    knots, values = found.knots, found.values
    slopes = np.diff(values) / np.diff(knots)
    place, turn = knots[1:-1] - knots[0], np.diff(slopes)
    lift = _lift(found, counts)
    used = counts[0]
    layers = [Affine(np.ones((used + 1, 1)), -knots[0] - np.append(0.0, place[:used]))]
    # reading a layer: x - A is its first unit; the sum starts with value and slope
    to_x = np.append(1.0, np.zeros(used))
    to_sum, constant = np.append(slopes[0], turn[:used]), _start(found, lift) + lift
    for j, count in enumerate(counts[1:], start=1):
        passes_x = int(any(counts[j + 1 :]))
        kinks = slice(used, used + count)
        rows = [to_x] * (passes_x + count) + [to_sum]
        bias = np.concatenate([np.zeros(passes_x), -place[kinks], [constant]])
        layers.append(Affine(np.array(rows), bias))
        to_x = np.append(1.0, np.zeros(count + 1)) if passes_x else to_x
        to_sum = np.concatenate([np.zeros(passes_x), turn[kinks], [1.0]])
        constant, used = 0.0, used + count
    layers.append(Affine(to_sum[None, :], np.array([constant - lift])))
    return Network(layers)


def flat_network(found: Interpolant) -> Network:
    """One hidden layer, a unit for each kink: those before a flat piece face left."""
    knots, values, flat = found.knots, found.values, found.flat
    assert flat is not None
    turn = np.diff(np.diff(values) / np.diff(knots))
    side = np.where(np.arange(len(turn)) < flat, -1.0, 1.0)
    first = Affine(side[:, None], -side * knots[1:-1])
    return Network([first, Affine(turn[None, :], values[flat : flat + 1])])


def _start(found: Interpolant, lift: float) -> float:
    """The first value, rounded so that adding `lift` and taking it off is exact."""
    return float((found.values[0] + lift) - lift)


def _lift(found: Interpolant, counts: tuple[int, ...]) -> float:
    """A power of two that keeps every carried sum positive on the interval."""
    if len(counts) == 1:
        return 0.0
    knots, values = found.knots, found.values
    slopes, place = np.diff(values) / np.diff(knots), knots - knots[0]
    least = float(values.min())
    for stop in np.cumsum(counts[:-1]):
        # after `stop` kinks the sum follows the interpolant, then goes on straight
        last = values[stop] + slopes[stop] * (place[-1] - place[stop])
        least = min(least, float(last))
    return 0.0 if least > 0 else 2.0 ** np.ceil(np.log2(1e-6 - 2 * least))
