"""The least l1 and l2 errors of continuous functions with N affine pieces."""

import itertools
import random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.approximation import best_error_bracket, distance
from depthsep.approximation.best.continuous._kink_cells import KinkCells, node_bound
from depthsep.approximation.best.continuous._unit_function import UnitFunction
from depthsep.approximation.distance._distance import cells
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.targets import target_from_text, zigzag
from support.slow import mostly_slow

SQUARES = [
    (4, 2, fmpq(1, 15)),
    (4, 3, fmpq(1, 21)),
    (8, 2, fmpq(1, 13)),
]

NORMS = ("l1", "l2")
POWER = {"l1": 1, "l2": 2}
UNIT = Segment(0, 1)


def random_function(draw, pieces):
    knots = sorted(draw.sample(range(1, 24), pieces - 1))
    values = [fmpq(draw.randint(0, 12), 12) for _ in range(pieces + 1)]
    return PiecewiseAffine.through([0, *(fmpq(k, 24) for k in knots), 1], values)


def unit_function(f):
    return UnitFunction.of(list(cells(f, fmpq(0), fmpq(1))), fmpq(0), fmpq(1))


def best_on_a_grid(f, pieces, norm, steps=48, points=960):
    """Least squares (l2) or a linear programme (l1) for all knots on a coarse grid."""
    from scipy.optimize import linprog

    x = (np.arange(points) + 0.5) / points
    middles = (fmpq(2 * i + 1, 2 * points) for i in range(points))
    y = np.array([float(v.p) / float(v.q) for v in map(f, middles)])
    best = np.inf
    for inner in itertools.combinations(range(1, steps), pieces - 1):
        knots = np.array([0, *inner, steps]) / steps
        hats = np.array([np.interp(x, knots, row) for row in np.eye(len(knots))])
        if norm == "l2":
            _, left, *_ = np.linalg.lstsq(hats.T, y, rcond=None)
            best = min(best, (left[0] / len(x)) ** 0.5 if len(left) else np.inf)
            continue
        d = len(knots)
        answer = linprog(
            [0] * d + [1 / len(x)] * len(x),
            A_ub=np.block([[hats.T, -np.eye(len(x))], [-hats.T, -np.eye(len(x))]]),
            b_ub=np.concatenate([y, -y]),
            bounds=[(None, None)] * d + [(0, None)] * len(x),
        )
        best = min(best, answer.fun)
    return best


SAWTOOTHS = [(4, 3, "l2"), (8, 2, "l1"), (8, 2, "l2")]


@pytest.mark.parametrize(
    ("teeth", "pieces", "norm"), mostly_slow(SAWTOOTHS[1:], SAWTOOTHS)
)
def test_sawtooths_keep_to_the_theorem_and_are_narrow(teeth, pieces, norm):
    found = best_error_bracket(zigzag(teeth), pieces, norm, continuous=True)
    least = (1 - fmpq(pieces, teeth)) / {"l1": 4, "l2": 12}[norm]
    assert found.lower ** POWER[norm] >= least
    assert found.upper - found.lower <= found.upper * fmpq(2, 1000)
    jumps = best_error_bracket(zigzag(teeth), pieces, norm)
    assert found.lower >= jumps.lower


@pytest.mark.parametrize(
    ("teeth", "pieces", "square"),
    mostly_slow(SQUARES[1:], SQUARES),
)
def test_values_of_sawtooths_in_l2(teeth, pieces, square):
    """Recognised closed forms: they lie in the brackets."""
    found = best_error_bracket(zigzag(teeth), pieces, "l2", continuous=True, nodes=1000)
    assert found.lower**2 <= square <= found.upper**2
    assert found.upper**2 - found.lower**2 <= square / 200


@pytest.mark.parametrize("seed", mostly_slow([0, 1], [0, 1, 2, 4]))
def test_brute_force_on_a_grid_is_never_below(seed):
    draw = random.Random(seed)
    f, pieces = random_function(draw, 6), 2 + seed % 2
    found = best_error_bracket(f, pieces, "l2", continuous=True)
    grid = best_on_a_grid(f, pieces, "l2")
    assert float(found.lower.p) / float(found.lower.q) <= grid * (1 + 1e-6)
    assert float(found.upper.p) / float(found.upper.q) <= grid * (1 + 1e-3)


def test_brute_force_in_l1():
    f = random_function(random.Random(11), 5)
    found = best_error_bracket(f, 2, "l1", continuous=True)
    grid = best_on_a_grid(f, 2, "l1", steps=24, points=480)
    assert float(found.lower.p) / float(found.lower.q) <= grid * (1 + 1e-4)
    assert float(found.upper.p) / float(found.upper.q) <= grid * (1 + 1e-3)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(NORMS))
