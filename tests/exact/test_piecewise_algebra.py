"""Sums and compositions of piecewise-affine functions, and Lemma 4.11's counts."""

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import on_interval, pieces_of_composition, pieces_of_sum
from depthsep.exact import PiecewiseAffine
from depthsep.networks import THRESHOLD, Network, add, compose
from support.nets import intervals, networks

TENT = PiecewiseAffine.through([0, fmpq(1, 2), 1], [0, 1, 0])


@pytest.mark.parametrize("whole", [True, False])
@given(st.data())
def test_sums_are_those_of_networks(whole, data):
    first, second = data.draw(networks()), data.draw(networks())
    if first.out_dim != 1 or second.out_dim != 1 or first.depth != second.depth:
        return
    ends = (None, None) if whole else data.draw(intervals())
    f, g = on_interval(first, *ends), on_interval(second, *ends)
    both = on_interval(add(first, second), *ends)
    found = f + g
    assert found.pieces == both.pieces <= pieces_of_sum(f.pieces, g.pieces)
    for x in both.knots.tolist():
        assert found(x) == both(x) and (f - g)(x) == f(x) - g(x)
        assert (3 * f)(x) == 3 * f(x) and (-f)(x) == -f(x)
    assert (found.left_slope, found.right_slope) == (both.left_slope, both.right_slope)


@given(st.data())
def test_compositions_are_those_of_networks(data):
    outer, inner = data.draw(networks()), data.draw(networks())
    if outer.out_dim != 1 or inner.out_dim != 1:
        return
    f, g = on_interval(outer), on_interval(inner)
    found, both = f.after(g), on_interval(compose(outer, inner))
    assert found.pieces == both.pieces <= pieces_of_composition(f.pieces, g.pieces)
    for x in [*both.knots.tolist(), fmpq(-100), fmpq(1, 3), fmpq(100)]:
        assert found(x) == both(x)
    assert (found.left_slope, found.right_slope) == (both.left_slope, both.right_slope)


def test_tents_compose_to_sawtooths():
    found = TENT
    for k in range(2, 9):
        found = TENT.after(found)
        assert found.pieces == 2**k == pieces_of_composition(2, 2 ** (k - 1))


def test_refusals():
    step = Network.from_arrays([[1]], [0], [[1]], [0], activation=THRESHOLD)
    with pytest.raises(HypothesisError, match="jumps"):
        on_interval(step) + on_interval(step)
    with pytest.raises(HypothesisError, match="different intervals"):
        TENT + PiecewiseAffine.through([0, 2], [0, 1])
    with pytest.raises(HypothesisError, match="where the outer one is not defined"):
        TENT.after(2 * TENT)
    with pytest.raises(HypothesisError, match="where the outer one is not defined"):
        TENT.after(PiecewiseAffine(TENT.knots, TENT.values, fmpq(1), None))
