"""Formulas as they are written: a syntax tree that nothing has simplified.

sympy rewrites while it builds: sqrt(x)**2 becomes x, and nobody sees that the formula
was undefined below 0. What a formula means is therefore decided on this tree.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from depthsep.exact import text

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}


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
        if self.kind in OPERATORS.values():
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
