"""Slips in the sources on mean-field networks: what is printed fails, ours holds."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb, ctx

from depthsep.dynamics import (
    Block,
    MeanFieldNetwork,
    RadialNetwork,
    RadialTask,
    decompose,
    first_layer_unit,
    scaled_relu_mean,
    second_layer_unit,
    velocities,
)
from depthsep.dynamics.radial._constants import relu_mean
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._start import starting_network
from depthsep.laws import SquaredTransform
from support.radial_nets import quick

pytestmark = pytest.mark.usefixtures("x64")

SLOPES, OFFSETS = np.array([-0.9, -0.6]), np.array([0.95, 0.7])
ROWS = np.array([[1.2, 0.3], [-0.4, 0.9], [-0.7, -1.1], [0.5, -0.8]])


def c_d(dim):
    with ctx.workprec(64):
        return float(relu_mean(dim).mid())


@pytest.fixture
def sample():
    """Points of the plane: 200 angles, 100 radii of U[0, 2], equally weighted."""
    angles = 2 * np.pi * (np.arange(200) + 0.5) / 200
    radii = 2 * (np.arange(100) + 0.5) / 100
    u = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return (radii[:, None, None] * u).reshape(-1, 2)


def first(rows, x):
    return (np.maximum(x @ rows.T, 0) * np.linalg.norm(rows, axis=1)).mean(axis=1)


def second(values):
    return np.maximum(values[:, None] * SLOPES + OFFSETS, 0).mean(axis=1)


def target(x):
    return np.maximum(1 - np.linalg.norm(x, axis=1), 0)


def test_c_gamma_does_not_grow_like_d():
    """E1: C_Gamma = Theta(d) is printed; it is Theta(1), and c_d = Theta(d^-1/2)."""
    with ctx.workprec(100):
        values = [scaled_relu_mean(4**k) for k in range(10)]
        assert all(a > b for a, b in pairwise(values))
        assert values[0] == arb(1) / 2 or abs(values[0] - 0.5) < 1e-25
        assert all(v > 1 / (2 * arb.pi()).sqrt() for v in values)


def test_the_velocity_needs_unit_vectors(sample):
    """E2: the first factor is w/|w|, not w."""
    points = jnp.asarray(sample)
    blocks = (
        Block(first_layer_unit, jnp.asarray(ROWS)),
        Block(second_layer_unit, (jnp.asarray(SLOPES)[:, None], jnp.asarray(OFFSETS))),
    )
    goal = jnp.asarray(target(sample))
    true = velocities(MeanFieldNetwork(blocks), points, goal).blocks[0].particles
    values = first(ROWS, sample)
    active = (values[:, None] * SLOPES + OFFSETS > 0) * SLOPES
    pull = (target(sample) - second(values)) * active.mean(axis=1)
    size = np.linalg.norm(ROWS, axis=1, keepdims=True)
    before = sample @ ROWS.T
    common = size * ((pull[:, None] * (before > 0)).T @ sample) / len(sample)
    share = (pull @ np.maximum(before, 0))[:, None] / len(sample)
    assert np.abs(common + ROWS / size * share - true).max() < 1e-12
    assert np.abs(common + ROWS * share - true).max() > 1e-2


def test_the_sign_of_the_cross_term(sample):
    """E3: with f~ - f it is +2 E(f* - f~)(f~ - f); the notes print a minus."""
    radius = np.linalg.norm(sample, axis=1)
    flat = second(c_d(2) * (ROWS**2).sum(axis=1).mean() * radius)
    f, goal = second(first(ROWS, sample)), target(sample)
    whole = ((goal - f) ** 2).mean()
    squares = ((goal - flat) ** 2).mean() + ((f - flat) ** 2).mean()
    cross = 2 * ((goal - flat) * (flat - f)).mean()
    assert whole == pytest.approx(squares + cross, rel=1e-12)
    assert abs(cross) > 1e-6
    assert abs(whole - (squares - cross)) > 1e-6


def test_the_factor_of_the_spread_term():
    """E4: without a half in the loss, E(f - f~)^2 has w2^2, not w2^2 / 2."""
    network = RadialNetwork(
        jnp.asarray(ROWS), None, jnp.full((2, 1), -0.1), jnp.full(2, 5.0), jnp.ones(2)
    )  # two equal units, active on all of [0, 2]
    task = RadialTask(2, 4, second=2, slope=-0.1, offset=5.0, directions="equispaced")
    found = decompose(network, task, pairs=4096)
    gap = found.alpha**2 * found.spread * 4 / 3  # E(F - F~)^2, E r^2 = 4/3
    assert 2 * found.terms.spread == pytest.approx(0.01 * gap, rel=1e-3)
    assert 2 * found.terms.spread != pytest.approx(0.005 * gap, rel=0.3)


def test_the_cross_term_vanishes_for_the_symmetrisation_only():
    """E5: it is printed as 0 for the infinite-width network."""
    network = RadialNetwork(
        jnp.asarray(ROWS),
        None,
        jnp.asarray(SLOPES)[:, None],
        jnp.asarray(OFFSETS),
        jnp.ones(2),
    )
    found = decompose(network, RadialTask(2, 4, second=2), pairs=4096)
    assert abs(found.terms.cross) > 5e-6
    assert abs(found.symmetrised.cross) < 1e-14
    for terms in (found.terms, found.symmetrised):
        assert terms.total == pytest.approx(found.loss, rel=1e-12)


def test_the_spread_term_needs_the_active_region():
    """E6: (w2^2/2) E(F - F~)^2 counts 8 times too much at the optimum for U[0, 2]."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((1000, 3))
    rows *= (1 / c_d(3)) ** 0.5 / np.linalg.norm(rows, axis=1, keepdims=True)
    network = RadialNetwork(
        jnp.asarray(rows), None, jnp.full((1, 1), -1.0), jnp.ones(1), jnp.ones(1)
    )
    found = decompose(network, RadialTask(3, 1000, second=1), pairs=1024)
    printed = 0.5 * found.alpha**2 * found.spread * 4 / 3
    assert printed / found.terms.spread == pytest.approx(8, rel=0.1)
    # and it is infinite under phi^2, where |x|^2 has no mean
    assert np.isinf(moments(SquaredTransform(3)).total()[2])


