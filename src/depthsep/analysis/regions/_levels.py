"""Where an output of a network has a given value: decision boundaries, exactly."""

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.regions._regions import AUTO, MOST_REGIONS, whole
from depthsep.analysis.regions._subdivision import hanging_together
from depthsep.analysis.regions.cells._complex import Complex, faces_with
from depthsep.analysis.regions.cells._domains import Domain, Point
from depthsep.analysis.regions.cells._lists import Lists
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import rational
from depthsep.networks import Affine, Network, as_relu, check_output

PRECISION = 128


@dataclass(frozen=True, eq=False)
class LevelSet:
    """The points at which an output f equals a level, as faces of a subdivision.

    Attributes:
        facets: faces of dimension n - 1 on which f is the level: points, segments, ...;
            those of flat cells among them.
        flat: cells of dimension n on which it is the level throughout.
        above, below: connected parts of f > level and of f < level.
    """

    complex: Complex
    output: int = 0

    @property
    def rigour(self) -> Rigour:
        """Counts are exact."""
        return Rigour.EXACT

    @property
    def facets(self) -> int:
        """Faces of dimension n - 1 in it."""
        return int(self._zero[-2].sum())

    @property
    def flat(self) -> int:
        """Cells all over which f is the level."""
        return int(self._zero[-1].sum())

    @property
    def above(self) -> int:
        """Connected parts of f > level."""
        return self._parts(1)

    @property
    def below(self) -> int:
        """Connected parts of f < level."""
        return self._parts(-1)

    def segments(self) -> list[tuple[Point, Point]]:
        """In two dimensions: the ends of all segments, exactly.

        Raises:
            HypothesisError: another dimension.
        """
        point = self.complex.vertices.exact_point
        found = []
        for ends in self._ends().T.tolist():
            rows = [point(v).tolist() for v in ends]
            a, b = (tuple(fmpq(int(x), int(r[0])) for x in r[1:]) for r in rows)
            found.append((a, b))
        return found

    def near_segments(self) -> np.ndarray:
        """The same in float64, (segments, 2, 2)."""
        return self.complex.vertices.places()[self._ends()].transpose(1, 0, 2)

    def length(self) -> Enclosure:
        """In two dimensions: how long it is.

        Raises:
            HypothesisError: another dimension.
        """
        with ctx.workprec(PRECISION):
            total = arb(0)
            for a, b in self.segments():
                steps = [x - y for x, y in zip(a, b, strict=True)]
                total += arb(sum((s * s for s in steps), fmpq(0))).sqrt()
            return enclosure(total)

    def _ends(self) -> np.ndarray:
        if self.complex.dim != 2:
            raise HypothesisError(
                "segments and lengths of level sets are given only in two dimensions"
            )
        return self.complex.ends[:, self._zero[1]]

    @cached_property
    def _signs(self) -> np.ndarray:
        return self.complex.vertices.signs(self.output)

    @cached_property
    def _zero(self) -> list[np.ndarray]:
        """Of faces of every dimension, whether f is the level on all of it."""
        return [~f[:, 0] for f in faces_with(self.complex, self._signs[:, None] != 0)]

    def _parts(self, sign: int) -> int:
        cells = self.complex
        inside = faces_with(cells, (self._signs == sign)[:, None])[-1][:, 0]
        if cells.dim == 1:
            facet, cell = cells.ends.ravel(), np.tile(np.arange(len(inside)), 2)
        else:
            facet, cell = cells.incidences[-1].child, cells.incidences[-1].parent
        open_ = ~self._zero[-2][facet] & inside[cell]
        facet, cell = Lists.of(facet[open_], cell[open_])
        same = facet[1:] == facet[:-1]
        pairs = np.stack([cell[:-1][same], cell[1:][same]])
        labels = hanging_together(pairs, len(inside))
        return len(np.unique(labels[inside]))


def level_set(
    network: Network,
    on: Domain,
    *,
    level: object = 0,
    output: int = 0,
    engine: str = AUTO,
    most: int = MOST_REGIONS,
    seconds: float = inf,
) -> LevelSet:
    """Where an output of a ReLU network is a level, such as a classifier's boundary.

    Raises:
        HypothesisError: as `regions`; an output that does not exist.
        TooLargeError: as `regions`.
    """
    check_output(network, output)
    relus = as_relu(network)
    weight = relus.layers[-1].weight[output : output + 1]
    bias = [rational(relus.layers[-1].bias[output]) - rational(level, name="the level")]
    lowered = Network([*relus.layers[:-1], Affine(weight, bias)], relus.activations)
    cells = whole(lowered, on, engine=engine, most=most, seconds=seconds)
    if lowered.depth > 1:
        cells.vertices.next_level()
        cells.start_level()
    cells.cut(0)
    return LevelSet(cells)
