"""Searches on boxes: samples, starts, and networks that the examiner confirms."""

import numpy as np
import pytest

from depthsep.analysis.box._box_error import box_error
from depthsep.analysis.box._ridge_error import against_formula
from depthsep.analysis.box._ridges import ridge_sum
from depthsep.claims import SearchPlan, Upper
from depthsep.constructions import BoxSearch
from depthsep.constructions.box._glued_taylor import TaylorOnGrid
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.constructions.box.search._samples import BoxSampled
from depthsep.constructions.box.search._starts import (
    at_random,
    fewer_units,
    starts,
    sum_of_ridges,
)
from depthsep.constructions.search._units import Units
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper, separate
from support.slow import mostly_slow

BUMP = Problem("expr:exp(-x1**2-x2**2)", accuracy="5e-2")


def test_the_largest_error_is_among_the_peaks() -> None:
    sampled = BoxSampled.of(lambda x: np.sin(4 * x[:, 0]) * x[:, 1], 2)
    weights = at_random(sampled, 2, 5, np.random.default_rng(0))
    places, r = sampled.peaks(weights)
    assert np.abs(r).max() == pytest.approx(sampled.error(weights), rel=1e-12)
    assert np.allclose(weights(places) - sampled.f(places), r)
    thin = sampled.thinned(3)
    assert len(thin.grid) < len(sampled.grid) / 9
    assert thin.error(weights) == sampled.error(weights)


@pytest.mark.parametrize("dim", [2, 3, 4])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_starts_fit_the_width(dim: int, layers: int) -> None:
    rng = np.random.default_rng(1)
    sampled = BoxSampled.of(lambda x: np.exp(-np.sum(x**2, axis=1)), dim)
    known = at_random(sampled, layers, 9, rng)
    found = list(starts(sampled, known, layers, 4, rng))
    assert len(found) > 5
    for weights in found:
        assert weights.widths == (4,) * layers
        assert np.isfinite(weights.vector).all()


def test_units_that_say_nothing_new_are_left_out() -> None:
    rng = np.random.default_rng(2)
    sampled = BoxSampled.of(lambda x: np.abs(x[:, 0] - x[:, 1]), 2)
    small = at_random(sampled, 2, 3, rng)
    doubled = small.widened(8)  # no new unit is read
    same = BoxSampled.of(small, 2)
    kept = fewer_units(same, doubled, 6)
    assert same.error(kept) < 1e-6


def test_units_of_a_box_and_back() -> None:
    law = Box([Segment("1/10", 3), Segment(-5, "7/2")])
    problem = Problem("expr:x1*x2", law, accuracy="1/8")
    network = Network(
        [Affine([[1, 2], [3, -1]], [0, 1]), Affine([[1, -2]], [1])]
    )  # fmt: skip
    units = Units.of(problem)
    weights, f = units.inside(network), units.target_of(problem)
    t = np.random.default_rng(3).uniform(-1, 1, (50, 2))
    x = np.array([0.1, -5]) + (t + 1) / 2 * np.array([2.9, 8.5])
    assert np.allclose(f(t), 8 * x[:, 0] * x[:, 1])
    assert np.allclose(weights(t) / 8, network.floats(x)[:, 0])
    assert np.allclose(units.outside(weights).floats(x), network.floats(x))


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "width"), mostly_slow([(3, 3)], [(2, 5), (3, 3)]))
def test_it_finds_what_no_construction_reaches(depth: int, width: int) -> None:
    search = BoxSearch(SearchPlan(rounds=0), width)
    known, found = best_upper(BUMP, depth), best_upper(BUMP, depth, (search,))
    assert found.checked and found.width < known.width
    x = np.random.default_rng(4).uniform(0, 1, (20_000, 2))
    off = found.network.floats(x)[:, 0] - np.exp(-np.sum(x**2, axis=1))
    assert np.abs(off).max() <= 0.05


@pytest.mark.slow
def test_it_finds_the_same_again() -> None:
    search = BoxSearch(SearchPlan(rounds=0), 3)
    found = [best_upper(BUMP, 3, (search,)).network for _ in range(2)]
    assert found[0].layers == found[1].layers


@pytest.mark.slow
def test_rows_are_never_wider_nor_below_what_is_proved() -> None:
    plain = separate(BUMP, depths=[3])
    searched = separate(BUMP, depths=[3], search=SearchPlan(rounds=0))
    for before, after in zip(plain, searched, strict=True):
        assert isinstance(after.upper, Upper) and after.upper.checked
        assert after.upper.width <= before.upper.width
        lower = best_lower(BUMP, after.depth)
        assert isinstance(lower, Inapplicable) or lower.width <= after.upper.width