def linearised():
    """F at directions, alpha and Q = E(F - alpha)^2 as functions of the rows."""
    angles = 2 * np.pi * (np.arange(4000) + 0.5) / 4000
    u = jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=1)

    def values(rows):
        size = jnp.sqrt((rows**2).sum(axis=1))
        return (jnp.maximum(u @ rows.T, 0) * size).mean(axis=1)

    def middle(rows):
        return c_d(2) * (rows**2).sum(axis=1).mean()

    return values, middle, lambda rows: ((values(rows) - middle(rows)) ** 2).mean()


def test_the_derivative_of_the_normalised_layer():
    """E7: F/alpha also moves as alpha does: a second-order piece is left out."""
    values, middle, q = linearised()
    rows, scale = jnp.asarray(ROWS), 0.8
    gradient = len(ROWS) * jax.grad(q)(rows)
    flow = -(scale**2) / 2 * gradient
    bar = lambda r: values(r) / middle(r)  # noqa: E731
    true = jax.jvp(bar, (rows,), (flow,))[1]
    alpha = middle(rows)
    # <grad F, grad Q> in the mean-field inner product is the derivative along gradient
    along = jax.jvp(values, (rows,), (gradient,))[1]
    printed = -(scale**2) / (2 * alpha) * along
    left_out = 4 * c_d(2) * scale**2 * q(rows) * bar(rows) / alpha
    assert np.abs(true - printed - left_out).max() < 1e-6
    assert np.abs(true - printed).max() > 1e-3


def test_what_moves_along_the_weights_leaves_the_normalised_layer():
    """E8: -2 beta Fbar + 2 beta Fbar = 0; the first is printed as F."""
    values, middle, _ = linearised()
    rows, beta = jnp.asarray(ROWS), 0.3
    bar = lambda r: values(r) / middle(r)  # noqa: E731
    assert np.abs(jax.jvp(bar, (rows,), (-beta * rows,))[1]).max() < 1e-12
    printed = -2 * beta * values(rows) + 2 * beta * bar(rows)
    assert np.abs(printed).max() > 0.1


def test_both_prefactors_of_the_alpha_equation_agree():
    """E9: not a slip: (4 C^2/d) E|w|^2 = (4 C/sqrt d) alpha."""
    with ctx.workprec(100):
        for dim in (2, 8, 32, 1000):
            c, square = scaled_relu_mean(dim), arb(3)
            one = 4 * c**2 / dim * square
            other = 4 * c / arb(dim).sqrt() * (relu_mean(dim) * square)
            assert abs(one - other) < arb("1e-25")


@pytest.mark.slow
def test_gradients_do_interfere_but_not_on_the_spread():
    """E10: not orthogonal, yet the fit never moves N; cosines fall like m^-1/2."""
    cosines = []
    for width in (16, 128):
        task = quick(dim=8, width=width)
        found = decompose(starting_network(task), task, pairs=512)
        cosines.append(abs(found.cosines.fit_spread))
        scale = abs(found.spread_rate.spread)
        assert abs(found.spread_rate.fit) < 1e-9 * scale
        assert found.spread_rate.total < 0
    assert cosines[0] > 1e-2
    assert cosines[1] < 0.7 * cosines[0]


def test_the_gradient_symbol_carries_the_width(sample):
    """E11: doubling every particle leaves velocities as they are, halves gradients."""
    rows, goal = jnp.asarray(ROWS), jnp.asarray(target(sample))
    layers = (jnp.asarray(SLOPES)[:, None], jnp.asarray(OFFSETS))
    found = []
    for copies in (1, 2):
        blocks = (
            Block(first_layer_unit, jnp.tile(rows, (copies, 1))),
            Block(second_layer_unit, layers),
        )
        network = MeanFieldNetwork(blocks)
        moved = velocities(network, jnp.asarray(sample), goal)
        found.append(moved.blocks[0].particles[: len(rows)])
    assert np.abs(found[0] - found[1]).max() < 1e-14
