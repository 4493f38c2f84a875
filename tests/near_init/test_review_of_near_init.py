"""What referees found near initialisation: each stays mended."""

import math
import warnings

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpz

from depthsep._errors import DepthsepError, HypothesisError
from depthsep.near_init import (
    LinearTraining,
    TangentKernel,
    adversary,
    adversary_from_start,
    cap_chance,
    draw,
    enclosed_kernel,
    feasibility,
    fit,
    maclaurin,
    near_kink_bound,
    near_kink_chance,
    near_kink_quantile,
    network_value,
    noise_ball_sharp,
    noise_bound,
    noise_bound_sharp,
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
from depthsep.special import binomial_quantile, binomial_tail


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
                for units in (1, 2, 100) if d > 2 and tau < fmpq(1, 10) else (1, 2):
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


# kernels


def own_kernel_again(kernel, x):
    """The kernel of points with copies of themselves, against the exact diagonal."""
    found = np.diag(kernel(x, x.copy()))
    return found, kernel.diagonal(x)


@pytest.mark.parametrize(
    ("name", "depth", "variance", "kind", "tolerance"),
    [
        ("sin", 10, 10.0, np.float32, 2e-4),
        ("sin", 10, 25.0, np.float64, 1e-12),
        ("sin", 5, 1e4, np.float64, 1e-12),
        ("cos", 5, 1e6, np.float64, 1e-12),
        ("erf", 5, 1e10, np.float64, 1e-12),
        ("erf", 10, 25.0, np.float32, 2e-4),
        ("erf", 4, 1e7, np.float32, 2e-4),
        ("erf", 4, 1e12, np.float64, 1e-12),
    ],
)
def test_smooth_kernels_of_copies_are_those_of_the_point(
    name, depth, variance, kind, tolerance
):
    x = np.random.default_rng(0).standard_normal((40, 4)).astype(kind)
    found, exact = own_kernel_again(TangentKernel(name, depth, variance, 0.1), x)
    assert found == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("name", ["sin", "cos", "erf"])
@pytest.mark.parametrize("variance", [0.5, 4.0, 100.0])
def test_deep_smooth_kernels_next_to_the_diagonal_agree_with_balls(name, variance):
    x = np.array([[0.6, -0.3, 0.2]])
    kernel = TangentKernel(name, 6, variance, 0.1)
    for gap in (1e-2, 1e-5, 1e-9):
        for sign in (1, -1):
            z = sign * (x + gap * np.array([[0.1, 0.5, -0.7]]))
            points = [
                [fmpq(*v.as_integer_ratio()) for v in p[0].tolist()] for p in (x, z)
            ]
            given = {
                "activation": name,
                "depth": 6,
                "weight_variance": fmpq(*variance.as_integer_ratio()),
                "bias_variance": fmpq(*(0.1).as_integer_ratio()),
            }
            truth = float(enclosed_kernel(*points, **given))
            size = float(np.sqrt(kernel.diagonal(x) * kernel.diagonal(z))[0])
            assert abs(kernel(x, z)[0, 0] - truth) <= 1e-11 * size


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros((3, 0)), "no inputs"),
        ([[1, 2], [3]], "not an array of real numbers"),
        ([[10**400, 1]], "not an array of real numbers"),
        (np.ones((2, 2)) * 1j, "not an array of real numbers"),
        (np.array([["2020-01-01"]], dtype="datetime64"), "not an array of real"),
        (np.ma.masked_array(np.ones((2, 2)), mask=[[1, 0], [0, 0]]), "masked"),
        (np.ones((2, 2), dtype=np.longdouble) * np.longdouble("1e4000"), "infinite"),
        (None, "not an array of real|shape"),
    ],
)
def test_inputs_of_other_kinds_are_refused_in_one_line(x, message):
    for call in (TangentKernel(), TangentKernel().nngp, TangentKernel().diagonal):
        with pytest.raises(HypothesisError, match=message) as caught:
            call(x)
        assert "\n" not in str(caught.value)


def test_inputs_of_no_points_have_an_empty_kernel():
    kernel = TangentKernel("relu", 3, 2, 0.1)
    x = np.ones((2, 3))
    assert kernel(x[:0]).shape == (0, 0) and kernel(x, x[:0]).shape == (2, 0)
    assert kernel(x[:0], x).shape == (0, 2) and kernel.diagonal(x[:0]).shape == (0,)


@pytest.mark.parametrize(
    "change",
    [
        {"activation": None},
        {"activation": 3},
        {"activation": "leaky-relu:1e400"},
        {"depth": 2.5},
        {"depth": True},
        {"depth": "2"},
        {"weight_variance": "1"},
        {"weight_variance": None},
        {"weight_variance": 10**400},
        {"bias_variance": 1j},
        {"trained": 1},
        {"trained": (1.5,)},
    ],
)
def test_kernels_of_other_kinds_are_refused(change):
    with pytest.raises(HypothesisError):
        TangentKernel(**change)


