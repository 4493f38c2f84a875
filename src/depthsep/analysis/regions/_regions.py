"""Activation regions of a ReLU network on a convex domain, counted exactly."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from depthsep._deadline import end_after, is_over
from depthsep._errors import HypothesisError, OutOfTimeError, TooLargeError
from depthsep._plural import plural
from depthsep._progress import tell
from depthsep.analysis.regions.cells._complex import Complex, Vertices
from depthsep.analysis.regions.cells._domains import Domain, faces_of
from depthsep.analysis.regions.cells._filtered import FilteredVertices
from depthsep.analysis.regions.cells._parts import parts
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.evidence import Rigour
from depthsep.networks import RELU, Network, as_relu

AUTO = "auto"
ENGINES = {
    AUTO: RationalVertices,
    "filtered": FilteredVertices,
    "rational": RationalVertices,
}
MOST_REGIONS = 1 << 24
FEW_ZEROS, MANY_ZEROS = 1 / 64, 1 / 16  # of a level's first preactivations
PART = 2048  # cells that go through a layer together


@dataclass(frozen=True)
class Regions:
    """The cells into which all hidden units cut a domain, and their faces.

    Attributes:
        faces: how many of dimension 0, 1, ..., n.
        undecided: signs that float64 left open, found in rationals.
    """

    faces: tuple[int, ...]
    undecided: int
    rigour: Rigour = Rigour.EXACT

    @property
    def activation_regions(self) -> int:
        """Cells of the subdivision by the zero sets of all hidden units."""
        return self.faces[-1]

    @property
    def vertices(self) -> int:
        """Corners of cells."""
        return self.faces[0]

    @property
    def edges(self) -> int:
        """Segments between them."""
        return self.faces[1]


def regions(
    network: Network,
    on: Domain,
    *,
    engine: str = AUTO,
    most: int = MOST_REGIONS,
) -> Regions:
    r"""Cut a domain by the zero sets of all hidden units, layer by layer.

    A unit whose preactivation is 0 on a whole cell does not cut it; units with the same
    zero set cut once. Memory grows with the largest layer's cells in a part of the
    domain, not with all regions.

    Args:
        network: ReLU units (also leaky ones and |z|), 1 to 4 inputs.
        on: an interval, a box, or a convex polygon.
        engine: ``rational``; ``filtered``: float64 with proved error bounds, rationals
            where a sign stays open; ``auto``: rational on layers where the numbers
            are short or many of them are 0, filtered on the others. All are exact.
        most: give up beyond so many regions.

    Raises:
        HypothesisError: other units, inputs that do not fit the domain, an unknown
            engine.
        TooLargeError: more than `most` regions.
    """
    total, undecided = np.zeros(0, dtype=np.int64), 0
    for block in blocks(network, on, engine=engine, most=most):
        own = np.array(block.own)
        total = own if not len(total) else total + own
        undecided = block.vertices.tally[0]
    return Regions(tuple(total.tolist()), undecided)


def blocks(
    network: Network,
    on: Domain,
    *,
    engine: str,
    most: int = MOST_REGIONS,
    size: int = PART,
    patterns: bool = False,
    seconds: float = inf,
) -> Iterator[Complex]:
    """The subdivision in parts, each cut by all hidden units: see `regions`.

    Args:
        size: cells that go through a layer together.
        patterns: note which units are on in every cell.
        seconds: give up after so long.
    """
    if engine not in ENGINES:
        raise HypothesisError(f"`engine` is {engine!r}; choose {' or '.join(ENGINES)}")
    chosen = as_relu(network)
    start = _start(chosen, on, engine)
    found = 0
    plan = _Plan(
        chosen.depth - 1, size, most, patterns, engine == AUTO, end_after(seconds)
    )
    for block in _cut(start, plan):
        found += block.counts[-1]
        plan.check(found)
        yield block


def whole(
    network: Network,
    on: Domain,
    *,
    engine: str,
    most: int = MOST_REGIONS,
    patterns: bool = False,
    seconds: float = inf,
) -> Complex:
    """The subdivision in one piece."""
    (found,) = blocks(
        network,
        on,
        engine=engine,
        most=most,
        size=most,
        patterns=patterns,
        seconds=seconds,
    )
    return found


def _start(network: Network, on: Domain, engine: str) -> Complex:
    faces = faces_of(on)
    if any(a is not RELU for a in network.activations):
        raise HypothesisError(
            "regions are found only for networks whose units are "
            "ReLUs, leaky ReLUs, clips or |z|"
        )
    if network.in_dim != len(faces.corners[0]):
        raise HypothesisError(
            f"the network has {plural(network.in_dim, 'input')} and the domain has "
            f"dimension {len(faces.corners[0])}; these must agree"
        )
    vertices = ENGINES[engine](faces.corners, network.layers)
    counts = (len(faces.corners), *faces.counts[:-1])
    foreign = [np.zeros(count, dtype=bool) for count in counts]
    return Complex(
        vertices, faces.ends, list(faces.incidences), list(faces.counts), foreign
    )


@dataclass(frozen=True)
class _Plan:
    levels: int
    size: int
    most: int
    patterns: bool
    auto: bool
    stop_at: float

    def check(self, found: int) -> None:
        """Give up if there are too many regions."""
        if found > self.most:
            raise TooLargeError(
                f"there are more than {self.most} regions; give a smaller domain",
                more_than=self.most,
            )

    def go_on(self, found: int) -> None:
        """Give up if no time for another cut is left."""
        if is_over(self.stop_at):
            raise OutOfTimeError(
                "no time is left to cut the regions found so far "
                f"({found}) further; allow more seconds",
                more_than=found - 1,
            )


def _cut(cells: Complex, plan: _Plan) -> Iterator[Complex]:
    """Depth first: a part goes through all layers before the next one starts."""
    waiting: list[Iterator[Complex]] = [iter([cells])]
    while waiting:
        part = next(waiting[-1], None)
        if part is None:
            waiting.pop()
            continue
        level = len(waiting) - 1
        if level < plan.levels:
            _cut_level(part, level, plan)
        if level + 1 >= plan.levels:
            yield part
        else:
            waiting.append(parts(part, plan.size))


def _cut_level(cells: Complex, level: int, plan: _Plan) -> None:
    if level:
        cells.vertices.next_level()
        cells.start_level()
    if plan.auto:
        cells.vertices = _suited(cells.vertices)
    for unit in range(cells.vertices.units):
        plan.go_on(cells.counts[-1])
        cells.cut(unit)
        plan.check(cells.counts[-1])
        tell((level + unit / cells.vertices.units) / plan.levels, "regions")
    if plan.patterns:
        cells.note()


def _suited(vertices: Vertices) -> Vertices:
    """Rational vertices while numbers are short or often 0, else filtered ones.

    A maximum of equal numbers makes preactivations that are exactly 0: float64 leaves
    each of them open, and to find them one by one takes longer than rationals for all.
    """
    zeros = vertices.share_of_zeros
    if isinstance(vertices, FilteredVertices) and zeros > MANY_ZEROS:
        return vertices.in_rationals()
    if isinstance(vertices, RationalVertices) and zeros < FEW_ZEROS:
        return FilteredVertices.of_rationals(vertices) if vertices.is_long else vertices
    return vertices
