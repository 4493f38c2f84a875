"""Formulas as they are written: a syntax tree that nothing has simplified.

sympy rewrites while it builds: sqrt(x)**2 becomes x, and nobody sees that the formula
was undefined below 0. What a formula means is therefore decided on this tree.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._syntax_tree import syntax_tree
from depthsep.exact import rational, text

MAX_CHARACTERS = 20_000
MAX_NESTING = 60
FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "ln", "sqrt", "erf", "abs", "sign", "min", "max"),
)
_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_VARIABLE = re.compile(r"\bx([1-9][0-9]{0,2})\b")


@dataclass(frozen=True, eq=False)
class Syntax:
    """One node of a formula.

    Attributes:
        kind: an operator (``+ - * / **``, ``neg``), a function, ``number`` or ``name``.
        parts: what it is applied to.
        written: the part of the formula that it stands for.
        value: of a number.
        name: of a variable or of pi and e.
    """

    kind: str
    parts: tuple["Syntax", ...] = ()
    written: str = ""
    value: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)
    name: str = ""

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names that stand for inputs."""
        if self.kind == "name":
            return frozenset() if self.name in CONSTANTS else frozenset([self.name])
        return frozenset().union(*(part.variables for part in self.parts))

    @cached_property
    def text(self) -> str:
        """The formula, in a form that `read_formula` reads back."""
        if self.kind == "number":
            return text(self.value) if self.value.q == 1 else f"({text(self.value)})"
        if self.kind == "name":
            return self.name
        parts = [part.text for part in self.parts]
        if self.kind == "neg":
            return f"(-{parts[0]})"
        if self.kind in _OPERATORS.values():
            return f"({self.kind.join(parts)})"
        return f"{self.kind}({', '.join(parts)})"

    @cached_property
    def size(self) -> int:
        """How many nodes it has."""
        return 1 + sum(part.size for part in self.parts)

    def nodes(self) -> Iterator["Syntax"]:
        """Itself and all below, the innermost first."""
        for part in self.parts:
            yield from part.nodes()
        yield self

    def replaced(self, values: Mapping[str, "Syntax"]) -> "Syntax":
        """The formula with others put in place of variables."""
        if self.kind == "name":
            return values.get(self.name, self)
        if not self.variables & set(values):
            return self
        parts = tuple(part.replaced(values) for part in self.parts)
        return Syntax(self.kind, parts, self.written, self.value, self.name)


CONSTANTS = ("pi", "e", "E")


def number(value: fmpq | int) -> Syntax:
    """A number."""
    return Syntax("number", written=text(value), value=fmpq(value))


def variable(name: str) -> Syntax:
    """A variable."""
    return Syntax("name", written=name, name=name)


def line(start: fmpq, step: fmpq, name: str = "x") -> Syntax:
    """start + step * x."""
    moved = Syntax("*", (number(step), variable(name)))
    return Syntax("+", (number(start), moved))


def read_formula(written: str, variables: Sequence[str] = ("x",)) -> Syntax:
    """The syntax tree of a formula.

    Allowed: the variables, numbers (decimals are read exactly), pi, e, + - * / **,
    parentheses and the functions in `FUNCTIONS`.

    Raises:
        HypothesisError: anything else, with the offending part and the remedy.
    """
    formula = written.strip()
    if len(formula) > MAX_CHARACTERS:
        raise HypothesisError(f"the formula is longer than {MAX_CHARACTERS} characters")
    if not formula.isprintable() or "#" in formula:
        raise HypothesisError(
            "the formula contains a comment or a character that cannot be printed; "
            "write it on one line, for example sin(20*x)"
        )
    try:
        tree = syntax_tree(formula, "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = getattr(error, "msg", None) or str(error)
        raise HypothesisError(
            f"cannot read the formula {formula[:60]!r}: {reason}; "
            "write for example sin(20*x) or x**2 + 1/3"
        ) from None
    return _Reader(formula, tuple(variables)).read(tree.body, 0)


def variables_of(written: str) -> list[str]:
    """The names x1, x2, ... that a formula mentions, in order of their numbers."""
    found = {int(n) for n in _VARIABLE.findall(written)}
    return [f"x{n}" for n in sorted(found)]


def inputs_of(formula: str, dim: int | None, most: int, kind: str) -> int:
    """The number of inputs of a formula in x1, x2, ...: its largest index, or `dim`.

    Raises:
        HypothesisError: one variable only, or more than `most`.
    """
    names = variables_of(formula)
    largest = int(names[-1][1:]) if names else 0
    inputs = max(largest, 2) if dim is None else dim
    if not max(2, largest) <= inputs <= most:
        raise HypothesisError(
            f"{kind}:{formula[:40]} in {inputs} inputs: give 2 to {most}, at least the "
            "largest index; for one variable use expr: and x"
        )
    return inputs


@dataclass(frozen=True)
class _Reader:
    """Walks Python's syntax tree and keeps what formulas may contain."""

    source: str
    variables: tuple[str, ...]

    def read(self, node: ast.expr, level: int) -> Syntax:
        """A node of Python's tree as one of ours."""
        if level > MAX_NESTING:
            raise HypothesisError(f"the formula is nested deeper than {MAX_NESTING}")
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            operand = self.read(node.operand, level + 1)
            return self.made(node, "neg", operand) if _is_minus(node) else operand
        if isinstance(node, ast.BinOp):
            return self.operation(node, level)
        if isinstance(node, ast.Call):
            return self.call(node, level)
        raise self.refused(node)

    def made(self, node: ast.AST, kind: str, *parts: Syntax) -> Syntax:
        return Syntax(kind, parts, self.segment(node))

    def segment(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.source, node) or type(node).__name__

    def refused(self, node: ast.AST, hint: str = "") -> HypothesisError:
        return refusal(self.segment(node), hint, self.variables)

    def number(self, node: ast.Constant) -> Syntax:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self.refused(node)
        written = self.segment(node).replace("_", "")
        value = rational(written, name="a number in the formula")
        return Syntax("number", written=written, value=value)

    def name(self, node: ast.Name) -> Syntax:
        if node.id not in self.variables and node.id not in CONSTANTS:
            raise self.refused(node)
        return variable(node.id)

    def operation(self, node: ast.BinOp, level: int) -> Syntax:
        """A sum, difference, product, quotient or power."""
        if isinstance(node.op, ast.BitXor):
            raise self.refused(node, " (write ** for a power)")
        kind = _OPERATORS.get(type(node.op))
        if kind is None:
            raise self.refused(node)
        left, right = (self.read(side, level + 1) for side in (node.left, node.right))
        return self.made(node, kind, left, right)

    def call(self, node: ast.Call, level: int) -> Syntax:
        """A known function of the right number of arguments."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS or node.keywords:
            raise self.refused(node)
        if len(node.args) != 1 and name not in ("min", "max"):
            raise HypothesisError(f"{name} takes one argument, not {len(node.args)}")
        if not 1 <= len(node.args) <= 20:
            raise HypothesisError(f"{name} takes 1 to 20 arguments")
        parts = [self.read(argument, level + 1) for argument in node.args]
        return self.made(node, "log" if name == "ln" else name, *parts)


def refusal(part: str, hint: str, variables: Sequence[str]) -> HypothesisError:
    """The refusal of a part of a formula, with what is allowed."""
    names, inputs = ", ".join(FUNCTIONS), ", ".join(variables)
    return HypothesisError(
        f"the formula contains {part[:40]!r}, which is not allowed{hint}; "
        f"use {inputs}, numbers, pi, e, + - * / ** and {names}"
    )


def _is_minus(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.USub)
