"""Bounds for networks of other units than ReLUs, attacked by fitted networks."""

import os
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from depthsep import DepthsepError, Network, Problem, Segment
from depthsep.analysis import examine, most_crossings
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import PiecewiseAffine, rational_array
from depthsep.laws import Box, RadialLaw
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.lower_bounds.line._thresholds import fewest_constants
from depthsep.networks import Affine
from depthsep.problems import networks_from_text, units_from_text
from depthsep.separation import best_lower
from depthsep.separation._upper import best_lowers
from depthsep.targets import InnerProduct, Radial
from support.slow import in_turn, mostly_slow

KINDS = ["leaky:1/10", "abs", "hardtanh", "relu6", "threshold"]
FORMULAS = ["expr:exp(x)", "expr:sin(5*x)"]
GRID = np.linspace(0, 1, 65)


def piecewise(knots, values):
    return PiecewiseAffine(
        *(rational_array([fmpq(v) for v in x]) for x in (knots, values))
    )


def asked(target, accuracy, name, skips="none", norm="linf"):
    networks = networks_from_text(name, skips)
    return Problem(target, norm=norm, accuracy=accuracy, networks=networks)


@pytest.mark.parametrize(
    "target", mostly_slow(["square", "expr:exp(x)"], ["square", *FORMULAS])
)
@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
@pytest.mark.parametrize("depth", mostly_slow([2], [2, 3]))
def test_units_of_two_pieces_need_as_many_as_relus_with_skips(target, norm, depth):
    relu = best_lower(asked(target, "1e-3", "relu", "any", norm), depth)
    for name in ("leaky:1/10", "abs", "piecewise:2"):
        for skips in ("none", "any"):
            found = best_lower(asked(target, "1e-3", name, skips, norm), depth)
            assert (found.width, found.units) == (relu.width, relu.units)
            assert found.networks.units == units_from_text(name)


