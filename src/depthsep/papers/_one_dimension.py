"""What bounds for every d become when one d is computed by itself: they are sharper."""

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from flint import arb, ctx, fmpq

from depthsep.claims import Lower
from depthsep.every_dimension import Leak, waves_of
from depthsep.evidence import log2
from depthsep.exact import ball_upper, text
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.papers._daniely import DanielyRow, daniely_row
from depthsep.problems import problem_from_text
from depthsep.special import tube_fraction

PRECISION = 128
FINER = 16  # parts of a unit, between which kappa is chosen
MOST_DIM = {"inner": 50, "ball": 5}  # more takes seconds


def in_one_dimension(name: str, target: str, dim: int, accuracy: fmpq) -> float | None:
    """log2 of the width at this d; None where it is not computed.

    Args:
        name: of the statement for every d.
    """
    found = ALONE[name](target, dim, accuracy) if name in ALONE else None
    return found if found is None or found > float("-inf") else None


@lru_cache(maxsize=64)
def _daniely(dim: int, accuracy: fmpq) -> DanielyRow | None:
    return daniely_row(dim, accuracy) if dim <= MOST_DIM["inner"] else None


def _rank(target: str, dim: int, accuracy: fmpq) -> float | None:
    row = _daniely(dim, accuracy)
    return None if row is None else row.lower


def _squares(target: str, dim: int, accuracy: fmpq) -> float | None:
    row = _daniely(dim, accuracy)
    return None if row is None else row.upper


def _directions(target: str, dim: int, accuracy: fmpq) -> float | None:
    """By the directions of radial functions, from the coefficients of the function."""
    if dim > MOST_DIM["ball"]:
        return None
    target = target.replace("0,1-1/(2*d)", f"0,{text(1 - fmpq(1, 2 * dim))}")
    problem = problem_from_text(target, None, "l2", text(accuracy), dim, f"ball:{dim}")
    bound = next(b for b in LOWER_BOUNDS if b.statement.id == "ball-directions")
    found = bound.prove(problem, 2)
    return log2(found.width) if isinstance(found, Lower) else None


def _odd(target: str, dim: int, accuracy: fmpq) -> float | None:
    """By the share of a sphere that a tube covers, enclosed."""
    with ctx.workprec(PRECISION):
        share = (1 - 2 * accuracy**2) / tube_fraction(dim, _waves(target) - 1)
        return _rounded_up(share)


def _even(target: str, dim: int, accuracy: fmpq) -> float | None:
    """The same at the best kappa, with the mass that is left behind at this d."""
    waves, best = _waves(target), float("-inf")
    with ctx.workprec(PRECISION):
        for k in range(FINER + 1, int((FINER * (waves - 1)).ceil())):
            leak = Leak(waves, fmpq(k, FINER))
            mass = arb(fmpq(1, 2)) - leak.in_dimension(dim)
            if mass > accuracy**2:
                share = 1 - accuracy**2 / mass
                best = max(best, _rounded_up(share / tube_fraction(dim, leak.kappa)))
    return best


def _rounded_up(width: arb) -> float:
    least = int((-ball_upper(-width)).ceil())
    return log2(least) if least > 0 else float("-inf")


def _saturated(target: str, dim: int, accuracy: fmpq) -> float:
    """The network of the proof: its two layers, counted."""
    power = (dim / accuracy) ** 3 / accuracy**2  # d^3 / E^5
    first = _root_up(power * (fmpq(32, 9) * _waves(target)) ** 2)
    second = _root_up(power / dim * (fmpq(16, 3) * _waves(target)) ** 2)
    return log2(max(dim * (first + 1), second + 1))


def _root_up(square: fmpq) -> int:
    whole = int(square.ceil())
    return isqrt(whole - 1) + 1


def _waves(target: str) -> fmpq:
    found = waves_of(target)
    assert found is not None
    return found


ALONE: dict[str, Callable[[str, int, fmpq], float | None]] = {
    "daniely-every-d": _rank,
    "inner-squares-every-d": _squares,
    "ball-every-d": _directions,
    "ball-indicator-every-d": _directions,
    "relu-every-d": _directions,
    "eldan-shamir-odd-d": _odd,
    "eldan-shamir-even-d": _even,
    "eldan-shamir-squares-every-d": _saturated,
}
