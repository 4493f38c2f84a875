"""Any ReLU network of two points of a circle or sphere, and errors by samples."""

from itertools import pairwise

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import CertificationError, HypothesisError
from depthsep.analysis import certify, examine, sampled_error
from depthsep.analysis.symmetric.followed._cells import Cells
from depthsep.analysis.symmetric.followed._profile import CELLS, ProfileTable
from depthsep.evidence import Inapplicable, Rigour
from depthsep.exact import rational
from depthsep.laws import SpherePair, law_from_text
from depthsep.networks import Affine, Network, activation_named, leaky_relu
from depthsep.problems import Problem
from depthsep.targets import Expression, InnerProduct, Radial, target_from_text
from support.slow import mostly_slow


def random_network(inputs, width, seed, depth=3, activation="relu"):
    rng = np.random.default_rng(seed)
    sizes = [inputs, *[width] * (depth - 1), 1]
    arrays = []
    for a, b in pairwise(sizes):
        arrays += [rng.normal(size=(b, a)) / a**0.5, rng.normal(size=b) / 3]
    return Network.from_arrays(*arrays, activation=activation_named(activation))


def one_unit(dim):
    """relu(x_1), of two points."""
    row = np.eye(1, 2 * dim)
    return Network.from_arrays(row, np.zeros(1), np.ones((1, 1)), np.zeros(1))


def off_form(network):
    """The same function without what the examiner reads at once."""
    first, last = network.layers[0], network.layers[-1]
    return Network.from_arrays(
        *(first.weight, first.bias, np.eye(1), np.zeros(1), last.weight, last.bias)
    )


def found(network, target, norm, accuracy="1/1000", seconds=20):
    problem = Problem(target, None, norm, accuracy)
    seen = examine(network, problem, seconds=seconds)
    assert seen.error.rigour is Rigour.ENCLOSED
    return seen.error


@pytest.mark.parametrize(
    ("dim", "norm", "value"),
    [
        *((2, "l1", 1 / np.pi), (2, "l2", 0.5), (2, "linf", 1)),
        *((3, "l1", 1 / 4), (3, "l2", 6**-0.5), (3, "linf", 1)),
    ],
)
def test_one_unit_has_its_norm(dim, norm, value):
    accuracy = rational(float(value))  # neither met nor missed: the bounds get close
    error = found(off_form(one_unit(dim)), InnerProduct("0*t", dim), norm, accuracy)
    assert float(error.lower) <= value <= float(error.upper)
    assert float(error.upper) - float(error.lower) <= 0.02 * value


@pytest.mark.parametrize(("dim", "norm", "value"), [(2, "l2", 0.5), (3, "l1", 3 / 8)])
def test_a_target_has_its_norm(dim, norm, value):
    target = {2: "t/sqrt(2)", 3: "3/4*abs(t)"}[dim]
    zero = Network.from_arrays(
        np.ones((1, 2 * dim)), -9 * np.ones(1), np.ones((1, 1)), np.zeros(1)
    )
    error = found(off_form(zero), InnerProduct(target, dim), norm)
    assert float(error.lower) <= value <= float(error.upper)


CIRCLES = [("l1", 2), ("l2", 1), ("linf", 0)]


