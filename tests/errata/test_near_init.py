"""Each erratum near initialisation: the printed statement fails, ours holds."""

import math

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from scipy import stats

from depthsep import HypothesisError
from depthsep.near_init import (
    TangentKernel,
    annihilator,
    constant,
    draw,
    enclosed_kernel,
    feasibility,
    kernel_combination,
    linearised_value,
    network_value,
    one_kernel,
    plant,
    relu_bound,
    sampled_limit,
    scaled_linearisation,
    smallest_width,
    smooth_bound,
    transported,
    universality,
)
from depthsep.near_init.bounds._caps import (
    cap_chance,
    cap_chance_below,
    row_share,
    width_chernoff,
    width_printed,
)
from depthsep.near_init.bounds._linear_bounds import (
    near_kink_bound,
    near_kink_chance,
    smoothness,
)
from depthsep.near_init.bounds._noise import (
    noise_ball_bound,
    noise_ball_sharp,
    noise_bound,
    noise_bound_sharp,
    noise_tail,
)
from depthsep.near_init.kernels._slopes import with_slope
from depthsep.near_init.kernels._universality import circle_coefficient
from depthsep.near_init.kernels.pairs._square_rows import uniform_square_chance
from depthsep.separation import bound
from depthsep.special import binomial_tail

FIRST = TangentKernel("relu", 2, trained=(1,))


# Proposition 3.4


def test_the_expansion_is_evaluated_at_v_not_at_the_start():
    rng = np.random.default_rng(0)
    a, start, moved = rng.choice([-1, 1], 5), *rng.standard_normal((2, 5, 3))
    x = rng.standard_normal(3)
    # sigma = identity, beta = 0: as printed the bound 0 would hold F(V) = F(V_0)
    assert smooth_bound(smoothness("identity"), fmpq(9), fmpq(1)) == 0
    assert abs(a @ (moved @ x) - a @ (start @ x)) > 1e-3
    linear = a @ (start @ x) + a @ ((moved - start) @ x)
    assert abs(a @ (moved @ x) - linear) < 1e-12


@pytest.mark.parametrize(
    ("name", "slope"),
    [
        ("tanh", lambda z: 1 / np.cosh(z) ** 2),
        ("logistic", lambda z: np.exp(-z) / (1 + np.exp(-z)) ** 2),
        ("softplus", lambda z: 1 / (1 + np.exp(-z))),
        ("cos", lambda z: -np.sin(z)),
        ("sin", np.cos),
        ("erf", lambda z: 2 / np.sqrt(np.pi) * np.exp(-z * z)),
    ],
)
def test_the_smoothness_is_the_largest_slope_of_the_derivative(name, slope):
    z = np.linspace(-6, 6, 400_001)
    steepest = np.abs(np.gradient(slope(z), z)).max()
    assert steepest == pytest.approx(float(smoothness(name)), rel=1e-7)


def test_proposition_3_4_is_tight_for_a_square():
    a, start = np.ones(4), np.arange(8.0).reshape(4, 2)
    x = np.array([0.6, 0.8])
    moved = start + 0.5 * x
    beta = 3.0
    value = a @ (beta * (moved @ x) ** 2 / 2)
    z, step = start @ x, (moved - start) @ x
    linear = a @ (beta * z**2 / 2 + beta * z * step)
    distance = np.linalg.norm(moved - start)
    bound = float(smooth_bound(arb(beta), fmpq(*distance.as_integer_ratio()), fmpq(1)))
    assert value - linear == pytest.approx(bound)


# Lemma 3.8


def test_the_logarithm_of_lemma_3_8_stands_inside_the_root():
    m, tau = 10_000, fmpq(1, 10)
    for delta in (fmpq(1, 100), fmpq(1, 1000)):  # below e^-2
        log = math.log(1 / float(delta))
        inside, outside = math.sqrt(m / 2 * log), math.sqrt(m / 2) * log
        assert float(near_kink_bound(m, tau, delta)) == pytest.approx(m / 10 + inside)
        assert outside > math.sqrt(m * log) > inside  # what Proposition 3.7 uses
    # above 1/e the printed form claims more than is proved
    assert math.sqrt(m / 2) * math.log(2) < math.sqrt(m / 2 * math.log(2))


