"""Values of written formulas by their syntax tree: nothing is simplified first.

Rational arithmetic stays exact, all else is mpmath at its current precision. A formula
is undefined at a point if one of its parts is, whatever the parts around it do.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mpmath import mp

from ._functions import FUNCTIONS, MARGINS, OPERATIONS, Number, checked, real

Function = Callable[[Mapping[str, Number]], Number]


@dataclass(frozen=True)
class Guard:
    """A part of a formula that has to be `kind`: nonzero, positive or nonnegative."""

    kind: str
    part: Function
    jumps: bool


@dataclass(frozen=True)
class Compiled:
    """A formula as a function of its variables, with everything that can go wrong."""

    value: Function
    guards: tuple[Guard, ...]


@lru_cache(maxsize=4096)
def compiled(written: str) -> Compiled:
    """The formula, ready to be evaluated many times."""
    guards: list[Guard] = []
    builder = _Builder(written.strip(), guards)
    return Compiled(builder.build(builder.tree), tuple(guards))


def value(written: str, **variables: Number) -> Number:
    """The formula at a point.

    Raises:
        Undefined, Doubtful: it has no value there, or that is not clear.
    """
    return compiled(written).value(variables)


class _Builder:
    """Turns the nodes of a syntax tree into functions, and notes the guards."""

    def __init__(self, written: str, guards: list[Guard]) -> None:
        self.written, self.guards = written, guards
        self.tree = ast.parse(written, mode="eval").body

    def build(self, node: ast.AST) -> Function:
        if isinstance(node, ast.Constant):
            exact = Fraction(ast.get_source_segment(self.written, node) or "")
            return lambda at: exact
        if isinstance(node, ast.Name):
            return _name(node.id)
        if isinstance(node, ast.UnaryOp):
            part = self.build(node.operand)
            return (lambda at: -part(at)) if isinstance(node.op, ast.USub) else part
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return self._call(node.func.id, node)

    def _operation(self, node: ast.BinOp) -> Function:
        left, right = self.build(node.left), self.build(node.right)
        operation = OPERATIONS[type(node.op)]
        if isinstance(node.op, ast.Div):
            self._guard("nonzero", right, node)
        if isinstance(node.op, ast.Pow) and not _is_whole(node.right):
            self._guard("nonnegative", left, node)
        elif isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant):
            self._guard("nonzero", left, node)
        return lambda at: checked(operation(left(at), right(at)))

    def _call(self, name: str, node: ast.Call) -> Function:
        parts = [self.build(part) for part in node.args]
        if name in ("max", "min"):
            choose = max if name == "max" else min
            return lambda at: choose([part(at) for part in parts], key=real)
        (part,) = parts
        function = FUNCTIONS[name]
        if name in MARGINS:
            kind, margin = MARGINS[name]
            self._guard(kind, lambda at: margin(part(at)), node)
        return lambda at: checked(function(part(at)))

    def _guard(self, kind: str, part: Function, node: ast.AST) -> None:
        calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]
        jumps = any(isinstance(f, ast.Name) and f.id == "sign" for f in calls)
        self.guards.append(Guard(kind, part, jumps))


def _name(name: str) -> Function:
    constants = {"pi": lambda at: +mp.pi, "e": lambda at: +mp.e}
    return constants.get(name, lambda at: at[name])


def _is_whole(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_whole(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)
