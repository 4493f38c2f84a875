"""Types of options: what a parameter reads; dimensions, or all of them from one on."""

from collections.abc import Callable
from dataclasses import dataclass

import click

from depthsep._errors import HypothesisError
from depthsep.jobs import PROBLEM, Parameter

MOST_DIM = 1000
DIM = next(p for p in PROBLEM if p.name == "dim")


@dataclass(frozen=True)
class Dims:
    """All dimensions from `first` to `last`, or without an end."""

    first: int = 1
    last: int | None = None

    @property
    def span(self) -> range:
        """Those that a table may show."""
        return range(self.first, (self.last or MOST_DIM) + 1)


class Declared(click.ParamType):
    """The type of an option whose values a parameter reads."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter, self.name = parameter, parameter.kind.short

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        return self.parameter.read_text(value) if isinstance(value, str) else value


class DimsType(Declared):
    """A dimension, ``all``, ``6:`` or ``6:30``."""

    def __init__(self) -> None:
        super().__init__(DIM)

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        if isinstance(value, str) and (value.strip() == "all" or ":" in value):
            return dims_of(value)
        return super().convert(value, param, ctx)


def dims_of(written: str) -> Dims:
    """``all``, ``6:`` or ``6:30``.

    Raises:
        HypothesisError: anything else.
    """
    if written.strip() == "all":
        return Dims()
    ends = [e.strip() for e in written.split(":")]
    numbers = [
        int(e) if e.isascii() and e.isdigit() and len(e) < 9 else 0 for e in ends
    ]
    first, last = numbers[0], numbers[1] if ends[1:] != [""] else None
    limit = MOST_DIM if last is None else last
    if len(ends) != 2 or not 1 <= first <= limit <= MOST_DIM:
        raise HypothesisError(
            f"--dim is {written[:40]!r}; give a number from 1 to "
            f"{MOST_DIM}, the word all, or a range such as 6: or 6:30"
        )
    return Dims(first, last)


def dims_option(command: Callable[..., object]) -> Callable[..., object]:
    """`--dim` of commands that know bounds for every dimension."""
    return click.option(
        "--dim",
        type=DimsType(),
        metavar="D|all|A:[B]",
        help="Number of inputs, or the dimension d of an inner: or radial: "
        "target; the word all, or a range such as 6:30, gives formulas "
        "in d.",
    )(command)
