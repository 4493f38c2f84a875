"""Formulas as people write them: parsed by Python, never evaluated as code."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep._syntax_tree import syntax_tree
from depthsep.exact import rational
from depthsep.formulas._named import FUNCTIONS, NAMED, REFUSED
from depthsep.formulas._syntax import CONSTANTS, OPERATORS, Syntax, number, variable

MAX_CHARACTERS = 20_000
MAX_NESTING = 60
_VARIABLE = re.compile(r"\bx([1-9][0-9]{0,2})\b")


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


def plain_formula(written: str, variables: Sequence[str] = ("x",)) -> str:
    """As it is written; spelled out if it has functions that others do not know."""
    names = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", written))
    if names & {*NAMED, "where"}:
        return read_formula(written, variables).text
    return written


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
            f"{kind}:{formula[:40]} has {plural(inputs, 'input')}; give 2 to "
            f"{plural(most, 'input')}, and at least as many as its largest variable "
            "index; for one variable, write expr: and a formula in x"
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
            raise HypothesisError(
                f"the formula is nested more than {MAX_NESTING} levels deep"
            )
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
        kind = OPERATORS.get(type(node.op))
        if kind is None:
            raise self.refused(node)
        left, right = (self.read(side, level + 1) for side in (node.left, node.right))
        return self.made(node, kind, left, right)

    def call(self, node: ast.Call, level: int) -> Syntax:
        """A known function of the right number of arguments."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in REFUSED:
            raise self.refused(node, f" ({REFUSED[name]})")
        if (name not in FUNCTIONS and name not in NAMED) or node.keywords:
            raise self.refused(node)
        wanted, count = arguments_of(name), len(node.args)
        if count not in wanted:
            raise HypothesisError(f"{name} takes {_counted(wanted)}, not {count}")
        if name == "where":
            return replace(self.where(node, level), written=self.segment(node))
        parts = [self.read(argument, level + 1) for argument in node.args]
        if name in NAMED:
            return replace(spelled_out(name, parts), written=self.segment(node))
        return self.made(node, "log" if name == "ln" else name, *parts)

    def where(self, node: ast.Call, level: int) -> Syntax:
        """where(x < c, a, b): a of what is below c, b of what is above; and the jump.

        a(min(x, c)) + b(max(x, c)) - a(c) is both where they meet at c.
        """
        name, cut, is_below = self.comparison(node.args[0], level)
        first, second = (self.read(part, level + 1) for part in node.args[1:])
        below, above = (first, second) if is_below else (second, first)
        x = variable(name)
        left = below.replaced({name: Syntax("min", (x, cut))})
        right = above.replaced({name: Syntax("max", (x, cut))})
        ends = below.replaced({name: cut}), above.replaced({name: cut})
        met = Syntax("-", (Syntax("+", (left, right)), ends[0]))
        jump = Syntax("-", (ends[1], ends[0]))
        if _is_zero(jump, self.variables):
            return met
        side = Syntax("sign", (Syntax("-", (x, cut)),))
        half = Syntax("/", (Syntax("-", (number(1), side)), number(2)))
        return Syntax("-", (met, Syntax("*", (jump, half))))

    def comparison(self, node: ast.expr, level: int) -> tuple[str, Syntax, bool]:
        """A variable, a number, and whether the variable has to be below it."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            ends = [
                self.read(part, level + 1) for part in (node.left, node.comparators[0])
            ]
            below = isinstance(node.ops[0], ast.Lt | ast.LtE)
            if below or isinstance(node.ops[0], ast.Gt | ast.GtE):
                for x, cut, is_below in ((*ends, below), (*ends[::-1], not below)):
                    if x.kind == "name" and x.variables and not cut.variables:
                        return x.name, cut, is_below
        raise self.refused(node, " (compare a variable with a number, as in x < 1/2)")


def arguments_of(name: str) -> range:
    """How many arguments a function takes."""
    if name in ("min", "max"):
        return range(1, 21)
    count = (
        len(NAMED[name][0].split()) if name in NAMED else 3 if name == "where" else 1
    )
    return range(count, count + 1)


def _is_zero(formula: Syntax, variables: Sequence[str]) -> bool:
    from depthsep.formulas._formula import expression_of  # which reads formulas

    return bool(expression_of(formula, variables).is_zero)


def _counted(wanted: range) -> str:
    if len(wanted) > 1:
        return f"{wanted[0]} to {wanted[-1]} arguments"
    return "one argument" if wanted[0] == 1 else f"{wanted[0]} arguments"


def spelled_out(name: str, parts: Sequence[Syntax]) -> Syntax:
    """A named function of its arguments, in functions that are followed."""
    names = NAMED[name][0].split()
    return _definition(name).replaced(dict(zip(names, parts, strict=True)))


@cache
def _definition(name: str) -> Syntax:
    names, formula = NAMED[name]
    return read_formula(formula, names.split())


def refusal(part: str, hint: str, variables: Sequence[str]) -> HypothesisError:
    """The refusal of a part of a formula, with what is allowed."""
    names, inputs = ", ".join((*FUNCTIONS, *NAMED)), ", ".join(variables)
    return HypothesisError(
        f"the formula contains {part[:40]!r}, which is not allowed{hint}; "
        f"use {inputs}, numbers, pi, e, + - * / ** and {names}"
    )


def _is_minus(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.USub)
