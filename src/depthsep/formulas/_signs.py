"""Signs in a formula of one variable: where they change, and the formula beside it."""

from flint import fmpq

from depthsep.formulas._degree import degree_in
from depthsep.formulas._evaluate import exact_value
from depthsep.formulas._formula import expression_of
from depthsep.formulas._syntax import Syntax, number


def sign_changes_of(node: Syntax, name: str) -> set[fmpq]:
    """Zeros of the affine arguments of signs: there the formula may jump."""
    found = set[fmpq]()
    for part in node.parts:
        found |= sign_changes_of(part, name)
    if node.kind == "sign" and (zero := _zero(node.parts[0], name)) is not None:
        found.add(zero)
    return found


def with_signs_on(node: Syntax, name: str, start: fmpq, stop: fmpq) -> Syntax:
    """The formula as it is inside an interval, where most of these signs are known."""
    zero = _zero(node.parts[0], name) if node.kind == "sign" else None
    if zero is not None and not start < zero < stop:
        value = _value(node.parts[0], name, (start + stop) / 2)
        if value is not None:  # else it stays, to be followed in balls
            return number(0 if value == 0 else 1 if value > 0 else -1)
    parts = tuple(with_signs_on(part, name, start, stop) for part in node.parts)
    return Syntax(node.kind, parts, node.written, node.value, node.name)


def _zero(argument: Syntax, name: str) -> fmpq | None:
    """Where its sign changes: of an affine function with rational coefficients.

    Or of x cut off by max and min, less a number, as `where` inside `where` is read:
    it changes where that of x does.
    """
    if argument.kind == "-" and not argument.parts[1].variables:
        argument = Syntax("-", (_uncut(argument.parts[0]), argument.parts[1]))
    if degree_in(argument, [name]) != 1:
        return None
    first, second = (_value(argument, name, fmpq(k)) for k in (0, 1))
    if first is None or second is None or first == second:
        return None
    return first / (first - second)


def _uncut(node: Syntax) -> Syntax:
    """The variable of max(min(x, a), b): it rises, or is constant."""
    is_cut = node.kind in ("max", "min") and len(node.parts) == 2
    if is_cut and not node.parts[1].variables:
        inner = _uncut(node.parts[0])
        return inner if inner.kind == "name" else node
    return node


def _value(argument: Syntax, name: str, place: fmpq) -> fmpq | None:
    """Exactly; None where it is not rational."""
    found = expression_of(argument.replaced({name: number(place)}))
    return exact_value(found) if found.is_Rational else None
