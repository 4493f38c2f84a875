"""The least l1 and l2 errors of functions with N affine pieces, enclosed."""

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.approximation import best_error_bracket, distance
from depthsep.approximation.best._interval_costs import (
    BITS,
    Fit,
    Intervals,
    UnitTarget,
    absolute_costs,
    dual_costs,
    fitted,
    objects,
    square_costs,
)
from depthsep.evidence import Rigour
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Segment
from depthsep.targets import zigzag
from support.places import reference
from support.slow import mostly_slow

OPTIMA = [entry for entry in reference("depth") if entry["kind"] == "delta_opt_disc"]
NORMS = ("l1", "l2")
POWER = {"l1": 1, "l2": 2}
TINY = fmpq(1, 10**8)
ENDS = objects([fmpq(0), fmpq(1)])


def random_function(seed, *, jumps=False):
    """Up to seven pieces on [-1/3, 5/4], knots and values with mixed denominators."""
    draw = random.Random(seed)
    inner = {fmpq(draw.randint(1, 40), draw.randint(41, 60)) for _ in range(6)}
    knots = [fmpq(-1, 3)]
    for knot in sorted(inner):
        knots += [knot] * (3 if jumps and draw.random() < 0.5 else 1)
    values = [fmpq(draw.randint(-9, 9), draw.randint(1, 7)) for _ in range(len(knots))]
    return PiecewiseAffine.through([*knots, fmpq(5, 4)], [*values, fmpq(1, 2)])


@cache
def least(teeth, pieces, norm):
    """The bracket for a zigzag."""
    return best_error_bracket(zigzag(teeth), pieces, norm)


def powers(bracket, norm):
    """The bounds on the mean error or mean square error."""
    return bracket.lower ** POWER[norm], bracket.upper ** POWER[norm]


@pytest.mark.parametrize("entry", OPTIMA, ids=lambda e: str(e["inputs"]))
@pytest.mark.parametrize("norm", NORMS)
def test_the_reference_optima_are_confirmed(entry, norm):
    name = {"l1": "L1", "l2": "L2sq"}[norm]
    value, known = (rational(entry["value"][name + end]) for end in ("", "_lb"))
    teeth, pieces = 2 ** entry["inputs"]["k"], entry["inputs"]["N"]
    lower, upper = powers(least(teeth, pieces, norm), norm)
    assert known - TINY <= lower <= value + TINY
    assert known - TINY <= upper <= value + TINY
    assert 0 <= upper - lower <= TINY


@pytest.mark.parametrize(
    ("teeth", "pieces", "value"),
    [
        (4, 2, fmpq(3, 17)),
        (4, 3, fmpq(1, 10)),
        (8, 3, fmpq(3, 17)),
        (8, 5, fmpq(5, 44)),
    ],
)
def test_the_recognised_closed_forms_lie_in_narrow_brackets(teeth, pieces, value):
    bracket = least(teeth, pieces, "l1")
    assert bracket.lower <= value <= bracket.upper
    assert bracket.upper - bracket.lower <= fmpq(2, 10**9)


@pytest.mark.parametrize("teeth", [2, 4, 8, 16])
@pytest.mark.parametrize(("norm", "value"), [("l1", fmpq(1, 4)), ("l2", fmpq(1, 12))])
def test_one_piece_does_no_better_than_the_constant_one_half(teeth, norm, value):
    lower, upper = powers(least(teeth, 1, norm), norm)
    assert lower <= value <= upper
    assert upper - lower <= fmpq(1, 10**12)


def test_one_piece_for_a_step_is_known_in_closed_form():
    step = PiecewiseAffine.through([0, "1/2", "1/2", "1/2", 1], [0, 0, 0, 1, 1])
    bracket = best_error_bracket(step, 1, "l1")
    # (sqrt 2 - 1)/2: the signs of the residual change at 1/2 and 1/2 +- sqrt(1/8)
    assert (2 * bracket.lower + 1) ** 2 <= 2 <= (2 * bracket.upper + 1) ** 2
    lower, upper = powers(best_error_bracket(step, 1, "l2"), "l2")
    assert lower <= fmpq(1, 16) <= upper


@pytest.mark.parametrize("norm", NORMS)
def test_a_function_with_few_enough_pieces_has_exactly_no_error(norm):
    isolated = ([0, "1/3", "1/3", "1/3", 1], [0, "1/3", 100, "1/3", 1])
    jump = ([0, "1/3", "1/3", "1/3", 1], [0, 1, 2, 3, 1])
    for points, pieces in ((isolated, 1), (jump, 2), (([0, 1], [2, 2]), 5)):
        bracket = best_error_bracket(PiecewiseAffine.through(*points), pieces, norm)
        assert bracket.rigour is Rigour.EXACT
        assert bracket.lower == bracket.upper == 0
        assert bracket.is_at_most(fmpq(0))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", range(4))
