"""Formulas in several variables that are functions of one linear form."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep.formulas import Syntax, line
from depthsep.laws import Box, Segment
from depthsep.targets.line._expression import Expression

Affine = tuple[tuple[fmpq, ...], fmpq]


@dataclass(frozen=True)
class OfOneForm:
    """f(x) = profile(weights . x).

    Attributes:
        weights: of the form, one for each input; the first that is not 0 is 1.
        profile: as a formula in x.
    """

    weights: tuple[fmpq, ...]
    profile: Expression

    def range_on(self, box: Box) -> Segment:
        """The values of the form on the box, as an interval."""
        ends = [
            sorted((a * side.start, a * side.stop))
            for a, side in zip(self.weights, box.sides, strict=True)
        ]
        low, high = (sum((end[k] for end in ends), fmpq(0)) for k in (0, 1))
        return Segment(low, high)


def of_one_form(formula: Syntax, names: Sequence[str]) -> OfOneForm | None:
    """The formula as a function of one linear form, if it is written as one.

    Every largest part that is affine in the inputs has to be a multiple of one form
    plus a constant, as in exp(x1 + x2) - (2*x1 + 2*x2 - 1)**2.
    """
    search = _Search(tuple(names))
    profile = search.rewritten(formula)
    if profile is None or search.form is None:
        return None
    return OfOneForm(search.form, Expression.of(profile))


def affine_form(node: Syntax, names: Sequence[str]) -> Affine | None:
    """Weights, one for each input, and constant of a part that is affine in them.

    Returns:
        None if it is not written as such, with rational numbers.
    """
    return _Search(tuple(names)).affine(node)


class _Search:
    """Puts x in place of the first form that is met; others must be its multiples."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.form: tuple[fmpq, ...] | None = None

    def rewritten(self, node: Syntax) -> Syntax | None:
        """The node as a formula in x; None if it is none."""
        if not node.variables:
            return node
        known = self.affine(node)
        if known is not None and any(known[0]):
            return self.in_x(*known)
        parts = [self.rewritten(part) for part in node.parts]
        made = tuple(part for part in parts if part is not None)
        if len(made) < len(parts):
            return None
        return Syntax(node.kind, made, node.written, node.value, node.name)

    def in_x(self, weights: tuple[fmpq, ...], constant: fmpq) -> Syntax | None:
        """The affine part as constant + factor * x."""
        factor = next(a for a in weights if a != 0)
        form = tuple(a / factor for a in weights)
        if self.form is None:
            self.form = form
        return line(constant, factor) if form == self.form else None

    def affine(self, node: Syntax) -> Affine | None:
        """Coefficients and constant of a part that is affine with rational numbers."""
        nothing = (fmpq(0),) * len(self.names)
        if node.kind == "number":
            return nothing, node.value
        if node.kind == "name":
            return self.input(node.name)
        if node.kind not in ("neg", "+", "-", "*", "/"):
            return None
        parts = [self.affine(part) for part in node.parts]
        if any(part is None for part in parts):
            return None
        return _combined(node.kind, [part for part in parts if part is not None])

    def input(self, name: str) -> Affine | None:
        if name not in self.names:
            return None  # pi and e are no rationals
        return tuple(fmpq(int(n == name)) for n in self.names), fmpq(0)


def _combined(kind: str, parts: Sequence[Affine]) -> Affine | None:
    (a, b), (c, d) = parts[0], parts[-1]
    if kind == "neg":
        return _scaled(parts[0], fmpq(-1))
    if kind in ("+", "-"):
        sign = 1 if kind == "+" else -1
        return tuple(x + sign * y for x, y in zip(a, c, strict=True)), b + sign * d
    if kind == "/":
        return None if any(c) or d == 0 else _scaled(parts[0], 1 / d)
    if any(a) and any(c):
        return None
    return _scaled(parts[1], b) if any(c) else _scaled(parts[0], d)


def _scaled(form: Affine, factor: fmpq) -> Affine:
    return tuple(factor * x for x in form[0]), factor * form[1]