@pytest.mark.parametrize(("norm", "seed"), mostly_slow(CIRCLES[1:2], CIRCLES))
def test_errors_on_circles_agree_with_a_grid(norm, seed):
    network = random_network(4, 12, seed)
    target = InnerProduct("sin(pi*d*t)", 2)
    t = (np.arange(700) + 0.5) / 700 * 2 * np.pi
    a, b = np.meshgrid(t, t)
    x = np.stack([np.cos(a), np.sin(a), np.cos(b), np.sin(b)], axis=-1).reshape(-1, 4)
    off = np.abs(network.floats(x)[:, 0] - np.sin(2 * np.pi * np.cos(a - b)).ravel())
    value = {"l1": off.mean(), "l2": (off**2).mean() ** 0.5, "linf": off.max()}[norm]
    error = found(network, target, norm, rational(float(1.01 * value)))
    assert float(error.lower) <= value * (1 + 1e-4)
    assert value <= float(error.upper) <= 1.03 * value


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_errors_on_spheres_agree_with_samples(norm):
    network, target = random_network(6, 3, 5), InnerProduct("t**2", 3)
    problem = Problem(target, None, norm)
    sampled = sampled_error(network, problem, samples=200_000)
    error = found(network, target, norm, rational(sampled.value), seconds=2)
    room = 4 * sampled.standard_error
    assert float(error.lower) - room <= sampled.value <= float(error.upper) + room
    assert float(error.upper) <= 1.5 * sampled.value


@pytest.mark.parametrize("dim", [2, 3])
def test_forms_of_cells_contain_the_points_they_stand_for(dim):
    rng = np.random.default_rng(dim)
    k = {2: 2, 3: 4}[dim]
    half = 2.0 ** -rng.integers(1, 9, (400, k))
    centre = (2 * np.floor(rng.random((400, k)) / (2 * half)) + 1) * half
    both, u = Cells(centre, half).forms()
    t = rng.uniform(-1, 1, (400, k))
    x, inner = points(centre + half * t)
    for forms, values in ((both, x), (u, inner[:, None])):
        guess = forms.centre + np.einsum("kbn,bk->bn", forms.slopes, t)
        assert (np.abs(values - guess) <= forms.error + 1e-12).all()
    d = x.shape[1] // 2
    np.testing.assert_allclose((x[:, :d] * x[:, d:]).sum(1), inner, atol=1e-12)
    np.testing.assert_allclose((x[:, d:] ** 2).sum(1), 1, atol=1e-12)


def points(p):
    """Pairs of points, written down once more."""
    if p.shape[1] == 2:
        a, b = 2 * np.pi * p[:, 0], 2 * np.pi * (p[:, 0] + p[:, 1])
        pair = [np.cos(a), np.sin(a), np.cos(b), np.sin(b)]
        return np.stack(pair, axis=1), np.cos(2 * np.pi * p[:, 1])
    z, u = 2 * p[:, 0] - 1, 2 * p[:, 2] - 1
    a, b = 2 * np.pi * p[:, 1], 2 * np.pi * p[:, 3]
    r = np.sqrt(1 - z * z)
    x = np.stack([r * np.cos(a), r * np.sin(a), z], axis=1)
    e = np.stack([z * np.cos(a), z * np.sin(a), -r], axis=1)
    other = np.cross(x, e)
    other *= np.sign((other[:, [1]] * np.cos(a)[:, None]) + 1e-300)
    rest = np.sqrt(1 - u * u)
    turned = np.stack([-np.sin(a), np.cos(a), 0 * a], axis=1)
    y = (
        u[:, None] * x
        + (rest * np.cos(b))[:, None] * e
        + (rest * np.sin(b))[:, None] * turned
    )
    return np.concatenate([x, y], axis=1), u


@pytest.mark.parametrize(
    "formula", ["sin(9*x)", "abs(x-1/7)", "acos(x)", "exp(3*x)", "x**2", "sqrt(x+1)"]
)
def test_tables_contain_the_function_on_any_range(formula):
    from depthsep.analysis.box.followed._affine_forms import Forms

    profile = Expression(formula)
    table = ProfileTable.of(profile)
    rng = np.random.default_rng(1)
    half = 2.0 ** -rng.uniform(1, 16, 500)
    centre = rng.uniform(-1 + half, 1 - half)
    t = rng.uniform(-1, 1, 500)
    found = table(Forms(centre[:, None], half[None, :, None], np.zeros((500, 1))))
    guess = found.centre[:, 0] + found.slopes[0, :, 0] * t
    values = profile.floats(centre + half * t)
    assert (np.abs(values - guess) <= found.error[:, 0] + 1e-12).all()
    assert np.isfinite(found.error).all()
    assert found.error[half < 4 / CELLS].max() < 0.05


