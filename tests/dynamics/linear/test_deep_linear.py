"""Deep linear networks: exact steps, balance, flows, the acceleration experiment."""

import json
from itertools import pairwise

import jax
import numpy as np
import pytest
import scipy.linalg
from flint import fmpq

from depthsep import HypothesisError
from depthsep.dynamics import (
    AccelerationPlan,
    accelerate,
    end_to_end_step,
    end_to_end_velocity,
    flow_error,
    imbalance,
    momentum_form,
    overparametrised_product,
    overparametrised_step,
    preconditioner,
    regression,
    regression_gradient,
    regression_loss,
    velocity_of_product,
)
from depthsep.dynamics.linear._deep_flow import flow_layers
from depthsep.dynamics.linear._deep_linear import (
    Overparametrised,
    balanced_layers,
    descend_layers,
    end_to_end,
    layer_gradients,
    vector_velocity,
)
from depthsep.dynamics.linear._regression import Regression
from depthsep.exact import rational
from depthsep.separation import bound
from support.places import reference
from support.slow import mostly_slow

ENTRIES = reference("depth")


def of_kind(kind):
    found = [e for e in ENTRIES if e["kind"] == kind]
    assert found
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["id"]))


def exact(values):
    return np.array([rational(str(v)) for v in values], dtype=object)


def rational_start(given):
    x = np.array([exact(row) for row in json.loads(given["X"])])
    y = exact(given["Y"].strip("[]").split(","))
    weights = Overparametrised(exact(given["w1"]), rational(given["w2"]))
    return weights, regression_gradient(x, y, given["p"]), rational(given["eta"])


@of_kind("overparam")
def test_the_overparametrised_step_is_exact_in_rationals(entry):
    weights, gradient, rate = rational_start(entry["inputs"])
    for product, second in entry["value"]:
        assert list(weights.product) == list(exact(product))
        assert weights.second == rational(second)
        g = gradient(weights.product)
        ahead = overparametrised_product(weights, g, rate)
        weights = overparametrised_step(weights, gradient, rate)
        assert list(ahead) == list(weights.product)


@of_kind("deep_linear_step")
def test_the_end_to_end_rule_and_true_descent(entry):
    given, value = entry["inputs"], entry["value"]
    goal = np.array([[1, 1 / 2], [1 / 3, 1]])
    layers = [np.diag([1 / 2, 1 / 4])] * given["N"]
    decay, rate = float(rational(given["lambda"])), float(rational(given["eta"]))
    w = end_to_end(layers)
    rule = end_to_end_step(w, w - goal, given["N"], rate, decay)
    true = end_to_end(descend_layers(layers, lambda v: v - goal, rate, decay))
    for found, wanted in ((rule, "end_to_end_rule"), (true, "true_GD_product")):
        rows = np.array([[float(rational(x)) for x in row] for row in value[wanted]])
        assert np.abs(found - rows).max() < 1e-15