@pytest.mark.parametrize("m", [1, 7, 60, 400])
@pytest.mark.parametrize("tau", [fmpq(0), fmpq(1, 50), fmpq(1, 2), fmpq(2)])
@pytest.mark.parametrize("delta", [fmpq(9, 10), fmpq(1, 3), fmpq(1, 1000)])
def test_lemma_3_8_holds_in_the_exact_law(m, tau, delta):
    limit = int(near_kink_bound(m, tau, delta).floor().unique_fmpz())
    assert binomial_tail(m, near_kink_chance(tau), limit + 1) <= delta


# Proposition 3.7


def test_the_derivative_at_the_kink_changes_the_value_but_not_the_bound():
    a, x = np.array([1.0]), np.array([[1.0, 0.0]])
    w, v = np.array([[0.0, 0.0]]), np.array([[0.5, 0.0]])
    closed = a @ (np.where(x @ w.T >= 0, 1, 0) * (x @ v.T))[0]
    assert linearised_value(a, w, v, x)[0] == 0 != closed == 0.5
    for linear in (0.0, closed):
        error = abs(network_value(a, v, x)[0] - linear)
        assert error <= float(relu_bound(1, fmpq(1), fmpq(1, 2), fmpq(1)))


def test_a_row_on_the_right_side_need_not_be_far_from_its_kink():
    # printed: w . x > 0 gives v_0 . x >= w . x - |w - v_0| |x| > tau - tau
    tau, w, v0 = 0.5, 0.1, -0.3
    assert w > 0 and abs(w - v0) < tau and abs(v0) <= tau  # allowed by that step
    assert np.sign(w) != np.sign(v0)  # and the signs differ: such rows belong to S_1
    v0 = 0.6  # off S_1
    assert all(v0 + step > 0 for step in np.linspace(-tau, tau, 101))


# Lemma 3.15


def test_the_one_sided_inequality_of_lemma_3_15_breaks_at_one_unit():
    m, delta = 1, 0.9

    def proof(log):  # |x| sqrt(2 m (1 + sqrt(2 ln(2m/delta)))^2 log)
        return math.sqrt(
            2 * m * (1 + math.sqrt(2 * math.log(2 * m / delta))) ** 2 * log
        )

    printed = 4 * math.sqrt(m) * math.log(2 * m / delta)
    assert proof(math.log(2 / delta)) <= printed < proof(math.log(4 / delta))


@pytest.mark.parametrize("m", [1, 2, 5, 30, 200])
@pytest.mark.parametrize(
    "delta", [fmpq(9, 10), fmpq(1, 2), fmpq(1, 20), fmpq(1, 10**6)]
)
def test_lemma_3_15_holds_in_the_exact_law_and_ours_is_sharper(m, delta):
    for of_noise in (noise_bound, noise_bound_sharp):
        level = fmpq(*float(of_noise(m, delta).lower()).as_integer_ratio())
        assert noise_tail(m, level) <= delta
    assert noise_bound_sharp(m, delta) < noise_bound(m, delta)


def test_the_longest_row_is_not_of_length_one():
    d, m, delta = 100, 10, 0.1
    printed = 1 + math.sqrt(2 * math.log(m / delta))
    assert stats.chi(d).cdf(printed) ** m < 1e-22 < 1 - delta
    corrected = math.sqrt(d) + math.sqrt(2 * math.log(m / delta))
    assert stats.chi(d).cdf(corrected) ** m >= 1 - delta


def test_the_bound_of_the_text_is_false():
    # 4 sqrt(m d ln(m/delta)), m = 1: sup over the ball is |v_1| times 1
    d, delta = 10, 0.99
    printed = 4 * math.sqrt(d * math.log(1 / delta))
    assert stats.chi(d).cdf(printed) == pytest.approx(0.0014, abs=1e-4)
    assert stats.chi(d).cdf(printed) < 1 - delta


