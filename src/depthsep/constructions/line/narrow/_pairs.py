"""Any piecewise-affine function, exactly, two hidden layers at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from depthsep.constructions.line.narrow._carrying import (
    Carrying,
    Reading,
    lift_of,
    through,
)
from depthsep.constructions.line.narrow._coarse_knots import Ends, Kinks
from depthsep.constructions.line.narrow._stages import Stage
from depthsep.networks import Network


@dataclass(frozen=True, eq=False)
class Bends:
    """A piecewise-affine function by its values at its knots x_0, ..., x_(n+1).

    The kinks are x_1, ..., x_n; x_0 and x_(n+1) are the ends of the interval.
    """

    knots: np.ndarray
    values: np.ndarray

    @cached_property
    def slopes(self) -> np.ndarray:
        """Of the n + 1 pieces."""
        return np.diff(self.values) / np.diff(self.knots)

    @cached_property
    def jumps(self) -> np.ndarray:
        """Of the slope at every knot; 0 at both ends."""
        return np.concatenate([[0.0], np.diff(self.slopes), [0.0]])

    def kinks(self) -> Kinks:
        """Which kinks go up."""
        return Kinks(self.jumps[1:-1] > 0)

    def part(self, kinks: slice) -> np.ndarray:
        """The sum of jump_k relu(x - x_k) over some kinks, at all knots."""
        own = np.zeros(len(self.knots))
        own[kinks] = self.jumps[kinks]
        slopes = np.cumsum(own)[:-1]
        return np.concatenate([[0.0], np.cumsum(slopes * np.diff(self.knots))])

    def straight(self) -> np.ndarray:
        """The first piece, continued, at all knots."""
        return self.values[0] + self.slopes[0] * (self.knots - self.knots[0])


def pairs_network(bends: Bends, stages: Sequence[Stage], hidden_layers: int) -> Network:
    """The function of `bends`, exactly but for rounding, by stages from the left.

    Between stages one unit carries x - A and another one the sum so far; layers that
    are left over pass the sum on.
    """
    made = Carrying(x=Reading(np.ones(1), -float(bends.knots[0])))
    sum_so_far = bends.straight()
    for number, stage in enumerate(stages):
        sum_so_far = sum_so_far + bends.part(stage.kinks)
        goes_on = number + 1 < len(stages)
        add = _add_layer if stage.layers == 1 else _add_pair
        add(made, bends, stage, sum_so_far, goes_on)
    for _ in range(hidden_layers - len(made.layers)):
        made.pass_on(lift_of(sum_so_far.min()))
    return made.network()


def _first_layer(
    made: Carrying, bends: Bends, kinks: np.ndarray, before: np.ndarray, with_x: bool
) -> tuple[list[Reading], Reading]:
    """Add a layer of x - A (if needed), relu(x - kinks) and the sum before.

    Returns:
        the units without the carried sum, and the sum. Before the first layer the sum
        is the first piece, which x - A gives.
    """
    places = bends.knots[kinks] - bends.knots[0]
    readings = [made.x] * with_x + [made.x + -float(place) for place in places]
    if made.total is None:
        units = made.add(readings)
        return units, float(bends.slopes[0]) * units[0] + float(bends.values[0])
    lift = lift_of(before.min())
    *units, carried = made.add([*readings, made.total + lift])
    return units, carried + -lift


def _add_layer(
    made: Carrying, bends: Bends, stage: Stage, after: np.ndarray, goes_on: bool
) -> None:
    kinks, with_x = stage.kinks, goes_on or made.total is None
    places = np.arange(kinks.start, kinks.stop)
    before = after - bends.part(kinks)
    units, total = _first_layer(made, bends, places, before, with_x)
    for jump, reading in zip(bends.jumps[kinks], units[with_x:], strict=True):
        total = total + float(jump) * reading
    made.x, made.total = units[0], total


def _add_pair(
    made: Carrying, bends: Bends, stage: Stage, after: np.ndarray, goes_on: bool
) -> None:
    before = after - bends.part(stage.kinks)
    ends = np.array([0, *stage.ends[1:-1], len(bends.knots) - 1])
    units, total = _first_layer(made, bends, ends[1:-1], before, True)
    at, rest = bends.knots[ends], after
    readings: list[Reading] = []
    signs: list[int] = []
    for sign in (1, -1):
        for values in _second_layer(bends, stage.ends, at, sign):
            readings.append(through(at, values, len(units[0].row)))
            signs.append(sign)
            rest = rest - sign * np.maximum(np.interp(bends.knots, at, values), 0.0)
    lift = lift_of(rest.min())
    carried = total + through(at, (rest - before)[ends], len(units[0].row)) + lift
    *second, last = made.add([*readings, carried, *([units[0]] * goes_on)])
    second = [*second, last]
    made.x, made.total = last, second[len(signs)] + -lift
    for sign, reading in zip(signs, second, strict=False):
        made.total = made.total + sign * reading


def _second_layer(
    bends: Bends, ends: Ends, at: np.ndarray, sign: int
) -> list[np.ndarray]:
    """What the units for kinks of one direction read, by its values at `at`.

    Odd intervals give the kinks inside them to the first units, even ones to the last,
    so that no unit has kinks in neighbouring intervals. In an interval of its own a
    unit reads the affine function with its zero at the kink and the slope +-|jump|, the
    signs in turn; between those intervals it is affine and does not change its sign.
    """
    inside = [
        [k for k in range(left + 1, right) if sign * bends.jumps[k] > 0]
        for left, right in pairwise(ends)
    ]
    pairs = zip(inside, [*inside[1:], []], strict=True)
    count = max(len(here) + len(following) for here, following in pairs)
    taken: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for i, kinks in enumerate(inside):
        first = count - len(kinks) if i % 2 else 0
        for unit, kink in enumerate(kinks, start=first):
            taken[unit].append((i, kink))
    return [reading_values(bends, at, of_unit) for of_unit in taken if of_unit]


def reading_values(
    bends: Bends, at: np.ndarray, kinks: list[tuple[int, int]]
) -> np.ndarray:
    places: list[float] = []
    values: list[float] = []
    for turn, (interval, kink) in enumerate(kinks):
        slope = abs(float(bends.jumps[kink])) * (-1) ** turn
        for end in at[interval : interval + 2].tolist():
            places.append(end)
            values.append(slope * (end - float(bends.knots[kink])))
    return np.interp(at, places, values)
