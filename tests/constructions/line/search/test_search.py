"""A search: what it lowers, what it finds, and that it finds it again."""

import re

import numpy as np
import pytest
from scipy.optimize import linprog

from depthsep import HypothesisError, listening
from depthsep.claims import SearchPlan, Upper
from depthsep.constructions import LineSearch
from depthsep.constructions.line.search._fold_starts import fold_start, zigzags
from depthsep.constructions.line.search._glued_starts import glued_start
from depthsep.constructions.line.search._runs import runs_of
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._starts import starts
from depthsep.constructions.search._chebyshev_step import chebyshev_step
from depthsep.constructions.search._fit import fitted
from depthsep.constructions.search._heats import size
from depthsep.constructions.search._minimax import minimax
from depthsep.constructions.search._pruning import narrowed
from depthsep.constructions.search._units import Units
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_upper, separate

EXP = Problem("expr:exp(x)", accuracy="1e-4")


def scaled(problem: Problem) -> Sampled:
    return Sampled.of(Units.of(problem).target_of(problem), problem.norm)


def start_of(problem: Problem, width: int, bases: tuple, last: tuple):
    sampled = scaled(problem)
    zigzag = zigzags(runs_of(sampled.f), width - 1)[0]
    return sampled, fold_start(sampled, zigzag, bases, last)


def test_runs_of_convexity_and_their_mass() -> None:
    runs = runs_of(lambda x: x**3)
    assert runs.signs == (-1, 1)
    assert np.allclose(runs.ends, [0, 0.5, 1], atol=1e-3)
    # int sqrt|6 x| over [-1, 1]
    assert runs.whole == pytest.approx(4 / 3 * 6**0.5, rel=1e-2)
    assert runs_of(lambda x: x**2).signs == (1,)


@pytest.mark.parametrize("power", [2.0, 6.0, 1.0])
def test_fits_lower_the_power_norm(power: float) -> None:
    sampled, start = start_of(EXP, 4, (3,), (4, 1))

    def norm(weights) -> float:
        r = np.abs(weights(sampled.grid) - sampled.values)
        return float((sampled.shares @ r**power) ** (1 / power))

    assert norm(fitted(sampled, start, power, 10)) < 0.8 * norm(start)


def test_programmes_lower_the_largest_error() -> None:
    sampled, start = start_of(EXP, 4, (3,), (4, 1))
    start = fitted(sampled, start, 2.0, 10)
    better, error = minimax(sampled, start, 15, enough=0.0)
    assert error < 0.9 * sampled.error(start)
    fine = np.linspace(-1, 1, 20001)
    assert np.abs(better(fine) - sampled.f(fine)).max() <= 1.001 * error


@pytest.mark.parametrize("box", [1e-2, 0.3, 5.0])
@pytest.mark.parametrize("seed", range(5))
def test_steps_are_those_of_a_general_solver(seed: int, box: float) -> None:
    rng = np.random.default_rng(seed)
    rows, unknowns = int(rng.integers(5, 60)), int(rng.integers(2, 40))
    a, r = rng.normal(size=(rows, unknowns)), rng.normal(size=rows)
    found = chebyshev_step(a, r, box)
    ones = np.ones((rows, 1))
    best = linprog(
        np.append(np.zeros(unknowns), 1.0),
        A_ub=np.vstack([np.hstack([a, -ones]), np.hstack([-a, -ones])]),
        b_ub=np.concatenate([-r, r]),
        bounds=[(-box, box)] * unknowns + [(0, None)],
    )
    assert found is not None
    step, reached = found
    assert np.abs(step).max() <= box
    assert reached == pytest.approx(np.abs(r + a @ step).max())
    assert best.fun <= reached + 1e-9
    assert reached <= best.fun + 2e-3 * np.abs(r).max()


def test_samples_are_where_a_root_bends() -> None:
    """Cells of equal mass of sqrt(x) end at fourth powers, however small."""
    runs = runs_of(lambda t: np.sqrt((t + 1) / 2))
    assert runs.whole == pytest.approx(2.0, rel=1e-2)
    places = (runs.places(np.linspace(0, 1, 11)) + 1) / 2
    assert np.allclose(places, np.linspace(0, 1, 11) ** 4, rtol=0.15)


def test_zigzags_of_two_layers_are_zigzags() -> None:
    """Without a sum to fit: what layer 3 reads of the units is the zigzag."""
    sampled = scaled(Problem("expr:sin(20*x)", accuracy="1e-2"))
    zigzag = zigzags(runs_of(sampled.f), 23)[0]
    weights = glued_start(sampled, zigzag, 2, (), (4, 4))
    x = np.linspace(-1, 1, 999)
    first_cut = weights.hidden(x)[2][:, 0]  # the zigzag, less the place of the cut
    wanted = np.interp(x, zigzag.knots, zigzag.values)
    shift = first_cut - wanted
    assert np.allclose(shift, shift[0], atol=1e-9)
    fewer = fold_start(sampled, zigzag, (), (4, 4))
    assert max(weights.widths[:2]) < fewer.widths[0]


