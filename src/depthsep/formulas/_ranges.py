"""What a formula as written may be on a box: intervals with rational ends, and jets."""

from collections.abc import Callable, Mapping
from functools import reduce

from flint import arb, fmpq

from depthsep._errors import UndecidedError
from depthsep.exact import Interval, Jet, jets
from depthsep.formulas._syntax import Syntax

Cell = Mapping[str, Interval]
ONE = fmpq(1)


def range_of(node: Syntax, cell: Cell) -> Interval:
    """The values on a cell: valid wherever the formula is defined there.

    Raises:
        UndecidedError: they are not bounded, as far as intervals can tell.
    """
    if node.kind == "number":
        return Interval.point(node.value)
    if node.kind == "name":
        return cell[node.name] if node.name in cell else _constant(node.name)
    parts = [range_of(part, cell) for part in node.parts]
    if node.kind == "**":
        return _power(node, *parts)
    if node.kind == "*" and node.parts[0].text == node.parts[1].text:
        return parts[0].power(2)
    return _RANGES[node.kind](*parts)


def whole_exponent(node: Syntax) -> int | None:
    """The exponent of a power if it is a whole number that does not depend on x."""
    if node.parts[1].variables:
        return None
    exponent = range_of(node.parts[1], {})
    whole = exponent.is_point and exponent.low.q == 1
    return int(exponent.low.p) if whole else None


def _constant(name: str) -> Interval:
    unit = Interval.point(ONE)
    return unit.over(lambda x: arb.pi() if name == "pi" else x.exp())


def _power(node: Syntax, base: Interval, exponent: Interval) -> Interval:
    n = whole_exponent(node)
    if n is not None:
        return base.power(n)
    if exponent.is_point and exponent.low == fmpq(1, 2):
        return base.sqrt()
    positive = base.within(fmpq(0), None)
    if positive.low > 0:
        return (positive.image(arb.log) * exponent).image(arb.exp)
    if exponent.low <= 0:
        raise UndecidedError(
            "the base of a power may be 0 while its exponent is not positive"
        )
    if positive.high == 0:
        return positive
    top = Interval.point(positive.high).image(arb.log) * exponent
    return Interval(fmpq(0), top.image(arb.exp).high)


def _wave(function: Callable[[arb], arb]) -> Callable[[Interval], Interval]:
    return lambda x: x.over(function).within(-ONE, ONE)


def _sign(x: Interval) -> Interval:
    return Interval(_sign_of(x.low), _sign_of(x.high))


def _sign_of(x: fmpq) -> fmpq:
    return fmpq((x > 0) - (x < 0))


def _increasing(
    function: Callable[[arb], arb],
    low: fmpq | None = None,
    high: fmpq | None = None,
) -> Callable[[Interval], Interval]:
    """An increasing function, on what of an interval lies in its domain."""
    return lambda x: x.within(low, high).image(function)


def _falling(function: Callable[[arb], arb]) -> Callable[[Interval], Interval]:
    return lambda x: -x.within(-ONE, ONE).image(lambda t: -function(t))


_RANGES: dict[str, Callable[..., Interval]] = {
    "neg": lambda a: -a,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a + (-b),
    "*": lambda a, b: a * b,
    "/": lambda a, b: a * b.inverse(),
    "sin": _wave(arb.sin),
    "cos": _wave(arb.cos),
    "tan": lambda x: x.over(arb.tan),
    "asin": _increasing(arb.asin, -ONE, ONE),
    "acos": _falling(arb.acos),
    "atan": _increasing(arb.atan),
    "sinh": _increasing(arb.sinh),
    "cosh": lambda x: abs(x).image(arb.cosh).within(ONE, None),
    "tanh": lambda x: x.image(arb.tanh).within(-ONE, ONE),
    "asinh": _increasing(arb.asinh),
    "acosh": _increasing(arb.acosh, ONE),
    "atanh": _increasing(arb.atanh),
    "exp": lambda x: x.image(arb.exp).within(fmpq(0), None),
    "log": _increasing(arb.log),
    "sqrt": Interval.sqrt,
    "erf": lambda x: x.image(arb.erf).within(-ONE, ONE),
    "sinc": lambda x: x.over(arb.sinc).within(-ONE / 4, ONE),
    "abs": abs,
    "sign": _sign,
    "max": lambda *parts: reduce(Interval.larger, parts),
    "min": lambda *parts: -reduce(Interval.larger, [-part for part in parts]),
}


def jet_of(node: Syntax, inputs: Mapping[str, Jet]) -> Jet:
    """Value and derivatives on balls, of the formula as it is written."""
    if not node.variables:
        value = range_of(node, {})
        return jets.constant(arb(value.low).union(arb(value.high)))
    if node.kind == "name":
        return inputs[node.name]
    parts = [jet_of(part, inputs) for part in node.parts]
    if node.kind == "**":
        return _power_jet(node, *parts)
    return (
        _JETS[node.kind](*parts) if node.kind in _JETS else _function_jet(node, parts)
    )


def _power_jet(node: Syntax, base: Jet, exponent: Jet) -> Jet:
    n = whole_exponent(node)
    if n is not None:
        return jets.integer_power(base, n)
    if not node.parts[1].variables:
        return jets.real_power(base, exponent.value)
    log, exp = jets.FUNCTIONS["log"], jets.FUNCTIONS["exp"]
    return jets.apply(exp, jets.multiply(exponent, jets.apply(log, base)))


def _function_jet(node: Syntax, parts: list[Jet]) -> Jet:
    name = "Abs" if node.kind == "abs" else node.kind
    return jets.apply(jets.FUNCTIONS[name], parts[0])


def _negative(f: Jet) -> Jet:
    return jets.multiply(jets.constant(arb(-1)), f)


_JETS: dict[str, Callable[..., Jet]] = {
    "neg": _negative,
    "+": jets.add,
    "-": lambda f, g: jets.add(f, _negative(g)),
    "*": jets.multiply,
    "/": lambda f, g: jets.multiply(f, jets.integer_power(g, -1)),
    "max": lambda *parts: reduce(lambda f, g: jets.larger(f, g, 1), parts),
    "min": lambda *parts: reduce(lambda f, g: jets.larger(f, g, -1), parts),
}
