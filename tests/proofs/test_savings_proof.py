"""The two saving constants behind the separation bounds for sawtooths."""

import random
from itertools import pairwise

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from support.sawtooth_savings import (
    L1_CONSTANT,
    L2_CONSTANT,
    Box,
    Piece,
    ProofReport,
    Refusal,
    best_saving_l2,
    dual_saving_bound,
    good_saving_l1,
    l1_box_bound,
    l2_box_bound,
    l2_hessian,
    l2_supremum,
    near_maximiser_bound,
    prove_l1_constant,
    prove_l2_constant,
    prove_l2_supremum,
    saving_l1,
    saving_l2,
)

PROVERS = (prove_l1_constant, prove_l2_constant)


def rationals(low, high):
    return st.fractions(low, high, max_denominator=720).map(
        lambda q: fmpq(q.numerator, q.denominator)
    )


starts, lengths = rationals(-3, 3), rationals(0, 9)
slopes, intercepts = rationals(-3, 3), rationals(-3, 3)


def triangle(t):
    return 1 - abs(1 - t % 2)


@pytest.mark.parametrize("prove", PROVERS)
def test_the_constant_is_proved(prove):
    report = prove()
    assert isinstance(report, ProofReport)
    assert report.boxes > 100
    assert str(report.constant) in str(report)


def test_nine_thirty_seconds_is_attained_along_one_side_of_a_tooth():
    assert saving_l1(fmpq(7, 8), fmpq(5, 4), fmpq(-1), fmpq(2)) == L1_CONSTANT
    # the same, one side later
    assert saving_l1(fmpq(15, 8), fmpq(5, 4), fmpq(1), fmpq(-2)) == fmpq(9, 32)


def test_the_supremum_in_mean_square_is_isolated_and_below_its_constant():
    report = prove_l2_supremum()
    assert isinstance(report, ProofReport)
    with ctx.workprec(128):
        supremum = l2_supremum()
        assert supremum < report.constant < supremum + fmpq(1, 10**13)
        # a root of the polynomial found by elimination
        root = 2187 * supremum**4 - 5832 * supremum**3 + 4374 * supremum**2
        assert (root - 648 * supremum + 26).contains(0)
    assert report.constant < L2_CONSTANT


def test_the_supremum_in_mean_square_is_attained_in_the_limit():
    with ctx.workprec(128):
        half = ((3 + arb(3).sqrt()) / 8).sqrt()
        near = fmpq(round(float(half) * 2**40), 2**40)
        saving = best_saving_l2(fmpq(3, 2) - near, 2 * near)
        assert l2_supremum() - fmpq(1, 10**20) < saving <= l2_supremum()


@pytest.mark.parametrize("n", range(9))
def test_the_symmetric_saving_has_the_stated_closed_form(n):
    # h^3 times the difference has degree <= 6 in h: nine points make an identity
    h = fmpq(1, 2) + fmpq(n, 8)
    closed = fmpq(2, 3) - h / 3 - 1 / (4 * h) + 1 / (96 * h**3)
    assert best_saving_l2(fmpq(3, 2) - h, 2 * h) == closed


@pytest.mark.parametrize(
    ("prove", "constant"),
    [
        (prove_l1_constant, L1_CONSTANT - fmpq(1, 1000)),
        (prove_l1_constant, L1_CONSTANT - fmpq(1, 10**6)),
        (prove_l1_constant, fmpq(1, 100)),
        (prove_l1_constant, fmpq(-1)),
        (prove_l2_constant, L2_CONSTANT - fmpq(1, 100)),
        (prove_l2_constant, fmpq(108141, 10**6)),
        (prove_l2_constant, fmpq(1, 100)),
        (prove_l2_constant, fmpq(-1)),
    ],
)
def test_a_false_constant_is_refused_with_a_counterexample(prove, constant):
    refusal = prove(constant)
    assert isinstance(refusal, Refusal)
    assert refusal.is_counterexample
    assert refusal.saving > constant


@pytest.mark.parametrize("prove", PROVERS)
def test_a_true_constant_is_refused_without_one_when_the_search_is_cut(prove):
    for limits in ({"max_depth": 3}, {"max_boxes": 3}):
        refusal = prove(**limits)
        assert isinstance(refusal, Refusal)
        assert not refusal.is_counterexample


def test_boxes_finer_than_the_dual_signs_are_not_asked_for():
    with pytest.raises(ValueError, match="max_depth is 29"):
        prove_l1_constant(max_depth=29)


def test_larger_and_barely_larger_constants_pass():
    assert isinstance(prove_l1_constant(fmpq(1, 3)), ProofReport)
    assert isinstance(prove_l2_constant(fmpq(1, 9)), ProofReport)
    assert isinstance(prove_l2_constant(fmpq(10814184, 10**8)), ProofReport)


def test_the_working_precision_is_left_alone():
    before = ctx.prec
    prove_l2_constant()
    prove_l2_supremum()
    assert ctx.prec == before


