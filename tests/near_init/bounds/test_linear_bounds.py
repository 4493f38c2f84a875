"""How far networks leave their linearisation, and the noise at their start."""

import math
import warnings

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import DepthsepError, HypothesisError
from depthsep.near_init import (
    adversary,
    adversary_from_start,
    changed_signs,
    crude_bound,
    feasibility,
    plant,
    relu_bound,
    relu_bound_sharp,
    relu_bounds_along,
    smallest_width,
    smooth_bound,
)
from depthsep.near_init.bounds._caps import width_chernoff
from depthsep.near_init.bounds._linear_bounds import (
    near_kink_bound,
    near_kink_chance,
    smoothness,
)
from depthsep.near_init.bounds._noise import (
    noise_ball_sharp,
    noise_bound,
    noise_bound_sharp,
    noise_quantile,
    noise_tail,
)
from depthsep.networks import activation_named
from depthsep.separation import bound


@pytest.mark.parametrize(
    ("width", "delta", "level"),
    [
        (5000, fmpq(1, 10**80), None),
        (100, fmpq(1, 10**400), 411.775),
        (10_000, fmpq(1, 10**70), 1262.112),
        (100, fmpq(1, 10**320), None),
        (3, fmpq(7, 8), 0.0),
        (1, fmpq(1, 2), 0.0),
        (10**6, fmpq(1, 10**71), None),
    ],
)
def test_levels_of_noise_are_proved_and_nearly_least(width, delta, level):
    found = noise_quantile(width, delta)
    with ctx.workprec(160):
        assert noise_tail(width, found) <= delta
        if found > 0:
            less = found * (1 - fmpq(1, 10**8)) - fmpq(1, 10**8)
            assert less <= 0 or not noise_tail(width, less) <= delta
    if level is not None:
        assert float(arb(found)) == pytest.approx(level, abs=1e-3)


def test_the_sharp_bound_is_sharper_than_the_printed_one_whatever_delta():
    for width, distance in ((10**6, fmpq(1)), (1000, fmpq(3)), (64, fmpq(1, 10))):
        for k in (2, 15, 16, 17, 40, 300):
            delta = fmpq(1, 10**k)
            printed = relu_bound(width, distance, delta, fmpq(1))
            sharp = relu_bound_sharp(width, distance, delta).value
            start = relu_bound_sharp(width, distance, delta, from_start=True).value
            assert start < sharp < printed


