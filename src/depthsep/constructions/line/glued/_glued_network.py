"""The network that refines glued cells by folds."""

from collections.abc import Sequence

import numpy as np

from depthsep.constructions.line._folds import fold_coefficients
from depthsep.constructions.line.glued._glued_cells import Cells
from depthsep.constructions.line.narrow._carrying import (
    Carrying,
    Reading,
    lift_of,
    through,
)
from depthsep.constructions.line.narrow._pairs import Bends, reading_values
from depthsep.networks import Network


def glued_network(
    cells: Cells,
    bases: Sequence[int],
    *,
    sign: float = 1.0,
    drop: float | None = None,
    mirrored: bool = False,
) -> Network:
    """f less than about S / (16 b^2) away, b the product of the bases, for convex f.

    The first two hidden layers give the chords of f and a zigzag through 0, 1, 0, ...
    at the knots. Each base then folds the zigzag and bends the chords towards f.

    Args:
        sign: -1 to give -f.
        drop: by how much to lower the result; S / (16 b^2) if not given.
        mirrored: the cells are those of f(-x).
    """
    bends = Bends(cells.knots, cells.values)
    direction = -np.ones(1) if mirrored else np.ones(1)
    made = Carrying(x=Reading(direction, -float(cells.knots[0])))
    zigzag = _two_layers(made, bends, cells)
    share = cells.bend / 2
    for base in bases:
        zigzag = _fold(made, zigzag, base, share, float(cells.values.min()))
        share /= base**2
    assert made.total is not None
    lowered = made.total + -(share / 8 if drop is None else drop)
    made.total = sign * lowered
    return made.network()


def glued_widths(cells: Cells, bases: Sequence[int]) -> tuple[int, ...]:
    """Units of the hidden layers."""
    kinks = sum(len(_units_of(cells, *kind)) for kind in KINDS)
    return (len(cells.ends) - 1, kinks + 2, *(base + 1 for base in bases))


KINDS = tuple((first, parity) for first in (0, 1) for parity in (0, 1))


def _two_layers(made: Carrying, bends: Bends, cells: Cells) -> Reading:
    """Add both layers; the sum becomes the chords, the zigzag is returned."""
    knots, ends = cells.knots, cells.ends
    at = knots[ends]
    units = made.add([made.x + -float(place - knots[0]) for place in at[:-1]])
    # downwards at knots of odd number, where the zigzag has its peaks
    readings, turns = [], []
    chords, zigzag = cells.values, cells.zigzag
    for first, parity in KINDS:
        for kinks in _units_of(cells, first, parity):
            values = reading_values(bends, at, kinks)
            readings.append(through(at, values, len(units[0].row)))
            turns.append((1 - 2 * parity) * 2 / cells.bend)
            shape = np.maximum(np.interp(knots, at, values), 0.0)
            chords, zigzag = chords - shape, zigzag - turns[-1] * shape
    for rest in (chords, zigzag):
        readings.append(
            through(at, rest[ends], len(units[0].row)) + lift_of(rest.min())
        )
    *second, chord, peak = made.add(readings)
    made.total, folding = chord + -lift_of(chords.min()), peak + -lift_of(zigzag.min())
    for turn, reading in zip(turns, second, strict=True):
        made.total, folding = made.total + reading, folding + turn * reading
    return folding


def _units_of(cells: Cells, first: int, parity: int) -> list[list[tuple[int, int]]]:
    """(interval, knot) of each unit, for every other interval and peaks or valleys."""
    taken: list[list[tuple[int, int]]] = []
    ends, zigzag = cells.ends, cells.zigzag
    for i in range(first, len(ends) - 1, 2):
        kinks = [k for k in range(ends[i] + 1, ends[i + 1]) if zigzag[k] == parity]
        taken.extend([] for _ in range(len(kinks) - len(taken)))
        for unit, kink in zip(taken, kinks, strict=False):
            unit.append((i, kink))
    return taken


def _fold(
    made: Carrying, zigzag: Reading, base: int, share: float, least: float
) -> Reading:
    """Add a layer: fold the zigzag, and take share * tau (1 - tau) from the sum."""
    assert made.total is not None
    lift = lift_of(least - share)
    folds = [float(base) * zigzag + -float(i) for i in range(base)]
    *units, carried = made.add([*folds, made.total + lift])
    folded, made.total = 0.0 * carried, carried + -lift
    bump = np.full(base, -2.0)
    bump[0] = base - 1.0
    for unit, turn, bent in zip(units, fold_coefficients(base), bump, strict=True):
        folded = folded + float(turn) * unit
        made.total = made.total + (-share * float(bent) / base**2) * unit
    return folded