@settings(deadline=None, max_examples=300)
@given(starts, lengths, slopes, intercepts)
def test_no_random_piece_beats_the_constants(start, length, slope, intercept):
    assert saving_l1(start, length, slope, intercept) <= L1_CONSTANT
    assert saving_l2(start, length, slope, intercept) <= L2_CONSTANT


def test_no_piece_near_the_maximisers_beats_the_constants():
    rng = random.Random(20240917)
    for _ in range(3000):
        scale = 2 ** rng.randrange(3, 14)
        ds, de, db, dc = (fmpq(rng.randrange(-64, 65), 64 * scale) for _ in range(4))
        start, length = fmpq(7, 8) + ds, fmpq(5, 4) + de
        assert saving_l1(start, length, -1 + db, 2 + dc) <= L1_CONSTANT
        start, length = fmpq(731, 1000) + ds, fmpq(1538, 1000) + de
        assert best_saving_l2(start, length) < fmpq(10814183281413, 10**14)


@settings(deadline=None)
@given(starts, rationals(1, 9).map(lambda q: q / 2), slopes, intercepts)
def test_savings_agree_with_quadrature(start, length, slope, intercept):
    count = 400
    absolute = square = 0.0
    origin, total, b, c = map(float, (start, length, slope, intercept))
    for i in range(count):
        t = origin + total * (i + 0.5) / count
        residual = triangle(t) - c - b * t
        absolute += (0.25 - abs(residual)) * total / count
        square += (1 / 12 - residual**2) * total / count
    # midpoint rule: curvature <= 32 in the square, and a kink costs a cell squared
    error = 80 * total * (total / count) ** 2 + 40 * (total / count) ** 2
    assert abs(float(saving_l1(start, length, slope, intercept)) - absolute) < error
    assert abs(float(saving_l2(start, length, slope, intercept)) - square) < 4 * error


@settings(deadline=None)
@given(starts, rationals(1, 9), slopes, intercepts)
def test_the_best_mean_square_saving_is_best(start, length, slope, intercept):
    best = best_saving_l2(start, length)
    assert saving_l2(start, length, slope, intercept) <= best
    # and attained: one Newton step of a quadratic from the given line
    corners = [(0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1)]
    v = {(i, j): saving_l2(start, length, slope + i, intercept + j) for i, j in corners}
    gb, gc = (v[1, 0] - v[-1, 0]) / 2, (v[0, 1] - v[0, -1]) / 2
    bb, cc = v[1, 0] + v[-1, 0] - 2 * v[0, 0], v[0, 1] + v[0, -1] - 2 * v[0, 0]
    bc = v[1, 1] - v[1, 0] - v[0, 1] + v[0, 0]
    det = bb * cc - bc * bc
    step_b, step_c = (bc * gc - cc * gb) / det, (bc * gb - bb * gc) / det
    assert saving_l2(start, length, slope + step_b, intercept + step_c) == best


@settings(deadline=None)
@given(starts, lengths, slopes, intercepts)
def test_savings_share_the_symmetries_of_the_wave(start, length, slope, intercept):
    for saving in (saving_l1, saving_l2):
        value = saving(start, length, slope, intercept)
        shifted = saving(start + 1, length, -slope, 1 - intercept + slope)
        mirrored = saving(-start - length, length, -slope, intercept)
        assert value == shifted == mirrored


@settings(deadline=None)
@given(
    starts,
    rationals(1, 5),
    st.lists(st.tuples(rationals(0, 1), rationals(-1, 1)), min_size=1, max_size=4),
    slopes,
    intercepts,
)
def test_any_sign_bounds_the_saving_of_any_piece(start, length, cuts, slope, intercept):
    end = start + length
    integers = {fmpq(n) for n in range(-4, 9) if start < n < end}
    knots = sorted({start, end, *integers, *(start + w * length for w, _ in cuts)})
    sign = [
        Piece(t0, t1, cuts[i % len(cuts)][1], cuts[-1 - i % len(cuts)][1])
        for i, (t0, t1) in enumerate(pairwise(knots))
    ]
    bound = dual_saving_bound(start, end, sign)
    assert saving_l1(start, length, slope, intercept) <= bound


@pytest.mark.parametrize(
    "sign",
    [
        [(0, 1, 1, 2)],
        [(0, 2, 1, 1)],
        [(0, fmpq(1, 2), 1, 1)],
        [(0, fmpq(1, 2), 1, 1), (fmpq(3, 4), 1, 1, 1)],
        [],
    ],
    ids=["too large", "across an integer", "too short", "with a hole", "empty"],
)
def test_a_tampered_sign_is_rejected(sign):
    pieces = [Piece(*map(fmpq, piece)) for piece in sign]
    end = fmpq(2) if sign and sign[0][1] == 2 else fmpq(1)
    with pytest.raises(ValueError, match="sign"):
        dual_saving_bound(fmpq(0), end, pieces)