def test_true_descent_of_layers_is_exact_in_rationals():
    entry = next(e for e in ENTRIES if e["kind"] == "deep_linear_step")
    goal = np.array([exact(["1", "1/2"]), exact(["1/3", "1"])])
    layer = np.array([exact(["1/2", "0"]), exact(["0", "1/4"])])
    found = end_to_end(
        descend_layers([layer] * 2, lambda v: v - goal, fmpq(1, 20), fmpq(1, 10))
    )
    wanted = [exact(row) for row in entry["value"]["true_GD_product"]]
    assert all(list(a) == list(b) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("power", [2, 4])
def test_momentum_coefficients_give_the_iterates_exactly(power):
    entry = next(e for e in ENTRIES if e["kind"] == "overparam")
    weights, gradient, rate = rational_start(entry["inputs"] | {"p": power})
    form, gradients = momentum_form(weights, gradient, rate, 4)
    path = [weights]
    for _ in range(4):
        path.append(overparametrised_step(path[-1], gradient, rate))
    ahead = form.start * weights.product - form.memory @ gradients
    assert list(ahead) == list(path[4].product)
    # the last step alone: momentum, and what is left of w_0
    step = path[3].product - form.rate[-1] * gradients[3] - form.mu @ gradients[:3]
    left = form.decay[-1] * form.start / (1 - form.decay[-1]) * weights.product
    assert list(step - left) == list(path[4].product)


def test_dropping_the_last_term_is_wrong_at_second_order():
    """The printed product step leaves out eta^2 <w, G> G."""
    entry = next(e for e in ENTRIES if e["kind"] == "overparam")
    weights, gradient, _ = rational_start(entry["inputs"])
    g = gradient(weights.product)
    inner = weights.product @ g
    gaps = []
    for rate in (fmpq(1, 8), fmpq(1, 16)):
        ahead = overparametrised_step(weights, gradient, rate).product
        square = weights.second**2
        printed = weights.product - rate * square * g
        printed = printed - rate * inner / square * weights.product
        assert list(printed) != list(ahead)
        gaps.append((ahead - printed)[0])
    assert gaps[0] == 4 * gaps[1]


def test_the_printed_index_of_momentum_is_off_by_one():
    """w at t + 1 is the product of both factors at t + 1, not of t + 1 and t."""
    entry = next(e for e in ENTRIES if e["kind"] == "overparam")
    weights, gradient, rate = rational_start(entry["inputs"])
    after = overparametrised_step(weights, gradient, rate)
    mixed = after.first * weights.second
    right = overparametrised_product(weights, gradient(weights.product), rate)
    assert list(right) == list(after.product) != list(mixed)


def test_the_end_to_end_rule_needs_balanced_layers():
    """w_1 = 1, w_2 = 2: the true velocity is -5 G, the formula says -4 G."""
    layers = [np.array([[1.0]]), np.array([[2.0]])]
    g = np.array([[1.0]])
    slopes = layer_gradients(layers, g)
    true = -(layers[1] @ slopes[0] + slopes[1] @ layers[0])
    assert true == -5 * g
    assert end_to_end_velocity(end_to_end(layers), g, 2) == pytest.approx(-4 * g)
    assert imbalance(layers)[0] == 3


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (1, 3)])
def test_balanced_descent_follows_the_rule_up_to_second_order(depth, shape):
    rng = np.random.default_rng(depth)
    w, goal = rng.standard_normal((2, *shape))
    layers = balanced_layers(w, depth)
    assert np.abs(end_to_end(layers) - w).max() < 1e-12
    assert all(np.abs(d).max() < 1e-12 for d in imbalance(layers))
    gaps = []
    for rate in (1e-3, 5e-4):
        true = end_to_end(descend_layers(layers, lambda v: v - goal, rate, 0.1))
        rule = end_to_end_step(w, w - goal, depth, rate, 0.1)
        gaps.append(np.abs(true - rule).max())
    if depth == 1:
        assert max(gaps) < 1e-15
    else:
        assert gaps[0] / gaps[1] == pytest.approx(4, rel=0.05)


def test_the_rule_holds_for_singular_products():
    w = np.outer([1.0, 2.0, 0.0], [0.0, 1.0, 1.0])
    layers = balanced_layers(w, 3)
    g = np.arange(9.0).reshape(3, 3)
    h = 1e-7
    ahead = descend_layers(layers, lambda _: g, h)
    measured = (end_to_end(ahead) - w) / h
    assert np.abs(measured - end_to_end_velocity(w, g, 3)).max() < 1e-3


def test_one_output_has_a_shorter_formula():
    rng = np.random.default_rng(1)
    w, g = rng.standard_normal((2, 5))
    for depth in (1, 2, 3):
        whole = end_to_end_velocity(w[None], g[None], depth, 0.2)[0]
        assert vector_velocity(w, g, depth, 0.2) == pytest.approx(whole, abs=1e-12)
    assert not vector_velocity(np.zeros(3), np.ones(3), 2).any()


def test_the_flow_keeps_the_imbalance_up_to_decay():
    rng = np.random.default_rng(2)
    layers = [0.6 * rng.standard_normal((3, 3)) for _ in range(3)]
    goal = rng.standard_normal((3, 3))
    for decay in (0.0, 0.3):
        after = flow_layers(layers, lambda v: v - goal, time=1.5, decay=decay)
        factor = np.exp(-2 * decay * 1.5)
        for old, new in zip(imbalance(layers), imbalance(after), strict=True):
            assert np.abs(new - factor * old).max() < 1e-8