def test_brackets_are_narrow_and_no_approximant_beats_them(seed, norm):
    f = random_function(seed, jumps=seed % 2 == 1)
    draw, pieces = random.Random(seed), 1 + seed % 4
    bracket = best_error_bracket(f, pieces, norm)
    assert bracket.rigour is Rigour.ENCLOSED
    lower, upper = powers(bracket, norm)
    spread = max(f.values) - min(f.values)
    assert 0 <= upper - lower <= TINY * spread ** POWER[norm]
    on = Segment(f.knots[0], f.knots[-1])
    for _ in range(20):
        cuts = sorted(draw.sample(range(1, 19), pieces - 1))
        x = [on.start + on.length * fmpq(k, 19) for k in (0, *cuts, 19)]
        knots, values = x[:1], [f(x[0])]
        for a in x[1:-1]:
            knots += [a] * 3
            values += [f(a) + fmpq(draw.randint(-3, 3), 9) for _ in range(3)]
        g = PiecewiseAffine.through([*knots, x[-1]], [*values, f(x[-1])])
        assert distance(f, g, norm, on).upper >= bracket.lower


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "seed",
    mostly_slow([101], [100, 101]),
)
def test_coarse_and_fine_brackets_agree(seed, norm):
    f = random_function(seed, jumps=seed % 2 == 1)
    brackets = [best_error_bracket(f, 3, norm, cells=n) for n in (7, 14, 1024)]
    assert max(b.lower for b in brackets) <= min(b.upper for b in brackets)


@pytest.mark.parametrize("norm", mostly_slow(["l2"], NORMS))
def test_more_cells_narrow_the_bracket(norm):
    widths = []
    for cells in (8, 16, 32, 64):
        bracket = best_error_bracket(zigzag(6), 4, norm, cells=cells)
        widths.append(bracket.upper - bracket.lower)
    assert all(b < a for a, b in pairwise(widths))
    assert widths[-1] <= TINY


@pytest.mark.slow
@settings(max_examples=2, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    norm=st.sampled_from(NORMS),
    scale=st.integers(-9, 9).filter(bool),
    stretch=st.integers(-9, 9).filter(bool),
    shift=st.integers(-5, 5),
)
def test_affine_maps_of_both_axes_scale_the_bracket(seed, norm, scale, stretch, shift):
    f = random_function(seed, jumps=True)
    order = slice(None, None, 1 if stretch > 0 else -1)
    knots, values = f.knots[order] * stretch + shift, f.values[order] * scale - shift
    image = best_error_bracket(PiecewiseAffine.through(knots, values), 2, norm)
    lower, upper = powers(best_error_bracket(f, 2, norm), norm)
    factor = fmpq(abs(scale)) ** POWER[norm]
    below, above = powers(image, norm)
    assert max(below, factor * lower) <= min(above, factor * upper)


@pytest.mark.slow
def test_a_tilt_changes_nothing():
    f = random_function(3)
    tilted = PiecewiseAffine.through(f.knots, f.values + 5 * f.knots)
    for norm in NORMS:
        one, other = (best_error_bracket(g, 3, norm) for g in (f, tilted))
        assert max(one.lower, other.lower) <= min(one.upper, other.upper)


@pytest.mark.parametrize("pieces", range(1, 7))
def test_the_bound_by_savings_stays_below_the_bracket(pieces):
    share = fmpq(pieces, 8)
    mean = least(8, pieces, "l1")
    assert fmpq(1, 4) - fmpq(9, 32) * share <= mean.upper
    _, square = powers(least(8, pieces, "l2"), "l2")
    assert fmpq(1, 12) - fmpq(13, 120) * share <= square


def test_floats_are_taken_at_face_value():
    knots, values = [0.1, 0.3, 0.7, 1.1], [0.1, 5.0, -3.0, 0.2]
    f = PiecewiseAffine(np.array(knots), np.array(values))
    exact = PiecewiseAffine.through(knots, values)
    assert best_error_bracket(f, 2, "l2") == best_error_bracket(exact, 2, "l2")


@pytest.mark.parametrize("norm", NORMS)
def test_knots_on_very_different_scales_are_no_trouble(norm):
    f = PiecewiseAffine.through([0, "1e-20", "1/2", 1], [0, 1, 0, 3])
    bracket = best_error_bracket(f, 2, norm)
    assert 0 <= bracket.lower <= bracket.upper <= fmpq(1, 10**9)


