"""Theorem S, attacked: concave stretches, kinks of random networks, small cases."""

import itertools
import math

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from depthsep import Problem, Segment
from depthsep.approximation import convex_runs
from depthsep.claims import Lower
from depthsep.lower_bounds.line._signed_kinks import SignedKinks
from depthsep.lower_bounds.line._signed_needs import (
    PiecesOfRuns,
    allows,
    signed_units,
    signed_width,
)
from support.slow import mostly_slow

SINES = [("1e-3", {3: 12, 4: 5}), ("1e-4", {3: 25, 4: 8})]

CASES = range(200)


def convex_samples(rng: np.random.Generator, count: int) -> np.ndarray:
    """Values on a grid with random second differences, many of them 0."""
    bends = rng.exponential(size=count - 2) * (rng.random(count - 2) < rng.random())
    slopes = np.cumsum(np.concatenate([rng.normal(size=1) * 3, bends]))
    return np.concatenate([[0.0], np.cumsum(slopes)]) + rng.normal()


@pytest.mark.parametrize("seed", CASES)
def test_a_line_is_as_near_to_a_convex_function_as_any_concave_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.arange(12.0)
    f, g = convex_samples(rng, 12), -convex_samples(rng, 12)
    if seed % 2:
        g += f.mean() - g.mean()  # both cases of crossing are common
    allowed = np.abs(f - g)
    rows = np.stack([np.ones(12), x], axis=1)
    answer = linprog(
        np.zeros(2),
        A_ub=np.vstack([rows, -rows]),
        b_ub=np.concatenate([f + allowed, allowed - f]) + 1e-9,
        bounds=[(None, None)] * 2,
    )
    assert answer.status == 0


def signed_kinks(g: np.ndarray) -> list[int]:
    """Signs of the bends of a sampled function, one for each kink."""
    slopes = np.diff(g)
    signs = np.sign(np.where(np.abs(np.diff(slopes)) > 1e-9, np.diff(slopes), 0.0))
    return [int(s) for s in signs if s]


def random_network(rng: np.random.Generator, widths: list[int]) -> np.ndarray:
    """Samples of a network with skip connections whose kinks lie on a fine grid.

    Every unit's kinks are moved to the inside: its bias is minus its median.
    """
    x = np.linspace(-1, 1, 20001)
    seen = [x]
    for width in widths:
        read = [
            sum(rng.normal() * s for s in (seen if rng.random() < 0.5 else [seen[-1]]))
            for _ in range(width)
        ]
        units = [np.maximum(r - np.quantile(r, rng.random()), 0) for r in read]
        seen += units
    return sum(rng.normal() * unit for unit in seen)


@pytest.mark.parametrize("seed", CASES)
def test_no_random_network_bends_more_than_its_widths_allow(seed: int) -> None:
    """With f = g and E = 0, runs of kinks of one sign are runs of convexity."""
    rng = np.random.default_rng(seed)
    widths = [int(m) for m in rng.integers(1, 5, size=rng.integers(2, 4))]
    # a kink inside a grid cell shows as two bends of one sign: count a pair once
    g = random_network(rng, widths)
    bends = np.diff(g, 2)
    bends[np.abs(bends) < 1e-9] = 0
    starts = np.flatnonzero((bends != 0) & (np.append(0, bends[:-1]) * bends <= 0))
    signs = [int(np.sign(bends[i])) for i in starts]
    needs = [(s, len(list(run)) + 1) for s, run in itertools.groupby(signs)]
    assert allows(
        PiecesOfRuns(tuple(needs)), widths[-1], math.prod(m + 1 for m in widths[:-1])
    )


def brute_force(needs: list[tuple[int, int]], last: int, cells: int) -> bool:
    """All ways to share the cuts among the runs, and all signs of the units."""
    return any(
        sum(cuts) < cells
        and all(
            n <= (c + 1) * ((up if s > 0 else last - up) + 1)
            for c, (s, n) in zip(cuts, needs, strict=True)
        )
        for up in range(last + 1)
        for cuts in itertools.product(range(cells), repeat=len(needs))
    )


@pytest.mark.parametrize("seed", CASES)
def test_the_count_is_that_of_all_ways_to_share_the_cuts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    needs = [(int(rng.choice([-1, 1])), int(rng.integers(1, 12))) for _ in range(3)]
    last, cells = int(rng.integers(0, 5)), int(rng.integers(1, 8))
    assert allows(PiecesOfRuns(tuple(needs)), last, cells) == brute_force(
        needs, last, cells
    )


@pytest.mark.parametrize("seed", range(40))
def test_units_are_the_fewest_over_all_widths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    needs = [(int(rng.choice([-1, 1])), int(rng.integers(1, 9))) for _ in range(3)]
    layers = int(rng.integers(2, 4))
    possible = [
        sum(widths)
        for widths in itertools.product(range(8), repeat=layers)
        if allows(
            PiecesOfRuns(tuple(needs)),
            widths[-1],
            math.prod(m + 1 for m in widths[:-1]),
        )
    ]
    assert signed_units(PiecesOfRuns(tuple(needs)), layers) == min(possible)


@pytest.mark.parametrize(
    ("accuracy", "widths"),
    mostly_slow(SINES[:1], SINES),
)
def test_the_sine_of_twenty_x(accuracy: str, widths: dict[int, int]) -> None:
    problem = Problem("expr:sin(20*x)", accuracy=accuracy)
    for depth, width in widths.items():
        claim = SignedKinks().prove(problem, depth)
        assert isinstance(claim, Lower)
        assert claim.width == width


def test_runs_of_a_sine_end_at_its_zeros() -> None:
    runs = convex_runs(Problem("expr:sin(20*x)").line_target, Segment(0, 1))
    assert [run.sign for run in runs] == [-1, 1, -1, 1, -1, 1, -1]
    for k, run in enumerate(runs[:-1], start=1):
        assert abs(float(run.stop) - k * math.pi / 20) < 1e-6


def test_runs_do_not_join_across_a_kink() -> None:
    """Convex on both sides of 1 with a downward kink, at an end of cells."""
    target = Problem("expr:x**2+x**4-abs(x**2-x**4)").line_target
    runs = convex_runs(target, Segment(fmpq(1, 2), fmpq(3, 2)))
    assert [run.sign for run in runs] == [1, 1]
    assert runs[0].stop < 1 < runs[1].start


def test_one_run_says_nothing_and_the_statement_says_what_two_do() -> None:
    refusal = SignedKinks().prove(Problem("expr:exp(x)", accuracy="1e-3"), 3)
    assert "no inflection" in str(refusal)
    value = SignedKinks.statement.evaluate(
        convex=(20, 20, 20), concave=(20, 20, 20, 7), layers=2
    )
    assert value.value == 12
    needs = ((1, 20), (-1, 20)) * 3 + ((-1, 7),)
    assert signed_width(PiecesOfRuns(needs), 3) == 5