def test_descent_tends_to_the_flow_at_first_order():
    layers = balanced_layers(np.array([[0.5, 0.1], [0.0, 0.3]]), 3)
    goal = np.array([[1.0, 0.5], [1 / 3, 1.0]])
    found = [
        flow_error(layers, lambda v: v - goal, rate=1 / n, steps=n).distance
        for n in (10, 20, 40)
    ]
    slopes = [np.log2(a / b) for a, b in pairwise(found)]
    assert all(0.8 < s < 1.2 for s in slopes), slopes


def test_an_exploding_flow_is_refused():
    layers = [np.array([[1.0]]), np.array([[1.0]])]
    with pytest.raises(
        HypothesisError, match="steps, as its values become too large or"
    ):
        flow_layers(layers, lambda v: -(v**3), time=10.0)


@pytest.mark.parametrize("power", [2, 3, 4, 5])
def test_gradients_are_those_of_the_loss_also_for_odd_powers(power):
    rng = np.random.default_rng(3)
    x, y, w = rng.standard_normal((6, 3)), rng.standard_normal(6), np.ones(3)
    loss, gradient = regression_loss(x, y, power), regression_gradient(x, y, power)
    for k in range(3):
        step = np.eye(3)[k] * 1e-6
        slope = (loss(w + step) - loss(w - step)) / 2e-6
        assert gradient(w)[k] == pytest.approx(slope, rel=1e-6)
    with pytest.raises(HypothesisError, match="`p` is 1"):
        regression_gradient(x, y, 1)


@pytest.mark.parametrize("power", mostly_slow([2], [2, 4]))
def test_realisable_data_are_timed_by_the_loss_at_the_start(power):
    rng = np.random.default_rng(5)
    x, w = rng.standard_normal((60, 4)), rng.standard_normal(4)
    names = ("momentum", "adam") if power == 4 else ()
    given = {"depths": (1,), "optimisers": names, "steps": 400, "rates": 21}
    plan = AccelerationPlan(power=power, **given)
    found = accelerate(Regression(x, x @ w, "mine"), plan)
    assert found.best_loss == 0
    assert "loss at the start" in found.verdict() and "no method" not in found.verdict()
    assert all(method.steps_to[-1] > 0 for method in found.methods)
    with jax.enable_x64(True):
        first = np.asarray(jax.random.normal(jax.random.key(0), (4,)))
    v = plan.start * first / np.linalg.norm(first)
    plain, losses = found.methods[0], []
    for _ in range(plain.steps_to[-1] + 1):  # descent once more, in NumPy
        gap = x @ v - x @ w
        losses.append((np.abs(gap) ** power).mean() / power)
        v = (
            v
            - plain.rates_to[-1]
            * x.T
            @ (np.abs(gap) ** (power - 1) * np.sign(gap))
            / 60
        )
    assert losses[-1] <= 0.01 * losses[0] < losses[-2]


def moved(name, gradient, memory, k):
    """What an optimiser makes of a gradient at step k, written out in NumPy."""
    first, second = memory
    if name == "momentum":
        first[:] = 0.9 * first + gradient
        return first
    if name == "adam":
        first[:] = 0.9 * first + 0.1 * gradient
        second[:] = 0.999 * second + 0.001 * gradient**2
        return first / (1 - 0.9**k) / (np.sqrt(second / (1 - 0.999**k)) + 1e-8)
    if name == "adagrad":
        second += gradient**2 + (0.1 if k == 1 else 0)
        return gradient / np.sqrt(second + 1e-7)
    if name == "adadelta":
        second[:] = 0.9 * second + 0.1 * gradient**2
        step = np.sqrt((first + 1e-6) / (second + 1e-6)) * gradient
        first[:] = 0.9 * first + 0.1 * step**2
        return step
    return gradient


DEEP = ((2, "momentum"), (3, "adam"), (2, "adagrad"), (4, "adadelta"))


