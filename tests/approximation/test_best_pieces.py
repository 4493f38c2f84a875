"""Fewest pieces and least sup errors: known values, and a slow search on a grid."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.approximation import (
    best_error,
    best_interpolant,
    distance,
    fewest_pieces,
    pieces_needed,
    tunnel_links,
)
from depthsep.constructions import fold_network
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.targets import Expression, Square, zigzag
from support.nets import UNIT, fmpq_of
from support.oracles import fraction

BOTH = pytest.mark.parametrize("continuous", [True, False], ids=["path", "steps"])


@st.composite
def polylines(draw, most=7):
    gaps = draw(st.lists(st.integers(1, 4), min_size=1, max_size=most))
    knots = [Fraction(sum(gaps[:i])) for i in range(len(gaps) + 1)]
    return PiecewiseAffine.through(knots, [draw(st.integers(-4, 4)) for _ in knots])


errors = st.builds(Fraction, st.integers(0, 16), st.sampled_from([1, 2, 3, 4, 5, 8]))


def slow_count(f, error, continuous, refine):
    """Pieces when they may only meet on a grid: an upper bound on the fewest.

    reach holds, for every grid point, the values that m pieces can have there.
    """
    knots = [fraction(x) for x in f.knots.tolist()]
    length = knots[-1] - knots[0]
    grid = sorted(
        {*knots, *(knots[0] + length * Fraction(i, refine) for i in range(refine))}
    )
    at = [fraction(f(x)) for x in grid]
    low, high = [v - error for v in at], [v + error for v in at]
    reach, pieces = {0: (low[0], high[0])}, 0
    while len(grid) - 1 not in reach or pieces == 0:
        pieces, new = pieces + 1, {}
        for start, (bottom, top) in reach.items():
            floors, roofs = [(grid[start], bottom)], [(grid[start], top)]
            for i in range(start + 1, len(grid)):
                best = extreme(grid[i], floors, roofs, high[i], min)
                least = extreme(grid[i], roofs, floors, low[i], max)
                if least > best:
                    break
                a, b = new.get(i, (least, best))
                new[i] = min(a, least), max(b, best)
                if grid[i] in knots:
                    floors.append((grid[i], low[i]))
                    roofs.append((grid[i], high[i]))
        reach = new if continuous else {i: (low[i], high[i]) for i in new}
    return pieces


def extreme(t, lefts, rights, bound, choose):
    """The largest (least) value at t of a line above `lefts` and below `rights`."""
    lines = (
        u + (w - u) * (t - a) / (b - a) for a, u in lefts for b, w in rights if a < b
    )
    return choose([bound, *lines])


@BOTH
@settings(max_examples=60, deadline=None)
@given(polylines(), errors)
def test_the_fewest_pieces_exist_and_no_search_finds_fewer(continuous, f, error):
    e = fmpq_of(error)
    count = fewest_pieces(f, e, continuous=continuous)
    g = best_interpolant(f, e, continuous=continuous)
    assert g.pieces <= count
    assert all(a <= b for a, b in pairwise(g.knots.tolist()))
    assert distance(f, g, "linf", Segment(f.knots[0], f.knots[-1])).upper <= e
    assert not (continuous and g.jumps.any())
    assert count <= slow_count(f, error, continuous, refine=24)


@BOTH
@given(polylines(12), errors)
def test_quick_bounds_enclose_the_exact_count(continuous, f, error):
    e = fmpq_of(error)
    low, exact, high = (
        fewest_pieces(f, e, continuous=continuous, rounding=r) for r in (1, 0, -1)
    )
    assert low <= exact <= high


@given(polylines(12), errors, errors)
def test_counts_fall_with_the_error_and_grow_with_continuity(f, one, other):
    small, large = sorted((fmpq_of(one), fmpq_of(other)))
    for continuous in (True, False):
        counts = [fewest_pieces(f, e, continuous=continuous) for e in (small, large)]
        assert counts[0] >= counts[1]
    steps = fewest_pieces(f, small, continuous=False)
    path = fewest_pieces(f, small, continuous=True)
    assert steps <= path <= 2 * steps - 1 or small == 0
    assert fewest_pieces(f, 0, continuous=True) == f.pieces


@BOTH
@given(polylines(), st.integers(1, 6))
def test_the_best_error_is_where_the_count_changes(continuous, f, pieces):
    found = best_error(f, pieces, continuous=continuous)
    assert fewest_pieces(f, found.upper, continuous=continuous) <= pieces
    if found.upper > 0:
        assert found.lower < found.upper
        assert fewest_pieces(f, found.lower, continuous=continuous) > pieces
    else:
        assert found.is_point and f.pieces <= pieces


@given(polylines(), st.integers(1, 5))
def test_best_errors_fall_with_pieces_and_grow_with_continuity(f, pieces):
    one, more = (best_error(f, n, continuous=True) for n in (pieces, pieces + 1))
    steps = best_error(f, pieces, continuous=False)
    assert more.lower <= one.upper and steps.lower <= one.upper


@BOTH
@pytest.mark.parametrize(
    ("pieces", "value"),
    [(1, 0.5), (4, 0.5), (5, 1 / 3), (6, 1 - 0.5**0.5), (7, 0.2598915), (8, 0)],
)
def test_eight_teeth_have_these_best_errors(pieces, value, continuous):
    found = best_error(zigzag(8), pieces, continuous=continuous)
    if not continuous or pieces in (1, 4, 8):
        assert float(found) == pytest.approx(value, abs=1e-7)
    else:
        assert float(found) > value


@pytest.mark.parametrize(
    ("pieces", "value"),
    [(8, 0.5), (9, 1 / 3), (10, 1 / 3), (11, 0.2928932), (13, 0.2679492),
     (14, 0.2598915), (15, 0.2524251)],
)  # fmt: skip
def test_sixteen_teeth_have_these_best_errors_with_jumps(pieces, value):
    found = best_error(zigzag(16), pieces, continuous=False)
    assert float(found) == pytest.approx(value, abs=1e-7)


def test_four_teeth_by_three_pieces_cost_one_minus_the_root_of_a_half():
    found = best_error(zigzag(4), 3, continuous=False, bits=60)
    assert 2 * (1 - found.upper) ** 2 <= 1 <= 2 * (1 - found.lower) ** 2


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
def test_half_the_teeth_do_not_beat_the_constant(k):
    tent = zigzag(2**k)
    for continuous in (True, False):
        assert best_error(tent, 2 ** (k - 1), continuous=continuous).upper == fmpq(1, 2)
        just = fewest_pieces(tent, "0.499999", continuous=continuous)
        assert just >= 2 ** (k - 1) + 1
    # a continuous one below 1/2 crosses 1/2 on every side of every tooth
    assert fewest_pieces(tent, "0.499999", continuous=True) == 2**k
    assert fewest_pieces(tent, "0.5", continuous=True) == 1


@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 20])
def test_the_square_needs_the_pieces_of_theory(pieces):
    best = fmpq(1, 8 * pieces**2)
    for continuous in (True, False):
        enough = pieces_needed(
            Square(), UNIT, best * fmpq(21, 20), continuous=continuous, fineness=4000
        )
        short = pieces_needed(
            Square(), UNIT, best * fmpq(19, 20), continuous=continuous, fineness=4000
        )
        assert (enough.lower, enough.upper) == (pieces, pieces)
        assert short.lower == pieces + 1


@pytest.mark.parametrize("text", ["sin(20*x)", "abs(x - 1/3) + sqrt(x)", "exp(x)"])
def test_brackets_for_formulas_close_as_the_line_gets_finer(text):
    target = Expression(text)
    counts = [
        pieces_needed(target, UNIT, fmpq(1, 70), fineness=n) for n in (8, 64, 512)
    ]
    assert all(c.lower <= c.upper for c in counts)
    for rough, fine in pairwise(counts):
        assert rough.lower <= fine.upper and fine.lower <= rough.upper
    assert counts[-1].upper - counts[-1].lower <= 1
    steps = pieces_needed(target, UNIT, fmpq(1, 70), continuous=False)
    assert steps.lower <= counts[-1].upper


def test_a_limit_stops_the_count_early():
    tent = zigzag(1024)
    assert fewest_pieces(tent, "0.1", continuous=True, limit=5) == 6
    assert fewest_pieces(tent, 0, continuous=False, limit=3) == 4
    assert fewest_pieces(tent, "0.5", continuous=True, limit=1) == 1


def test_float64_functions_are_counted_as_the_rationals_they_store():
    f = on_interval(fold_network((2, 2, 2)), 0, 1, exact=False)
    assert fewest_pieces(f, "0.1", continuous=True) == 8


@example([0.0, 1.0, 2.0], 0.25)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=9), st.floats(0.01, 2))
def test_tunnels_in_floats_hold_their_links(values, width):
    x = [float(i) for i in range(len(values))]
    floor, roof = ([v + s * width for v in values] for s in (-1, 1))
    for continuous in (True, False):
        links = tunnel_links(x, floor, roof, continuous=continuous)
        start = x[0]
        for link in links:
            for t in np.linspace(start, link.stop, 9):
                middle = np.interp(t, x, values)
                assert abs(link.line.at(t) - middle) <= width + 1e-9
            start = link.stop
        assert start == x[-1]
        exact = fewest_pieces(
            PiecewiseAffine.through(x, values), width * 0.999, continuous=continuous
        )
        assert len(links) <= exact


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: fewest_pieces(f, -1, continuous=True), "cannot be negative"),
        (lambda f: fewest_pieces(f, "nan", continuous=True), "the error is"),
        (lambda f: best_error(f, 0, continuous=True), "give 1 or more"),
        (lambda f: fewest_pieces(on_interval(fold_network((2,))), 1, continuous=True),
         "bounded interval"),
    ],
)  # fmt: skip
def test_requests_without_meaning_are_refused(call, message):
    with pytest.raises(HypothesisError, match=message):
        call(zigzag(4))
