"""The union of tubes around given lines: its share of a sphere, sampled and bounded."""

from dataclasses import dataclass

import numpy as np
from flint import ctx, fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import between, nearest_float, rational
from depthsep.special import tube_fraction

BLOCK = 1 << 22
MOST = 1 << 24


@dataclass(frozen=True)
class TubeUnion(Displayed):
    """What tubes of radius R around lines cover of the sphere of radius kappa R.

    Attributes:
        directions: of the lines, how many.
        share: from the largest single tube to the sum of all: proved.
        sampled: the share of uniform points that lie in a tube.
        standard_error: of `sampled`.
    """

    dim: int
    directions: int
    kappa: fmpq
    share: Enclosure
    sampled: float
    standard_error: float
    samples: int
    seed: int
    rigour: Rigour = Rigour.SAMPLED

    def __str__(self) -> str:
        return (
            f"of the sphere of radius {self.kappa} R in {self.dim} dimensions, a "
            f"share of about {self.sampled:.4g}, with standard error "
            f"{self.standard_error:.2g}, lies in {plural(self.directions, 'tube')} of "
            f"radius R (samples: {self.samples}, seed: {self.seed}); the share is "
            f"proved to lie {between(self.share.lower, self.share.upper)}"
        )


def tube_union(
    directions: np.ndarray, kappa: object, *, samples: int = 1 << 16, seed: int = 0
) -> TubeUnion:
    """How much of a sphere the tubes of a network of one hidden layer can cover.

    Args:
        directions: (m, d), of any lengths but 0: the weights of m units.
        kappa: the radius of the sphere over that of the tubes, from 1 on.

    Raises:
        HypothesisError: fewer than two inputs, a direction that is 0, kappa below 1.
    """
    table = np.atleast_2d(np.asarray(directions, dtype=float))
    lengths = np.linalg.norm(table, axis=1)
    ratio = rational(kappa, name="kappa")
    (m, d) = table.shape
    if d < 2 or not m or not np.isfinite(lengths).all() or not lengths.all():
        raise HypothesisError(
            "give at least one direction; every direction must be a "
            "row of two or more finite numbers that are not all 0"
        )
    if ratio < 1 or not 1 <= samples <= MOST:
        raise HypothesisError(
            f"kappa = {ratio}, samples = {samples}: give kappa >= 1 and "
            f"samples from 1 to {MOST}"
        )
    with ctx.workprec(128):
        one = enclosure(tube_fraction(d, ratio))
    share = Enclosure(one.lower, min(fmpq(1), m * one.upper), Rigour.ENCLOSED)
    inside = _inside(table / lengths[:, None], nearest_float(ratio), samples, seed)
    found = inside / samples
    error = float(np.sqrt(max(found * (1 - found), 1 / samples) / samples))
    return TubeUnion(d, m, ratio, share, found, error, samples, seed)


def _inside(lines: np.ndarray, ratio: float, samples: int, seed: int) -> int:
    """Uniform points of the sphere whose distance to some line is at most 1 / kappa."""
    rng, count = np.random.default_rng(seed), 0
    near = 1 - 1 / ratio**2
    step = max(1, BLOCK // max(len(lines), lines.shape[1]))
    for at in range(0, samples, step):
        x = rng.standard_normal((min(step, samples - at), lines.shape[1]))
        along = (x @ lines.T) ** 2 / (x**2).sum(1)[:, None]
        count += int((along.max(axis=1) >= near).sum())
    return count
