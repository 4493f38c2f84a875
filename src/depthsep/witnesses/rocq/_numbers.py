"""Numbers and lists as Rocq reads them."""

from collections.abc import Sequence

from flint import fmpq

LINE = 84
Triples = Sequence[tuple[int, int, int]]


def real(number: fmpq) -> str:
    """A rational in R_scope."""
    sign, size = ("- ", -number) if number < 0 else ("", number)
    over = f" / {size.q}" if size.q > 1 else ""
    return f"({sign}{size.p}{over})" if sign else f"{size.p}{over}"


def integer(number: int) -> str:
    """An integer as an argument in Z_scope."""
    return str(number) if number >= 0 else f"({number})"


def rational(number: fmpq, *, argument: bool = False) -> str:
    """A rational in Q_scope, in a list or as an argument."""
    over = f" # {number.q}" if number.q > 1 else ""
    written = f"{number.p}{over}"
    return f"({written})" if argument and (over or number < 0) else written


def filled(items: Sequence[str], indent: str) -> str:
    """Items separated by semicolons, as many on a line as fit."""
    lines = [""]
    for i, item in enumerate(items):
        written = item + (";" if i < len(items) - 1 else "")
        if lines[-1] and len(indent) + len(lines[-1]) + len(written) + 1 > LINE:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + written
    return ("\n" + indent).join(lines)


def listing(triples: Triples) -> str:
    """Triples of integers, as many on a line as fit."""
    lines = [""]
    for i, (x, y, z) in enumerate(triples):
        written = f"({x},{y},{z})" + (";" if i < len(triples) - 1 else "")
        if len(lines[-1]) + len(written) > LINE - 4:
            lines.append("")
        lines[-1] += written
    return "\n   ".join(lines)
