"""Radial targets as sums of relus: exact if piecewise affine, else polygons near."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import floats
from depthsep.dynamics.radial.radius._moments import RadialMoments
from depthsep.exact import nearest_float, rational
from depthsep.targets import Radial

MAX_KNOTS = 64
CELLS = 1 << 17  # of the radius, in which a distance is summed
Corners = list[tuple[fmpq, fmpq]]


@runtime_checkable
class HasCorners(Protocol):
    """A radial target that says where its slopes change, as `Radial` does."""

    def corners(self) -> Corners:
        """Pairs (|x|, value), from |x| = 0 on."""
        ...


@dataclass(frozen=True)
class RadialProfile:
    """g(r), r >= 0: continuous, piecewise affine, 0 beyond the last knot.

    g(r) = sum_q weight_q relu(knot_q - r).

    Attributes:
        knots: increasing, positive.
        values: g at 0 and at the knots but the last, where it is 0.
    """

    knots: tuple[fmpq, ...]
    values: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        knots, values = self.knots, self.values
        ordered = all(a < b for a, b in zip((fmpq(0), *knots), knots, strict=False))
        if not knots or len(knots) != len(values) or not ordered:
            raise HypothesisError(
                "a profile needs positive, increasing knots and as many values as "
                "knots: the values at 0 and at all knots but the last"
            )
        if len(knots) > MAX_KNOTS:
            raise HypothesisError(
                f"the profile has {len(knots)} knots; give at most {MAX_KNOTS}"
            )

    @property
    def weights(self) -> tuple[fmpq, ...]:
        """Of relu(knot_q - r), exact."""
        places = (fmpq(0), *self.knots)
        heights = (*self.values, fmpq(0))
        slopes = [
            (heights[k + 1] - heights[k]) / (places[k + 1] - places[k])
            for k in range(len(self.knots))
        ]
        after = (*slopes[1:], fmpq(0))
        return tuple(b - a for a, b in zip(slopes, after, strict=True))

    def relus(self) -> tuple[np.ndarray, np.ndarray]:
        """Knots and weights as floats."""
        return _floats(self.knots), _floats(self.weights)

    def floats(self, radii: np.ndarray) -> np.ndarray:
        """g at radii."""
        places = np.concatenate([[0.0], _floats(self.knots)])
        heights = np.concatenate([_floats(self.values), [0.0]])
        return np.interp(radii, places, heights, right=0.0)


TRIANGLE = RadialProfile((fmpq(1),), (fmpq(1),))
"""relu(1 - r)."""


def profile(target: object, dim: int) -> RadialProfile:
    """The profile of ``radial:...``, or of pairs (radius, value), 0 from the last on.

    A target is asked for its `corners`, as `Radial` has them: exact where it is
    continuous and piecewise affine, else a polygon near it (`gap` says how near).

    Raises:
        HypothesisError: more than 64 corners, or no end at 0.
    """
    if isinstance(target, RadialProfile):
        return target
    if isinstance(target, str):
        target = Radial(target.removeprefix("radial:"), dim)
    return _of_corners(
        target.corners() if isinstance(target, HasCorners) else _of_pairs(target)
    )


def gap(
    target: object,
    near: RadialProfile,
    moments: RadialMoments,
    dim: int,
    rank: int | None = None,
) -> float:
    """The L2 distance of a target from the profile that is learned for it.

    0 for a `RadialProfile` and for pairs, which are learned as they are. By the mass of
    small cells of |x|; for |A^T x|, A of a rank, by samples.
    """
    if isinstance(target, str):
        target = Radial(target.removeprefix("radial:"), dim)
    if not isinstance(target, Radial) or target.is_polygon:
        return 0.0
    if rank is None:
        ends = np.linspace(0.0, _floats(near.knots)[-1], CELLS + 1)
        places = (ends[1:] + ends[:-1]) / 2
        with jax.enable_x64(True):
            mass = np.diff(np.asarray(moments(jnp.asarray(ends))[0]))
    else:
        rng = np.random.default_rng(0)
        inside = rng.beta(rank / 2, (dim - rank) / 2, CELLS) if rank < dim else 1.0
        places = moments.draw_radii(CELLS, rng) * np.sqrt(inside)
        mass = np.full(CELLS, 1 / CELLS)
    apart = target.floats(places[:, None]) - near.floats(places)
    return float((apart**2 @ mass) ** 0.5)


def _of_pairs(target: object) -> Corners:
    try:
        table = floats(target, "the profile", ndim=2)
    except HypothesisError:
        table = np.zeros((0, 0))
    if table.shape[1:] != (2,) or len(table) < 2 or table[0, 0] or table[-1, 1]:
        raise HypothesisError(
            "give the profile as two or more pairs (radius, value); "
            "the first radius and the last value must be 0"
        )
    return [(rational(r), rational(v)) for r, v in table.tolist()]


def _of_corners(corners: Corners) -> RadialProfile:
    kept = [corners[0]]
    for place, height in corners[1:]:
        if place > kept[-1][0]:
            kept.append((place, height))
        elif (place, height) != kept[-1]:
            raise HypothesisError("the profile's radii do not increase")
    return RadialProfile(tuple(p for p, _ in kept[1:]), tuple(v for _, v in kept[:-1]))


def _floats(numbers: tuple[fmpq, ...]) -> np.ndarray:
    return np.array([nearest_float(n) for n in numbers])