def test_other_dimensions_are_sampled_only():
    network = random_network(20, 8, 0)
    problem = Problem(InnerProduct("sin(pi*d*t)", 10), None, "l2", "1/10")
    seen = examine(network, problem)
    assert isinstance(seen, Inapplicable) and "R^2 and R^3" in seen.reason
    sampled = sampled_error(network, problem, samples=50_000, seed=4)
    again = sampled_error(network, problem, samples=50_000, seed=5)
    assert sampled.rigour is Rigour.SAMPLED and "+-" in str(sampled)
    room = 5 * (sampled.standard_error**2 + again.standard_error**2) ** 0.5
    assert abs(sampled.value - again.value) <= room


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_standard_errors_are_those_of_repeated_draws(norm):
    problem = Problem(InnerProduct("t", 4), SpherePair(4), norm)
    network = random_network(8, 5, 1)
    draws = [sampled_error(network, problem, samples=2000, seed=s) for s in range(60)]
    values = np.array([d.value for d in draws])
    told = np.mean([d.standard_error for d in draws])
    assert values.std(ddof=1) == pytest.approx(told, rel=0.4)


def test_a_growing_network_has_no_finite_error_under_phi2():
    target, law = Radial("relu", 3), law_from_text("phi2:3")
    growing, flat = (random_network(3, 6, 0, activation=a) for a in ("relu", "tanh"))
    lost = sampled_error(growing, Problem(target, law, "l2"))
    assert lost.value == float("inf") and "no finite mean" in lost.reason
    assert str(lost).startswith("infinite")
    kept = sampled_error(flat, Problem(target, law, "l2"))
    assert 0 < kept.value < 10 and not kept.reason
    # a difference of two units that cancel far away is bounded
    bump = Network.from_arrays(
        np.ones((2, 3)), np.array([0.0, -1]), np.array([[0.1, -0.1]]), np.zeros(1)
    )
    assert np.isfinite(sampled_error(bump, Problem(target, law, "l2")).value)


def test_inputs_have_to_fit():
    with pytest.raises(HypothesisError, match="maps 4 inputs"):
        sampled_error(random_network(4, 3, 0), Problem(target_from_text("square")))
    with pytest.raises(HypothesisError, match="samples"):
        problem = Problem(InnerProduct("t", 2))
        sampled_error(random_network(4, 3, 0), problem, samples=1)


def test_balls_agree_with_a_point_of_the_enclosure():
    network, target = random_network(6, 5, 2), InnerProduct("cos(2*t)", 3)
    error = found(network, target, "linf", "1/100", seconds=4)
    x = SpherePair(3).sample(1, 9)[0]
    there = network.balls([arb(v) for v in x])[0]
    u = arb(float(x[:3] @ x[3:]))
    assert abs(there - (2 * u).cos()) < fmpq(error.upper) + fmpq(1, 10**9)


def chain(*layers):
    return Network([Affine(w, b) for w, b in layers])


SIZE_OF_X = ([[1.0, 0, 0, 0], [-1, 0, 0, 0]], [0.0, 0])


def test_squares_of_tiny_errors_do_not_vanish():
    a = 1e-100
    tiny = chain(SIZE_OF_X, ([[a, 0], [0, a]], [0.0, 0]), ([[a, a]], [0.0]))
    problem = Problem(InnerProduct("0*t", 2), None, "l2", "1e-250")
    with pytest.raises(CertificationError):
        certify(tiny, problem, seconds=1)


