"""Means region by region, against samples, closed forms and the means over cells."""

from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep.analysis.box.by_region._region_mean import (
    _root_mean_square,
    region_mean,
)
from depthsep.analysis.box.by_region._simplices import values_at
from depthsep.analysis.box.followed._mean_error import mean_error
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.networks import Network
from depthsep.targets import target_from_text
from support.nets import balanced_network
from support.slow import in_turn

BOX = Box.cube(Segment(-1, 1), 2)
ZERO = Network.from_arrays([[0.0, 0.0]], [0.0], [[1.0]], [0.0])


def mean_of(network, formula, box, norm, relative=1e-2, **options):
    target = target_from_text(f"expr:{formula}", box.in_dim).as_formula()
    return region_mean(
        network, target, box, norm=norm, relative=relative, seconds=60, **options
    )


@pytest.mark.parametrize(
    ("formula", "norm", "exact"),
    [
        ("x1*x2", "l1", 1 / 4),
        ("x1*x2", "l2", 1 / 3),
        ("exp(x1)", "l1", np.sinh(1)),
        ("sqrt(x1**2+x2**2)", "l2", np.sqrt(2 / 3)),
        ("abs(x1)+x2", "l2", np.sqrt(2 / 3)),
    ],
)
def test_means_of_functions_themselves(formula, norm, exact):
    found = mean_of(ZERO, formula, BOX, norm)
    low, high = nearest_float(found.lower), nearest_float(found.upper)
    assert low <= exact * (1 + 1e-12) and exact <= high * (1 + 1e-12)
    assert high <= 1.011 * low


@pytest.mark.parametrize("corners", [2, 3, 4])
def test_mean_squares_of_quadratics_are_those_of_their_monomials(corners):
    rng = np.random.default_rng(corners)
    pairs = list(combinations_with_replacement(range(corners), 2))
    q = {pair: fmpq(int(rng.integers(-9, 10)), 7) for pair in pairs}
    terms = [(pair, x if pair[0] == pair[1] else 2 * x) for pair, x in q.items()]
    n = corners - 1
    mean = fmpq(0)
    for (a, x), (b, y) in product(terms, terms):
        powers = [(*a, *b).count(i) for i in range(corners)]
        mean += x * y * prod(map(factorial, powers)) * factorial(n) / factorial(n + 4)
    found = _root_mean_square({pair: arb(x) for pair, x in q.items()}, corners)
    assert found.overlaps(arb(mean).sqrt()) and found.rad() < arb("1e-13")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "norm", "seed"),
    in_turn(product(("exp(-x1**2-x2**2)", "sin(3*x1)*x2"), ("l1", "l2")), (0, 1, 2)),
)
def test_the_bar_holds_what_samples_show(formula, norm, seed):
    network = balanced_network(seed, 2, 4, 3, 1)
    found = mean_of(network, formula, BOX, norm)
    target = target_from_text(f"expr:{formula}")
    g = (np.arange(401) + 0.5) / 200.5 - 1
    x = np.stack(np.meshgrid(g, g), -1).reshape(-1, 2)
    off = np.abs(network.floats(x)[:, 0] - target.floats(x))
    seen = off.mean() if norm == "l1" else np.sqrt((off**2).mean())
    low, high = nearest_float(found.lower), nearest_float(found.upper)
    assert low <= seen * (1 + 1e-4) and seen <= high * (1 + 1e-4)
    assert high <= 1.02 * low
    limit = found.upper * fmpq(11, 10)
    cells = mean_error(network, target, BOX, norm=norm, limit=limit, seconds=20)
    assert cells.lower <= found.upper and found.lower <= cells.upper


def test_three_inputs_on_a_box_of_unequal_sides():
    box = Box([Segment(0, 1), Segment(-1, 2), Segment(0, "1/2")])
    network = balanced_network(1, 3, 3, 1)
    found = mean_of(network, "x1*x2*x3", box, "l2", 3e-2)
    target = target_from_text("expr:x1*x2*x3", 3)
    x = np.random.default_rng(0).uniform(size=(400_000, 3)) * [1, 3, 0.5] - [0, 1, 0]
    off = network.floats(x)[:, 0] - target.floats(x)
    seen = np.sqrt((off**2).mean())
    assert nearest_float(found.lower) < 1.01 * seen < 1.02 * nearest_float(found.upper)


def test_it_stops_when_the_limit_is_decided():
    for limit in (fmpq(2, 5), fmpq(1, 10)):
        found = mean_of(ZERO, "x1*x2", BOX, "l2", 1e-9, enough=limit)
        assert found.is_at_most(limit) or found.is_above(limit)
        assert found.upper > found.lower  # not at the relative width


def test_many_points_at_once_have_the_values_of_single_ones():
    network = balanced_network(4, 2, 7, 6, 1)
    points = [(fmpq(1, 3), fmpq(-2, 7)), (fmpq(0), fmpq(1)), (fmpq(5, 9), fmpq(1, 2))]
    balls = values_at(network, [tuple(arb(x) for x in point) for point in points])
    for point, ball in zip(points, balls, strict=True):
        assert ball.contains(arb(network(point)[0])) or abs(
            ball - network(point)[0]
        ) < arb("1e-14")
        assert ball.rad() < arb("1e-14")
