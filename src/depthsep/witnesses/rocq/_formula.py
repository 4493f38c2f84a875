"""A formula in x as Rocq writes it, in the functions that coq-interval knows."""

import textwrap

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.formulas import Syntax
from depthsep.targets import Expression
from depthsep.witnesses.rocq._numbers import LINE, real

NAMES = {
    "exp": "exp",
    "log": "ln",
    "ln": "ln",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "atan": "atan",
    "sqrt": "sqrt",
    "abs": "Rabs",
}


def formula(target: Expression) -> str:
    """The formula, broken into lines.

    Raises:
        HypothesisError: a function, or a power, that coq-interval does not know.
    """
    return textwrap.indent(textwrap.fill(_written(target.syntax), LINE), "  ")


def _written(node: Syntax) -> str:
    if node.kind == "number":
        return _number(node.value)
    if node.kind == "name":
        names = {"x": "x", "x1": "x", "pi": "PI", "e": "exp 1"}
        return names[node.name]
    parts = [_part(part) for part in node.parts]
    if node.kind == "neg":
        return f"- {parts[0]}"
    if node.kind in ("+", "-", "*", "/"):
        return f"{parts[0]} {node.kind} {parts[1]}"
    if node.kind == "**":
        return _power(node, parts[0])
    if node.kind not in NAMES:
        raise HypothesisError(
            f"coq-interval does not support {node.kind}; it supports {', '.join(NAMES)}"
        )
    return f"{NAMES[node.kind]} {parts[0]}"


def _part(node: Syntax) -> str:
    written = _written(node)
    return f"({written})" if " " in written and not _is_closed(written) else written


def _is_closed(written: str) -> bool:
    """Whether one pair of parentheses holds all of it."""
    if not written.startswith("("):
        return False
    depth = 0
    for place, letter in enumerate(written):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(written) - 1
    return False


def _number(value: fmpq) -> str:
    written = real(value)
    return written if written.startswith("(") or "/" not in written else f"({written})"


def _power(node: Syntax, base: str) -> str:
    exponent = _value(node.parts[1])
    if exponent.q == 1:
        size = int(exponent.p)
        return f"{base} ^ {size}" if size >= 0 else f"/ {base} ^ {-size}"
    if exponent.q == 2 and exponent > 0:
        return f"sqrt {base} ^ {int(exponent.p)}"
    raise HypothesisError(f"coq-interval does not support the exponent {exponent}")


def _value(node: Syntax) -> fmpq:
    """An exponent, exactly."""
    if node.kind == "number":
        return node.value
    values = [_value(part) for part in node.parts]
    if node.kind == "neg":
        return -values[0]
    if node.kind == "/" and values[1] != 0:
        return values[0] / values[1]
    raise HypothesisError(
        f"the exponent {node.written!r} is not written as a number or a fraction"
    )
