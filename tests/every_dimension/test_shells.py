"""Alternating shells: shares by Bessel series, and the network of the proof."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.every_dimension._shells import (
    BEYOND,
    MASS,
    SHELLS_LOWER,
    SHELLS_UPPER,
    inside_share,
    shells_mass,
)
from depthsep.laws import SquaredTransform
from depthsep.lower_bounds import followed_mass
from depthsep.special import tube_fraction
from depthsep.targets import Radial


@pytest.mark.slow
@pytest.mark.parametrize("dim", [10, 11])
def test_shares_by_bessel_series_are_above(dim) -> None:
    target = Radial("shells:50", dim)
    mass, _ = followed_mass(target, SquaredTransform(dim), fmpq(1, 4))
    with ctx.workprec(128):
        assert mass.total > arb(MASS)
        outside = mass.outside(fmpq(2))
        assert outside > arb(BEYOND) and outside > arb(fmpq(3, 4)) * mass.total
        width = (1 - arb(fmpq(1, 16)) / outside) / tube_fraction(dim, fmpq(2))
        assert width > SHELLS_LOWER.at(dim, "1/4").value


@pytest.mark.parametrize("dim", [10, 11, 15, 30, 101])
def test_the_mass_of_the_shells_by_quadrature(dim) -> None:
    from scipy.special import jv

    start, stop = 0.45 * dim + np.pi / 100, 2 * dim - np.pi / 50
    x, w = np.polynomial.legendre.leggauss(400)
    t = start + (stop - start) * (1 + x) / 2
    mass = (w * (stop - start) / 2 * dim / t * jv(dim / 2, t) ** 2).sum()
    assert mass > float(arb(MASS))


def test_what_claims_too_much_does_not_hold() -> None:
    assert shells_mass(MASS).holds and all(o.holds for o in inside_share(MASS))
    assert not shells_mass(fmpq(1, 4)).holds
    assert not shells_mass(MASS, 6).holds
    assert not all(o.holds for o in inside_share(MASS, fmpq(46, 100)))


@pytest.mark.parametrize("dim", [10, 13])
def test_the_network_of_the_proof_is_within(dim) -> None:
    """At points of the law, in float64: z = 2 pi R x."""
    from scipy.special import jv

    error, quarter = 0.5, np.pi / 100
    width = error**2 / (330 * dim ** (1 / 3))
    first = np.ceil(0.45 * dim / quarter)
    count = (np.floor(2 * dim / quarter) - first) // 2
    edges = (first + 2 * np.arange(count + 1)) * quarter
    cells = int(np.ceil(2.1 * dim / np.sqrt(0.44 * width)))
    rng = np.random.default_rng(0)
    grid = np.linspace(1e-6, 4_000, 2_000_001)
    sums = np.cumsum(dim * jv(dim / 2, grid) ** 2 / grid)
    t = np.interp(rng.random(20_000) * sums[-1], sums, grid)
    u = rng.normal(size=(len(t), dim))
    z = u / np.linalg.norm(u, axis=1, keepdims=True) * t[:, None]
    nodes = np.linspace(-2.1 * dim, 2.1 * dim, cells + 1)
    total = np.interp(z, nodes, nodes**2).sum(1) - dim * (2.1 * dim / cells) ** 2 / 2
    signs = np.concatenate([[0], (-1.0) ** np.arange(count), [0]])
    knots = np.stack([edges - width / 2, edges + width / 2], axis=1).ravel() ** 2
    found = np.interp(total, knots, np.stack([signs[:-1], signs[1:]], axis=1).ravel())
    right = signs[np.searchsorted(edges, t)]
    assert np.sqrt(((found - right) ** 2).mean()) <= error
    assert max(dim * (cells + 1), 2 * len(edges)) <= SHELLS_UPPER.at(dim, "1/2").value


def test_values_and_refusals() -> None:
    assert SHELLS_LOWER.at(100, "1/4").log2 > 98
    assert SHELLS_LOWER.at(60, "1/4").log2 > SHELLS_UPPER.at(60, "1/4").log2
    for dim, accuracy in ((9, "1/4"), (10, "41/100")):
        with pytest.raises(HypothesisError):
            SHELLS_LOWER.at(dim, accuracy)
