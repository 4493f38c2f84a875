"""Functions of inner products by folded squares: examined, sampled, folded by hand."""

from math import pi, prod

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import Examination, examine
from depthsep.claims import Upper
from depthsep.constructions import InnerByFolds
from depthsep.constructions.symmetric._half_waves import half_waves
from depthsep.constructions.symmetric._shared_sum import shared_sum, shared_widths
from depthsep.evidence import Rigour
from depthsep.laws import Segment, SpherePair
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.targets import ExactForm, InnerProduct
from support.slow import in_turn

CASES = [
    ("sin(9*t)", 3, "1/10"),
    ("abs(t)", 4, "1/10"),
    ("exp(t)*cos(5*t)", 2, "1/20"),
    ("sin(pi*d**3*t)", 2, "1/10"),
    ("sqrt(3/2+t)", 5, "1/100"),
    ("cos(30*t)/2-1", 2, "1/10"),
]


@pytest.mark.parametrize(
    ("formula", "dim", "accuracy", "depth"), in_turn(CASES, [4, 6, 5, 8])
)
def test_what_is_built_is_within_the_accuracy(formula, dim, accuracy, depth) -> None:
    problem = Problem(InnerProduct(formula, dim), accuracy=accuracy)
    claim = InnerByFolds().prove(problem, depth)
    assert isinstance(claim, Upper)
    network = claim.network
    assert tuple(network.widths) == claim.widths
    assert network.depth == depth
    found = examine(network, problem)
    assert isinstance(found, Examination)
    assert found.error.is_at_most(problem.accuracy)
    x = SpherePair(dim).sample(20_000, seed=1)
    off = np.abs(network.floats(x)[:, 0] - problem.target.floats(x)).max()
    assert off <= float(found.error.upper.p) / float(found.error.upper.q) + 1e-9


def test_a_changed_weight_shows() -> None:
    problem = Problem(InnerProduct("sin(9*t)", 3), accuracy="1/10")
    network = InnerByFolds().prove(problem, 4).network
    for at in range(len(network.layers)):
        weight = network.layers[at].weight.copy()
        place = tuple(np.argwhere(weight != 0)[0])
        weight[place] = weight[place] * 2
        changed = Affine(weight, network.layers[at].bias)
        layers = [*network.layers[:at], changed, *network.layers[at + 1 :]]
        found = examine(Network(layers), problem)
        if isinstance(found, Examination):
            assert not found.error.is_at_most(problem.accuracy)


@pytest.mark.slow
def test_the_wave_of_daniely_in_ten_dimensions() -> None:
    problem = Problem(InnerProduct("sin(pi*d**3*t)", 10), norm="l2", accuracy="1/10")
    claim = InnerByFolds().prove(problem, 7)
    assert isinstance(claim, Upper)
    assert claim.width <= 70
    assert claim.rigour is Rigour.ENCLOSED
    assert claim.most_weights == 0


@pytest.mark.parametrize("bases", [(3,), (4, 2), (5, 3, 2), (2, 2, 1)])
def test_one_sum_is_shared(bases) -> None:
    """Against the sum of one quadratic for each row, in exact rationals."""
    form, on = ExactForm(fmpq(1, 2), fmpq(1, 3), fmpq(-1, 4)), Segment(-2, 2)
    rows = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]])
    found = shared_sum(form, on, bases, rows)
    identity = Network([Affine([[1.0]], [0.0])])
    network = found.followed_by(identity)
    assert tuple(network.widths) == shared_widths(bases, 3)
    pieces = prod(bases)
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = [fmpq(int(v), 64) for v in rng.integers(-64, 65, 4)]
        reads = [x[0] + x[2], x[1] + x[3], x[0]]
        truth = sum(((z / 2 + fmpq(1, 3)) * z - fmpq(1, 4) for z in reads), fmpq(0))
        assert abs(network(x)[0] - truth) <= fmpq(3, pieces**2)


@pytest.mark.parametrize(("formula", "layers"), [("sin(90*t)", 3), ("cos(200*t)", 2)])
def test_half_waves_folded_by_hand(formula: str, layers: int) -> None:
    target = InnerProduct(formula, 3)
    wave, reach = target.wave, fmpq(17, 16)
    assert wave is not None
    found = half_waves(target, wave, reach, fmpq(1, 20), layers)
    assert found is not None
    a = float(wave.argument(64).mid())
    first = pi / a / 2 if wave.shape == "sin" else 0.0
    on = found.problem.interval
    kept = round((float(on.stop.p) / float(on.stop.q) - first) * a / pi)
    t = np.linspace(-17 / 16, 17 / 16, 100_001)
    u = (t - first) * a / pi / kept
    folded = first + kept * pi / a * np.abs(u - 2 * np.round(u / 2))
    inside = found.inside.network.floats(folded[:, None])[:, 0]
    assert np.abs(inside - target.profile.floats(t)).max() <= 0.05 + 1e-6
    blocks = np.floor(u.max()) - np.floor(u.min()) + 1
    assert prod(found.folds) >= blocks


@pytest.mark.parametrize(
    ("formula", "dim", "accuracy", "widths"),
    [
        ("t", 10, "1/100", [320, 61, 41, 31]),
        ("2-t/3", 3, "1/1000", [96, 19, 13, 10]),
        ("t**2", 10, "1/100", [None, 480, 71, 41]),
    ],
)
def test_affine_and_quadratic_profiles(formula, dim, accuracy, widths) -> None:
    problem = Problem(InnerProduct(formula, dim), accuracy=accuracy)
    for depth, width in enumerate(widths, start=2):
        if width is not None:
            found = best_upper(problem, depth, (InnerByFolds(),))
            assert isinstance(found, Upper)
            assert found.checked
            assert found.width <= width


def test_a_profile_that_ends_at_1_is_not_served() -> None:
    problem = Problem(InnerProduct("sqrt(1+t)", 3), accuracy="1/10")
    assert not isinstance(InnerByFolds().prove(problem, 4), Upper)
