"""Whether a formula, as it is written, is defined on a whole box: proved or refused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import NotDefinedError, UndecidedError
from depthsep.exact import Interval, jets
from depthsep.formulas._ranges import Cell, jet_of, range_of, whole_exponent
from depthsep.formulas._syntax import Syntax

SMALLEST = fmpq(1, 2**120)
MAX_STEPS = 300_000  # nodes evaluated, for the whole formula
ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True)
class Condition:
    """low <= argument <= high, strictly where `open`; or argument != 0.

    `asker` is the part of the formula that is defined only then.
    """

    asker: Syntax
    argument: Syntax
    low: fmpq | None = None
    high: fmpq | None = None
    open: bool = False
    nonzero: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for conditions that say the same."""
        ends = (self.low, self.high, self.open, self.nonzero)
        return (self.argument.text, *ends)

    def holds(self, values: Interval) -> bool | None:
        """True or False if that is so for all of an interval, else None."""
        if self.nonzero:
            if values.low > 0 or values.high < 0:
                return True
            return False if values.is_point else None
        above = _is_above(values.low, values.high, self.low, self.open)
        high = None if self.high is None else -self.high
        below = _is_above(-values.high, -values.low, high, self.open)
        if above is False or below is False:
            return False
        return True if above and below else None


def _is_above(low: fmpq, high: fmpq, end: fmpq | None, is_open: bool) -> bool | None:
    if end is None or (low > end if is_open else low >= end):
        return True
    return False if (high <= end if is_open else high < end) else None


def check_defined(
    formula: Syntax,
    sides: Mapping[str, Interval],
    name: str,
    *,
    parameter: str | None = None,
) -> None:
    """Refuse a formula that is not defined on a whole box.

    Every root, logarithm, quotient, ... asks its argument to stay in a domain. The box
    is halved until intervals prove that it does; ends that are touched count where
    rational arithmetic or monotonicity decides them exactly.

    Args:
        formula: as it was written; nothing may have simplified it.
        sides: an interval for each variable.
        name: how messages call the function.
        parameter: which one sets the box, if any does.

    Raises:
        NotDefinedError: it is not defined somewhere, or that cannot be excluded.
    """
    try:
        _check(formula, sides, name)
    except NotDefinedError as error:
        error.parameter = parameter
        raise


def _check(formula: Syntax, sides: Mapping[str, Interval], name: str) -> None:
    asked: dict[tuple[object, ...], Condition] = {}
    for node in formula.nodes():
        try:
            asked |= {condition.key: condition for condition in _conditions(node)}
        except UndecidedError:
            raise _cannot_prove(name, sides) from None
    steps = 0
    for condition in asked.values():
        steps = _prove(condition, sides, name, steps)


def _conditions(node: Syntax) -> Iterator[Condition]:
    """What a node asks of its parts."""
    if node.kind in _DOMAINS:
        low, high, is_open = _DOMAINS[node.kind]
        yield Condition(node, node.parts[0], low, high, is_open)
    elif node.kind == "/":
        yield Condition(node, node.parts[1], nonzero=True)
    elif node.kind == "tan":
        yield Condition(node, Syntax("cos", node.parts), nonzero=True)
    elif node.kind == "**":
        yield from _of_power(node)


def _of_power(node: Syntax) -> Iterator[Condition]:
    base, exponent = node.parts
    n = whole_exponent(node)
    if n is None:
        positive = not exponent.variables and range_of(exponent, {}).low > 0
        yield Condition(node, base, ZERO, open=not positive)
    elif n < 0:
        yield Condition(node, base, nonzero=True)


_DOMAINS: dict[str, tuple[fmpq | None, fmpq | None, bool]] = {
    "sqrt": (ZERO, None, False),
    "log": (ZERO, None, True),
    "asin": (-ONE, ONE, False),
    "acos": (-ONE, ONE, False),
    "acosh": (ONE, None, False),
    "atanh": (-ONE, ONE, True),
}


def _prove(
    condition: Condition, sides: Mapping[str, Interval], name: str, steps: int
) -> int:
    """The steps taken, with those before; refuses what is not proved."""
    argument = condition.argument
    least = {v: (sides[v].high - sides[v].low) * SMALLEST for v in argument.variables}
    stack: list[Cell] = [{v: sides[v] for v in sorted(argument.variables)}]
    while stack:
        cell = stack.pop()
        steps += argument.size
        if _decided(condition, cell, name):
            continue
        for corner in _corners(cell):
            _decided(condition, corner, name)
        widest = max(cell, key=lambda v: _share(cell[v], sides[v]), default=None)
        small = widest is None or cell[widest].high - cell[widest].low <= least[widest]
        if widest is None or small or steps > MAX_STEPS:
            raise _cannot_prove(name, cell)
        stack += _halves(cell, widest)
    return steps


def _decided(condition: Condition, cell: Cell, name: str) -> bool:
    """Whether the condition is proved on a cell; refuses where it is proved false."""
    try:
        found = condition.holds(range_of(condition.argument, cell))
        if found is None:
            found = condition.holds(_sharp_range(condition.argument, cell))
    except UndecidedError:
        return False
    if found is False:
        raise NotDefinedError(
            f"{name} is not defined at {_place(cell)}, where {condition.asker.text} "
            "is not defined; give a function that is defined on the whole domain"
        )
    return found is True


def _sharp_range(argument: Syntax, cell: Cell) -> Interval:
    """The range; with ends from corners where the argument is monotone."""
    plain = range_of(argument, cell)
    if all(side.is_point for side in cell.values()):
        return plain
    low, high = dict(cell), dict(cell)
    for name, side in cell.items():
        slope = _slope(argument, cell, name)
        if slope > 0 or slope < 0:
            first, last = (side.low, side.high) if slope > 0 else (side.high, side.low)
            low[name], high[name] = Interval.point(first), Interval.point(last)
    bottom, top = range_of(argument, low).low, range_of(argument, high).high
    return Interval(max(plain.low, bottom), min(plain.high, top))


def _slope(argument: Syntax, cell: Cell, along: str) -> arb:
    with ctx.workprec(128):
        inputs = {
            v: jets.variable(arb(x.low).union(arb(x.high)), int(v == along))
            for v, x in cell.items()
        }
        slope = jet_of(argument, inputs).first
    return slope if slope.is_finite() else arb(0, 1)


def _corners(cell: Cell) -> list[Cell]:
    """The middle and the two far corners, as points."""
    return [
        {v: Interval.point(x.low + (x.high - x.low) * t) for v, x in cell.items()}
        for t in (ZERO, ONE / 2, ONE)
    ]


def _share(side: Interval, whole: Interval) -> fmpq:
    if side.is_point:
        return ZERO
    return (side.high - side.low) / (whole.high - whole.low)


def _halves(cell: Cell, across: str) -> list[Cell]:
    side = cell[across]
    middle = (side.low + side.high) / 2
    left, right = Interval(side.low, middle), Interval(middle, side.high)
    return [{**cell, across: right}, {**cell, across: left}]


def _cannot_prove(name: str, cell: Mapping[str, Interval]) -> NotDefinedError:
    return NotDefinedError(
        f"{name} cannot be proved to be defined near {_place(cell)}; "
        "leave that point out of the domain or, if a root is the cause, take roots "
        "only of squares or of abs(...)"
    )


def _place(cell: Cell) -> str:
    with ctx.workprec(64):
        return (
            ", ".join(
                f"{v} = {float(arb((x.low + x.high) / 2).mid()):.6g}"
                for v, x in sorted(cell.items())
            )
            or "any point"
        )
