"""Formulas as TeX sets them."""

import ast
import re
from collections.abc import Mapping

from depthsep._errors import DepthsepError
from depthsep._syntax_tree import syntax_tree
from depthsep.reports.tables._escape import escaped

OPERATORS: Mapping[type, tuple[str, int]] = {
    ast.Add: (" + ", 1),
    ast.Sub: (" - ", 1),
    ast.Mult: (r" \, ", 2),
}
KNOWN = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "max", "min"}
PRODUCT = re.compile(r"(?<=[\w)]) (?=[\w(])")  # two factors side by side
GREEK = {"pi": r"\pi"}
TIMES, TIGHT, CALL = 2, 3, 4  # how tightly products, powers and names bind
LONGEST = 2000
BREAKS = 20  # letters, from which on what is no formula may be broken


def typeset(formula: str) -> str:
    """A formula between dollars; its letters in a typewriter's type if it is none."""
    written = PRODUCT.sub("*", formula.replace("^", "**"))
    try:
        if len(written) > LONGEST:
            return verbatim(formula)
        return f"${_Setter(written).tex()}$"
    except (SyntaxError, ValueError, DepthsepError, RecursionError, KeyError):
        return verbatim(formula)


def verbatim(text: str) -> str:
    """Text in a typewriter's type, which lines may break after its signs."""
    breaks = "+*/,)" if len(text) >= BREAKS else ""
    shown = "".join(
        (r"\textquotesingle{}" if c == "'" else escaped(c))
        + (r"\allowbreak{}" if c in breaks else "")
        for c in text
    )
    return rf"\texttt{{{shown}}}"


class _Setter:
    """TeX of a formula, node by node; numbers keep the digits that were written."""

    def __init__(self, written: str) -> None:
        self.written = written

    def tex(self) -> str:
        """Of the whole formula."""
        return self.of(syntax_tree(self.written, "eval").body)[0]

    def of(self, node: ast.expr) -> tuple[str, int]:
        """TeX of a node, and how tightly its outermost operation binds."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return self.number(node)
        if isinstance(node, ast.List):
            return f"[{', '.join(self.of(part)[0] for part in node.elts)}]", CALL
        if isinstance(node, ast.Name):
            return _name(node.id), CALL
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"-{self.within(node.operand, TIMES)}", 1
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node.func.id, node.args), CALL
        if isinstance(node, ast.BinOp):
            return self.operation(node)
        raise KeyError(ast.dump(node))

    def number(self, node: ast.Constant) -> tuple[str, int]:
        """Such as 10^{-6} for 1e-6."""
        digits = self.written[node.col_offset : node.end_col_offset]
        mantissa, e, exponent = digits.lower().partition("e")
        if not e:
            return digits, CALL
        power = f"10^{{{int(exponent)}}}"
        one = mantissa in ("1", "1.", "1.0")
        return (power, TIGHT) if one else (rf"{mantissa} \cdot {power}", TIMES)

    def operation(self, node: ast.BinOp) -> tuple[str, int]:
        """A sum, a product, a fraction or a power."""
        if isinstance(node.op, ast.Div):
            above, below = self.of(node.left)[0], self.of(node.right)[0]
            return rf"\frac{{{above}}}{{{below}}}", TIMES
        if isinstance(node.op, ast.Pow):
            exponent = self.of(node.right)[0]
            return f"{self.within(node.left, CALL)}^{{{exponent}}}", TIGHT
        sign, binds = OPERATORS[type(node.op)]
        right = self.within(node.right, binds + isinstance(node.op, ast.Sub))
        if isinstance(node.op, ast.Mult) and right[0].isdigit():
            sign = r" \cdot "
        return f"{self.within(node.left, binds)}{sign}{right}", binds

    def within(self, node: ast.expr, least: int) -> str:
        """In brackets where it binds less than that."""
        inner, binds = self.of(node)
        return inner if binds >= least else rf"\left({inner}\right)"

    def call(self, name: str, given: list[ast.expr]) -> str:
        """A function of its arguments."""
        inner = ", ".join(self.of(part)[0] for part in given)
        if name == "sqrt":
            return rf"\sqrt{{{inner}}}"
        if name == "abs":
            return rf"\left|{inner}\right|"
        function = rf"\{name}" if name in KNOWN else _operator(name)
        return rf"{function}\left({inner}\right)"


def _operator(name: str) -> str:
    return rf"\operatorname{{{escaped(name)}}}"


def _name(name: str) -> str:
    """x12 is x with an index."""
    letters = name.rstrip("0123456789")
    index = name[len(letters) :]
    upright = letters if len(letters) == 1 else rf"\mathrm{{{escaped(letters)}}}"
    shown = GREEK.get(letters, upright)
    return f"{shown}_{{{index}}}" if index else shown
