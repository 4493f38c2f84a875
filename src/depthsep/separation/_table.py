"""`Separation`: for every depth, the certified, the proven and the learned."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from flint import fmpq

from depthsep._display import Displayed, report
from depthsep.claims import Learned, Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, json_integer, plain, text
from depthsep.problems import Problem

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    from matplotlib.axes import Axes

WITHOUT = "'"  # marks a width that is proven without skip connections only


@dataclass(frozen=True)
class Row(Displayed):
    """One depth.

    Attributes:
        depth: affine layers.
        upper: the narrowest network that meets the accuracy, or why there is none.
        lower: the largest proven width, or why there is none. Which networks it binds
            is in `lower.networks`: all ReLU networks, or those without skip connections
            alone, as the certified ones are.
        learned: what training found; None where nothing was trained.
        asked: everything asked, by name, with its answer: also what lost.
        lower_with_skips: the largest width that is proven for networks with skip
            connections, too; `lower` itself where that holds for them.
    """

    depth: int
    upper: Upper | Inapplicable
    lower: Lower | Inapplicable
    learned: Learned | None = None
    asked: tuple[tuple[str, str], ...] = ()
    lower_with_skips: Lower | Inapplicable | None = None

    @property
    def is_without_skips(self) -> bool:
        """Whether the proven width holds for networks without skip connections only."""
        return isinstance(self.lower, Lower) and not self.lower.networks.skips

    @property
    def ratio(self) -> fmpq | None:
        """The certified width over the proven one; None without both, or over 0."""
        if not isinstance(self.upper, Upper) or not isinstance(self.lower, Lower):
            return None
        return fmpq(self.upper.width, self.lower.width) if self.lower.width else None

    def to_json(self) -> dict[str, object]:
        """The row as the command line shows it."""
        return {
            "depth": self.depth,
            "hidden_layers": self.depth - 1,
            "upper": _upper_json(self.upper),
            "lower": _lower_json(self.lower),
            **self._with_skips,
            "learned": None if self.learned is None else self.learned.to_json(),
        }

    @property
    def _with_skips(self) -> dict[str, object]:
        found = self.lower_with_skips
        if not self.is_without_skips or found is None:
            return {}
        return {"lower_with_skips": _lower_json(found)}


@dataclass(frozen=True)
class Separation(Displayed):
    """The table: rows by depth, for one problem.

    ``table[4]`` is the row of depth 4; iterating gives the rows; ``print(table)`` shows
    it.
    """

    problem: Problem
    rows: tuple[Row, ...]

    def __getitem__(self, depth: int) -> Row:
        for row in self.rows:
            if row.depth == depth:
                return row
        raise KeyError(f"there is no row of depth {depth}")

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def plot(self) -> "Axes":
        """Certified and proven width against depth, as matplotlib axes."""
        return report("plot_separation", self)

    def to_latex(self) -> str:
        """The table for a paper, with its sources."""
        return report("latex_table", self)

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a data frame.

        Raises:
            HypothesisError: pandas is not installed.
        """
        return report("separation_frame", self)

    def to_json(self) -> dict[str, object]:
        """The document of ``separate --json``."""
        return {
            "problem": self.problem.to_json(),
            "rows": [row.to_json() for row in self.rows],
            "versions": versions(),
        }

    def __str__(self) -> str:
        lines = [str(self.problem), "depth  proven width >=  certified width <=  error"]
        for row in self.rows:
            low = row.lower.width if isinstance(row.lower, Lower) else "-"
            low = f"{low}{WITHOUT if row.is_without_skips else ''}"
            up, error = "-", "-"
            if isinstance(row.upper, Upper):
                up = str(row.upper.width)
                error = plain(decimal(row.upper.error, 4, upward=True))
            lines.append(f"{row.depth:5d}  {low!s:>15}  {up:>18}  {error}")
        if any(row.is_without_skips for row in self):
            lines.append(f"{WITHOUT} proven only for networks without skip connections")
        return "\n".join(lines)


def versions() -> dict[str, str]:
    """What a record needs to be reproduced."""
    return {name: version(name) for name in ("depthsep", "python-flint", "numpy")}


def _upper_json(upper: Upper | Inapplicable) -> dict[str, object]:
    if isinstance(upper, Inapplicable):
        return {"inapplicable": upper.reason}
    return {
        "width": json_integer(upper.width),
        "units": json_integer(upper.units),
        "widths": [json_integer(m) for m in upper.widths],
        "error": text(upper.error),
        "rigour": str(upper.rigour),
        "source": str(upper.source),
        **_detail(upper.detail),
        "checked": upper.checked,
        "pieces": None if upper.pieces is None else json_integer(upper.pieces),
        "largest_weight": (
            None if upper.largest_weight is None else text(upper.largest_weight)
        ),
        **({"note": upper.note} if upper.note else {}),
    }


def _detail(detail: str) -> dict[str, str]:
    return {"detail": detail} if detail else {}


def _lower_json(lower: Lower | Inapplicable) -> dict[str, object]:
    if isinstance(lower, Inapplicable):
        return {"inapplicable": lower.reason}
    return {
        "width": json_integer(lower.width),
        "log2_width": lower.log2_width if lower.width else None,
        "units": json_integer(lower.units),
        "pieces": json_integer(lower.pieces or 0),
        "rigour": str(lower.rigour),
        "source": str(lower.source),
        **_detail(lower.detail),
        "class": str(lower.networks),
    }