@pytest.mark.parametrize("size", ["1e-4000", "1e-320", "1e-300", "1e160", "1e400"])
def test_bounds_at_any_distance_are_quiet(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("linearisation-start", "linearisation-sharp"):
            assert bound(name, width=100, distance=size).text


def test_asymptotics_are_not_claimed_where_they_are_false():
    with pytest.raises(HypothesisError, match=r"B\^2 <= m / 100"):
        bound("linearisation-attained", width=10, distance=1000)
    for width in (100, 10**4, 10**6):
        attained = bound("linearisation-attained", width=width, distance="1").value
        assert attained.upper < bound("linearisation-sharp", width=width).value.lower


@pytest.mark.parametrize(
    "call",
    [
        lambda: relu_bounds_along(100, [math.nan], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [-1.0], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [math.inf], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [5000.0], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [1.0], 0, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [1.0], 3, fmpq(2)),
        lambda: relu_bounds_along(100, [1.0], 3, fmpq(1, 9), units_per_row=0),
        lambda: relu_bound_sharp(100, fmpq(-1), fmpq(1, 20)),
        lambda: noise_tail(10, fmpq(1), fmpq(-1)),
        lambda: adversary_from_start(np.ones(3), np.ones((3, 2)), np.ones(2), 0.0),
        lambda: adversary(np.ones(3), np.ones((3, 2)), np.ones(2), math.nan),
        lambda: plant([], np.zeros((0, 2)), np.ones(3), np.ones((3, 2)), "1/2"),
        lambda: plant([math.nan], [[1.0, 0.0]], np.ones(3), np.ones((3, 2)), "1/2"),
        lambda: plant([math.inf], [[1.0, 0.0]], np.ones(3), np.ones((3, 2)), "1/2"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_in_one_line(call):
    with pytest.raises(DepthsepError) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_bounds_read_what_users_write():
    for delta in (0.05, "1/20", fmpq(1, 20)):
        assert float(noise_bound_sharp(np.int64(1000), delta)) == pytest.approx(
            math.sqrt(2000 * math.log(40))
        )
    assert relu_bound(1000, 1, "0.01", 1).overlaps(
        relu_bound(1000, fmpq(1), fmpq(1, 100), fmpq(1))
    )
    assert smallest_width(2, "2/5", "1/20", 2) == 56
    assert relu_bounds_along(100, [0.0, 1.0], 3, 0.1)[0] == 0
    for call in (
        lambda: near_kink_bound(1000, -1, "1/20"),
        lambda: near_kink_chance(-1),
        lambda: noise_bound_sharp(1000, "1/20", -3),
        lambda: noise_ball_sharp(10, 0, "1/20"),
        lambda: relu_bound_sharp(0, 1, "1/20"),
        lambda: width_chernoff(2, "1/3", "1/20", 0),
        lambda: feasibility(10**7, 2, fmpq(9, 10), 1000),
        lambda: noise_bound(100.5, "1/20"),
        lambda: noise_bound(100, 2),
    ):
        with pytest.raises(HypothesisError):
            call()


def test_an_unproved_calculation_is_not_called_enclosed():
    found = bound("linearisation-attained", width=10**6)
    assert str(found.rigour) == "sampled"


def test_smooth_units_are_named_or_given_by_their_constant():
    by_name = smooth_bound("tanh", 2, 3)
    assert by_name.overlaps(smooth_bound(smoothness("tanh"), 2, 3))
    assert smooth_bound("1/4", 2, 3).contains(fmpq(3, 2))
    for beta in ("relu", -1, "1/x"):
        with pytest.raises(HypothesisError):
            smooth_bound(beta, 2, 3)


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "softplus", "erf", "gelu", "sin"])
def test_smoothness_is_the_largest_second_derivative(name):
    z = np.linspace(-6, 6, 24_001)
    values = activation_named(name).floats(z)
    curvature = np.abs(np.diff(values, 2)).max() / (z[1] - z[0]) ** 2
    assert float(smoothness(name)) == pytest.approx(curvature, rel=1e-4)


def test_the_crude_bound_holds_for_any_start():
    rng = np.random.default_rng(0)
    for _ in range(20):
        v0, v = rng.normal(size=(2, 30, 3))
        a, x = rng.normal(size=30), rng.normal(size=3)
        f = a @ np.maximum(v @ x, 0)
        linear = a @ ((v0 @ x > 0) * (v @ x))
        bound = crude_bound(
            *(30, float(np.linalg.norm(v)), float(np.abs(a).max())),
            float(np.linalg.norm(x)),
        )
        assert abs(f - linear) <= float(bound.upper())


def test_signs_change_no_more_often_than_said():
    rng, width, distance, tau = np.random.default_rng(1), 400, 2.0, 0.3
    most = changed_signs(width, distance, tau, "1/100")
    assert changed_signs(width, 0, tau, "1/100") < most <= width
    broken = 0
    for _ in range(100):
        v0, x = rng.standard_normal((width, 3)), np.array([1.0, 0, 0])
        z = np.abs(v0 @ x)
        # the cheapest flips, within B
        flips = int((np.cumsum(np.sort(z) ** 2) <= distance**2).sum())
        broken += flips > most
    assert broken <= 3
    with pytest.raises(HypothesisError, match="tau is 0"):
        changed_signs(width, distance, 0, "1/100")