def test_the_bound_on_the_ball_holds_with_nine():
    for m in (1, 2, 10, 1000):
        for d in (1, 2, 7, 100):
            for delta in (fmpq(499, 1000), fmpq(1, 20), fmpq(1, 10**9)):
                nine = noise_ball_bound(m, d, delta, fmpq(9))
                assert noise_ball_sharp(m, d, delta) < nine
    with pytest.raises(HypothesisError, match="between 0 and 1/2"):
        noise_ball_bound(1, 1, fmpq(1, 2))
    with pytest.raises(HypothesisError, match="9 and more"):
        noise_ball_bound(1, 1, fmpq(1, 4), fmpq(8))


def test_the_bound_on_the_ball_holds_for_draws():
    m, d = 40, 2
    angles = np.linspace(0, 2 * np.pi, 721)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    limit = float(noise_ball_sharp(m, d, fmpq(1, 4)))  # holds with probability 1/2
    found = []
    for seed in range(40):
        inner, outer = draw("signs", (d, m, 1), seed)
        values = network_value(outer.weight[0], inner.weight, circle)
        found.append(np.abs(values).max())
    assert max(found) < limit < 8 * max(found)


# Theorem 3.10


def test_the_printed_scale_of_planting_is_false_for_every_v():
    # d = 2, tau = 1/20: |F(V) - F(V_0)| <= sum_j |v_j - v_0j| <= C sqrt(m) |alpha|_inf
    tau, apart = 0.05, 0.111
    assert 2 * math.sin(apart / 2) > 2 * tau
    c = 2**3 / tau
    g = 2 * math.cos(apart / 2)  # of alpha = (1, 1) at the bisector, a unit vector
    gap = c * g - c  # in units of sqrt(m) A: the scaled target less all that can move
    allowed = 2  # |alpha|_1, in the same units; the rest does not grow with A
    assert c * g == pytest.approx(1.997 * c, rel=1e-3)
    assert gap > 159 > 50 * allowed


def test_the_corrected_planting_holds_on_the_ball():
    m, tau = 6000, fmpq(1, 3)
    alpha = np.array([1.0, -2.0, 0.5])
    angles = np.array([0.0, 1.2, 3.0])
    beta = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    inner, outer = draw("signs", (2, m, 1), 3)
    start, signs = inner.weight, outer.weight[0]
    x = np.random.default_rng(0).standard_normal((500, 2))
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    for every in (False, True):
        found = plant(alpha, beta, signs, start, tau, every_member=every)
        grown = network_value(signs, found.planted, x)
        linear = linearised_value(signs, start, found.planted, x)
        assert np.allclose(grown, linear, rtol=0, atol=1e-9 * m)
        off = grown - network_value(signs, start, x)
        off -= found.scale * network_value(alpha, beta, x)
        assert np.abs(off).max() <= found.noise_free_error
        assert found.frobenius == pytest.approx(found.predicted_frobenius)
        assert found.longest_move == pytest.approx(found.predicted_longest)
    few = plant(alpha, beta, signs, start, tau)
    assert found.frobenius < few.frobenius
    n = len(few.rows[0])
    assert few.frobenius == pytest.approx(
        few.scale / n**0.5 * np.linalg.norm(alpha), rel=1e-12
    )
    assert n == int(m * float(arb(row_share(2, tau))))  # a floor: m tau_d is not whole


def test_the_rescaled_error_needs_rho_equal_to_tau():
    # |rho / sqrt(m) F - g| with rho = tau is at most tau (noise + |alpha|_1)
    m, tau = 20_000, fmpq(1, 4)
    inner, outer = draw("signs", (2, m, 1), 0)
    start, signs = inner.weight, outer.weight[0]
    found = plant([1.5], [[0.6, 0.8]], signs, start, tau)
    x = np.array([[0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]])
    g = 1.5 * np.maximum(x @ [0.6, 0.8], 0)
    value = network_value(signs, found.planted, x) * 0.25 / m**0.5
    noise = float(noise_bound_sharp(m, fmpq(1, 300))) / m**0.5
    assert np.abs(value - g).max() <= 0.25 * (noise + 1.5)
    printed = value / 0.25 * 0.25 / 2**3  # rho = tau^(d-1) / 2^(d+1)
    assert np.abs(printed - g).max() > 0.5


