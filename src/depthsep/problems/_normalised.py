"""The law phi^2 scaled to a target."""

from flint import arb, ctx

from depthsep._errors import HypothesisError
from depthsep.laws import SquaredTransform
from depthsep.targets import Radial

HOW = ("median", "target")


def normalised_law(target: Radial, how: str) -> SquaredTransform:
    """phi^2 with half of its mass within |x| <= 1 ("median") or the target's support
    ("target"), up to 2^-20 of t; so that the law's text is short and exact.

    Raises:
        HypothesisError: another word.
    """
    if how not in HOW:
        raise HypothesisError(
            f"unknown scale {how[:20]!r}; use a number, median, target or t=T"
        )
    if how == "median":
        return SquaredTransform.with_median(target.dim)
    with ctx.workprec(96):
        radius = arb(target.profile.pieces[-1].stop) / target.unit()
        return SquaredTransform.with_median(target.dim, radius)