def test_the_enclosed_kernel_checks_what_the_floats_check():
    x = [fmpq(1), fmpq(2)]
    for change in (
        {"depth": 0},
        {"trained": (5,)},
        {"weight_variance": fmpq(-1)},
        {"bias_variance": fmpq(-1)},
    ):
        with pytest.raises(HypothesisError):
            enclosed_kernel(x, x, **change)


def test_a_small_ridge_and_a_tiny_matrix_are_solved():
    small = np.diag([1.0, 4e-16])
    for method in ("cholesky", "least-squares"):
        found = fit(small, np.ones(2), ridge=1e-13, method=method)
        assert found.coefficients == pytest.approx([1, 1 / 1.004e-13], rel=1e-6)
    found = fit(np.ones((3, 3)), np.ones(3), ridge=1e-320, method="least-squares")
    assert found.coefficients == pytest.approx(np.full(3, 1 / 3))
    assert fit(np.zeros((0, 0)), np.zeros(0)).coefficients.shape == (0,)
    with pytest.raises(HypothesisError):
        fit(1e-320 * np.eye(3), np.ones(3))
    for bad in (np.ones((3, 3, 3)), [[1, 2], [3]], "gram", np.eye(2) * 1j):
        with pytest.raises(HypothesisError):
            fit(bad, np.ones(3))
    with pytest.raises(HypothesisError, match="ridge is 'None'"):
        fit(np.eye(3), np.ones(3), ridge=None)


