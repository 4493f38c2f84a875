"""How fast a formula in x can grow beyond an end of an interval, from its syntax."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, fmpq

from depthsep._errors import UndecidedError
from depthsep.exact import ball_upper
from depthsep.formulas._ranges import range_of, whole_exponent
from depthsep.formulas._syntax import Syntax

ZERO, ONE = fmpq(0), fmpq(1)
BOUNDED = {name: ONE for name in ("sin", "cos", "tanh", "erf", "sinc", "sign")} | {
    "atan": fmpq(2)
}
Line = tuple[fmpq, fmpq]
"""level + slope y, at a distance y >= 0 beyond the end."""


@dataclass(frozen=True)
class Growth:
    """|f| <= scale exp(rate y), for all y >= 0."""

    scale: fmpq
    rate: fmpq

    def __add__(self, other: "Growth") -> "Growth":
        return Growth(self.scale + other.scale, max(self.rate, other.rate))

    def __mul__(self, other: "Growth") -> "Growth":
        return Growth(self.scale * other.scale, self.rate + other.rate)

    @staticmethod
    def of_line(level: fmpq, slope: fmpq, gentle: fmpq) -> "Growth":
        """Of |level| + |slope| y, at a rate of at most `gentle`: 1 + t <= e^t."""
        scale = max(abs(level), abs(slope) / gentle)
        return Growth(scale, abs(slope) / scale if scale else ZERO)


def growth_of(formula: Syntax, end: fmpq, side: int, gentle: fmpq) -> Growth | None:
    """A bound of the formula at end + side * y, for all y >= 0; it is defined there.

    Args:
        side: -1 or 1.
        gentle: a rate at which an affine function may be said to grow.

    Returns:
        None where none is found.
    """
    try:
        return _Tail(end, side, gentle).of(formula).size
    except (_UnknownError, UndecidedError):
        return None


class _UnknownError(Exception):
    """Nothing is known of a part of the formula."""


@dataclass(frozen=True)
class _Known:
    """What is known of a part: its growth, and lines in y below and above it."""

    size: Growth
    below: Line | None = None
    above: Line | None = None

    @property
    def least(self) -> fmpq | None:
        """A constant that it is never below."""
        return self.below[0] if self.below and self.below[1] >= 0 else None

    @property
    def most(self) -> fmpq | None:
        """A constant that it is never above."""
        return self.above[0] if self.above and self.above[1] <= 0 else None

    @property
    def range(self) -> tuple[fmpq, fmpq] | None:
        """Both ends of a bounded range on one side of 0, from lines that are flat."""
        low, high = self.least, self.most
        if low is None or high is None or low < 0 < high:
            return None
        return low, high

    @property
    def is_nonnegative(self) -> bool:
        """Whether it is proved to be 0 or more."""
        return self.least is not None and self.least >= 0

    def __neg__(self) -> "_Known":
        return _Known(self.size, _times(self.above, -ONE), _times(self.below, -ONE))

    def __add__(self, other: "_Known") -> "_Known":
        below, above = _sum(self.below, other.below), _sum(self.above, other.above)
        return _Known(self.size + other.size, below, above)

    def __mul__(self, other: "_Known") -> "_Known":
        size = self.size * other.size
        for constant, part in ((self, other), (other, self)):
            factor = constant.range
            if factor is not None:
                return part.scaled(*factor)
        if self.is_nonnegative and other.is_nonnegative:
            assert self.least is not None and other.least is not None
            return _Known(size, (self.least * other.least, ZERO))
        return _Known(size)

    def scaled(self, low: fmpq, high: fmpq) -> "_Known":
        """Its product with something between two numbers on one side of 0."""
        if high <= 0 and low < 0:
            return (-self).scaled(-high, -low)
        size = Growth(self.size.scale * high, self.size.rate)
        return _Known(
            size,
            *(
                _bound(line, low, high, pick)
                for line, pick in ((self.below, min), (self.above, max))
            ),
        )


def _bound(
    line: Line | None, low: fmpq, high: fmpq, pick: Callable[[fmpq, fmpq], fmpq]
) -> Line | None:
    """A line below (min) or above (max) all its multiples by factors in between."""
    if line is None:
        return None
    return pick(low * line[0], high * line[0]), pick(low * line[1], high * line[1])


def _times(line: Line | None, factor: fmpq) -> Line | None:
    return None if line is None else (line[0] * factor, line[1] * factor)


def _sum(one: Line | None, other: Line | None) -> Line | None:
    return (
        None
        if one is None or other is None
        else (
            one[0] + other[0],
            one[1] + other[1],
        )
    )


@dataclass(frozen=True)
class _Tail:
    """The half line beyond an end."""

    end: fmpq
    side: int
    gentle: fmpq

    def of(self, node: Syntax) -> _Known:
        """What is known of a part of the formula there."""
        if not node.variables:
            value = range_of(node, {})
            return self.between((value.low, ZERO), (value.high, ZERO))
        if node.kind == "name":
            line = self.end, fmpq(self.side)
            return self.between(line, line)
        if node.kind in BOUNDED:
            self.of(node.parts[0])  # it is defined
            top = BOUNDED[node.kind]
            return self.between((-top, ZERO), (top, ZERO))
        if node.kind == "**":
            return _power(self.of(node.parts[0]), node)
        rule = _RULES.get(node.kind)
        if rule is None:
            raise _UnknownError
        found = rule(*(self.of(part) for part in node.parts))
        if found.below and found.above:  # may say less than the rule, or more
            other = self.between(found.below, found.above)
            return min(found, other, key=lambda known: known.size.rate)
        return found

    def between(self, below: Line, above: Line) -> _Known:
        """A part between two lines."""
        sizes = [Growth.of_line(*line, self.gentle) for line in (below, above)]
        size = Growth(max(s.scale for s in sizes), max(s.rate for s in sizes))
        return _Known(size, below, above)


def _power(base: _Known, node: Syntax) -> _Known:
    n = whole_exponent(node)
    if n is None:
        return _real_power(base, node)
    size = Growth(base.size.scale ** abs(n), base.size.rate * abs(n))
    low = _away_from_zero(base) ** abs(n)
    even = n % 2 == 0
    known = _Known(size, (low, ZERO) if even or base.is_nonnegative else None)
    return known if n >= 0 else _inverse(known)


def _real_power(base: _Known, node: Syntax) -> _Known:
    exponent = node.parts[1]
    if exponent.variables or not base.is_nonnegative:
        raise _UnknownError
    p = range_of(exponent, {})
    if p.low <= 0:
        raise _UnknownError
    top = max(base.size.scale, ONE)
    scale = ball_upper(arb(top) ** arb(p.high))
    return _Known(Growth(scale, base.size.rate * p.high), (ZERO, ZERO))


def _away_from_zero(known: _Known) -> fmpq:
    """What its size is at least."""
    low, high = known.least, known.most
    return max(ZERO, ZERO if low is None else low, ZERO if high is None else -high)


def _inverse(known: _Known) -> _Known:
    far = _away_from_zero(known)
    if far == 0:
        raise _UnknownError
    if not known.is_nonnegative:
        return -_inverse(-known)
    rest = ZERO if known.most is None else 1 / known.most
    return _Known(Growth(1 / far, ZERO), (rest, ZERO), (1 / far, ZERO))


def _exp(argument: _Known) -> _Known:
    if argument.above is None:
        raise _UnknownError
    level, slope = argument.above
    scale, rate = ball_upper(arb(level).exp()), max(slope, ZERO)
    above = (scale, ZERO) if rate == 0 else None
    return _Known(Growth(scale, rate), (ZERO, ZERO), above)


def _hyperbolic(argument: _Known) -> _Known:
    """sinh and cosh: not above exp |g|."""
    return _Known((_exp(argument) + _exp(-argument)).size)


def _log(argument: _Known) -> _Known:
    low = argument.least
    if low is None or low <= 0:
        raise _UnknownError
    bottom = -ball_upper(-arb(low).log())
    top = ball_upper(arb(argument.size.scale).log())
    below, above = (bottom, ZERO), (top, argument.size.rate)
    size = Growth(abs(bottom) + abs(top) + ONE, argument.size.rate)
    return _Known(size, below, above)


def _sqrt(argument: _Known) -> _Known:
    if not argument.is_nonnegative:
        raise _UnknownError
    scale = ball_upper(arb(argument.size.scale).sqrt())
    return _Known(Growth(scale, argument.size.rate / 2), (ZERO, ZERO))


def _abs(argument: _Known) -> _Known:
    below, above = argument.below, argument.above
    top = _larger_line(above, _times(below, -ONE))
    return _Known(argument.size, (_away_from_zero(argument), ZERO), top)


def _larger_line(one: Line | None, other: Line | None) -> Line | None:
    return (
        None
        if one is None or other is None
        else (
            max(one[0], other[0]),
            max(one[1], other[1]),
        )
    )


def _max(*parts: _Known) -> _Known:
    found, *others = parts
    for part in others:
        size = Growth(
            max(found.size.scale, part.size.scale), max(found.size.rate, part.size.rate)
        )
        below = found.below or part.below
        found = _Known(size, below, _larger_line(found.above, part.above))
    return found


_RULES: dict[str, Callable[..., _Known]] = {
    "neg": lambda a: -a,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a + -b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a * _inverse(b),
    "exp": _exp,
    "sinh": _hyperbolic,
    "cosh": _hyperbolic,
    "asinh": lambda a: _Known(a.size),
    "log": _log,
    "ln": _log,
    "sqrt": _sqrt,
    "abs": _abs,
    "max": _max,
    "min": lambda *parts: -_max(*(-part for part in parts)),
}