def test_units_are_pruned_where_that_costs_least() -> None:
    sampled, start = start_of(EXP, 5, (4,), (5, 1))
    wider = start.widened(6)  # new units, not read
    kept = narrowed(sampled, wider, 5)
    assert kept.widths == (5, 5, 5)
    assert size(sampled, kept) == pytest.approx(size(sampled, start), rel=1e-2)


def test_units_of_the_problem_and_back() -> None:
    problem = Problem("expr:log(x)", Segment("1/10", 3), accuracy="1e-3")
    network = best_upper(problem, 3).network
    sampled = scaled(problem)
    units = Units.of(problem)
    weights = units.inside(network)
    assert sampled.error(weights) == pytest.approx(1.0, abs=0.01)
    x = np.linspace(0.1, 3, 99)
    again = units.outside(weights).floats(x[:, None])[:, 0]
    assert np.allclose(again, network.floats(x[:, None])[:, 0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("target", "accuracy", "depth", "width"),
    [("expr:exp(x)", "1e-4", 4, 4), ("expr:x**3", "1e-4", 4, 5)],
)
def test_it_finds_what_no_construction_reaches(
    target: str, accuracy: str, depth: int, width: int
) -> None:
    problem = Problem(target, accuracy=accuracy)
    search = LineSearch(SearchPlan(rounds=0), width)
    known = best_upper(problem, depth, search.others)
    found = [best_upper(problem, depth, (search,)) for _ in range(2)]
    assert found[0].checked and found[0].width <= width < known.width
    assert found[0].network.layers == found[1].network.layers


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_rows_are_never_wider_for_it(norm: str) -> None:
    problem = Problem("expr:tanh(3*x)", Segment(-1, 1), norm=norm, accuracy="1e-2")
    depths = [4 if norm == "l1" else 3]
    plain = separate(problem, depths=depths)
    searched = separate(problem, depths=depths, search=SearchPlan(rounds=1, seed=3))
    for before, after in zip(plain, searched, strict=True):
        assert isinstance(after.upper, Upper) and after.upper.checked
        assert after.upper.width <= before.upper.width


def test_nothing_is_tried_below_the_proven_width() -> None:
    seen: list[str] = []
    plan = SearchPlan(rounds=0)
    with listening(lambda share, line: seen.append(line)):
        answer = LineSearch(plan, narrowest=5).prove(EXP, 3)
    widths = [int(w) for line in seen for w in re.findall(r"width (\d+),", line)]
    assert min(widths) >= 5
    assert isinstance(answer, Upper | Inapplicable)
    refused = LineSearch(plan, narrowest=50).prove(EXP, 3)
    assert isinstance(refused, Inapplicable) and "proved" in refused.reason


def test_targets_with_an_exact_construction_are_left_alone() -> None:
    for target in ("square", "sawtooth:4", "expr:x/3"):
        answer = LineSearch(SearchPlan(rounds=0)).prove(Problem(target), 3)
        assert isinstance(answer, Inapplicable) and answer.off_topic


def test_plans_are_checked() -> None:
    assert SearchPlan(0).is_off and not SearchPlan(0, rounds=1).is_off
    for wrong in ({"seconds": -1}, {"rounds": -1}, {"seed": 2**40}, {"seconds": 1e9}):
        with pytest.raises(HypothesisError):
            SearchPlan(**wrong)


def test_ranking_sizes_are_means() -> None:
    sampled = Sampled.of(lambda x: 3 * x**2, "l2")
    zero = start_of(EXP, 2, (), (2, 1))[1].times(0.0)
    assert size(sampled, zero) == pytest.approx((9 / 5) ** 0.5, rel=1e-2)


@pytest.mark.parametrize("layers", [2, 3, 4])
@pytest.mark.parametrize("target", ["expr:sin(20*x)", "expr:exp(x)"])
def test_starts_have_the_layers_asked_for(target: str, layers: int) -> None:
    sampled = scaled(Problem(target, accuracy="1e-2"))
    found = list(starts(sampled, layers, 8))
    assert found
    assert all(len(w.widths) == layers and max(w.widths) <= 8 for w in found)


@pytest.mark.parametrize(
    ("target", "accuracy"), [("expr:exp(x)", "0.3"), ("expr:x1**2+x2", "0.3")]
)
def test_rows_for_which_no_width_is_proved_are_searched(target, accuracy) -> None:
    problem = Problem(target, accuracy=accuracy)
    row = separate(problem, depths=[3], search=SearchPlan(rounds=3))[3]
    assert isinstance(row.upper, Upper) and row.upper.checked and row.upper.width == 1
