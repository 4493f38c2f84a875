"""What referees found near initialisation: each stays mended."""

import math
import warnings

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpz

from depthsep._errors import DepthsepError, HypothesisError
from depthsep.exact import binomial_quantile, binomial_tail
from depthsep.near_init import (
    adversary,
    adversary_from_start,
    cap_chance,
    enclosed_kernel,
    feasibility,
    maclaurin,
    near_kink_quantile,
    noise_quantile,
    noise_tail,
    plant,
    relu_bound,
    relu_bound_sharp,
    relu_bounds_along,
    smallest_width,
    width_chernoff,
)
from depthsep.separation import bound


def exact_tail(n, p, k):
    """P(Bin(n, p) >= k) as a rational."""
    terms = (
        fmpq(fmpz(math.comb(n, j))) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)
    )
    return sum(terms, fmpq(0))


@pytest.mark.parametrize("n", [1, 2, 9, 40])
@pytest.mark.parametrize(
    "p", [fmpq(1, 2), fmpq(1, 10**60), fmpq(999, 1000), 1 - fmpq(1, 10**40)]
)
def test_binomial_tails_enclose_the_exact_sum(n, p):
    for k in (0, 1, n // 2, n - 1, n, n + 1):
        with ctx.workprec(512):
            tail = binomial_tail(n, p, k)
            exact = arb(exact_tail(n, p, max(k, 0)))
            assert tail.overlaps(exact) and (tail >= 0) is not False
            assert tail.rad() <= abs(exact) * 1e-30 + arb(10) ** -45


def test_tails_of_wide_balls_are_chances():
    wide = binomial_tail(1000, arb(0.5, 0.01), 500)
    assert wide.lower() >= -1e-9 and wide.upper() <= 1 + 1e-9


def test_quantiles_far_out_and_near_one_are_least_and_quick():
    assert near_kink_quantile(10**7, fmpq(1, 2), fmpq(1, 10**17)) == 3842309
    assert near_kink_quantile(17, fmpq(5), 1 - fmpq(1, 10**40)) == 10
    for delta in (fmpq(1, 10**400), fmpq(1, 3), 1 - fmpq(1, 10**30)):
        for n, p in ((30, fmpq(1, 7)), (200, fmpq(99, 100)), (5, fmpq(1, 10**300))):
            k = binomial_quantile(n, p, delta)
            assert exact_tail(n, p, k + 1) <= delta
            assert k == 0 or exact_tail(n, p, k) > delta


def test_a_width_by_chernoff_has_at_least_one_row_a_unit():
    for d in (1, 2, 3, 6):
        for tau in (fmpq(1), fmpq(2, 5), fmpq(1, 20)):
            for delta in (fmpq(999, 1000), fmpq(9, 10), fmpq(39, 50), fmpq(1, 100)):
                for units in (1, 2) if d == 1 else (1, 2, 100):
                    width = width_chernoff(d, tau, delta, units)
                    assert feasibility(width, d, tau, units).below >= 1 - delta


def test_the_least_width_is_least_for_tiny_delta_too():
    assert smallest_width(2, fmpq(1), fmpq(3, 10**16), 1) == 638
    assert smallest_width(2, fmpq(3, 4), fmpq(5, 10**16), 2) == 937
    assert smallest_width(2, fmpq(1, 2), fmpq(1, 10**45), 1) == 4728
    assert smallest_width(2, fmpq(1, 2), fmpq(1, 10**300), 1) == 32731


def test_planting_statements_refuse_caps_that_are_too_large():
    for name, given in (
        ("telgarsky-3.10", {"tau": "10"}),
        ("planting-width", {"tau": "5"}),
        ("planting-distance", {"width": 500, "tau": 9}),
        ("planting-feasibility", {"width": 500, "tau": "11/10"}),
    ):
        with pytest.raises(HypothesisError, match="needs 0 < tau <= 1"):
            bound(name, **given)
    with pytest.raises(HypothesisError, match="dimension 1"):
        bound("planting-width", dim=1, tau="1/2", units=3)


def test_caps_next_to_a_hemisphere_of_directions_are_enclosed():
    near = fmpq(141421356237309504880168872420969807, 10**35)  # sqrt 2, to 36 digits
    for d in (2, 3, 10):
        assert abs(cap_chance(d, near) - arb(1) / 2) < 1e-30
    # in R^3 a cap has the chance tau^2 / 4
    for tau in (fmpq(1, 10**6), fmpq(1, 3), fmpq(1), fmpq(7, 5), fmpq(19, 10)):
        with ctx.workprec(128):
            exact = arb(tau**2 / 4)
            assert abs(cap_chance(3, tau) - exact) < exact * 1e-30


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


def test_two_thousand_coefficients_take_no_time_and_agree_with_series():
    long = maclaurin(2000)
    assert all(c > 0 for c in long)
    assert long[1999].rad() < long[1999] * 1e-30
    assert abs(float(long[10]) - 1.63228235341812232) < 1e-14
    for some in (1, 2, 3):
        assert len(maclaurin(some)) == some


def test_nearly_parallel_points_and_deep_kernels_are_enclosed():
    tiny = fmpq(1, fmpz(10) ** 100)
    ball = enclosed_kernel([fmpq(1), tiny], [fmpq(1), fmpq(0)], trained=(1,))
    assert abs(ball - arb(1) / 2) < 1e-15
    small = fmpq(1, fmpz(10) ** 300)
    ball = enclosed_kernel([fmpq(1), fmpq(0)], [fmpq(-1), small], trained=(1,))
    assert ball < 0 and ball.rad() < abs(ball) * 1e-20  # about -1e-300 / (2 pi)
    deep = enclosed_kernel([fmpq(1), fmpq(2)], [fmpq(2), fmpq(1)], depth=200)
    assert deep > 0 and deep.rad() < deep * 1e-20
    with pytest.raises(HypothesisError, match="slopes up to 1e100"):
        bound("tangent-kernel", x="1,2", z="2,1", activation="leaky-relu:1e300")


@pytest.mark.parametrize(
    "call",
    [
        lambda: relu_bounds_along(100, [math.nan], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [-1.0], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [math.inf], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [5000.0], 3, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [1.0], 0, fmpq(1, 9)),
        lambda: relu_bounds_along(100, [1.0], 3, fmpq(2)),
        lambda: relu_bounds_along(100, [1.0], 3, fmpq(1, 9), copies=0),
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
