r"""Profiles of radial functions: x -> G(p), p = unit * |x|, in pieces that end.

p counts lengths (unit 1), phases t = 2 pi R |x| (unit 2 pi R, R the radius of the ball
of volume 1) or quarter periods of a wave of frequency omega in t (unit 4 omega R), so
that all ends of pieces are rational.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Interval, rational, text
from depthsep.formulas import check_defined, number, read_formula, variable
from depthsep.special import RadialPiece, unit_ball_radius
from depthsep.targets.line._expression import Expression

MAX_PIECES = 20_000
PARAMETER = {
    "cos": "a frequency, such as cos:4",
    "triangle": "a frequency, such as triangle:4",
    "shells": "a frequency, such as shells:4",
    "signs": (
        "a seed, such as signs:1, or one sign for each shell, such as signs:+-++"
    ),
}
LARGEST = fmpq(10) ** 9  # radius, and its inverse the smallest: float64 has room
HUGE = fmpq(10) ** 100  # coefficient, and its inverse the smallest
FIRST, LAST = fmpq(9, 20), fmpq(2)  # waves live on FIRST d <= t <= LAST d
NAMED = ("ball", "relu", "cone", "cos", "triangle", "shells", "signs")
NAMES = (
    "ball, relu, triangle:W, cos:W, shells:W (W is a frequency), "
    "signs:SEED, signs:+-... or a formula in r"
)


@dataclass(frozen=True)
class FormulaPiece:
    """p -> f(p) for start <= p <= stop."""

    start: fmpq
    stop: fmpq
    formula: Expression


ProfilePiece = RadialPiece | FormulaPiece


@dataclass(frozen=True)
class Profile:
    """Pieces in order, 0 between and beyond them; `unit(dim)` encloses p / |x|."""

    pieces: tuple[ProfilePiece, ...]
    unit: Callable[[int], arb]
    text: str


def profile_from_text(written: str, dim: int) -> Profile:
    """``ball``, ``relu``, ``triangle:W``, ``cos:W``, ``shells:W``, ``signs:SEED`` or
    ``FORMULA on A,B`` in r, d and the radius R_d, [0, 1] if no interval is given.
    """
    name, _, rest = written.strip().partition(":")
    if name.split(" ")[0] in NAMED and " on " in written:
        raise HypothesisError(
            f"{name.split(' ')[0]} has its own radii; 'on A,B' is only "
            "for formulas in r"
        )
    if name == "signs" and re.fullmatch(r"[+-]+", rest):
        return _given_signs(rest, dim)
    if name in PARAMETER and not re.fullmatch(r"\s*[0-9./]{1,100}\s*", rest):
        raise HypothesisError(f"{name}:{rest[:20]}: give {PARAMETER[name]}")
    if name == "ball" and not rest:
        return Profile((_piece(0, 1, 1),), _length, "ball")
    if name in ("relu", "cone") and not rest:
        return Profile((_piece(0, 1, 1, -1),), _length, "relu")
    if name == "cos" and rest:
        return _cosine(_frequency(rest), dim)
    if name == "triangle" and rest:
        omega = _frequency(rest)
        return Profile(_triangles(omega, dim), _Quarters(omega), f"triangle:{rest}")
    if name == "shells" and rest:
        omega = _frequency(rest)
        signs = [1 - 2 * (k % 2) for k in range(_shells(omega, dim)[1])]
        return Profile(_signed(omega, dim, signs), _Quarters(omega), f"shells:{rest}")
    if name == "signs" and rest.isascii() and rest.isdigit():
        chosen = random.Random(int(rest))
        omega = fmpq(4)
        signs = [chosen.choice((-1, 1)) for _ in range(_shells(omega, dim)[1])]
        return Profile(_signed(omega, dim, signs), _Quarters(omega), f"signs:{rest}")
    return _formula(written, dim)


def _piece(start: int | fmpq, stop: int | fmpq, *coefficients: int) -> RadialPiece:
    whole = tuple(fmpq(c) for c in coefficients)
    return RadialPiece(fmpq(start), fmpq(stop), whole)


def _length(dim: int) -> arb:
    return arb(1)


def _phase(dim: int) -> arb:
    return 2 * arb.pi() * unit_ball_radius(dim)


@dataclass(frozen=True)
class _Quarters:
    """Quarter periods of the frequency omega in t."""

    omega: fmpq

    def __call__(self, dim: int) -> arb:
        return 4 * arb(self.omega) * unit_ball_radius(dim)


def _frequency(written: str) -> fmpq:
    omega = rational(written, name="the frequency")
    if not fmpq(1, 100) <= omega <= 100:
        raise HypothesisError(
            f"the frequency is {omega}; give a number from 1/100 to 100"
        )
    return omega


def _quarters(omega: fmpq, dim: int) -> tuple[int, int]:
    """The first and the last whole quarter period within FIRST d and LAST d."""
    per = 2 * arb(omega) * dim / arb.pi()
    first = (per * arb(FIRST)).ceil().unique_fmpz()
    last = (per * arb(LAST)).floor().unique_fmpz()
    assert first is not None and last is not None
    if not first + 2 <= last <= first + MAX_PIECES:
        raise HypothesisError(
            f"with the frequency {omega} in dimension {dim}, the number of quarter "
            f"periods of the function would be {max(int(last - first), 0)}; 2 to "
            f"{MAX_PIECES} are supported"
        )
    return int(first), int(last)


def _triangles(omega: fmpq, dim: int) -> tuple[RadialPiece, ...]:
    """0, 1, 0, -1, 0, ... at whole quarters, from 0 to 0."""
    first, last = _quarters(omega, dim)
    corners = (0, 1, 0, -1, 0)
    pieces = []
    for k in range((last - first) // 2 * 2):
        a, b = corners[k % 4], corners[k % 4 + 1]
        pieces.append(
            _piece(first + k, first + k + 1, a - (b - a) * (first + k), b - a)
        )
    return tuple(pieces)


def _shells(omega: fmpq, dim: int) -> tuple[int, int]:
    """The first quarter, and the number of shells of half a period."""
    first, last = _quarters(omega, dim)
    return first, (last - first) // 2


def _given_signs(written: str, dim: int) -> Profile:
    """Shells of frequency 4 with the signs that are written."""
    omega = fmpq(4)
    count = _shells(omega, dim)[1]
    if len(written) != count:
        raise HypothesisError(
            f"signs:{written[:20]}: the number of signs is {len(written)}, but it "
            f"must be {count}, one for each shell in dimension {dim}"
        )
    signs = [1 if sign == "+" else -1 for sign in written]
    return Profile(_signed(omega, dim, signs), _Quarters(omega), f"signs:{written}")


def sign_count(dim: int) -> int:
    """How many signs `signs:+-...` takes in so many dimensions."""
    return _shells(fmpq(4), dim)[1]


def _signed(omega: fmpq, dim: int, signs: list[int]) -> tuple[RadialPiece, ...]:
    """Shells of half a period, neighbours of one sign merged."""
    first, _ = _shells(omega, dim)
    pieces: list[RadialPiece] = []
    for k, sign in enumerate(signs):
        shell = _piece(first + 2 * k, first + 2 * k + 2, sign)
        if pieces and pieces[-1].coefficients == shell.coefficients:
            shell = _piece(pieces.pop().start, shell.stop, sign)
        pieces.append(shell)
    return tuple(pieces)


def _cosine(omega: fmpq, dim: int) -> Profile:
    wave = RadialPiece(FIRST * dim, LAST * dim, (fmpq(1),), omega)
    return Profile((wave,), _phase, f"cos:{text(omega)}")


def _radius(dim: int) -> str:
    """Of the ball of volume 1: R^d = Gamma(d/2 + 1) / pi^(d/2), all in d-th roots."""
    halves = _product([f"({k}/2)**(1/{dim})" for k in range(dim, 0, -2)])
    return f"({halves}*pi**(({dim % 2}-{dim})/{2 * dim}))"


def _product(factors: list[str]) -> str:
    """Nested as little as can be: formulas may not be nested deeply."""
    middle = len(factors) // 2
    if not middle:
        return factors[0]
    return f"({_product(factors[:middle])}*{_product(factors[middle:])})"


def _formula(written: str, dim: int) -> Profile:
    match = re.fullmatch(r"(.*?)(?:\s+on\s+([^,]+),([^,]+))?", written.strip(), re.S)
    assert match is not None
    formula, *ends = match.groups()
    low, high = (rational(e, name="a radius") for e in (ends[0] or "0", ends[1] or "1"))
    ordered = 0 <= low < high <= LARGEST and high >= 1 / LARGEST
    if not ordered or 0 < low < 1 / LARGEST:
        raise HypothesisError(
            "give radii A,B with 0 <= A < B; A must be 0 or from 1e-9 "
            "to 1e9, and B from 1e-9 to 1e9"
        )
    try:
        radius = read_formula(_radius(dim))
        moved = read_formula(formula, ["r", "d", "R"]).replaced(
            {"d": number(dim), "r": variable("x"), "R": radius}
        )
        profile = Expression.of(moved)
        _ = profile.expression
    except HypothesisError as refusal:
        raise HypothesisError(f"{refusal} (radial: takes {NAMES})") from None
    check_defined(moved, {"x": Interval(low, high)}, f"radial:{formula.strip()}")
    coefficients = profile.polynomial()
    if any(c and not 1 / HUGE <= abs(c) <= HUGE for c in coefficients or ()):
        raise HypothesisError(
            "the size of a coefficient lies outside 1e-100 to 1e100; "
            "rescale the profile"
        )
    piece = (
        FormulaPiece(low, high, profile)
        if coefficients is None
        else RadialPiece(low, high, tuple(coefficients))
    )
    where = "" if (low, high) == (0, 1) else f" on {text(low)},{text(high)}"
    return Profile((piece,), _length, formula.strip() + where)
