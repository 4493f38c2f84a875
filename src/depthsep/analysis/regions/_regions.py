"""Activation regions of a ReLU network on a convex domain, counted exactly."""

from dataclasses import dataclass, field

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.analysis.regions._complex import Complex
from depthsep.analysis.regions._domains import Domain, faces_of
from depthsep.analysis.regions._filtered import FilteredVertices
from depthsep.analysis.regions._rational import RationalVertices
from depthsep.evidence import Rigour
from depthsep.networks import RELU, Network, as_relu

ENGINES = {"filtered": FilteredVertices, "rational": RationalVertices}
MOST_REGIONS = 1 << 21


@dataclass(frozen=True, eq=False)
class Regions:
    """The cells into which all hidden units cut a domain, and their faces.

    Attributes:
        faces: how many of dimension 0, 1, ..., n.
        undecided: signs that float64 left open, found in rationals.
    """

    faces: tuple[int, ...]
    undecided: int
    complex: Complex = field(repr=False)
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
    engine: str = "filtered",
    most: int = MOST_REGIONS,
) -> Regions:
    r"""Cut a domain by the zero sets of all hidden units, layer by layer.

    A unit whose preactivation is 0 on a whole cell does not cut it; units with the same
    zero set cut once.

    Args:
        network: ReLU units (also leaky ones and |z|), 1 to 4 inputs.
        on: an interval, a box, or a convex polygon.
        engine: ``filtered`` (float64 with proved error bounds, rationals where a sign
            stays open) or ``rational``. Both are exact.
        most: give up beyond so many regions.

    Raises:
        HypothesisError: other units, inputs that do not fit the domain, an unknown
            engine.
        TooLargeError: more than `most` regions.
    """
    if engine not in ENGINES:
        raise HypothesisError(f"engine {engine!r}; choose {' or '.join(ENGINES)}")
    chosen, start = as_relu(network), faces_of(on)
    if any(a is not RELU for a in chosen.activations):
        raise HypothesisError("regions are those of ReLUs, leaky ones and |z| alone")
    if chosen.in_dim != len(start.corners[0]):
        raise HypothesisError(
            f"the network has {chosen.in_dim} inputs, the domain "
            f"{len(start.corners[0])} dimensions; give equally many"
        )
    vertices = ENGINES[engine](start.corners, chosen.layers)
    cells = Complex(
        vertices, start.ends.copy(), list(start.incidences), list(start.counts)
    )
    for level in range(chosen.depth - 1):
        if level:
            vertices.next_level()
            cells.start_level()
        for unit in range(vertices.units):
            cells.cut(unit)
            if cells.counts[-1] > most:
                raise TooLargeError(f"more than {most} regions; give a smaller domain")
    faces = (vertices.count, *cells.counts)
    return Regions(faces, getattr(vertices, "undecided", 0), cells)
