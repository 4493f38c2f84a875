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
TIGHT, CALL = 3, 4  # of a power, and of what needs no brackets
PRODUCT = re.compile(r"(?<=[\w)]) (?=[\w(])")  # two factors side by side
GREEK = {"pi": r"\pi"}
LONGEST = 2000
SMALL = 1e-2  # below it numbers have a power of ten


def typeset(formula: str) -> str:
    """A formula between dollars; its letters in a typewriter's type if it is none."""
    written = PRODUCT.sub("*", formula.replace("^", "**"))
    try:
        if len(written) > LONGEST:
            return _plain(formula)
        return f"${_set(syntax_tree(written, 'eval').body)[0]}$"
    except (SyntaxError, ValueError, DepthsepError, RecursionError, KeyError):
        return _plain(formula)


def _plain(text: str) -> str:
    return rf"\texttt{{{escaped(text)}}}"


def _set(node: ast.expr) -> tuple[str, int]:
    """TeX of a node, and how tightly its outermost operation binds."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return _number(node.value), CALL
    if isinstance(node, ast.List):
        ends = ", ".join(_set(part)[0] for part in node.elts)
        return f"[{ends}]", CALL
    if isinstance(node, ast.Name):
        return _name(node.id), CALL
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"-{_within(node.operand, 2)}", 1
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(node.func.id, node.args), CALL
    if isinstance(node, ast.BinOp):
        return _operation(node)
    raise KeyError(ast.dump(node))


def _number(value: float) -> str:
    """Small ones with a power of ten, such as 10^{-6}."""
    if isinstance(value, int) or not 0 < abs(value) < SMALL:
        return f"{value:.15g}"
    mantissa, _, exponent = f"{value:.15e}".partition("e")
    mantissa, power = mantissa.rstrip("0").rstrip("."), f"10^{{{int(exponent)}}}"
    return power if mantissa == "1" else rf"{mantissa} \cdot {power}"


def _operation(node: ast.BinOp) -> tuple[str, int]:
    if isinstance(node.op, ast.Div):
        return rf"\frac{{{_set(node.left)[0]}}}{{{_set(node.right)[0]}}}", CALL
    if isinstance(node.op, ast.Pow):
        return f"{_within(node.left, CALL)}^{{{_set(node.right)[0]}}}", TIGHT
    sign, binds = OPERATORS[type(node.op)]
    right = binds + isinstance(node.op, ast.Sub)
    return f"{_within(node.left, binds)}{sign}{_within(node.right, right)}", binds


def _within(node: ast.expr, least: int) -> str:
    inner, binds = _set(node)
    return inner if binds >= least else rf"\left({inner}\right)"


def _call(name: str, given: list[ast.expr]) -> str:
    inner = ", ".join(_set(part)[0] for part in given)
    if name == "sqrt":
        return rf"\sqrt{{{inner}}}"
    if name == "abs":
        return rf"\left|{inner}\right|"
    function = rf"\{name}" if name in KNOWN else rf"\operatorname{{{escaped(name)}}}"
    return rf"{function}\left({inner}\right)"


def _name(name: str) -> str:
    """x12 is x with an index."""
    letters = name.rstrip("0123456789")
    index = name[len(letters) :]
    shown = GREEK.get(
        letters, letters if len(letters) == 1 else rf"\mathrm{{{letters}}}"
    )
    return f"{shown}_{{{index}}}" if index else shown