@pytest.mark.parametrize(("name", "kinks"), [("hardtanh", 2), ("piecewise:5", 4)])
def test_units_of_more_pieces_count_for_more(name, kinks):
    for depth in (2, 3, 4):
        relu = best_lower(asked("expr:sin(20*x)", "1e-3", "relu", "any"), depth)
        found = best_lower(asked("expr:sin(20*x)", "1e-3", name), depth)
        assert found.width == -(-relu.width // kinks)
        assert found.units == -(-relu.units // kinks)


def test_bounds_of_other_classes_are_left_out():
    """Theorem N is false for leaky ReLUs; thresholds jump; any units do anything."""
    for name in ("leaky:1/10", "hardtanh"):
        found = best_lowers(asked("expr:exp(x)", "1e-4", name), 3)
        assert found.best == found.with_skips and found.best.networks.skips
    assert isinstance(best_lower(asked("square", "1e-4", "any"), 2), Inapplicable)
    sawtooth = asked("sawtooth:5", "1e-2", "threshold", "any")
    assert isinstance(best_lower(sawtooth, 2), Inapplicable)


@pytest.mark.parametrize(
    ("target", "law", "norm"),
    [
        (InnerProduct("sin(pi*d**3*t)", 3), None, "l2"),
        (Radial("cos(20*r)", 10), RadialLaw("ball", 10), "l2"),
        (Radial("triangle:4", 5), None, "l2"),
        ("expr:exp(-x1**2-x2**2)", None, "linf"),
    ],
)
def test_maxout_units_read_many_directions(target, law, norm):
    """Ranks, tubes, directions and first layers count functions of one sum each."""
    for name in ("any", "maxout:4"):
        problem = Problem(
            target, law, norm, "1/10", networks=networks_from_text(name, "none")
        )
        answers = [bound.prove(problem, 2) for bound in LOWER_BOUNDS]
        bounds = [a.of(problem.networks) for a in answers if isinstance(a, Lower)]
        for found in (b for b in bounds if isinstance(b, Lower)):
            assert found.counts_cells or name == "any"


@pytest.mark.parametrize("accuracy", ["1e-2", "1e-3", "1/77"])
def test_pieces_with_jumps_of_the_square(accuracy):
    """A piece of length h leaves h^2 / 8, whether the function jumps or not."""
    error = Problem("square", accuracy=accuracy).accuracy
    pieces = next(n for n in range(1, 10**6) if fmpq(1, 8 * n * n) <= error)
    found = best_lower(asked("square", accuracy, "threshold", "any"), 2)
    assert (found.pieces, found.width) == (pieces, pieces - 1)
    plain = best_lower(asked("square", accuracy, "threshold"), 2)
    constants = int((1 / (2 * error)).ceil())
    assert constants - 2 <= plain.width <= constants - 1


def test_the_fewest_constants_by_hand():
    f = piecewise([0, 1, 2, 3], [0, 10, 0, 1])
    assert fewest_constants(f, fmpq(10)) == 1
    assert fewest_constants(f, fmpq(5)) == 3
    assert fewest_constants(f, fmpq(1, 10**9)) == 21 * 10**9 - 2


@pytest.mark.parametrize("seed", range(10))
def test_the_fewest_constants_step_by_step(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(-9, 10, 12).tolist()
    fine = [
        fmpq(a) + fmpq(b - a) * k / 16 for a, b in pairwise(values) for k in range(16)
    ]
    count, low, high = 1, fine[0], fine[0]
    for v in [*fine, fmpq(values[-1])]:
        low, high = min(low, v), max(high, v)
        if high - low > 4:  # as if it could only begin at a sixteenth: no fewer
            count, low, high = count + 1, v, v
    found = fewest_constants(piecewise(range(12), values), fmpq(4))
    assert found <= count <= found + found // 2 + 1


@pytest.mark.parametrize("degree", [2, 3])
def test_polynomial_units_are_bounded_by_crossings(degree):
    for depth in (2, 3):
        problem = asked("sawtooth:10", "1e-2", f"polynomial:2,{degree}")
        found = best_lower(problem, depth)
        widths = [found.width] * (depth - 1)
        less = [found.width - 1] * (depth - 1)
        assert most_crossings(less, degree=degree) < 1 << 10
        assert most_crossings(widths, degree=degree) >= 1 << 10


def fitted(rng, activation, widths):
    """The best last layer in the sup norm over a grid, after random ones."""
    layers, size, x = [], 1, GRID[:, None]
    for k, m in enumerate(widths):
        weight, places = rng.standard_normal((m, size)), rng.random(m)
        bias = -weight[:, 0] * places if k == 0 else rng.standard_normal(m) / 2
        layers.append(Affine(weight * 3, bias * 3))
        x = activation.floats(x @ layers[-1].weight.T + layers[-1].bias)
        size = m
    columns = np.hstack([x, np.ones((len(GRID), 1))])
    ones = np.ones((len(GRID), 1))
    above, right = np.hstack([columns, -ones]), GRID**2
    below = np.hstack([-columns, -ones])
    cost = np.zeros(columns.shape[1] + 1)
    cost[-1] = 1
    limits = [(None, None)] * len(cost)
    matrix, ends = np.vstack([above, below]), np.concatenate([right, -right])
    best = linprog(cost, matrix, ends, bounds=limits).x
    assert best is not None
    return Network(
        [*layers, Affine(best[None, :-2], best[-2:-1])], [activation] * len(widths)
    )


@pytest.mark.parametrize(("name", "depth"), in_turn(zip(KINDS), [2, 3]))
def test_fitted_networks_of_one_unit_less_are_above_the_accuracy(name, depth):
    accuracy = {"threshold": "1/25"}.get(name, ("1/300", "1/1500")[depth - 2])
    problem = asked("square", accuracy, name)
    lower = best_lower(problem, depth)
    assert lower.width > 1
    rng, activation = np.random.default_rng(7), problem.networks.units.activation
    for _ in range(40):
        network = fitted(rng, activation, [lower.width - 1] * (depth - 1))
        found = examine(network, problem)
        assert found.error.is_above(problem.accuracy)


FORMULAS = {
    "leaky:1/10": "max({0},({0})/10)",
    "abs": "abs({0})",
    "hardtanh": "max(-1,min(1,{0}))",
    "relu6": "max(0,min(6,{0}))",
}


def drawn(rng, name, widths, inputs, skips):
    """The function of a random network of such units, as a formula."""
    every = last = ["x"] if inputs == 1 else ["x1", "x2"]

    def read():
        terms = [f"({rng.choice(WEIGHTS)})*({v})" for v in (every if skips else last)]
        return "+".join([*terms, f"({rng.integers(-6, 7)}/4)"])

    for m in widths:
        last = [FORMULAS[name].format(read()) for _ in range(m)]
        every = [*every, *last]
    return f"expr:{read()}"


WEIGHTS = ["-2", "-3/2", "-1", "-1/2", "1/2", "1", "3/2", "2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"), list(zip(FORMULAS, (11, 6, 3, 2), strict=True))
)  # these begin with one and two inputs, all norms, skips or none
def test_no_bound_excludes_a_network_whose_function_is_the_target(name, seed):
    """`DEPTHSEP_DRAWS` multiplies the few draws."""
    rng, asked_of = np.random.default_rng(seed), 0
    while asked_of < int(os.environ.get("DEPTHSEP_DRAWS", "1")):
        inputs, skips = int(rng.integers(1, 3)), bool(rng.integers(2))
        widths = rng.integers(1, 4, rng.integers(1, 3)).tolist()
        target = drawn(rng, name, widths, inputs, skips)
        law = Box.cube(Segment(-1, 1), inputs) if inputs > 1 else Segment(-1, 1)
        networks = networks_from_text(name, "any" if skips else "none")
        norm, accuracy = rng.choice(["linf", "l1", "l2"]), rng.choice(["1e-2", "1e-9"])
        try:
            problem = Problem(target, law, str(norm), str(accuracy), networks=networks)
            found = best_lowers(problem, len(widths) + 1)
        except DepthsepError:  # too large a formula, say
            continue
        asked_of += 1
        for lower in (found.best, found.with_skips):
            if isinstance(lower, Lower):
                assert lower.width <= max(widths) and lower.units <= sum(widths), target
