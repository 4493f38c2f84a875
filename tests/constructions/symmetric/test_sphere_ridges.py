"""One hidden layer on spheres: rules, plans, networks, their examiner."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import Problem, separate
from depthsep.analysis import examine
from depthsep.claims import Upper
from depthsep.constructions.symmetric._inner_by_ridges import (
    InnerByRidges,
    _bends,
    _wave_bend,
    _wave_degree,
    ridge_plan,
)
from depthsep.constructions.symmetric._sphere_rule import direction_count, sphere_rule
from depthsep.networks import Affine, Network
from depthsep.targets import InnerProduct


@pytest.mark.parametrize(("dim", "degree"), [(2, 1), (2, 6), (3, 4), (4, 3), (5, 2)])
def test_rules_average_even_polynomials_exactly(dim, degree):
    v, w = sphere_rule(dim, degree)
    assert len(w) == direction_count(dim, degree) and w.min() > 0
    assert abs(w.sum() - 1) < 1e-14 and np.allclose(np.linalg.norm(v, axis=1), 1)
    z = np.random.default_rng(0).standard_normal((20, dim))
    moment = 1.0
    for k in range(degree + 1):
        average = (z @ v.T) ** (2 * k) @ w
        assert np.allclose(average, moment * (z**2).sum(axis=1) ** k, rtol=1e-11)
        moment *= (2 * k + 1) / (dim + 2 * k)
    k = degree + 1
    off = (z @ v.T) ** (2 * k) @ w - moment * (z**2).sum(axis=1) ** k
    assert np.abs(off).max() > 1e-6  # and no further


@pytest.mark.parametrize(
    ("formula", "dim", "accuracy"),
    [
        ("sin(3*t)", 2, "1/10"),
        ("exp(t)", 3, "1/20"),
        ("cos(pi*t)", 3, "1/4"),
        ("2 - t**2", 4, "1/10"),
        ("t", 5, "1/10"),
    ],
)
@pytest.mark.parametrize("norm", ["l2", "linf"])
def test_networks_are_certified(formula, dim, accuracy, norm):
    problem = Problem(InnerProduct(formula, dim), norm=norm, accuracy=accuracy)
    claim = InnerByRidges().prove(problem, 2)
    assert isinstance(claim, Upper)
    network = claim.network
    assert network.widths == claim.widths
    found = examine(network, problem)
    assert found.error.upper <= problem.accuracy
    x = problem.law.sample(2000, 1)
    x[:200, dim:] = x[:200, :dim]
    x[200:400, dim:] = -x[200:400, :dim]
    off = np.abs(network.floats(x)[:, 0] - problem.target.floats(x))
    assert off.max() <= float(found.error.upper.p) / float(found.error.upper.q) + 1e-9


@pytest.mark.parametrize("place", ["row", "read-out", "bias", "constant"])
def test_altered_networks_are_refused(place):
    problem = Problem(InnerProduct("sin(3*t)", 2), norm="linf", accuracy="1/10")
    first, last = InnerByRidges().prove(problem, 2).network.layers
    rows, bias, read = first.weight.copy(), first.bias.copy(), last.weight.copy()
    constant = last.bias.copy()
    if place == "row":
        rows[5, 0] += 0.5
    elif place == "read-out":
        read[0, 7] += 0.5
    elif place == "bias":
        bias[100] += 0.5
    else:
        constant[0] += 0.5
    found = examine(Network([Affine(rows, bias), Affine(read, constant)]), problem)
    assert not hasattr(found, "error") or found.error.upper > problem.accuracy


@pytest.mark.parametrize(("formula", "dim"), [("sin(9*t)", 3), ("cos(4*t)", 5)])
def test_bounds_of_bends_hold(formula, dim):
    """The formula for odd d bounds P'' of a series of high degree."""
    target = InnerProduct(formula, dim)
    accuracy = fmpq(1, 10**6)
    plan = ridge_plan(target, accuracy, fmpq(1, 10))
    with ctx.workprec(256):
        degree = _wave_degree(target.wave, dim, accuracy)
        bound = _wave_bend(target.wave, dim, degree)
    if plan.ridge is not None:
        assert float(arb(max(_bends(plan.ridge)))) < 2 * float(arb(bound))


def test_the_row_of_depth_2_has_two_sides():
    problem = Problem(InnerProduct("sin(pi*d**3*t)", 20), norm="l2", accuracy="1/10")
    row = separate(problem, depths=[2])[2]
    assert row.lower.width < row.upper.width < 2 * row.lower.width * 10**50
    assert not row.upper.checked


def test_small_rows_are_built_and_checked():
    problem = Problem(InnerProduct("sin(3*t)", 3), norm="l2", accuracy="1/10")
    row = separate(problem, depths=[2])[2]
    assert row.upper.checked and row.lower.width <= row.upper.width <= 2448