@pytest.mark.parametrize(
    ("power", "deep"), mostly_slow([(4, DEEP)], [(2, ()), (4, DEEP)]), ids=["2", "4"]
)
def test_ten_steps_of_every_method_are_those_of_a_loop_in_numpy(power, deep):
    rng = np.random.default_rng(6)
    x, y = rng.standard_normal((40, 3)), rng.standard_normal(40)
    ends = {"least": 1e-3, "most": 1e-2}
    plan = AccelerationPlan(steps=100, power=power, rates=2, deep=deep, **ends)
    with jax.enable_x64(True):
        first = np.asarray(jax.random.normal(jax.random.key(0), (3,)))
    for method in accelerate(Regression(x, y, "mine"), plan).methods:
        words = method.method.split()
        depth = int(words[0]) if words[0].isdigit() else 1
        name = words[-1] if words[1:] != ["layers"] else words[0]
        share = plan.start ** (1 / depth)
        w = share * first / np.linalg.norm(first)
        layers = [w, *(np.full(1, share) for _ in range(depth - 1))]
        memory = [(np.zeros_like(part), np.zeros_like(part)) for part in layers]
        for k in range(11):
            rest = np.prod([part[0] for part in layers[1:]])
            gap = x @ layers[0] * rest - y
            loss = (np.abs(gap) ** power).mean() / power
            assert abs(method.losses[k] - loss) < 1e-10 * max(loss, 1)
            slope = x.T @ (np.abs(gap) ** (power - 1) * np.sign(gap)) / len(y)
            gradients = [slope * rest]
            for j in range(1, depth):
                others = [p[0] for i, p in enumerate(layers[1:], 1) if i != j]
                gradients.append(np.array([slope @ layers[0] * np.prod(others)]))
            layers = [
                part - method.rate * moved(name, g, m, k + 1)
                for part, g, m in zip(layers, gradients, memory, strict=True)
            ]


@pytest.fixture(scope="module")
def result():
    plan = AccelerationPlan(steps=600, rates=21)
    return accelerate(regression("synthetic"), plan)


def test_depth_helps_on_the_ill_conditioned_regression(result):
    timed = {m.method: m.steps_to for m in result.methods}
    for m in result.methods:
        known = [t >= 0 for t in m.steps_to]
        assert [r is not None for r in m.rates_to] == known
    plain, deep = timed["1 layer"][0], timed["2 layers"][0]
    assert 0 < deep < plain / 2
    assert "depth helped" in result.verdict()
    for m in result.methods:
        assert m.losses[0] == pytest.approx(result.methods[0].losses[0], rel=0.05)
        assert m.losses.min() >= result.best_loss * (1 - 1e-9)


@pytest.mark.slow
def test_where_depth_does_not_help_it_is_said():
    pytest.importorskip("sklearn", reason="the diabetes data come with scikit-learn")
    plan = AccelerationPlan(optimisers=(), power=2, steps=300, rates=21)
    found = accelerate(regression("diabetes"), plan)
    assert "did not help" in found.verdict()


def test_the_least_loss_is_that_of_least_squares():
    rng = np.random.default_rng(4)
    x, y = rng.standard_normal((30, 4)), rng.standard_normal(30)
    found = accelerate(
        Regression(x, y, "noise"), AccelerationPlan(depths=(1,), optimisers=(), power=2)
    )
    gap = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    assert found.best_loss == pytest.approx((gap**2).mean() / 2, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"power": 1}, "power"),
        ({"depths": (), "optimisers": ()}, "depth"),
        ({"depths": (1, 1)}, "depth"),
        ({"optimisers": ("descent",)}, "momentum, adam"),
        ({"steps": 3}, "steps"),
        ({"least": 2.0, "most": 1.0}, "least"),
        ({"start": 0.0}, "start"),
    ],
)
def test_bad_plans_are_refused_in_a_line(change, message):
    with pytest.raises(HypothesisError, match=message):
        AccelerationPlan(**change)


def test_bad_data_are_refused_in_a_line():
    with pytest.raises(HypothesisError, match="synthetic or diabetes"):
        regression("iris")
    with pytest.raises(
        HypothesisError, match="give one value for each input, at least one"
    ):
        accelerate(Regression(np.ones((3, 2)), np.ones(2), "odd"))
    with pytest.raises(HypothesisError, match="NaN"):
        accelerate(Regression(np.full((3, 2), np.nan), np.ones(3), "odd"))


