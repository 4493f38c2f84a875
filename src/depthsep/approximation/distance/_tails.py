"""What lies beyond the interval of a law on the whole line adds to a mean."""

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import PiecewiseAffine, rational
from depthsep.formulas import Growth
from depthsep.laws import AbstractDensityLaw
from depthsep.targets import AbstractLineTarget


def tails(
    f: PiecewiseAffine, target: AbstractLineTarget, power: int, law: AbstractDensityLaw
) -> arb:
    """At most what is beyond `law.interval` adds to E |f - target|^power.

    Args:
        f: as far as the law lives.

    Raises:
        HypothesisError: no bound of the growth of the target is known that the law
            makes up for.
    """
    total = arb(0)
    for side, end in law.open_ends:
        line = Growth.of_line(f(end), _steepest(f), law.gentle_rate)
        total += _tail(line, target, power, law, end, side)
    return total


def _tail(
    line: Growth,
    target: AbstractLineTarget,
    power: int,
    law: AbstractDensityLaw,
    end: fmpq,
    side: int,
) -> arb:
    growth = target.growth(end, side, law.gentle_rate)
    if growth is not None:
        both = growth + line
        mean = law.moment_beyond(side, power * both.rate)
        if mean is not None:
            return arb(both.scale) ** power * mean
    raise HypothesisError(
        f"the error for {target} is not known to be finite under the "
        f"law {law}: no sufficient bound on the growth of the target "
        "was found; use a law with bounded support",
        parameter="law",
    )


def _steepest(f: PiecewiseAffine) -> fmpq:
    rays = [slope for slope in (f.left_slope, f.right_slope) if slope is not None]
    return max(abs(rational(slope)) for slope in [*f.slopes.tolist(), *rays])