def test_training_times_that_make_no_sense_are_refused_and_late_ones_work():
    training = LinearTraining(np.array([[1.0, 1.0], [1.0, 1.0]]), np.ones(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        late = training.flow(1e300)
    assert np.ones((2, 2)) @ late == pytest.approx(np.ones(2))
    for call in (
        lambda: training.flow(math.inf),
        lambda: training.flow(-1.0),
        lambda: training.descent(2.5, 0.1),
        lambda: training.descent(3, math.nan),
        lambda: training.descent(-3, 0.1),
    ):
        with pytest.raises(HypothesisError):
            call()


# JAX


def test_equal_kernels_compile_once():
    from depthsep.near_init.kernels._duals import kernel_activation

    one, other = TangentKernel("leaky-relu:1/3", 3), TangentKernel("leaky-relu:1/3", 3)
    assert one._architecture(tangent=True) == other._architecture(tangent=True)
    assert hash(one._architecture(tangent=True)) is not None
    assert kernel_activation("relu") is kernel_activation("relu")


def test_deep_kernels_compile_in_a_moment():
    import time

    import jax.numpy as jnp

    x = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    started = time.perf_counter()
    found = TangentKernel("relu", 300, 2, 0.01)(jnp.asarray(x))
    assert time.perf_counter() - started < 60  # unrolled it took many minutes
    expected = TangentKernel("relu", 300, 2, 0.01)(x)
    assert np.asarray(found) == pytest.approx(expected, rel=1e-2)


def test_jax_inputs_that_do_not_fit_are_refused_or_promoted():
    import jax
    import jax.numpy as jnp

    kernel = TangentKernel("relu", 3, 2, 0.1)
    x = np.random.default_rng(0).standard_normal((4, 3))
    with jax.enable_x64(True):
        single, double = jnp.asarray(x, jnp.float32), jnp.asarray(x)
        for pair in ((single, double), (double, single), (single, x), (x, single)):
            found = kernel(*pair)
            assert found.dtype == jnp.float64
            assert np.asarray(found) == pytest.approx(kernel(x, x.copy()), rel=1e-5)
        assert kernel(double[:0], double).shape == (0, 4)
        assert kernel(double, double[:0]).shape == (4, 0)
        for bad in (
            jnp.asarray([[np.nan, 1.0]]),
            jnp.asarray([[1e200, 1.0]]),
            jnp.ones(3),
            jnp.ones((2, 0)),
        ):
            for call in (kernel, kernel.sharded):
                with pytest.raises(HypothesisError):
                    call(bad)
        with pytest.raises(HypothesisError, match="x has 3 inputs a point, z has 2"):
            kernel(double, double[:, :2])
        own = np.asarray(kernel.sharded(double))
        assert (np.diag(own) == np.asarray(kernel(double)).diagonal()).all()


def test_finite_kernels_of_whole_numbers_are_not_truncated():
    import jax
    import jax.numpy as jnp

    from depthsep.near_init import DenseNetwork, draw, empirical_kernel, minimum_norm

    with jax.enable_x64(True):
        network, layers = DenseNetwork("sin"), draw("he", (3, 20, 1), 0)
        whole = np.array([[1, 2, 3], [0, 1, 1]])
        found = empirical_kernel(network, layers, whole).total
        exact = empirical_kernel(network, layers, jnp.asarray(whole, float)).total
        assert found.dtype == np.float64 and found == pytest.approx(exact)
        assert sum(network.kernel(layers, whole)) == pytest.approx(exact)
        assert minimum_norm(network, layers, jnp.asarray(whole, float), [1.0, 2.0])
        for bad in (np.ones(3), [[1.0, 2.0], [3.0]], np.full((2, 3), np.nan)):
            with pytest.raises(HypothesisError):
                network.kernel(layers, bad)
            with pytest.raises(HypothesisError):
                empirical_kernel(network, layers, bad)
        with pytest.raises(HypothesisError, match="not empty"):
            empirical_kernel(network, (), whole)
        with pytest.raises(HypothesisError, match="arrays of floats"):
            empirical_kernel(lambda w, x: x @ w, np.arange(3), whole)


def test_minimum_norm_refines_what_the_gram_matrix_squares():
    import jax
    import jax.flatten_util
    import jax.numpy as jnp

    from depthsep.near_init import distance, finite_network, minimum_norm

    with jax.enable_x64(True):
        network, start = finite_network(TangentKernel("erf", 2), 2, 40, 0)
        x = np.random.default_rng(0).standard_normal((6, 2))
        x[5] = x[4] + 1e-4
        y = np.array([1.0, -1.0, 0.5, 0.2, 0.3, 0.31])
        found = minimum_norm(network, start, jnp.asarray(x), y)
        flat, unravel = jax.flatten_util.ravel_pytree(start)
        jacobian = np.asarray(jax.jacrev(lambda v: network(unravel(v), x))(flat))
        step = np.linalg.lstsq(jacobian, y - np.asarray(network(start, x)), rcond=None)
        assert found.residual < 1e-7
        assert float(distance(found.parameters, start)) == pytest.approx(
            np.linalg.norm(step[0]), rel=1e-5
        )


def test_training_refuses_what_it_cannot_use():
    import jax.numpy as jnp

    from depthsep.near_init import DenseNetwork, Layer, descend, distance, draw, unit

    layers, x = draw("he", (2, 8, 1), 0), np.ones((3, 2))
    good = {"rate": 0.1, "steps": [2]}
    for change in (
        {"rate": None},
        {"rate": 0.0},
        {"rate": -1.0},
        {"steps": [2.7]},
        {"steps": [-1]},
        {"trained": (0,)},
        {"trained": (1.5,)},
    ):
        with pytest.raises(HypothesisError):
            descend(DenseNetwork(), layers, x, np.ones(3), x, **{**good, **change})
    for y, points in (
        (np.ones((3, 1)), x),
        (np.array([1.0, np.nan, 0.0]), x),
        (np.ones(3), x[:0]),
        (np.ones(3), x[0]),
    ):
        with pytest.raises(HypothesisError):
            descend(DenseNetwork(), layers, x, y, points, **good)
    with pytest.raises(HypothesisError, match="at least one layer"):
        DenseNetwork()((), x)
    with pytest.raises(HypothesisError, match="other shapes"):
        distance(np.ones(2), np.ones((2, 2)))
    assert DenseNetwork("erf", [1.0, 1.0]) == DenseNetwork("erf", (1.0, 1.0))
    assert float(unit("relu")(jnp.asarray(-np.inf))) == 0
    assert Layer(np.ones((1, 1))).bias is None


# readers of the page


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


def test_second_layers_as_they_are_drawn_are_understood():
    inner, outer = draw("signs", (2, 600, 1), 0)
    x = np.array([[0.6, 0.8]])
    rows = plant([1.0], [[0.6, 0.8]], outer.weight, inner.weight, "1/2")
    flat = plant([1.0], [[0.6, 0.8]], outer.weight[0], inner.weight, "1/2")
    assert (rows.planted == flat.planted).all()
    value = network_value(outer.weight, inner.weight, x)
    assert value == pytest.approx(network_value(outer.weight[0], inner.weight, x))
    assert adversary(outer.weight, inner.weight, x[0], 1).rows > 0


def test_thresholds_are_accurate_at_the_antipode():
    found = TangentKernel("threshold").nngp([[1.0, 0.0]], [[-1.0, 1e-9]])[0, 0]
    assert found == pytest.approx(1e-9 / (2 * math.pi), rel=1e-12)


def test_an_unproved_calculation_is_not_called_enclosed():
    found = bound("linearisation-attained", width=10**6)
    assert str(found.rigour) == "sampled"


def test_comparisons_are_refused_before_anything_is_trained():
    from depthsep.near_init import compare, kernel_errors

    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    for change in (
        {"rate": 100.0},
        {"width": 7},
        {"points": 2 * x},
        {"points": x[0]},
        {"y": np.ones(3)},
        {"delta": 3},
    ):
        given = {"x": x, "y": np.ones(2), "points": x, "width": 8, **change}
        with pytest.raises(HypothesisError):
            compare(**given, steps=[1])
    nothing = kernel_errors(TangentKernel(trained=()), x, [8], seeds=2)
    assert nothing[0].mean_squared_error == 0


def test_predictions_need_one_column_a_training_point():
    with pytest.raises(HypothesisError, match="one for each training point"):
        fit(np.eye(3), np.ones(3)).predict(np.ones((3, 2)))


def test_the_package_shows_its_names():
    from depthsep import near_init

    assert {"compare", "linearise", "TangentKernel", "plant"} <= set(dir(near_init))
