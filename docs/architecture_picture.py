"""Draw the packages of depthsep and the imports between them, level by level.

    python docs/architecture_picture.py [FILE]

reads the order from tests/whole/test_imports.py and the imports from the syntax trees of
src/depthsep, and writes docs/images/architecture.svg (or FILE; .png works too). An
arrow that follows from two others is left out. The same sources give the same bytes.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "depthsep"
WIDE, HIGH = 1.82, 0.56  # a box, where columns are COLUMN apart and levels 1
COLUMN = 2.05
# chosen so that few arrows cross and none runs behind a box
COLUMNS = {
    **{"cli": 2.0, "explore": 3.25, "reports": 1.5, "studies": 0.5, "jobs": 0.5},
    **{"papers": 2.0, "interop": 3.25, "witnesses": 3.25, "separation": 2.0},
    **{"near_init": 0.0, "constructions": 1.0, "dynamics": 2.0, "lower_bounds": 3.0},
    **{"infinite_width": 4.0, "claims": 1.5, "analysis": 2.75, "problems": 4.2},
    **{"approximation": 5.2, "tables": 5.2, "surfaces": 5.2, "export": 4.5},
    **{"targets": 4.15, "laws": 4.15, "networks": 2.75, "evidence": 1.25},
    **{"special": 2.6, "formulas": 4.15, "exact": 1.5},
}
INK, MUTED, RULE = "#1f2328", "#5f6872", "#8c96a1"
MAKERS = "constructions lower_bounds infinite_width near_init dynamics"
NOUNS = "exact special formulas evidence networks laws targets problems claims approximation"
GROUPS = (
    ("what can be asked and said", "#e9edf1", NOUNS),
    ("the examiner", "#fbe3cf", "analysis"),
    ("makers, strangers to one another", "#d5e8f3", MAKERS),
)
OTHERS = ("what is made of their answers", "#d8efe7")
Edges = dict[str, set[str]]
Places = dict[str, tuple[float, float]]


def order() -> dict[str, int]:
    """ORDER, as the test of the imports states it, for the packages that exist."""
    tree = ast.parse((ROOT / "tests" / "whole" / "test_imports.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ORDER":
            levels = ast.literal_eval(node.value)
            return {p: n for p, n in levels.items() if (SOURCE / p).is_dir()}
    raise SystemExit(
        "tests/whole/test_imports.py has no ORDER; is it named differently now?"
    )


def imported(file: Path) -> Iterator[str]:
    """The packages of depthsep that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("depthsep."):
                yield name.split(".")[1]


def imports(packages: dict[str, int]) -> Edges:
    """What every package imports."""
    return {
        package: {
            name
            for file in sorted((SOURCE / package).rglob("*.py"))
            for name in imported(file)
            if name in packages and name != package
        }
        for package in packages
    }


def reduced(edges: Edges) -> Edges:
    """The edges that do not follow from others."""

    def below(package: str) -> set[str]:
        return edges[package].union(*(below(p) for p in edges[package]))

    return {
        package: {q for q in to if not any(q in below(p) for p in to - {q})}
        for package, to in edges.items()
    }


def rooms(package: str) -> str:
    """The rooms of a package, or nothing."""
    found = sorted(p.parent.name for p in (SOURCE / package).glob("*/__init__.py"))
    return ", ".join(found)


def placed(levels: dict[str, int]) -> Places:
    """A place for every package: its level, and its column."""
    heights = {n: k for k, n in enumerate(sorted(set(levels.values())))}
    places: Places = {}
    for package, level in levels.items():
        taken = [x for x, y in places.values() if y == heights[level]]
        free = (k * COLUMN for k in range(len(levels) + 1))
        x = COLUMN * COLUMNS.get(package, -1)
        if x < 0:  # a new package: the first free column, until it is given a place
            x = next(x for x in free if all(abs(x - z) >= COLUMN for z in taken))
        places[package] = x, float(heights[level])
    return places


def group(package: str) -> tuple[str, str]:
    """What a package is part of, and the colour of that."""
    for name, color, packages in GROUPS:
        if package in packages.split():
            return name, color
    return OTHERS


def draw(axes: Axes, levels: dict[str, int], edges: Edges) -> None:
    """Boxes, arrows from each package down to what it imports, and a legend."""
    places = placed(levels)
    for package in sorted(edges):
        for other in sorted(edges[package]):
            (x, y), (u, v) = places[package], places[other]
            arrow = FancyArrowPatch(
                (x, y - HIGH / 2),
                (u, v + HIGH / 2),
                arrowstyle="-|>",
                mutation_scale=9,
                shrinkA=0,
                shrinkB=1,
                color=RULE,
                linewidth=0.9,
            )
            axes.add_patch(arrow)
    for package, (x, y) in sorted(places.items()):
        box = FancyBboxPatch(
            (x - WIDE / 2, y - HIGH / 2),
            WIDE,
            HIGH,
            boxstyle="round,pad=0,rounding_size=0.09",
            facecolor=group(package)[1],
            edgecolor=RULE,
            linewidth=0.8,
        )
        axes.add_patch(box)
        inside = rooms(package)
        name = {"ha": "center", "va": "center", "color": INK, "weight": "bold"}
        axes.text(x, y + (0.12 if inside else 0), package, fontsize=9.5, **name)
        axes.text(
            x, y - 0.14, _folded(inside), fontsize=6, ha="center", va="center",
            color=MUTED, linespacing=1.0,
        )  # fmt: skip
    left = min(x for x, _ in places.values()) - WIDE / 2 - 0.35
    right = max(x for x, _ in places.values()) + WIDE / 2
    for y, level in sorted({(places[p][1], levels[p]) for p in levels}):
        axes.axhline(y, color="#eceff2", linewidth=0.8, zorder=0)
        axes.text(left, y, f"{level}", fontsize=8, color=MUTED, va="center", ha="right",
                  bbox={"color": "white", "pad": 2})  # fmt: skip
    top = max(y for _, y in places.values())
    _legend(axes, left, top + 0.85)
    axes.set_xlim(left - 0.35, right + 0.1)
    axes.set_ylim(-0.5, top + 1.1)
    axes.set_aspect("equal")
    axes.axis("off")


def _folded(inside: str) -> str:
    """A list of rooms on one line, or on two where it is long."""
    if len(inside) <= 30:
        return inside
    names = inside.split(", ")
    half = (len(names) + 1) // 2
    return ", ".join(names[:half]) + ",\n" + ", ".join(names[half:])


def _legend(axes: Axes, left: float, height: float) -> None:
    """The groups in their colours."""
    groups = [*((name, color) for name, color, _ in GROUPS), OTHERS]
    x = left - 0.2
    for name, color in groups:
        box = FancyBboxPatch(
            (x, height - 0.1), 0.3, 0.2, boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=color, edgecolor=RULE, linewidth=0.8,
        )  # fmt: skip
        axes.add_patch(box)
        axes.text(x + 0.38, height, name, fontsize=7, color=INK, va="center")
        x += 0.7 + 0.068 * len(name)


def main(file: Path) -> None:
    """Write the picture."""
    levels = order()
    style = {"svg.hashsalt": "depthsep", "svg.fonttype": "path", "font.size": 9.0}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(9.2, 11.6), layout="constrained")
        draw(figure.add_subplot(), levels, reduced(imports(levels)))
        metadata = {"Date": None} if file.suffix == ".svg" else None
        figure.savefig(file, dpi=110, metadata=metadata)


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or [ROOT / "docs" / "images" / "architecture.svg"]))
