"""Tables on a console, with no digit cut off."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from depthsep._files import shown_safely

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDEST = 500


def print_rows(
    rows: Sequence[Mapping[str, object]], console: "Console | None" = None
) -> None:
    """Print rows of named columns, as papers have them."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for name in rows[0]:
        table.add_column(shown_safely(name), justify="right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
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


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else _short(str(value))


def _short(ball: str) -> str:
    """The digits of a ball, right to a unit of the last; `--json` has the radius."""
    return shown_safely(ball.removeprefix("[").split(" +/-")[0])
