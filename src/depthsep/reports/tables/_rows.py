"""Tables of named columns, for papers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 500


def print_rows(
    rows: Sequence[dict[str, Any]], console: "Console | None" = None
) -> None:
    """Print rows under their names; nothing is cut off, lines may be long."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for name in rows[0]:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    chosen = console or Console()
    needed = chosen.measure(
        table, options=chosen.options.update(max_width=WIDEST)
    ).maximum
    chosen.width = max(chosen.width, needed)
    chosen.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else _short(str(value))


def _short(ball: str) -> str:
    """The digits of a ball, right to a unit of the last; `--json` has the radius."""
    return ball.removeprefix("[").split(" +/-")[0]