def test_the_union_over_the_units_is_missing():
    d, tau, delta, k = 2, fmpq(2, 5), fmpq(1, 20), 7
    assert width_chernoff(d, tau, delta, k) > width_chernoff(d, tau, delta, 1)
    assert width_printed(d, tau, delta) == 4794  # whatever k
    for units in (1, 2, 7):
        enough = width_chernoff(d, tau, delta, units)
        assert feasibility(enough, d, tau, units).below >= 1 - delta
        least = smallest_width(d, tau, delta, units)
        assert least <= enough
        assert feasibility(least, d, tau, units).below >= 1 - delta
        assert not feasibility(least - 1, d, tau, units).below >= 1 - delta


def test_caps_are_at_least_balls_bound():
    for d in (1, 2, 3, 6, 11):
        for tau in (fmpq(1, 100), fmpq(1, 2), fmpq(1), fmpq(7, 5), fmpq(3, 2), fmpq(2)):
            assert cap_chance(d, tau) >= cap_chance_below(d, tau)
    assert cap_chance(1, fmpq(199, 100)) == arb(1) / 2
    points = np.random.default_rng(0).standard_normal((200_000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    for tau in (0.7, 1.6):
        share_of = (np.linalg.norm(points - [1, 0, 0], axis=1) <= tau).mean()
        exact = float(cap_chance(3, fmpq(str(tau).replace(".", "")) / 10))
        assert abs(share_of - exact) < 5 * (exact / 200_000) ** 0.5


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alpha": [1.0, 0.0]}, "no sign"),
        ({"signs": 0.5 * np.ones(64)}, r"\+1 or -1"),
        ({"tau": "3/4"}, "2 tau <"),
        ({"tau": "0"}, "0 < tau"),
        ({"beta": [[1.0, 0.0], [0.0, 2.0]]}, "length 1"),
        ({"tau": "1/1000"}, "widen"),
        ({"alpha": [1.0]}, "give"),
    ],
)
def test_planting_refuses_what_the_theorem_does_not_cover(changed, message):
    inner, _ = draw("signs", (2, 64, 1), 0)
    given = {
        "alpha": [1.0, -1.0],
        "beta": [[1.0, 0.0], [0.0, 1.0]],
        "signs": np.ones(64),
        "tau": "1/2",
        **changed,
    }
    with pytest.raises(HypothesisError, match=message):
        plant(given["alpha"], given["beta"], given["signs"], inner.weight, given["tau"])


# Theorem 3.14


def test_the_printed_transport_tends_to_zero_and_ours_to_its_limit():
    x = np.array([[0.6, 0.0, 0.8], [0.1, -0.7, 0.3]])
    transport = kernel_combination([1.0, -2.0], [[1.0, 0, 0], [0, 1.0, 1.0]])
    limit = transport.limit(x)
    ours, printed = [], []
    for m, rho in ((2_000, 0.4), (20_000, 0.2), (200_000, 0.1)):
        inner, outer = draw("symmetrised", (3, m, 1), 1)
        given = outer.weight[0], inner.weight
        for found, flag in ((ours, False), (printed, True)):
            v = transported(transport, *given, rho, printed=flag)
            found.append(scaled_linearisation(*given, v, x, rho))
    assert np.abs(ours[-1] - limit).max() < 0.01
    for value, rho in zip(printed, (0.4, 0.2, 0.1), strict=True):
        assert np.abs(value - rho**2 * limit).max() < 0.05 * rho**2
    assert np.abs(printed[-1]).max() < 0.02 * np.abs(limit).max() + 0.01


def test_a_fixed_temperature_leaves_noise_of_the_stated_size():
    x, rho = np.array([[0.6, 0.8]]), 0.5
    values = []
    for seed in range(400):
        inner, outer = draw("signs", (2, 400, 1), seed)
        given = outer.weight[0], inner.weight
        v = transported(constant([1.0, 2.0]), *given, rho)
        values.append(scaled_linearisation(*given, v, x, rho)[0])
    spread = np.std(values)
    # the noise N(0, rho^2 |x|^2 / 2) and the sampling error of the mean itself
    term = np.array([1.0, 2.0]) @ x[0]
    expected = math.sqrt(rho**2 / 2 + term**2 / 4 / 400)
    assert abs(np.mean(values) - 1.1) < 4 * spread / 20
    assert abs(spread - expected) < 4 * expected / math.sqrt(800)