@pytest.mark.parametrize(
    ("f", "pieces", "norm", "cells", "reason"),
    [
        (zigzag(2), 1, "linf", 64, "for linf, call best_error"),
        (zigzag(2), 0, "l1", 64, "0 pieces"),
        (zigzag(9), 2, "l1", 8, "`cells` is 8"),
        (PiecewiseAffine(ENDS, ENDS, None, fmpq(2)), 1, "l1", 64, "unbounded"),
        (
            PiecewiseAffine.through([1, 1], [0, 2]),
            1,
            "l2",
            64,
            "the domain of f is the single point",
        ),
    ],
)
def test_what_the_bracket_does_not_cover_is_refused(f, pieces, norm, cells, reason):
    with pytest.raises(HypothesisError, match=reason):
        best_error_bracket(f, pieces, norm, cells=cells)


@pytest.fixture(params=range(4))
def intervals(request):
    """All intervals between 25 equidistant points, for a function with jumps."""
    f = random_function(request.param, jumps=True)
    unit, height = 60 << 60, 10**9
    bottom, length = f.knots[0], f.knots[-1] - f.knots[0]
    knots = [int(((x - bottom) / length * unit).floor()) for x in f.knots]
    middle, spread = (min(f.values) + max(f.values)) / 2, max(f.values) - min(f.values)
    values = [int(((v - middle) / spread * height).floor()) for v in f.values]
    gaps = [k for k in range(len(knots) - 1) if knots[k] < knots[k + 1]]
    target = UnitTarget(
        objects([*(knots[k] for k in gaps), unit]),
        objects([values[k] for k in gaps]),
        objects([values[k + 1] for k in gaps]),
        unit,
        height,
    )
    points = objects([unit * k // 24 for k in range(25)])
    i, j = np.triu_indices(25, 1)
    return Intervals(target, points[i], points[j])


def test_costs_of_intervals_are_lower_bounds_and_sharp(intervals):
    for norm, costs in (
        ("l1", absolute_costs(intervals)),
        ("l2", square_costs(intervals.target, intervals.start, intervals.stop)),
    ):
        gap = fitted(intervals, norm, 16).errors(norm) - np.ldexp(costs * 1.0, -BITS)
        assert gap.min() >= -1e-14
        assert gap.max() <= 1e-8


def test_the_dual_bound_holds_whatever_sign_the_floats_propose(intervals):
    best = fitted(intervals, "l1", 16).errors("l1")
    noise = np.random.default_rng(7)
    start = np.zeros((2, len(best)))
    for size in (0.0, 0.01, 0.3):
        step = size * noise.standard_normal(start.shape)
        fit = Fit(intervals, start, intervals.f, intervals.rise).moved(step)
        assert (np.ldexp(dual_costs(fit) * 1.0, -BITS) <= best + 1e-14).all()


def test_costs_grow_with_the_interval(intervals):
    i, j = np.triu_indices(25, 1)
    for costs in (
        absolute_costs(intervals),
        square_costs(intervals.target, intervals.start, intervals.stop),
    ):
        table = np.zeros((25, 25))
        table[i, j] = np.ldexp(costs * 1.0, -BITS)
        assert (np.diff(table, axis=1)[i, j - 1] >= -1e-8).all()
        assert (np.diff(table, axis=0)[np.triu_indices(24, 0)] <= 1e-8).all()


@pytest.mark.parametrize("seed", range(20))
def test_costs_lie_above_their_chords_less_the_stated_drop(seed):
    """On a cell [a, b] where f is affine, as functions of the end t of [s, t]."""
    draw, gap = random.Random(seed), 1 << 60
    values = objects([draw.randint(-500, 500) for _ in range(7)])
    target = UnitTarget(
        objects([k * gap for k in range(7)]), values[:-1], values[1:], 6 * gap, 1000
    )
    k = draw.randrange(1, 6)
    s = draw.randrange(k * gap)
    a, b = sorted(k * gap + draw.randrange(gap + 1) for _ in range(2))
    w = np.arange(9) / 8
    t = objects([a + (b - a) * n // 8 for n in range(9)])
    slopes = np.diff(values.astype(float)) * 6 / 1000
    d = np.ptp(slopes[s // gap : k + 1])
    h, length = (b - a) / target.unit, (b - s) / target.unit
    for norm, bend in (("l1", d), ("l2", d * d * length / 8)):
        fit = fitted(Intervals(target, objects([s] * 9), t), norm, 16)
        costs = fit.errors(norm)
        chord = costs[0] + (costs[-1] - costs[0]) * w
        assert (costs - chord + bend * h * h * w * (1 - w) / 2).min() >= -1e-12
