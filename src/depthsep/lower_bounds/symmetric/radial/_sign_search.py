"""Signs of shells that push the transform of a radial function far out."""

import random
from dataclasses import dataclass

from flint import ctx, fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep._progress import tell
from depthsep.evidence import Enclosure, enclosure
from depthsep.exact import nearest_float, rational
from depthsep.laws import SquaredTransform
from depthsep.lower_bounds.symmetric.radial._tubes import radial_mass
from depthsep.special import RadialEstimate
from depthsep.targets import Radial, sign_count

MOST_DIM = 60
PRECISION = 128


@dataclass(frozen=True)
class SignSearch(Displayed):
    """The best signs found, and what they attain.

    Attributes:
        target: the radial function with these signs.
        share: of the mass of (g phi)^ beyond kappa R; enclosed.
        alternating: the same for signs that alternate.
        tried: how many choices of signs were looked at.
    """

    target: Radial
    kappa: fmpq
    share: Enclosure
    alternating: Enclosure
    tried: int

    def __str__(self) -> str:
        return (
            f"{self.target.text} in {self.target.dim} dimensions: let F be the Fourier "
            "transform of the product of this function and phi, where phi^2 is the "
            "density of the law. The part of F outside the ball of radius "
            f"{self.kappa} R, where R is the radius of the ball of volume 1, has the "
            f"share {float(self.share):.6g} of the squared L2 norm of F; for "
            f"alternating signs the share is {float(self.alternating):.6g}. Both "
            f"numbers are the middles of proved enclosures. {self.tried} choices of "
            "signs were tried."
        )


def search_signs(
    dim: int, *, kappa: object = 2, restarts: int = 3, seed: int = 0
) -> SignSearch:
    """Flip signs of shells one by one while more of the mass lies beyond kappa R.

    From alternating signs, then from random ones; masses are followed in float64 and
    the best choice is enclosed. That good signs exist is the lemma of Eldan and Shamir
    (2016); it does not say which, and a search need not find the best.

    Raises:
        HypothesisError: dimensions from 2 to 60, kappa >= 1, restarts >= 0.
    """
    radius = rational(kappa, name="kappa")
    if not 2 <= dim <= MOST_DIM or radius < 1 or restarts < 0:
        raise HypothesisError(
            f"d = {dim}, kappa = {radius}, restarts = {restarts}: give "
            f"d from 2 to {MOST_DIM}, kappa >= 1 and restarts >= 0"
        )
    count, drawn = sign_count(dim), random.Random(seed)
    starts = [[1 - 2 * (k % 2) for k in range(count)]]
    starts += [[drawn.choice((-1, 1)) for _ in range(count)] for _ in range(restarts)]
    seen: dict[str, float] = {}
    for done, start in enumerate(starts):
        tell(done / len(starts), "signs")
        _climb(start, dim, nearest_float(radius), seen)
    best = max(seen, key=lambda written: (seen[written], written))
    return SignSearch(
        Radial(f"signs:{best}", dim),
        radius,
        _share(best, dim, radius),
        _share(_written(starts[0]), dim, radius),
        len(seen),
    )


def _climb(signs: list[int], dim: int, kappa: float, seen: dict[str, float]) -> None:
    """Take the best of all single flips until none helps."""

    def score(chosen: list[int]) -> float:
        written = _written(chosen)
        if written not in seen:
            target = Radial(f"signs:{written}", dim)
            mass = radial_mass(target, SquaredTransform(dim), fmpq(1))
            estimate = RadialEstimate(mass)
            seen[written] = estimate.outside(kappa) / estimate.total
        return seen[written]

    now = score(signs)
    while True:
        flips = [
            [-s if k == at else s for k, s in enumerate(signs)]
            for at in range(len(signs))
        ]
        best = max(flips, key=score)
        if score(best) <= now + 1e-12:
            return
        signs, now = best, score(best)


def _written(signs: list[int]) -> str:
    """The first sign is +: the negative function has the same masses."""
    return "".join("+" if sign == signs[0] else "-" for sign in signs)


def _share(written: str, dim: int, kappa: fmpq) -> Enclosure:
    target = Radial(f"signs:{written}", dim)
    mass = radial_mass(target, SquaredTransform(dim), fmpq(1))
    with ctx.workprec(PRECISION):
        return enclosure(mass.outside(kappa) / mass.total)