@pytest.mark.parametrize(
    "transport",
    [
        constant([1.0, 2.0, -1.0]),
        one_kernel([0.5, -1.0, 2.0]),
        kernel_combination([1.0, -0.5], [[1.0, 2, 2], [0.0, 1, 0]]),
    ],
)
def test_closed_forms_of_transport_lie_within_the_error_bars(transport):
    x = np.array([[1.0, 0.5, -0.3], [0.0, -1.0, 1.0], [0.0, 0.0, 0.0]])
    found = sampled_limit(transport, x, 100_000, seed=5)
    assert (found.standard_error[:2] > 0).all()
    gap = np.abs(found.mean - transport.limit(x))
    assert (gap <= 4.5 * found.standard_error + 1e-12).all()


@pytest.mark.parametrize(
    "activation",
    ["leaky-relu:1/5", "abs", "identity", "erf", "sin", "cos", "exp"],
)
@pytest.mark.parametrize("kind", ["constant", "kernel"])
def test_other_activations_have_limits_of_transport(activation, kind):
    x = np.array([[1.0, 0.5, -0.3], [0.2, -1.0, 1.0]])
    transport = (
        constant([1.0, 2.0, -1.0], activation)
        if kind == "constant"
        else kernel_combination([1.0, -0.5], [[1.0, 0, 1], [0.0, 1, 0]], activation)
    )
    found = sampled_limit(transport, x, 200_000, 3)
    gap = np.abs(found.mean - transport.limit(x))
    assert (gap <= 5 * found.standard_error + 1e-12).all()
    m, rho = 100_000, 0.05
    inner, outer = draw("symmetrised", (3, m, 1), 1)
    given = outer.weight[0], inner.weight
    v = transported(transport, *given, rho)
    moved = scaled_linearisation(*given, v, x, rho, activation)
    near = 6 * found.standard_error * (200_000 / m) ** 0.5 + 1e-9
    assert (np.abs(moved - transport.limit(x)) <= near).all()


def test_transport_by_smooth_units_without_a_closed_form_is_sampled():
    x, t = np.array([[0.6, 0.8]]), [1.0, 2.0]
    for activation in ("tanh", "logistic", "softplus"):
        transport = constant(t, activation)
        assert transport.limit is None
        found = sampled_limit(transport, x, 100_000, 3)
        mean, step = 0.0, 1e-4  # t . x E sigma'(g) by a Riemann sum
        g = np.arange(-8, 8, step)
        up, down = (with_slope(activation, g + h)[0] for h in (1e-5, -1e-5))
        mean = ((up - down) / 2e-5 * np.exp(-(g**2) / 2)).sum() * step
        expected = 2.2 * mean / np.sqrt(2 * np.pi)
        assert abs(found.mean[0] - expected) <= 5 * found.standard_error[0] + 1e-4
    with pytest.raises(HypothesisError, match="the derivative of"):
        constant(t, "threshold")
    with pytest.raises(HypothesisError, match="sampled_limit"):
        bound("telgarsky-3.14", t="1,2", x="1,0", activation="tanh")


def test_the_limit_of_a_constant_transport_is_in_the_catalogue():
    given = {"t": "1,2", "x": "1,1"}
    assert bound("telgarsky-3.14", **given).value == fmpq(3, 2)
    value = bound("telgarsky-3.14", **given, activation="erf").value
    assert abs(float(value.upper) - 3 * 2 / math.sqrt(5 * math.pi)) < 1e-12


# Theorem 3.19, Proposition 3.23, Remarks 3.2 and 3.24


def test_the_unit_formula_is_wrong_for_other_norms():
    x, z = np.array([[0.3, 0.4]]), np.array([[0.1, -0.2]])
    inner = (x @ z.T)[0, 0]
    unit_formula = inner * (math.pi - math.acos(inner)) / (2 * math.pi)
    kernel = FIRST(x, z)[0, 0]
    assert kernel == pytest.approx(-0.00881041, rel=1e-6)
    assert abs(unit_formula - kernel) > 0.003
    padded = [np.append(v[0], math.sqrt(1 - v[0] @ v[0]))[None] for v in (x, z)]
    assert FIRST(*padded)[0, 0] == pytest.approx(0.314, abs=1e-3)
    assert FIRST(x, -x)[0, 0] == 0  # the antipode, which the proof omits
    assert abs(FIRST(x, -x * (1 + 1e-15))[0, 0]) < 1e-15