def test_the_catalogue_knows_the_step_and_the_limits():
    step = bound("overparametrised-step", first="1/4,-1/4", gradient="1,1/2")
    weights = Overparametrised(exact(["1/4", "-1/4"]), fmpq(1, 2))
    after = overparametrised_product(weights, exact(["1", "1/2"]), fmpq(1, 8))
    assert step.text == ", ".join(map(str, after))
    assert float(bound("mean-field-limit").value.lower) == pytest.approx(1.148049453747)
    spread = bound("mean-field-spread", dim=8, width=256).value
    assert float(spread.lower) == pytest.approx(0.010165234109668 * 3 / 4)
    one = bound("mean-field-alpha", dim=3, square=4).value
    assert one.lower <= 1 <= one.upper and one.upper - one.lower < fmpq(1, 10**40)


def test_targets_met_at_the_start_put_no_method_at_an_edge():
    rng = np.random.default_rng(0)
    noise = Regression(rng.standard_normal((20, 3)), rng.standard_normal(20), "noise")
    given = {"steps": 100, "rates": 21, "power": 2, "targets": (3, 1.5)}
    plan = AccelerationPlan(depths=(1,), optimisers=("adam",), **given)
    for method in accelerate(noise, plan).methods:
        if max(method.steps_to) <= 0:
            assert method.at_edge == (method.rate in (plan.least, plan.most))


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (4, 1)])
def test_the_preconditioner_is_what_balanced_layers_apply(depth, shape):
    rng = np.random.default_rng(depth)
    w, g = rng.normal(size=shape), rng.normal(size=shape)
    found = preconditioner(w, depth)
    total = np.zeros(shape)
    for j in range(1, depth + 1):
        left = scipy.linalg.fractional_matrix_power(w @ w.T, (j - 1) / depth)
        right = scipy.linalg.fractional_matrix_power(w.T @ w, (depth - j) / depth)
        total += np.real(left @ g @ right)
    if min(shape) == shape[0] == shape[1] or depth == 1:
        np.testing.assert_allclose(found(g), total, atol=1e-9)
    np.testing.assert_allclose(found(g), -end_to_end_velocity(w, g, depth), atol=1e-12)
    u, v = found.left[:, 0], found.right[:, 0]
    mode = np.outer(u, v)
    np.testing.assert_allclose(found(mode), found.eigenvalues[0, 0] * mode, atol=1e-9)
    size = np.linalg.norm(w, 2)
    assert found.eigenvalues[0, 0] == pytest.approx(depth * size ** (2 - 2 / depth))
    assert found.eigenvalues[0, 0] == pytest.approx(found.eigenvalues.max())


def test_the_velocity_of_a_product_is_exact_in_rationals():
    rng = np.random.default_rng(5)

    def drawn(rows, columns):
        table = rng.integers(-5, 6, (rows, columns))
        return np.array([[fmpq(int(v), 7) for v in row] for row in table], dtype=object)

    layers, g = [drawn(3, 2), drawn(4, 3), drawn(2, 4)], drawn(2, 2)
    found = velocity_of_product(layers, g)
    assert all(isinstance(v, fmpq) for v in found.ravel())
    # the product along the flow, two steps to either side: exact up to rate^2
    rate, slopes = fmpq(1, 10**9), layer_gradients(layers, g)
    ahead, behind = (
        end_to_end([w - s * d for w, d in zip(layers, slopes, strict=True)])
        for s in (rate, -rate)
    )
    assert max(abs((ahead - behind) / (2 * rate) - found).ravel()) < fmpq(1, 10**12)


def test_balanced_layers_move_by_the_end_to_end_rule():
    w, g = np.array([[2.0, 1.0], [0.5, -1.0]]), np.array([[1.0, 0.0], [3.0, -2.0]])
    for depth in (1, 2, 4):
        layers = balanced_layers(w, depth)
        exact = velocity_of_product(layers, g)
        assert np.allclose(exact, end_to_end_velocity(w, g, depth))
