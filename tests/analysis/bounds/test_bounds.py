"""Linear bounds hold at every point, also where numbers are huge or cancel."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import difference, followed
from depthsep.analysis.bounds._gradients import GradientNorm, Slopes, gradients_on
from depthsep.analysis.bounds._search import largest
from depthsep.analysis.bounds._tables import table_units
from depthsep.analysis.bounds._values import Combinations
from depthsep.analysis.regions import extremes, subdivide
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.networks import (
    ABS,
    GELU,
    RELU,
    SIN,
    SOFTPLUS,
    TANH,
    Affine,
    Network,
    derivatives,
)
from support.units import SMOOTH, UNITS, drawn

NEVER = np.inf


@pytest.mark.parametrize("activation", UNITS, ids=str)
def test_bounds_hold_at_points(activation) -> None:
    network = drawn(1, [3, 12, 9, 2], activation)
    follow, rng = followed(network), np.random.default_rng(2)
    low = rng.uniform(-2, 2, (20, 3))
    for side in (2.0, 0.1, 1e-3, 0.0):
        points = low[:, None] + side * rng.random((20, 100, 3))
        found = bounds_on(follow, low, low + side)
        values = network.floats(points)
        slack = 1e-12 * (1 + np.abs(values).max())  # of the values, which are rounded
        assert (values >= found.low[:, None] - slack).all()
        assert (values <= found.high[:, None] + slack).all()


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_bounds_hold_in_rationals_where_sums_cancel(size) -> None:
    """At points of no extent only rounding is left, and it is covered."""
    network = drawn(3, [2, 8, 8, 1], RELU, size)
    x = np.array([[1 / 3, 2 / 3]])
    found = bounds_on(followed(network), x, x)
    exact = network([rational(v) for v in x[0].tolist()])[0]
    low, high = float(found.low[0, 0]), float(found.high[0, 0])
    assert rational(low) <= exact <= rational(high)
    assert high - low <= 1e-11 * max(size, size**3)


@pytest.mark.parametrize("activation", SMOOTH, ids=str)
def test_tables_hold_values(activation) -> None:
    units = table_units(activation)
    rng = np.random.default_rng(4)
    z = np.concatenate([rng.uniform(-20, 20, 400), rng.uniform(-700, 700, 100), [0.0]])
    values, errors = units.at(z)
    for x, v, e in zip(z.tolist(), values.tolist(), errors.tolist(), strict=True):
        if np.isfinite(e):
            with ctx.workprec(3000):
                assert abs(activation.balls(arb(x)) - arb(v)) <= arb(e)
    inner = (np.abs(z) < 15) & np.isfinite(errors)
    assert (errors[inner] < 1e-8 * (1 + np.abs(values[inner]))).all()


@pytest.mark.parametrize("activation", SMOOTH, ids=str)
def test_tables_hold_slopes_and_bends(activation) -> None:
    """At points, and over short and long intervals around them."""
    units = table_units(activation)
    rng = np.random.default_rng(8)
    z = np.concatenate([rng.uniform(-18, 18, 150), [0.0, 2.0**-8, -(2.0**-7)]])
    for side in (0.0, 1e-9, 1e-3, 0.3, 5.0):
        ends = (z - side)[None], (z + side)[None]
        least, most = (v[0] for v in units.slopes(*ends))
        down, up = (v[0] for v in units.bends(*ends))
        low, high = (v[0] for v in units.span(*ends))
        for k, x in enumerate(z.tolist()):
            with ctx.workprec(400):
                value, first, second = derivatives(activation, arb(x), 2)
                assert arb(float(low[k])) <= value <= arb(float(high[k]))
                assert arb(float(least[k])) <= first <= arb(float(most[k]))
                if second.is_finite():
                    assert arb(float(down[k])) <= second <= arb(float(up[k]))
    least, most = units.slopes(z[None], z[None])
    known = np.isfinite(least) & (np.abs(z) > 0.02) & (np.abs(z) < 15)
    assert (most - least)[known].max() < 1e-5 * (1 + np.abs(most)[known].max())


@pytest.mark.parametrize("activation", SMOOTH, ids=str)
def test_lines_of_tables_hold(activation) -> None:
    units = table_units(activation)
    rng = np.random.default_rng(5)
    low = rng.uniform(-30, 10, (1, 300))
    high = low + 10 ** rng.uniform(-6, 1.5, (1, 300))
    s, t, u, v = units.lines(low, high)
    for part in np.linspace(0, 1, 23):
        z = low + part * (high - low)
        values, errors = units.at(z)
        near = errors + 1e-9 * (1 + np.abs(values))
        assert (values + near >= s * z + t).all()
        assert (values - near <= u * z + v).all()


@pytest.mark.parametrize("activation", [RELU, TANH, GELU, SIN], ids=str)
def test_differences_of_near_networks(activation) -> None:
    first = drawn(6, [3, 10, 10, 2], activation)
    second = Network(
        [
            Affine(np.round(layer.weight, 3), np.round(layer.bias, 3))
            for layer in first.layers
        ],
        first.activations,
    )
    rng = np.random.default_rng(7)
    low = rng.uniform(-1, 1, (30, 3))
    points = low[:, None] + 0.2 * rng.random((30, 200, 3))
    apart = second.floats(points) - first.floats(points)
    found = bounds_on(difference(first, second), low, low + 0.2)
    assert (apart >= found.low[:, None] - 1e-13).all()
    assert (apart <= found.high[:, None] + 1e-13).all()
    assert np.median(found.high - found.low) < 0.05  # far less than of each network


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("widths", [[1, 8, 5, 1], [2, 9, 6, 2], [3, 6, 5, 1]], ids=str)
def test_the_largest_value_is_that_of_all_regions(seed, widths) -> None:
    network = drawn(seed, widths, RELU)
    side = Segment(-1, 1)
    box = side if widths[0] == 1 else Box.cube(side, widths[0])
    right = extremes(network, box)
    combination = np.eye(widths[-1])[0]
    low, high = -np.ones((1, widths[0])), np.ones((1, widths[0]))
    top = largest(
        Combinations(followed(network), network.floats, combination[None]),
        *(low, high),
        stop_at=NEVER,
        share=1e-6,
        least=1e-9,
    )
    assert top.settled
    assert fmpq(0) <= rational(top.upper) - right.largest <= fmpq(1, 10**5)


def test_a_threshold_ends_the_search() -> None:
    network = drawn(8, [2, 10, 10, 1], RELU)
    box = Box.cube(Segment(-1, 1), 2)
    right = float(arb(extremes(network, box).largest))
    function = Combinations(followed(network), network.floats, np.ones((1, 1)))
    ends = -np.ones((1, 2)), np.ones((1, 2))
    above = largest(function, *ends, stop_at=NEVER, threshold=right + 1e-3)
    below = largest(function, *ends, stop_at=NEVER, threshold=right - 1e-3)
    assert above.settled and above.upper <= right + 1e-3
    assert below.settled and below.value > right - 1e-3


@pytest.mark.parametrize("activation", [RELU, ABS, TANH, GELU, SIN], ids=str)
def test_gradients_bound_difference_quotients(activation) -> None:
    network = drawn(9, [2, 8, 8, 1], activation)
    net, one = followed(network), np.ones(1)
    rng = np.random.default_rng(10)
    low = rng.uniform(-1, 1, (20, 2))
    least, most = gradients_on(net, low, low + 0.3, one)
    points = low[:, None] + 0.3 * rng.random((20, 100, 2))
    for k, unit in enumerate(np.eye(2)):
        other = points.copy()
        other[..., k] = low[:, None, k] + 0.3 * rng.random((20, 100))
        step = (other - points) @ unit
        rise = (network.floats(other) - network.floats(points))[..., 0] / step
        slack = 1e-12 / np.abs(step)
        assert (rise >= least[:, None, k] - slack).all()
        assert (rise <= most[:, None, k] + slack).all()


def exact_slope(network, norm):
    """Of all regions: the gradient's norm."""
    maps = subdivide(network, Box.cube(Segment(-1, 1), network.in_dim)).maps()
    orders = {"l1": 1, "l2": 2, "linf": np.inf}
    return max(
        np.linalg.norm([float(arb(s)) for s in m[1:]], orders[norm]) for m in maps
    )