def test_no_spline_with_kinks_in_the_cells_is_below_the_bound(seed, norm):
    """The bound of a set of cells, against random and fitted splines that fit it."""
    draw = random.Random(seed)
    f, count = random_function(draw, draw.randint(2, 6)), draw.randint(1, 3)
    knots = sorted(fmpq(k, 100) for k in draw.sample(range(1, 100), count))
    smooth = [f(t) for t in (fmpq(0), *knots, fmpq(1))]
    values = [v + fmpq(draw.randint(-8, 8), 64) for v in smooth]
    g = PiecewiseAffine.through([0, *knots, 1], values)
    slopes = g.slopes.tolist()
    bends = [1 if b > a else -1 for a, b in itertools.pairwise(slopes)]
    shown = tuple(b if draw.random() < 0.8 else 0 for b in bends)
    sides = [
        (max(fmpq(0), t - fmpq(draw.randint(0, 9), 100)),
         min(fmpq(1), t + fmpq(draw.randint(0, 9), 100)))
        for t in knots
    ]  # fmt: skip
    bound = node_bound(unit_function(f), KinkCells(tuple(sides), shown), norm)
    error = distance(f, g, norm, UNIT)
    reached = error.square if norm == "l2" else error.upper
    assert bound.lower <= reached


@pytest.mark.parametrize("norm", NORMS)
def test_convex_functions_gain_nothing_by_jumps(norm):
    values = [fmpq(k * k, 64) for k in range(9)]
    f = PiecewiseAffine.through([fmpq(k, 8) for k in range(9)], values)
    one = best_error_bracket(f, 3, norm, continuous=True)
    assert one == best_error_bracket(f, 3, norm)
    unit = unit_function(f)
    thirds = KinkCells(((fmpq(1, 3), fmpq(1, 3)), (fmpq(2, 3), fmpq(2, 3))), (1, 1))
    assert node_bound(unit, thirds, norm).lower >= one.lower ** POWER[norm]


@pytest.mark.slow
def test_a_step_takes_many_pieces_or_a_slope():
    step = PiecewiseAffine.through([0, "1/2", "1/2", "1/2", 1], [0, 0, 0, 1, 1])
    jumps = best_error_bracket(step, 2, "l2")
    assert jumps.upper == 0
    found = best_error_bracket(step, 2, "l2", continuous=True)
    assert found.lower > fmpq(1, 10)
    three = best_error_bracket(step, 3, "l1", continuous=True, nodes=5)
    assert three.lower >= 0 and three.upper < fmpq(1, 1000)


@pytest.mark.parametrize(
    ("formula", "pieces", "norm", "value"),
    [
        pytest.param(
            *("exp(x)", 2, "l1", "0.0130663121405221"), marks=pytest.mark.slow
        ),
        ("exp(x)", 2, "l2", "0.0156376167599055728"),
    ],
)
def test_oracles_for_exp_lie_in_the_bracket(formula, pieces, norm, value):
    target = target_from_text(f"expr:{formula}")
    found = best_error_bracket(target, pieces, norm, on=UNIT, continuous=True)
    exact = fmpq(int(value.replace(".", "")), 10 ** (len(value) - 2))
    assert found.lower <= exact <= found.upper
    assert found.upper - found.lower <= exact / 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("norm", "pieces", "on"),
    [("l1", 2, Segment(0, "1/3")), ("l2", 5, Segment(0, 2))],
)
def test_a_wave_in_few_and_in_many_pieces(norm, pieces, on):
    wave = target_from_text("expr:sin(6*x)")
    found = best_error_bracket(wave, pieces, norm, on=on, continuous=True, nodes=20)
    assert found.lower > 0
    assert found.upper - found.lower <= found.upper / 20


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l2"])  # in l1 it takes three times as long
def test_one_piece_and_tiny_functions(norm):
    wave = target_from_text("expr:sin(3*x)")
    one = best_error_bracket(wave, 1, norm, on=UNIT, continuous=True)
    assert 0 < one.lower <= one.upper <= 1
    tiny = target_from_text("expr:1e-40*sin(3*x)")
    found = best_error_bracket(tiny, 1, norm, on=UNIT)
    scale = fmpq(10) ** 40
    assert abs(found.upper * scale - one.upper) <= one.upper / 1000


def test_what_is_refused():
    target = target_from_text("expr:exp(x)")
    with pytest.raises(HypothesisError, match="interval"):
        best_error_bracket(target, 2, "l1")
    with pytest.raises(HypothesisError):
        best_error_bracket(target, 2, "linf", on=UNIT)
    exact = target_from_text("expr:abs(x-1/3)")
    assert best_error_bracket(exact, 2, "l1", on=UNIT, continuous=True).upper == 0
