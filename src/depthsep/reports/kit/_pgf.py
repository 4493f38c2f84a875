"""Lines as a picture for LaTeX's pgfplots: its text is set in the paper's type."""

from collections.abc import Sequence
from dataclasses import dataclass

HEAD = r"""% needs \usepackage{pgfplots} and \pgfplotsset{compat=1.16}
\begin{tikzpicture}
"""


@dataclass(frozen=True)
class PgfLine:
    """One line: points, name beside its end, look.

    Attributes:
        options: of pgfplots, such as "dashed" or "const plot mark mid".
    """

    points: Sequence[tuple[float, float]]
    name: str
    colour: str
    options: str = ""


def pgf_picture(
    lines: Sequence[PgfLine], x: str, y: str, options: Sequence[str] = ()
) -> str:
    """A tikzpicture with axes; names stand at the right ends of the lines.

    Args:
        x, y: names of the axes, in TeX.
        options: more of the axis, such as a list of ticks.
    """
    colours = dict.fromkeys(line.colour for line in lines)
    named = {c: f"line{chr(ord('a') + k)}" for k, c in enumerate(colours)}
    defined = "".join(
        rf"\definecolor{{{name}}}{{HTML}}{{{colour.lstrip('#').upper()}}}" + "\n"
        for colour, name in named.items()
    )
    listed = [
        *(f"xlabel={{{x}}}", f"ylabel={{{y}}}", "axis lines=left", "clip=false"),
        *("width=0.8\\linewidth", "height=0.55\\linewidth", "enlarge x limits=0.03"),
        *options,
    ]
    head = "\\begin{axis}[\n" + "".join(f"  {one},\n" for one in listed) + "]\n"
    body = "".join(_line(line, named[line.colour]) for line in lines)
    tail = "\\end{axis}\n\\end{tikzpicture}\n"
    return f"{HEAD}{defined}{head}{body}{tail}"


def _line(line: PgfLine, colour: str) -> str:
    points = " ".join(f"({a:.6g},{b:.6g})" for a, b in line.points)
    look = ", ".join(filter(None, (colour, "thick", line.options)))
    name = rf" node[right, font=\footnotesize] {{{line.name}}}" if line.name else ""
    return f"\\addplot[{look}] coordinates {{{points}}}{name};\n"