def test_square_rows_have_another_limit_than_gaussian_rows():
    third = uniform_square_chance(fmpq(1, 3))
    assert abs(float(third) - 1 / 3) > 0.01
    inner, _ = draw("pytorch", (2, 400_000, 1), 0)
    v = inner.weight
    x, z = np.array([1.0, 0.0]), np.array([0.5, math.sqrt(0.75)])
    share_of = ((v @ x >= 0) & (v @ z >= 0)).mean()
    assert abs(share_of - float(third)) < 4 * (0.25 / 400_000) ** 0.5
    turn = np.array([[1, -1], [1, 1]]) / math.sqrt(2)
    turned = ((v @ (turn @ x) >= 0) & (v @ (turn @ z) >= 0)).mean()
    assert abs(turned - 0.3416) < 0.003  # not rotation invariant
    assert np.abs(v).max() <= 2**-0.5 and v.var() == pytest.approx(1 / 6, rel=0.01)
    assert inner.bias is not None and np.abs(inner.bias).max() <= 2**-0.5


# Proposition 3.25


def test_the_coefficients_are_positive_and_their_sum_at_the_edge_is_finite():
    found = universality(60)
    assert found.all_positive and len(found.coefficients) == 60
    assert abs(float(found.sum_at_edge) - 0.4883) < 1e-4
    longer = universality(400)
    assert found.sum_at_edge < longer.sum_at_edge < fmpq(1, 2)
    # the radius of convergence is 1/2: ratios of coefficients tend to 2
    a, b = longer.coefficients[-2:]
    assert abs(float(b / a) - 2) < 0.02
    assert float(found.coefficients[0]) == pytest.approx(1 / 6)


def test_one_display_has_pi_for_two():
    # k(x, x) = 1/2 on the unit sphere; with x . x / pi - ... it would be 1 / pi
    x = [fmpq(3, 5), fmpq(4, 5)]
    kernel = enclosed_kernel(x, x, trained=(1,))
    assert abs(kernel - fmpq(1, 2)) < 1e-15
    assert abs(1 / math.pi - 0.5) > 0.1


def test_without_bias_no_sum_of_kernels_comes_closer_than_one_to_cos_3t():
    points, weights = annihilator()
    assert np.abs(weights).sum() == pytest.approx(1)
    t = np.arange(6) * np.pi / 3
    assert weights @ np.cos(3 * t) == pytest.approx(1)
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 300)
    centres = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert np.abs(weights @ FIRST(points, centres)).max() < 1e-15
    # and least squares on a fine grid finds nothing better than 0
    grid = np.linspace(0, 2 * np.pi, 241)
    circle = np.stack([np.cos(grid), np.sin(grid)], axis=1)
    design = FIRST(circle, centres)
    best, *_ = np.linalg.lstsq(design, np.cos(3 * grid), rcond=1e-10)
    assert np.abs(design @ best - np.cos(3 * grid)).max() >= 1 - 1e-9
    assert all(circle_coefficient(k) == 0 for k in (3, 5, 7, 101))
    assert circle_coefficient(1) == fmpq(1, 4)


def test_with_bias_the_same_function_is_approximated():
    grid = np.linspace(0, 2 * np.pi, 121)
    padded = np.stack([np.cos(grid), np.sin(grid), np.ones_like(grid)], axis=1)
    padded /= math.sqrt(2)
    design = FIRST(padded, padded[:-1])
    best, *_ = np.linalg.lstsq(design, np.cos(3 * grid), rcond=1e-12)
    assert np.abs(design @ best - np.cos(3 * grid)).max() < 0.01


def test_integrals_of_the_kernel_give_the_coefficients():
    from scipy.integrate import quad

    def kernel(t):
        return math.cos(t) * (math.pi - t) / (2 * math.pi)

    for k in range(7):
        value = quad(lambda t, k=k: kernel(t) * math.cos(k * t), 0, math.pi)[0]
        with ctx.workprec(64):
            exact = float(arb(circle_coefficient(k)))
        assert 2 / math.pi * value == pytest.approx(exact, abs=1e-12)
