"""Divide kinks among pairs of hidden layers, for the least width."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from depthsep.constructions.line.narrow._coarse_knots import (
    Ends,
    Kinks,
    farthest_of_splits,
)
from depthsep.exact import least, least_above


@dataclass(frozen=True)
class Stage:
    """Consecutive kinks, held by two hidden layers or by one.

    Attributes:
        ends: numbers of the kinks at the ends of the coarse intervals of two layers;
            the first and the last bound the stage and do not belong to it.
        layers: 1 or 2.
    """

    ends: Ends
    layers: int = 2

    @property
    def kinks(self) -> slice:
        """The kinks that it holds."""
        return slice(self.ends[0] + 1, self.ends[-1])


def layouts(hidden_layers: int) -> Iterator[tuple[int, ...]]:
    """Layers of each stage: pairs, and one single layer anywhere if L is odd."""
    pairs, odd = divmod(hidden_layers, 2)
    if not odd:
        yield (2,) * pairs
        return
    for place in range(pairs + 1):
        yield (2,) * place + (1,) + (2,) * (pairs - place)


@dataclass(frozen=True)
class Room:
    """What a stage of a given width has room for, x and the sum being carried.

    Attributes:
        first: intervals of the first layer of a pair, or kinks of a single layer.
        second: units of the second layer of a pair that have kinks of their own.
    """

    first: int
    second: int

    @staticmethod
    def of(layers: Sequence[int], stage: int, width: int) -> "Room":
        """Of one stage of a layout."""
        is_first, goes_on = stage == 0, stage + 1 < len(layers)
        if layers[stage] == 1:
            return Room(width - 1 - (goes_on and not is_first), 0)
        return Room(width - (not is_first), width - 1 - goes_on)

    def convex_kinks(self, layers: int) -> int:
        """How many kinks that all go one way it holds."""
        if layers == 1:
            return max(0, self.first)
        if self.first < 1 or self.second < 0:
            return 0
        return -(-self.first // 2) * self.second + self.first - 1


def convex_width(kinks: int, hidden_layers: int) -> int:
    """The least width that holds this many kinks which all go one way."""

    def holds(width: int) -> bool:
        return any(
            sum(
                Room.of(layout, i, width).convex_kinks(layers)
                for i, layers in enumerate(layout)
            )
            >= kinks
            for layout in layouts(hidden_layers)
        )

    return least_above(holds, 0)


def narrowest_stages(kinks: Kinks, hidden_layers: int) -> tuple[Stage, ...]:
    """Stages that hold all kinks, each as many as it can, for the least width."""
    best: tuple[Stage, ...] = ()

    def holds(width: int) -> bool:
        nonlocal best
        for layout in layouts(hidden_layers):
            stages = _filled(kinks, layout, width)
            if stages is not None:
                best = stages
                return True
        return False

    low = convex_width(kinks.count, hidden_layers) - 1  # no other kinks fit better
    high = max(1, low)
    while not holds(high):
        low, high = high, high + max(1, high // 2)
    width = least(holds, low, high)
    holds(width)
    return best


def _filled(
    kinks: Kinks, layout: tuple[int, ...], width: int
) -> tuple[Stage, ...] | None:
    stages: list[Stage] = []
    held = 0
    for i, layers in enumerate(layout):
        room = Room.of(layout, i, width)
        ends = _ends(kinks, held, layers, room)
        if ends is None:
            return None
        stages.append(Stage(ends, layers))
        held = ends[-1] - 1
        if held == kinks.count:
            return tuple(stages)
    return None


def _ends(kinks: Kinks, held: int, layers: int, room: Room) -> Ends | None:
    if layers == 1:
        count = min(kinks.count - held, room.first)
        return (held, held + 1 + count) if room.first >= 0 else None
    if room.first < 1 or room.second < 0:
        return None
    return farthest_of_splits(kinks, held, room.first, room.second)
