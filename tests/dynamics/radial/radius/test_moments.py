"""Truncated moments of radial laws, samples of radii, and responses by both ways."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import jv

from depthsep import HypothesisError
from depthsep.dynamics import density_moments, shell_moments
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.radius._responses import by_cells, by_pairs
from depthsep.dynamics.radial.radius._units import Units
from depthsep.laws import law_from_text
from support.radial_nets import RNG, quick
from support.radial_nets import double as double


def density_of(law):
    if law.startswith("chi"):
        return lambda r: r**4 * math.exp(-r * r / 2) / (2**1.5 * math.gamma(2.5))
    if law.startswith("gaussian"):
        return lambda r: r**2 * math.exp(-r * r / 2) / (2**0.5 * math.gamma(1.5))
    if law.startswith("ball"):
        return lambda r: 3 * r * r if r < 1 else 0.0
    if law.startswith("radius"):
        return lambda r: 0.4 if 0.5 < r < 3 else 0.0
    phase = float(law_from_text(law).phase().mid())
    return lambda r: 3 / r * jv(1.5, phase * r) ** 2


@pytest.mark.parametrize(
    "law", ["chi:3:5", "gaussian:3", "ball:3", "radius:3:1/2,3", "phi2:3:2"]
)
def test_truncated_moments_agree_with_quadrature(law):
    table, density = moments(law_from_text(law)), density_of(law)
    for s in (0.0, 0.3, 0.77, 1.9, 4.0):
        found = np.asarray(table(jnp.asarray(s)))
        breaks = [p for p in (0.5, 1.0, 3.0) if p < s]
        for k in range(3):
            wanted = quad(
                lambda r, k=k: r**k * density(r), 1e-300, s, points=breaks, limit=400
            )[0]
            assert found[k] == pytest.approx(wanted, abs=2e-9), (law, s, k)


def test_moments_of_shells_count_what_lies_below():
    table = moments(law_from_text("shells:3:1/2,1,1,2"))
    assert np.asarray(table(jnp.asarray(1.0))) == pytest.approx([0.25, 0.125, 0.0625])
    found = np.asarray(table(jnp.asarray(1.0001)))
    assert found == pytest.approx([0.75, 0.625, 0.5625])
    assert np.asarray(table.total()) == pytest.approx([1, 1.125, 1.5625])


def test_a_given_density_is_normalised():
    table = density_moments(lambda r: np.exp(-r), 60.0)
    assert np.asarray(table.total()) == pytest.approx([1, 1, 2], rel=1e-9)
    heavy = density_moments(lambda r: 1 / (1 + r) ** 2, 2000.0, tail=1.0)
    assert heavy(jnp.asarray(1.0))[0] == pytest.approx(0.5, abs=1e-3)
    assert np.isinf(heavy.total()[1])
    with pytest.raises(HypothesisError, match="density"):
        density_moments(lambda r: -r, 1.0)


@pytest.mark.parametrize(
    "law", ["radius:40:1,3", "ball:40", "chi:40:30", "gaussian:400", "shells:3:1/2,2"]
)
def test_radii_drawn_from_moments_are_those_of_the_law(law):
    named = law_from_text(law)
    table = moments(named)
    for given in (named, table):
        radii = given.draw_radii(40_000, np.random.default_rng(0))
        for k in (1, 2):
            error = (radii**k).std() / 200
            assert abs((radii**k).mean() - table.total()[k]) < 5 * error


def test_moments_by_hand_have_names_of_their_own():
    laws = [moments(law_from_text(f"radius:4:{ends}")) for ends in ("1,12", "1.01,2")]
    laws += [shell_moments([1, 2]), shell_moments([1, 1.1])]
    names = {quick(law=law).describe()["law"] for law in laws}
    assert len(names) == 4


PAIRS, CELLS = eqx.filter_jit(by_pairs), eqx.filter_jit(by_cells)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["radius:3:0,2", "chi:3:3", "shells:3:1/2,1,2"])
def test_pairs_and_cells_give_the_same_responses(law):
    table = moments(law_from_text(law))

    def units(count):
        rows = [jnp.asarray(RNG.standard_normal((count, 2, 5))) for _ in range(3)]
        return Units(*(x.at[:2].set(0.0) for x in rows[:2]), rows[2])

    own, other = units(20), units(3)
    for residual in (None, other):
        pairs, sorted_ = PAIRS(own, table, residual), CELLS(own, table, residual)
        for a, b in zip(pairs, sorted_, strict=True):
            assert np.abs(a - b).max() < 1e-10


def units(*shape):
    rng = np.random.default_rng(sum(shape))
    return Units(*(jnp.asarray(rng.standard_normal(shape)) for _ in range(3)))


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [((7, 1, 1), (9, 2, 5)), ((7, 2, 5), (9, 1, 1))])
def test_both_ways_broadcast_rays(shapes):
    with jax.enable_x64(True):
        law = moments(law_from_text("radius:3:0,2"))
        own, other = (units(*shape) for shape in shapes)
        found = CELLS(own, law, other), PAIRS(own, law, other)
        for a, b in zip(*found, strict=True):
            assert np.abs(a - b).max() < 1e-12
