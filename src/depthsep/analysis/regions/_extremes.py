"""The least and the largest value of a network on a domain, exactly, and where."""

from dataclasses import dataclass

from flint import fmpq

from depthsep.analysis.regions._regions import MOST_REGIONS, blocks
from depthsep.analysis.regions.cells._domains import Domain, Point
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.evidence import Rigour
from depthsep.networks import Network, check_output


@dataclass(frozen=True)
class Extremes:
    """Least and largest value of one output, each with a point where it is taken.

    Attributes:
        regions: activation regions that were looked at.
    """

    least: fmpq
    least_at: Point
    largest: fmpq
    largest_at: Point
    regions: int
    rigour: Rigour = Rigour.EXACT


def extremes(
    network: Network, on: Domain, *, output: int = 0, most: int = MOST_REGIONS
) -> Extremes:
    """Over an interval, a box or a polygon; a vertex of a region takes each of the two.

    Raises:
        HypothesisError: as `regions`; an output that does not exist.
        TooLargeError: as `regions`.
    """
    check_output(network, output)
    low: tuple[fmpq, Point] | None = None
    high: tuple[fmpq, Point] | None = None
    count = 0
    for block in blocks(network, on, engine="rational", most=most):
        count += block.counts[-1]
        if network.depth > 1:
            block.vertices.next_level()
        assert isinstance(block.vertices, RationalVertices)
        values = block.vertices.outputs(output)
        first = min(range(len(values)), key=values.__getitem__)
        last = max(range(len(values)), key=values.__getitem__)
        if low is None or values[first] < low[0]:
            low = values[first], block.vertices.point(first)
        if high is None or values[last] > high[0]:
            high = values[last], block.vertices.point(last)
    assert low is not None and high is not None
    return Extremes(*low, *high, count)
