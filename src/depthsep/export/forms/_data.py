"""Tables as data: CSV, hexadecimal words, coordinates for TeX."""

from depthsep._errors import HypothesisError
from depthsep.exact import Fixed, decimal, plain
from depthsep.export._coded import CodedTable
from depthsep.export._words import about, about_table, corners, shown
from depthsep.tables import PieceTable

DIGITS = 17


def write_csv(table: PieceTable, name: str) -> str:
    """A line a piece: its two ends, its slope, and a bound of its error."""
    rows = ["start,stop,left,right,slope,error"]
    for piece, error in zip(table.pieces, table.errors, strict=True):
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
        raise HypothesisError(
            "hexadecimal words need fixed point; give a format such as fixed:16.12"
        )
    wide, slope = form.width, form.word
    lines = [f"// {line}" for line in about(code)]
    lines.append(
        f"// each row is start_level_slope, of {wide}, {wide} and {slope} bits;"
    )
    lines.append(
        f"// bits after the point: {code.shift} in the slope, "
        f"{form.fraction} in the start and the level"
    )
    if (bits := code.address_bits(form)) is not None:
        lines.append(
            "// the number of a row, counted from 0, is (x minus the "
            f"start of the first row) shifted right by {bits}"
        )
    for row in code.whole_rows(form):
        words = zip(row, (wide, wide, slope), strict=True)
        lines.append("_".join(_word(v, bits) for v, bits in words))
    return "\n".join(lines) + "\n"


def _word(value: int, bits: int) -> str:
    """In two's complement."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise HypothesisError(
            f"the table needs the integer {value}, which does not fit into "
            f"{bits} bits; choose a wider fixed-point format"
        )
    return f"{value & ((1 << bits) - 1):0{-(-bits // 4)}x}"


def write_pgf(table: PieceTable, name: str) -> str:
    """Coordinates for pgfplots: a curve, broken where the table jumps."""
    lines = [f"% {line}" for line in about_table(table)]
    runs: list[list[str]] = []
    last = None
    for piece in table.pieces:
        if last is None or last.right != piece.left:
            runs.append([f"({shown(piece.start)}, {shown(piece.left)})"])
        runs[-1].append(f"({shown(piece.stop)}, {shown(piece.right)})")
        last = piece
    lines += [f"\\addplot coordinates {{ {' '.join(run)} }};" for run in runs]
    return "\n".join(lines) + "\n"


def knots(table: PieceTable) -> tuple[list[str], list[str]]:
    """Of a continuous table, as floats.

    Raises:
        HypothesisError: it jumps.
    """
    if not table.is_continuous:
        raise HypothesisError(
            "this export form is only for continuous tables; leave out --jumps"
        )
    ends = corners(table)
    return [shown(x) for x, _ in ends], [shown(y) for _, y in ends]
