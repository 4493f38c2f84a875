"""Pieces and crossings of a network along a segment, exactly."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.analysis.regions._levels import LevelSet
from depthsep.analysis.regions._regions import AUTO, MOST_REGIONS, whole
from depthsep.analysis.regions._subdivision import Subdivision
from depthsep.exact import rational
from depthsep.laws import Segment
from depthsep.networks import Affine, Network, as_relu, check_output, restrict


class Along(NamedTuple):
    """Affine pieces (of all outputs), and the crossing number of one output."""

    pieces: int
    crossings: int


def along(
    network: Network,
    first: Sequence[fmpq],
    second: Sequence[fmpq],
    *,
    level: object = 0,
    output: int = 0,
    most: int = MOST_REGIONS,
) -> Along:
    """Count on the segment between two different points.

    The crossing number is that of `depthsep.analysis.crossings`: how many intervals
    1[f >= level] falls into. One hidden layer is counted by sorting its kinks, deeper
    networks by cutting the segment unit after unit.

    Raises:
        HypothesisError: as `regions`; an output that does not exist.
        TooLargeError: as `regions`; more than `most` pieces.
    """
    check_output(network, output)
    step = [b - a for a, b in zip(first, second, strict=True)]
    restricted = as_relu(restrict(network, first, step))
    if network.depth <= 2:
        return _of_one_layer(restricted, output, level, most)
    line = lowered(restricted, output, level)
    cells = whole(line, Segment(0, 1), engine=AUTO, most=most, patterns=True)
    pieces = Subdivision(line, cells).affine_regions
    cells.vertices.next_level()
    cells.start_level()
    cells.cut(output)
    below = LevelSet(cells, output).below
    ends = int((cells.vertices.signs(output)[:2] < 0).sum())
    return Along(pieces, 2 * below + 1 - ends)


def _of_one_layer(line: Network, output: int, level: object, most: int) -> Along:
    outputs = range(line.out_dim)
    functions = [on_interval(line, 0, 1, output=k) for k in outputs]
    knots = {knot for f in functions for knot in f.knots[1:-1]}
    if len(knots) >= most:
        raise TooLargeError(f"there are more than {most} pieces", more_than=most)
    return Along(len(knots) + 1, crossings(functions[output], level))


def lowered(network: Network, output: int, level: object) -> Network:
    """The network with one output moved down by a level."""
    last = network.layers[-1]
    moved = np.array([rational(b) for b in last.bias], dtype=object)
    moved[output] -= rational(level, name="the level")
    bias = last.bias if moved[output] == rational(last.bias[output]) else moved
    return Network(
        [*network.layers[:-1], Affine(last.weight, bias)], network.activations
    )
