"""Theorem N: layers of one or two units without skip connections."""

from itertools import pairwise, product
from math import prod

import numpy as np
import pytest

from depthsep.analysis import (
    least_width,
    least_width_without_skips,
    most_pieces,
    most_pieces_without_skips,
    on_interval,
)
from depthsep.claims import Lower, SearchPlan, Upper
from depthsep.constructions import LineSearch
from depthsep.laws import Segment
from depthsep.lower_bounds.line._best_pieces import BestPieces
from depthsep.lower_bounds.line._narrow_layers import NarrowLayers
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper
from support.slow import mostly_slow

TARGETS = ("expr:exp(x)", "expr:sin(8*x)", "expr:x**3", "expr:sqrt(x)")
CASES = [
    (t, a, d) for a in ("1e-1", "1e-2", "1e-3") for t in TARGETS for d in (3, 4, 5)
]
SEARCHED = [c for c in CASES[::2] if c[1] != "1e-3" or c[0] == "expr:exp(x)"]


def random_network(widths, rng) -> Network:
    """Small integers and halves, so that coincidences happen too; exact."""
    sizes = [1, *widths, 1]
    return Network(
        [
            Affine(rng.integers(-4, 5, (m, n)) / 2, rng.integers(-6, 7, m) / 2)
            for n, m in pairwise(sizes)
        ]
    )


@pytest.mark.parametrize(
    ("widths", "pieces"),
    [
        ((1,), 2),
        ((2,), 3),
        ((1, 1), 3),
        ((1,) * 5, 3),
        ((2, 1), 5),
        ((2, 1, 1), 8),
        ((1, 3), 5),
        ((2, 2), 7),
        ((2, 3), 9),
        ((2, 2, 2), 19),
        ((2, 2, 2, 2), 47),
        ((3, 4, 5), 120),
        ((1, 1, 1, 4), 7),
    ],
)
def test_counts_by_hand(widths: tuple, pieces: int) -> None:
    assert most_pieces_without_skips(widths) == pieces


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_no_more_than_theorem_a_and_growing_in_every_width(layers: int) -> None:
    for widths in product(range(5), repeat=layers):
        found = most_pieces_without_skips(widths)
        assert 1 <= found <= most_pieces(widths) == prod(m + 1 for m in widths)
        if 0 not in widths:
            for i in range(layers):
                wider = (*widths[:i], widths[i] + 1, *widths[i + 1 :])
                assert most_pieces_without_skips(wider) >= found


@pytest.mark.parametrize(
    "widths",
    [
        (1, 1),
        (2, 1),
        (1, 3),
        (2, 2),
        (2, 3),
        (1, 1, 1),
        (2, 2, 2),
        (2, 1, 2),
        (1, 2, 3),
    ],
)
def test_no_random_network_has_more(widths: tuple) -> None:
    rng = np.random.default_rng(len(widths) * 100 + sum(widths))
    most = most_pieces_without_skips(widths)
    found = [
        len(on_interval(random_network(widths, rng), -50, 50).simplified().knots) - 1
        for _ in range(100)
    ]
    assert max(found) <= most


@pytest.mark.parametrize(("widths", "most"), [((2, 2), 7), ((2, 3), 9), ((2, 1), 5)])
def test_counts_of_two_layers_are_reached(widths: tuple, most: int) -> None:
    """Counted in float64 on many points; the examples are found by chance."""
    rng = np.random.default_rng(1)
    best, many = 0, 100
    x = np.broadcast_to(np.linspace(-60, 60, 3001)[:, None], (many, 3001, 1))
    for _ in range(8000 // many):
        h = x
        for n, m in zip((1, *widths), widths, strict=False):
            bias = rng.normal(size=(many, 1, m)) * 3
            h = np.maximum(h @ rng.normal(size=(many, n, m)) + bias, 0)
        slopes = np.diff((h @ rng.normal(size=(many, widths[-1], 1)))[..., 0])
        bends = np.abs(np.diff(slopes)) > 1e-9
        # a kink between two points bends at both of them
        kinks = np.count_nonzero(bends[:, 1:] & ~bends[:, :-1], axis=1) + bends[:, 0]
        best = max(best, 1 + int(kinks.max()))
        if best == most:
            break
    assert best == most


@pytest.mark.parametrize("layers", [1, 2, 3, 5, 8])
def test_widths_are_the_least(layers: int) -> None:
    for pieces in (1, 2, 3, 4, 8, 20, 48, 124, 1000):
        width = least_width_without_skips(pieces, layers)
        assert width >= least_width(pieces, layers)
        assert most_pieces_without_skips((width,) * layers) >= pieces
        if width:
            assert most_pieces_without_skips((width - 1,) * layers) < pieces


@pytest.mark.parametrize(
    ("target", "on", "accuracy", "depth", "width"),
    [
        ("expr:exp(-x**2)", (-3, 3), "1e-4", 6, 3),
        ("expr:sin(20*x)", (0, 1), "1e-3", 6, 3),
        ("expr:sqrt(x)", (0, 1), "1e-4", 5, 3),
    ],
)
def test_it_sharpens_the_table(target, on, accuracy, depth, width) -> None:
    problem = Problem(target, Segment(*on), accuracy=accuracy)
    found = best_lower(problem, depth)
    assert isinstance(found, Lower) and found.width >= width
    counted = BestPieces().prove(problem, depth)
    refined = NarrowLayers().prove(problem, depth)
    assert counted.width <= refined.width and counted.units <= refined.units


@pytest.mark.parametrize(
    ("target", "accuracy", "depth"), mostly_slow(CASES[:28:14], SEARCHED)
)
def test_no_search_falls_below_it(target: str, accuracy: str, depth: int) -> None:
    """From one unit less than is proved, with all time it takes: nothing is found."""
    problem = Problem(target, accuracy=accuracy)
    proved = NarrowLayers().prove(problem, depth).width
    assert best_upper(problem, depth).width >= proved
    if proved > 1:
        search = LineSearch(SearchPlan(rounds=1), narrowest=proved - 1)
        found = search.prove(problem, depth)
        assert not isinstance(found, Upper) or found.width >= proved
