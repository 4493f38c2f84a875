"""What every exported file says of itself: the function, the bound, the order."""

import re
from itertools import pairwise

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep._version import __version__
from depthsep.exact import DOUBLE, Fixed, decimal, nearest_float, plain
from depthsep.export._coded import CodedTable
from depthsep.tables import Errors, Piece, PieceTable

MOST_NAME = 40
ONE_SIDE = (
    "The table stays on one side of the target; rounding may take the "
    "result of the code to the other side."
)


def name_of(stem: str) -> str:
    """An identifier from the name of a file: letters, digits, underscores."""
    found = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_")[:MOST_NAME] or "f"
    return f"f_{found}" if found[0].isdigit() or found in RESERVED else found


RESERVED = frozenset(
    """auto break case char const continue default do double else enum extern float for
    goto if inline int long register restrict return short signed sizeof static struct
    switch typedef union unsigned void volatile while and as assert class def del elif
    except from global import in is lambda nonlocal not or pass raise try with yield
    None True False finally async await main end begin function module struct macro
    START STOP LEVEL SLOPE WEIGHTS BIASES X Y math exp log sin cos tan sqrt tanh erf
    numpy torch jax np jnp pyo""".split()  # noqa: SIM905 (a list of words is easier to read)
)


def bound(code: CodedTable) -> str:
    """The proven bound, rounded up."""
    return plain(decimal(code.error, 4, upward=True))


def about(code: CodedTable) -> list[str]:
    """Lines for the head of a file that computes."""
    form, room = code.format, code.table.room
    last = code.stop
    if isinstance(form, Fixed):
        last = min(last, form.most * form.unit)
        rounding = "the product is rounded once, with halves rounded up"
    else:
        rounding = "each operation is rounded; fused multiply-adds are allowed"
    ends = f"from {shown(code.rows[0].start)} to {shown(last)}"
    return [
        f"{plural(len(code.rows), 'piece')} for {room.target.words} on {room.on}.",
        f"The result is within {bound(code)} of the function for every {form.name} x",
        f"{ends}, with all numbers and operations rounded, as",
        f"proved by depthsep {__version__}.",
        f"Order of evaluation: level + slope * (x - start); {rounding}.",
        "An x beyond the ends is replaced by the nearer end.",
        *([] if room.side == "both" else [ONE_SIDE]),
    ]


def about_table(table: PieceTable) -> list[str]:
    """Lines for the head of a file that has the table itself, as doubles."""
    if table.norm != "linf" or table.room.relative:
        said = table.summary.split("\n")[0]
        return [
            said,
            (
                f"Proved by depthsep {__version__} for the table before its "
                "numbers were rounded to doubles."
            ),
        ]
    error = plain(decimal(error_in_doubles(table), 4, upward=True))
    return [
        f"{plural(len(table.pieces), 'piece')} for {table.room.target.words} on "
        f"{table.room.on}:",
        (
            f"rounded to doubles, the table is within {error} of the "
            f"function, as proved by depthsep {__version__}."
        ),
    ]


def error_in_doubles(table: PieceTable) -> fmpq:
    """On both sides, of the table whose knots and values are rounded to doubles."""
    errors = Errors(table.room.target, "both", relative=False)
    on, found = table.room.on, fmpq(0)
    for piece in table.pieces:
        numbers = (piece.start, piece.stop, piece.left, piece.right)
        a, b, v, w = map(DOUBLE.rounded, numbers)
        if a >= b:
            raise HypothesisError(
                "knots coincide when rounded to doubles; choose fewer pieces"
            )
        near = Piece(a, b, v, w)
        a, b = max(a, on.start), min(b, on.stop)
        part = Piece(a, b, near.at(a), near.at(b))
        found = max(found, errors.of(part, table.accuracy).upper)
    return found


def shown(value: fmpq) -> str:
    """A number of a format, in decimals that read back as it."""
    return repr(nearest_float(value))


def float32(value: fmpq) -> str:
    """The same in as few digits as float32 takes."""
    import numpy as np

    return str(np.float32(nearest_float(value)))


def c_float(number: str) -> str:
    """A float constant of C."""
    return f"{number}f" if set(number) & set(".en") else f"{number}.0f"


def corners(table: PieceTable) -> list[tuple[fmpq, fmpq]]:
    """Knots and values of a continuous table."""
    pieces = table.pieces
    found = [(pieces[0].start, pieces[0].left)]
    for before, piece in pairwise(pieces):
        found.append((piece.start, before.right))
    return [*found, (pieces[-1].stop, pieces[-1].right)]
