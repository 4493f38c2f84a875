"""Tables as data: CSV, hexadecimal words, coordinates for TeX."""

from depthsep._errors import HypothesisError
from depthsep.exact import Fixed, decimal, plain
from depthsep.export._coded import CodedTable
from depthsep.export._words import about, about_table, corners, shown

DIGITS = 17


def write_csv(code: CodedTable, name: str) -> str:
    """start, stop, level, slope and the error of every piece; of the exact table."""
    rows = ["start,stop,left,right,slope,error"]
    for piece, error in zip(code.table.pieces, code.table.errors, strict=True):
        numbers = (piece.start, piece.stop, piece.left, piece.right, piece.slope)
        off = plain(decimal(error.upper, 6, upward=True))
        rows.append(",".join([*(plain(decimal(v, DIGITS)) for v in numbers), off]))
    return "\n".join(rows) + "\n"


def write_hex(code: CodedTable, name: str) -> str:
    """A line a piece: start, level and slope in two's complement, one word of each.

    As $readmemh of Verilog reads it; in VHDL with hread.
    """
    form = code.format
    if not isinstance(form, Fixed):
        raise HypothesisError("hexadecimal words are of fixed point; give fixed:16.12")
    digits = -(-form.width // 4)
    lines = [f"// {line}" for line in about(code)]
    lines.append(
        f"// start_level_slope, {form.width} bits each; slope has {code.shift}"
    )
    lines.append(f"// bits behind the point, start and level {form.fraction}")
    for row in code.rows:
        whole = (
            int(row.start / form.unit),
            int(row.level / form.unit),
            int(row.slope * (1 << code.shift)),
        )
        words = (f"{v & ((1 << form.width) - 1):0{digits}x}" for v in whole)
        lines.append("_".join(words))
    return "\n".join(lines) + "\n"


def write_pgf(code: CodedTable, name: str) -> str:
    """Coordinates for pgfplots: a curve, broken where the table jumps."""
    lines = [f"% {line}" for line in about_table(code)]
    runs: list[list[str]] = []
    last = None
    for piece in code.table.pieces:
        if last is None or last.right != piece.left:
            runs.append([f"({shown(piece.start)}, {shown(piece.left)})"])
        runs[-1].append(f"({shown(piece.stop)}, {shown(piece.right)})")
        last = piece
    lines += [f"\\addplot coordinates {{ {' '.join(run)} }};" for run in runs]
    return "\n".join(lines) + "\n"


def knots(code: CodedTable) -> tuple[list[str], list[str]]:
    """Of a continuous table, as decimals.

    Raises:
        HypothesisError: it jumps.
    """
    if not code.table.is_continuous:
        raise HypothesisError("this form is for continuous tables; leave out --jumps")
    ends = corners(code)
    return [shown(x) for x, _ in ends], [shown(y) for _, y in ends]
