"""Write the measured ratios of docs/theorems.md, family by family.

    python docs/tightness.py [--check] [--long]

A ratio is the certified width over the proven one, without a new search. With --check
nothing is written; the exit status is 1 if the page has other rows, or a number that
differs by more than a fifth (what floats propose may move a width by a unit). Rows of
long families stay as they are without --long; all others take about three minutes, and
the long ones an hour.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import product
from pathlib import Path
from statistics import median

from flint import fmpq

from depthsep.constructions import FUNCTIONS_ON_BOXES
from depthsep.exact import decimal, plain
from depthsep.laws import AbstractLaw, Segment, law_from_text
from depthsep.problems import NORMS, Problem
from depthsep.separation import Separation, separate

PAGE = Path(__file__).with_name("theorems.md")
START = "<!-- ratios: written by docs/tightness.py -->\n"
END = "<!-- end of ratios -->\n"
HEAD = (
    "| family | norm | depth 2 | depth 3 | depths 4 to 6 | no lower bound |\n"
    "|---|---|---|---|---|---:|\n"
)
GROUPS = ((2,), (3,), (4, 5, 6))

LINE: tuple[tuple[str, Segment | None], ...] = (
    ("exp(x)", None),
    ("log(1+x)", None),
    ("sqrt(x)", None),
    ("abs(x-1/3)**1.5", None),
    ("1/(1+25*x**2)", Segment(-1, 1)),
    ("sin(20*x)", None),
    ("tanh(5*x)", Segment(-1, 1)),
    ("erf(3*x)*sin(10*x)", Segment(-1, 1)),
)
RECORDED = tuple((target, law_from_text(law)) for _, target, law in FUNCTIONS_ON_BOXES)
FOUR_SQUARES = "poly:x1**2+x2**2+x3**2+x4**2"
ON_INTERVALS, SMALL = "eight formulas on an interval", ("1e-2", "1e-3", "1e-4")
FORMULAS = tuple((f"expr:{formula}", law) for formula, law in LINE)
ON_BOXES = "twelve functions on a box, with records"


@dataclass(frozen=True)
class Family:
    """Problems that are alike: every target at every accuracy."""

    name: str
    targets: tuple[tuple[str, Segment | AbstractLaw | None], ...]
    accuracies: tuple[str, ...]
    norms: tuple[str, ...] = NORMS
    seconds: float = 120.0  # so that a slow machine confirms what a fast one does
    long: bool = False

    def tables(self, norm: str) -> Iterator[Separation]:
        """The separation tables at depths 2 to 6."""
        for (target, law), accuracy in product(self.targets, self.accuracies):
            problem = Problem(target, law, norm=norm, accuracy=accuracy)
            yield separate(problem, depths=range(2, 7), seconds=self.seconds)


FAMILIES = (
    Family(
        "`sawtooth:K`, K = 3, 8, 12",
        tuple((f"sawtooth:{k}", None) for k in (3, 8, 12)),
        ("1/20", "1e-3"),
    ),
    Family("`square`", (("square", None),), ("1e-3", "1e-6")),
    Family(ON_INTERVALS, FORMULAS, SMALL, ("linf",)),
    Family(ON_INTERVALS, FORMULAS, SMALL, ("l1", "l2"), long=True),
    Family(f"{ON_BOXES}, at 1e-1", RECORDED, ("1e-1",), long=True),
    Family(f"{ON_BOXES}, at 1e-2", RECORDED, ("1e-2",), long=True),
    Family(f"{ON_BOXES}, at 1e-3", RECORDED, ("1e-3",), long=True),
    Family("three of these functions, at 1e-2", RECORDED[3:6], ("1e-2",), ("linf",)),
    Family("`x1**2+x2**2+x3**2+x4**2`", ((FOUR_SQUARES, None),), ("1e-1", "1e-2"),
           long=True),
    Family("`max:N`, N = 3, 5, 8", tuple((f"max:{n}", None) for n in (3, 5, 8)),
           ("1e-2",), ("linf",)),
    Family("`parity:D`, D = 4, 9, 16", tuple((f"parity:{d}", None) for d in (4, 9, 16)),
           ("1/10",), ("linf",)),
)  # fmt: skip


def shown(ratio: fmpq) -> str:
    """Rounded up."""
    return plain(decimal(ratio, 3, upward=True))


def cell(tables: list[Separation], depths: tuple[int, ...]) -> str:
    """The median and the largest ratio at these depths."""
    rows = [table[depth] for table in tables for depth in depths]
    ratios = [row.ratio for row in rows if row.ratio is not None]
    if not ratios:
        return "-"
    return f"{shown(fmpq(median(ratios)))}, at most {shown(max(ratios))}"


def lines(family: Family) -> Iterator[str]:
    """One row of the table for each norm."""
    for norm in family.norms:
        tables = list(family.tables(norm))
        rows = [row for table in tables for row in table]
        missing = sum(row.ratio is None for row in rows)
        cells = (family.name, norm, *(cell(tables, group) for group in GROUPS))
        yield f"| {' | '.join(cells)} | {missing} of {len(rows)} |\n"


def kept(table: str, family: Family) -> Iterator[str]:
    """The rows of a family as they stand on the page."""
    for line in table.splitlines(keepends=True):
        if line.startswith(tuple(f"| {family.name} | {n} |" for n in family.norms)):
            yield line


def written(page: str, families: tuple[Family, ...] = FAMILIES, *, long: bool) -> str:
    """The page with the table made again, with the rows of long families or without."""
    before, rest = page.split(START)
    table, after = rest.split(END)
    rows = "".join(
        line
        for family in families
        for line in (kept(table, family) if family.long and not long else lines(family))
    )
    return before + START + HEAD + rows + END + after


def agrees(old: str, new: str) -> bool:
    """Whether the words are the same, and the numbers but for a fifth."""
    first, second = (re.findall(r"[0-9.]+|[^0-9.]+", page) for page in (old, new))
    return len(first) == len(second) and all(
        a == b
        or (_is_number(a) and _is_number(b) and abs(float(a) / float(b) - 1) < 0.2)
        for a, b in zip(first, second, strict=True)
    )


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[1-9][0-9]*(\.[0-9]+)?", word) is not None


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    old = PAGE.read_text("utf-8")
    new = written(old, long="--long" in arguments)
    if "--check" in arguments:
        if not agrees(old, new):
            print("docs/theorems.md differs: run python docs/tightness.py")
            print(
                *unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""),
                sep="\n",
            )
        return int(not agrees(old, new))
    PAGE.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
