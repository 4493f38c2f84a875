"""`--dim`: a number, or all dimensions from one on."""

from collections.abc import Callable
from dataclasses import dataclass

import click

from depthsep._errors import HypothesisError
from depthsep.jobs import PROBLEM

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


class DimsType(click.ParamType):
    """A dimension, ``all``, ``6:`` or ``6:30``."""

    name = "dim"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        if not isinstance(value, str):
            return value
        return (
            dims_of(value) if value == "all" or ":" in value else DIM.read_text(value)
        )


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
            f"--dim is {written[:40]!r}; give up to {MOST_DIM}, all, 6: or 6:30"
        )
    return Dims(first, last)


def dims_option(command: Callable[..., object]) -> Callable[..., object]:
    """`--dim` of commands that know bounds for every dimension."""
    return click.option(
        "--dim",
        type=DimsType(),
        metavar="D|all|A:[B]",
        help="Inputs of a formula, or the d of inner: and radial:; all, or a range, "
        "for bounds as formulas in d.",
    )(command)