@pytest.mark.parametrize("activation", [TANH, GELU, SIN, SOFTPLUS], ids=str)
def test_slopes_of_smooth_networks_are_sharp_on_small_boxes(activation) -> None:
    """Within the square of the side of those that samples show, and never below."""
    network = drawn(12, [2, 10, 8, 1], activation)
    net, one = followed(network), np.ones(1)
    slopes = Slopes(net, one)
    rng = np.random.default_rng(13)
    for side in (0.3, 1e-2, 1e-3):
        low = rng.uniform(-1, 1, (20, 2))
        least, most = gradients_on(net, low, low + side, one)
        points = low[:, None] + side * rng.random((20, 400, 2))
        seen = slopes(points.reshape(-1, 2)).reshape(20, 400, 2)
        assert (seen >= least[:, None] - 1e-9).all()
        assert (seen <= most[:, None] + 1e-9).all()
        wide = (most - least) - (seen.max(1) - seen.min(1))
        assert side > 0.1 or np.median(wide) < 3 * side


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
def test_the_largest_slope_of_few_regions(norm) -> None:
    network = drawn(11, [2, 6, 5, 1], RELU)
    net, one = followed(network), np.ones(1)
    function = GradientNorm(net, one, norm, Slopes(net, one))
    ends = -np.ones((1, 2)), np.ones((1, 2))
    found = largest(function, *ends, stop_at=NEVER, share=0.05)
    right = exact_slope(network, norm)
    assert found.settled and found.value <= right * (1 + 1e-9) <= found.upper * 1.00001