@pytest.mark.parametrize(
    ("network", "target"),
    [
        (
            chain(([[1.0, 2, 3, 4]], [0.1]), ([[1.0]], [0.0]), ([[1.0]], [0.0])),
            "exp(400*t)",
        ),
        (
            chain(
                SIZE_OF_X,
                ([[1e90, 0], [0, 1e90]], [0.0, 0]),
                ([[1e90, 1e90]], [0.0]),
            ),
            "0*t",
        ),
    ],
)
def test_no_bound_is_made_up_where_numbers_are_huge(network, target):
    problem = Problem(InnerProduct(target, 2), None, "l2", 10**101)
    seen = examine(network, problem, seconds=2)
    assert isinstance(seen, Inapplicable) or not seen.error.is_at_most(fmpq(10) ** 101)


@pytest.mark.parametrize("accuracy", ["1e-400", "1e400", "1e-320"])
def test_accuracies_beyond_float64_are_taken(accuracy):
    network, target = random_network(4, 4, 0), InnerProduct("t", 2)
    assert found(network, target, "l2", accuracy, seconds=0.2).upper > 0


def test_cells_stay_exact():
    cells = Cells.whole(3)
    for _ in range(60):
        row = cells.chosen(np.array([len(cells.half) - 1]))
        if row.half[0, 0] < 2.0**-48:
            break
        cells = row.halved(np.zeros(1, dtype=int))
        ends = [fmpq(*float(v).as_integer_ratio()) for v in cells.centre[:, 0]]
        half = fmpq(*float(cells.half[0, 0]).as_integer_ratio())
        assert ends[1] - ends[0] == 2 * half and ends[1] + half == 1


@pytest.mark.parametrize("seconds", [-1, float("nan")])
def test_seconds_are_a_number_from_0(seconds):
    problem = Problem(InnerProduct("t", 2), None, "l2")
    with pytest.raises(HypothesisError, match="seconds"):
        examine(random_network(4, 4, 0), problem, seconds=seconds)


def test_growth_is_looked_for_exactly():
    law = law_from_text("phi2:2")
    problem = Problem(Radial("ball", 2), law, "l1")
    w = fmpq(10**41, 3)
    step = chain(
        (np.array([[w, 0], [w, 0]], dtype=object), np.array([fmpq(1), fmpq(0)])),
        ([[1.0, -1]], [0.0]),
    )
    kept = sampled_error(step, problem, samples=2000)
    assert np.isfinite(kept.value) and "found to be bounded" in kept.reason
    slow = chain(([[1e-25, 0]], [0.0]), ([[1e-25]], [0.0]))
    assert sampled_error(slow, problem, samples=2000).value == float("inf")


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
def test_values_beyond_float64_are_said_to_be(norm):
    problem = Problem(InnerProduct("t", 2), None, norm)
    large = chain(([[0.0] * 4], [1e160]), ([[1.0]], [0.0]))
    seen = sampled_error(large, problem, samples=100)
    assert seen.value == pytest.approx(1e160) and not seen.reason
    beyond = chain(([[1e200] * 4], [0.0]), ([[1e200]], [0.0]), ([[1.0]], [0.0]))
    seen = sampled_error(beyond, problem, samples=100)
    assert (
        seen.value == float("inf")
        and seen.reason == "some values are too large for float64"
    )


def test_a_kink_on_a_point_of_the_table_costs_nothing_elsewhere():
    table = ProfileTable.of(Expression("abs(x-4097/8192)"))
    assert table.doubt.max() < 1e-12


def test_leaky_units_are_followed():
    leaky = leaky_relu("1/4")
    rows = np.eye(1, 4)
    network = Network.from_arrays(
        *(rows, np.zeros(1), np.eye(1), np.zeros(1), np.ones((1, 1)), np.zeros(1)),
        activation=leaky,
    )
    # 1/16 of |x_1| on one side, all of it on the other: E x_1^2 = 1/2
    value = ((1 + 1 / 256) / 4) ** 0.5
    error = found(network, InnerProduct("0*t", 2), "l2", rational(value))
    assert float(error.lower) <= value <= float(error.upper) <= 1.02 * value
