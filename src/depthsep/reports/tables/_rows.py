"""Tables on a console, with no digit cut off."""

from collections.abc import Collection, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite
from typing import TYPE_CHECKING

from depthsep._files import shown_safely

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDEST = 500


def print_rows(
    rows: Sequence[Mapping[str, object]],
    at_most: Collection[str] = (),
    console: "Console | None" = None,
) -> None:
    """Print rows of named columns, as papers have them.

    Args:
        at_most: columns of bounds from above: rounded up, the others down.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for name in rows[0]:
        table.add_column(shown_safely(name), justify="right")
    for row in rows:
        table.add_row(*(_cell(v, name in at_most) for name, v in row.items()))
    print_whole(table, console)


def print_whole(table: "Table", console: "Console | None" = None) -> None:
    """Print a table, in lines that are longer than the console where it must be so.

    On standard output if no console is given.
    """
    from rich.console import Console
    from rich.segment import Segments

    chosen = console or Console()
    unlimited = chosen.options.update(max_width=WIDEST)
    needed = chosen.measure(table, options=unlimited).maximum
    options = chosen.options.update(width=max(chosen.width, needed))
    chosen.print(Segments(chosen.render(table, options)), crop=False, end="")


def to_safe_side(value: float, upward: bool) -> str | None:
    """Two decimals, four of a number below 1; None of what is not finite."""
    if not isfinite(value):
        return None
    unit = Decimal("0.01" if abs(value) >= 1 else "0.0001")
    rounding = ROUND_CEILING if upward else ROUND_FLOOR
    return f"{Decimal(value).quantize(unit, rounding) + 0}"  # no -0.0000


def _cell(value: object, upward: bool) -> str:
    if isinstance(value, float):
        return to_safe_side(value, upward) or "-"
    return "-" if value is None else _short(str(value))


def _short(ball: str) -> str:
    """The digits of a ball, right to a unit of the last; `--json` has the radius."""
    return shown_safely(ball.removeprefix("[").split(" +/-")[0])