def test_a_dual_bound_worked_by_hand():
    # sigma = -1 on [1/2, 3/4], +1 on [3/4, 3/2]: mean 1/2, slope 9/4; the wave has
    # mean 1/4 there and no slope; it meets sigma in 3/16
    knots = [fmpq(n, 4) for n in (2, 3, 4, 6)]
    sign = [
        Piece(t0, t1, fmpq(v), fmpq(v))
        for (t0, t1), v in zip(pairwise(knots), (-1, 1, 1), strict=True)
    ]
    loss = (fmpq(3, 16) - fmpq(1, 8)) / (1 + fmpq(1, 2) + fmpq(9, 8))
    assert dual_saving_bound(fmpq(1, 2), fmpq(3, 2), sign) == fmpq(1, 4) - loss


@pytest.mark.parametrize("slope", [fmpq(0), fmpq(1, 3), fmpq(-2, 3)])
def test_an_affine_sign_bounds_nothing(slope):
    knots = [fmpq(n, 4) for n in (3, 4, 5)]
    sign = [Piece(t0, t1, slope * t0, slope * t1) for t0, t1 in pairwise(knots)]
    assert dual_saving_bound(knots[0], knots[-1], sign) == fmpq(1, 8)


def maximal_sign(x, y):
    """The dual sign of the written proof, near the maximiser (step 7)."""
    alpha, gamma = x - y, (x * (1 + x) + y * (1 + y)) / 2
    weight = fmpq(1, 2) + 2 * gamma / (1 - alpha**2)
    m = (1 + alpha) / 2
    knots = sorted({1 - x, fmpq(1), 1 + m, 2 - m, fmpq(2), 2 + y})
    pieces = []
    for t0, t1 in pairwise(knots):
        first = 1 if t1 <= 1 + m else -1
        mirrored = 1 if t0 >= 2 - m else -1
        value = weight * first + (1 - weight) * mirrored
        if t1 <= 1 or t0 >= 2:
            value = fmpq(-1 if t1 <= 1 else 1)
        pieces.append(Piece(t0, t1, value, value))
    return pieces


def test_near_the_maximiser_the_saving_is_exactly_the_constant_minus_a_square():
    grid = [fmpq(n, 50) for n in range(25)]
    count = 0
    for x, y in ((x, y) for x in grid for y in grid):
        box = Box(1 - x, 1 - x, 2 + y, 2 + y)
        bound = near_maximiser_bound(box)
        if bound is None:
            continue
        count += 1
        assert bound == L1_CONSTANT - (x - fmpq(1, 8)) ** 2 - (y - fmpq(1, 8)) ** 2
        assert saving_l1(1 - x, 1 + x + y, fmpq(-1), fmpq(2)) == bound
        assert dual_saving_bound(1 - x, 2 + y, maximal_sign(x, y)) == bound
    assert count > 150


def test_the_bound_near_the_maximiser_covers_the_corners_of_a_box():
    grid = [fmpq(n, 20) for n in range(9)]
    cells = [(*xs, *ys) for xs in pairwise(grid) for ys in pairwise(grid)]
    for x0, x1, y0, y1 in cells:
        bound = near_maximiser_bound(Box(1 - x1, 1 - x0, 2 + y0, 2 + y1))
        if bound is None:
            continue
        for x, y in ((x0, y0), (x0, y1), (x1, y0), (x1, y1)):
            corner = Box(1 - x, 1 - x, 2 + y, 2 + y)
            sharp = near_maximiser_bound(corner)
            assert sharp is not None and sharp <= bound


def test_the_bounds_of_a_box_hold_for_every_interval_in_it():
    rng = random.Random(7)

    def between(low, high):
        return low + (high - low) * fmpq(rng.randrange(65), 64)

    for _ in range(100):
        size = fmpq(1, 2 ** rng.randrange(1, 7))
        s0 = size * rng.randrange(int(1 / size))
        e0 = 2 + size * rng.randrange(int(3 / size))
        box = Box(s0, s0 + size, e0, e0 + size)
        bound_1, bound_2 = l1_box_bound(box), l2_box_bound(box)
        for _ in range(8):
            start = between(box.s0, box.s1)
            length = between(box.e0, box.e1) - start
            slope = fmpq(rng.randrange(-80, 81), 64)
            middle = fmpq(rng.randrange(65), 64) - slope * (start + length / 2)
            assert saving_l1(start, length, slope, middle) <= bound_1
            assert good_saving_l1(start, start + length) <= bound_1
            assert not best_saving_l2(start, length) > bound_2


def test_the_hessian_agrees_with_second_differences():
    rng = random.Random(11)
    step = fmpq(1, 2**16)
    for _ in range(100):
        s, e = fmpq(rng.randrange(1, 32), 32), fmpq(2 * rng.randrange(32, 80) + 1, 32)

        def at(i, j, s=s, e=e):
            start = s + i * step
            return best_saving_l2(start, e + j * step - start)

        ss, ee = (
            at(1, 0) + at(-1, 0) - 2 * at(0, 0),
            at(0, 1) + at(0, -1) - 2 * at(0, 0),
        )
        se = (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1)) / 4
        hessian = l2_hessian(Box(s, s, e, e))
        for derivative, difference in zip(hessian, (ss, se, ee), strict=True):
            assert abs(derivative - difference / step**2) < fmpq(1, 10**6)
