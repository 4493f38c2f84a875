"""How many particles a law on the sphere needs: sampling in the Wasserstein metric."""

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, rational
from depthsep.special import coordinate_cdf

PRECISION = 128
RADII = 400


def sphere_cover(dim: int, accuracy: fmpq) -> int:
    """Particles of any law within W_2 distance E of the uniform one on S^(d-1).

    At least max over E < r < 1 of (1 - E^2 / r^2) / cap(r), cap(r) the largest share of
    the sphere that a ball of radius r holds; the maximum over 400 radii, in balls.

    Raises:
        HypothesisError: an accuracy of 1 or more, for which the origin serves, or
            below 1/1000.
    """
    accuracy = rational(accuracy, name="the accuracy")
    d = whole(dim, "dim", least=2, most=1000)
    if not fmpq(1, 1000) <= accuracy < 1:
        raise HypothesisError(
            f"the accuracy is {accuracy}; it must be at least 1/1000 and below 1"
        )
    best = arb(1)
    with ctx.workprec(PRECISION):
        for share in np.linspace(0, 1, RADII + 2)[1:-1].tolist():
            r = arb(accuracy) ** (1 - rational(share))
            inside = coordinate_cdf(d, -(1 - r**2).sqrt())
            best = best.max((1 - accuracy**2 / r**2) / inside)
        return int((-ball_upper(-best)).ceil())


SAMPLING = Statement(
    "wasserstein-particles",
    "Number of particles needed for a law within W_2 distance E of "
    "the uniform law on the sphere",
    (
        (
            "the particles form a weighted law on finitely many points of R^d; u_1 is "
            "the first coordinate of a uniform point of the unit sphere"
        ),
        "1/1000 <= E < 1",
    ),
    Source("depthsep", "the bound by caps, after the remark on W_2"),
    (
        Parameter("dim", "integer", "d, the dimension", "8", most=1000, least=2),
        Parameter("accuracy", "rational", "E, the W_2 distance"),
    ),
    lambda dim, accuracy: Value(sphere_cover(dim, accuracy), Rigour.ENCLOSED),
    sample="dim=20 accuracy=1/2",
    tex=(
        r"\max_{E < r < 1} \frac{1 - E^2 / r^2}"
        r"{\Pr \left( u_1 \ge \sqrt{1 - r^2} \right)} "
        r"\text{, about } E^{-(d-1)}"
    ),
    proof=proved("mean-field"),
)
