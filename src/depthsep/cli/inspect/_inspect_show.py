"""What `depthsep inspect` prints, fact by fact."""

from collections.abc import Iterator

from depthsep.analysis import AbstractFact, Facts, Inspection
from depthsep.cli._echo import echo
from depthsep.cli._progress import Waiting

NAME = 22  # columns of names


class Told:
    """Prints each fact about a network as soon as it is known.

    Args:
        net: the name of its file.
        waiting: the bar that has to make room for lines; None prints nothing.
    """

    def __init__(self, net: str, waiting: Waiting | None) -> None:
        self.net, self.waiting, self.printed = net, waiting, 0

    def __call__(self, known: Inspection | Facts) -> None:
        if self.waiting is None:
            return
        with self.waiting.aside():
            for fact in known.facts[self.printed :]:
                for line in fact_lines(fact, *self._heading(known, fact)):
                    echo(line)
                self.printed += 1

    def _heading(
        self, known: Inspection | Facts, fact: AbstractFact
    ) -> tuple[str, bool]:
        """What stands above it, and whether it is indented without a heading, too."""
        if not self.printed:
            return self.net, True
        if isinstance(known, Facts):
            return f"on {known.where}" if self.printed == 1 else "", True
        return fact.title, False


def fact_lines(
    fact: AbstractFact, heading: str, indented: bool = False
) -> Iterator[str]:
    """A heading and what stands below it, or what needs none."""
    margin = "  " if heading or indented else ""
    if heading:
        yield f"{heading}:"
    for first, *cells in fact.table():
        yield f"{margin}{first:<{NAME}}" + "".join(f"{cell:>9}" for cell in cells)
    for name, value in fact.rows():
        yield f"{margin}{name:<{NAME}} {value}"