def test_what_it_does_not_serve() -> None:
    problem = Problem("expr:x1*x2*x3*x4*x5", accuracy="1e-2")
    answer = BoxSearch(SearchPlan(rounds=0)).prove(problem, 3)
    assert isinstance(answer, Inapplicable) and "2 to 4" in answer.reason


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_means_are_searched_and_confirmed(norm) -> None:
    problem = Problem("expr:x1/(1+x2)", norm=norm, accuracy="2e-2")
    found = best_upper(problem, 2, (BoxSearch(SearchPlan(rounds=0)),))
    assert isinstance(found, Upper) and found.checked and found.width <= 3
    x = np.random.default_rng(4).uniform(0, 1, (200_000, 2))
    off = np.abs(found.network.floats(x)[:, 0] - problem.target.floats(x))
    seen = off.mean() if norm == "l1" else np.sqrt((off**2).mean())
    assert seen <= 0.02


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_errors_of_samples_are_those_of_a_fine_grid(norm) -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return np.exp(-np.sum(x**2, axis=1))

    sampled = BoxSampled.of(f, 2, norm)
    weights = at_random(sampled, 2, 6, np.random.default_rng(7))
    ends = np.linspace(-1, 1, 1201)
    grid = np.stack(np.meshgrid(ends, ends), axis=-1).reshape(-1, 2)
    off = np.abs(weights(grid) - f(grid))
    power = {"l1": 1, "l2": 2}.get(norm)
    seen = np.mean(off**power) ** (1 / power) if power else off.max()
    assert sampled.error(weights) == pytest.approx(seen, rel=5e-3)


def test_ridges_chosen_one_by_one_beat_random_ones() -> None:
    sampled = BoxSampled.of(lambda x: np.exp(-np.sum(x**2, axis=1)), 2)
    rng = np.random.default_rng(5)
    chosen = sum_of_ridges(sampled, 12, rng)
    assert chosen.widths == (12,)
    errors = [sampled.error(at_random(sampled, 1, 12, rng)) for _ in range(5)]
    assert sampled.error(chosen) < min(errors)


def test_a_network_of_fewer_layers_is_beaten_or_passed_on() -> None:
    shallow = best_upper(BUMP, 2, (BoxSearch(SearchPlan(rounds=0)),))
    assert isinstance(shallow, Upper)
    deeper = shallow.deepened(4)
    assert deeper.widths == (shallow.width, 2, 2) and not deeper.checked
    x = np.random.default_rng(6).uniform(0, 1, (1000, 2))
    assert np.allclose(deeper.network.floats(x), shallow.network.floats(x))
    search = BoxSearch(SearchPlan(rounds=0), 2, others=(), shallower=shallow)
    found = search.prove(BUMP, 3)
    assert not isinstance(found, Upper) or found.width < shallow.width


def test_a_sum_of_ridges_that_is_better_than_its_bound_is_swept() -> None:
    """Few units that no polynomial is near to: only the whole box shows the error."""
    found = BoxSearch(SearchPlan(rounds=0), 3).prove(BUMP, 2)
    assert isinstance(found, Upper) and found.widths == (3,)
    ridges = ridge_sum(found.network, BUMP.law.box)
    bound = against_formula(ridges, BUMP.target.as_formula(), BUMP)
    assert bound > BUMP.accuracy
    error = box_error(found.network, BUMP, 20.0)
    assert isinstance(error, Enclosure)
    assert 0 < error.lower <= error.upper <= BUMP.accuracy
    exact = BUMP.target.floats(points := BUMP.law.sample(50_000, 5))
    sampled = np.abs(found.network.floats(points)[:, 0] - exact).max()
    assert sampled <= nearest_float(error.upper)


@pytest.mark.slow
def test_it_begins_with_nothing_where_the_constructions_it_asks_have_nothing() -> None:
    problem = Problem("expr:abs(x1-x2)+x1*x2", accuracy="1e-1")
    others = (RidgeSums(), TaylorOnGrid())
    assert isinstance(best_upper(problem, 2, others), Inapplicable)
    search = BoxSearch(SearchPlan(rounds=0), 8, others=others)
    found = best_upper(problem, 2, (search,))
    assert isinstance(found, Upper) and found.checked
    assert found.width <= 8
