"""Cells of functions of two variables, or on planes parallel to two axes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractLowerBound, Lower, Scope
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
from depthsep.exact import least_above, nearest_float
from depthsep.laws import ProductLaw
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds._pieces import RELU_SETTING
from depthsep.lower_bounds.box._cells import cells_of_layer, least_units_of_cells
from depthsep.lower_bounds.box.planes._bends import (
    DEFINITE,
    QUADRATIC,
    SADDLE,
    Bend,
    Rectangle,
    best_rectangle,
    count_above,
    inner_rectangles,
    tiles,
)
from depthsep.lower_bounds.box.planes._hessians import (
    CELLS,
    PRECISION,
    Plane,
    families_of_planes,
    planes_at_points,
)
from depthsep.problems import Problem, plain_below
from depthsep.targets import AbstractBoxTarget

SIZES = {  # squares of the largest |S| sqrt(h) / E of a cell S, by norm and kind
    "linf": {DEFINITE: fmpq(64), SADDLE: fmpq(64), QUADRATIC: fmpq(64)},
    "l1": {DEFINITE: fmpq(24**2), SADDLE: fmpq(64**2), QUADRATIC: fmpq(24**2)},
    "l2": {DEFINITE: fmpq(432), SADDLE: fmpq(1152), QUADRATIC: fmpq(360)},
}
CUTS = (1, 2, 4, 8, 16)  # of each side into tiles


@dataclass(frozen=True)
class CellCount:
    """Cells that a network has at least, together with the lines between tiles.

    Attributes:
        cells: of all tiles together.
        columns, rows: of tiles.
        plane: in which they lie, or the one that bends most.
        part: rectangle that they fill.
    """

    cells: int
    columns: int = 1
    rows: int = 1
    plane: Plane | None = None
    part: Rectangle | None = None

    def least_width(self, layers: int) -> int:
        """Of equal hidden layers with so many cells on the tiles."""
        return least_above(lambda m: self.most(m, layers) >= self.cells, -1)

    def most(self, width: int, layers: int) -> int:
        """Cells at most: lines between tiles are units of the first layer, parallel."""
        k, rows = self.columns, self.rows
        first = k * rows + width * (k + rows - 1) + width * (width - 1) // 2
        return first * cells_of_layer(width, 2) ** (layers - 1)

    def words(self) -> str:
        """Where its tiles are."""
        if self.plane is None or self.part is None:
            return "Theorem W"
        i, j = (axis + 1 for axis in self.plane.axes)
        tiles = f"{self.columns} x {self.rows} tiles"
        one = self.columns * self.rows == 1
        where = self.part.words(self.plane) if one else tiles
        return f"Theorem W on {where} in the (x{i}, x{j}) plane"


def _power(norm: str) -> tuple[fmpq, int]:
    """(r, s): the sums over tiles are of |D| (h / c^2)^r, raised to s."""
    return {"linf": (fmpq(1, 2), 1), "l1": (fmpq(1, 4), 2), "l2": (fmpq(1, 3), 3)}[norm]


def _size(bends: Iterable[Bend], norm: str) -> arb:
    """(h / c^2)^r of the kind that says most; 0 where nothing is known."""
    power, _ = _power(norm)
    sizes = [arb(b.least / SIZES[norm][b.kind]) ** arb(power) for b in bends]
    return max(sizes, key=lambda x: float(x.lower()), default=arb(0))


def _at_points(problem: Problem) -> Iterator[CellCount]:
    """In linf: every plane by itself, tile by tile."""
    formula = problem.target_as(AbstractBoxTarget).as_formula()
    for plane in planes_at_points(formula, problem.law.box):

        def needed(part: Rectangle, on: Plane = plane) -> int:
            size = _size(part.bends_on(on), "linf")
            return count_above(arb(part.area(on)) * size / arb(problem.accuracy))

        for parts, k, rows in _ways_to_cut(plane, "linf"):
            cells = sum(map(needed, parts))
            yield CellCount(cells, k, rows, plane, Rectangle.around(parts))


def _in_the_mean(problem: Problem) -> Iterator[CellCount]:
    """In l1 and l2: what is left on all planes of two variables.

    Under a density every part counts with the least that it has there.
    """
    formula = problem.target_as(AbstractBoxTarget).as_formula()
    inputs = problem.law_as(ProductLaw).inputs
    _, s = _power(problem.norm)
    for planes in families_of_planes(formula, inputs):
        area = planes[0].area
        allowed = arb(problem.accuracy) ** (s - 1) * arb(area)
        most_bent = max(planes, key=_first_guess)
        ways = list(_ways_to_cut(most_bent, problem.norm))
        if problem.is_weighted:
            ways += [([part], 1, 1) for part in inner_rectangles(most_bent)]
        for parts, k, rows in ways:
            left = arb(0)
            for plane in planes:
                sizes = (
                    arb(part.area(plane))
                    * _size(part.bends_on(plane), problem.norm)
                    * arb(part.least_density(plane, inputs)) ** (arb(1) / s)
                    for part in parts
                )
                left += arb(plane.share) * sum(sizes, arb(0)) ** s
            cells = count_above((left / allowed) ** (arb(1) / (s - 1)))
            yield CellCount(cells, k, rows, most_bent, Rectangle.around(parts))


def _first_guess(plane: Plane) -> float:
    whole = Rectangle(0, plane.cells, 0, plane.cells)
    bends = whole.bends_on(plane)
    return max((nearest_float(b.least) for b in bends), default=0.0)


def _ways_to_cut(
    plane: Plane, norm: str
) -> Iterator[tuple[Sequence[Rectangle], int, int]]:
    """The best rectangle by itself, and tilings."""
    power, _ = _power(norm)
    exponent = nearest_float(power)
    sizes = {
        DEFINITE: SIZES[norm][DEFINITE],
        SADDLE: SIZES[norm][QUADRATIC if plane.quadratic else SADDLE],
    }
    weights = {k: nearest_float(1 / c) ** exponent for k, c in sizes.items()}
    yield [best_rectangle(plane, weights, exponent)], 1, 1
    for k, rows in cartesian(CUTS, repeat=2):
        if max(k, rows) <= plane.cells and k * rows > 1:
            yield tiles(plane, k, rows), k, rows


@once_for_all_networks
def cell_counts(problem: Problem) -> tuple[CellCount, ...]:
    """Of all planes, in all ways; those that ask for two cells or more."""
    ways: Callable[[Problem], Iterator[CellCount]] = (
        _at_points if problem.norm == "linf" else _in_the_mean
    )
    with ctx.workprec(PRECISION):
        return tuple(cut for cut in ways(problem) if cut.cells > cut.columns * cut.rows)


def _evaluate(
    area: fmpq, h: fmpq, kind: str, accuracy: fmpq, norm: str, layers: int
) -> Value:
    if norm not in SIZES:
        raise HypothesisError(f"the norm is {norm[:20]!r}; give linf, l1 or l2")
    if kind not in SIZES[norm]:
        raise HypothesisError(
            f"the kind is {kind[:20]!r}; give one of {', '.join(SIZES[norm])}"
        )
    with ctx.workprec(PRECISION):
        size = arb(area) * arb(h / SIZES[norm][kind]).sqrt() / arb(accuracy)
        width = CellCount(count_above(size)).least_width(layers)
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class PlaneCells(AbstractLowerBound):
    """Cells have four corners in the mean, and a saddle fits into none that is large.

    The best rectangle of a grid, or all of its tiles together; with more than two
    variables on planes parallel to two axes.
    """

    statement: ClassVar[Statement] = Statement(
        "plane-cells",
        "Width needed for a curved or saddle-shaped function of two variables",
        (
            RELU_SETTING,
            (
                "the Hessian D^2 f satisfies D^2 f >= H, or D^2 f <= "
                "-H, on a rectangle of area V, with a constant "
                "positive definite matrix H and h = det H"
            ),
            (
                "for saddles, the condition with H is replaced by this one: every "
                "matrix in the convex hull of the Hessians D^2 f on the rectangle has "
                "a determinant of at most -h < 0"
            ),
        ),
        Source("depthsep", "Theorem W"),
        (
            Parameter("area", "rational", "V, the area of the rectangle", "1"),
            Parameter(
                "h",
                "rational",
                "h, which is det H for the kind definite; for saddles, all "
                "determinants are at most -h",
                "1",
            ),
            Parameter(
                "kind",
                "name",
                "the curvature of f: definite, saddle, or quadratic "
                "saddle (a saddle of a polynomial of degree 2)",
                SADDLE,
            ),
            Parameter("accuracy", "rational", "E, the allowed error"),
            Parameter("norm", "name", "one of linf, l1 and l2", "linf"),
            LAYERS,
        ),
        _evaluate,
        sample="accuracy=1/10000",
        tex=(
            r"R \ge \frac{V \sqrt{h}}{c \, E}, \quad c = 8 \text{ in } "
            r"\ell_\infty; \quad c = 24 \text{ in } \ell_1, \; "
            r"\sqrt{432} \text{ in } \ell_2 \text{ (definite)}; \quad "
            r"64, \; \sqrt{1152} \text{ (saddle)}; \quad 24, \; "
            r"\sqrt{360} \text{ (quadratic saddle)}; \quad "
            r"\prod_{i=1}^{L} \left( 1 + m_i + \binom{m_i}{2} \right) "
            r"\ge R \text{, the number of affine cells}"
        ),
        proof=proved("plane-cells"),
    )

    scope = Scope(
        "this bound covers only functions on a box", AbstractBoxTarget, weighs=True
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim not in CELLS:
            return Inapplicable(
                f"this bound covers only functions of up to {max(CELLS)} variables"
            )
        layers = depth - 1
        asked = [problem, *(plain_below(problem) if problem.is_weighted else ())]
        widths = [
            (cut.least_width(layers), cut) for p in asked for cut in cell_counts(p)
        ]
        if not widths:
            return Inapplicable(
                "no part of the box was found on which the function is "
                "curved enough to need two affine cells"
            )
        width, best = max(widths, key=lambda found: found[0])
        whole = [cut.cells for _, cut in widths if cut.columns == cut.rows == 1]
        least = least_units_of_cells(max(whole, default=1), 2, layers)
        return Lower(
            width=width,
            units=max(least, width + layers - 1),
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=best.words(),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(target, norm=norm, accuracy="1e-4")
            for target in ("product", "expr:exp(x1+x2)+x1**2")
            for norm in ("linf", "l1", "l2")
        ]
