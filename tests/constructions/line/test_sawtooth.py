"""Sawtooths of any bases, cut off where the accuracy allows."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep.constructions.line._sawtooth import teeth_needed, teeth_network
from depthsep.exact import rational
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.targets import Sawtooth

WIDTHS = {3: 58, 4: 15, 5: 8, 6: 6, 7: 4, 8: 4}


@pytest.mark.parametrize(("depth", "width"), WIDTHS.items())
def test_the_widths_of_twelve_folds(depth: int, width: int) -> None:
    found = best_upper(Problem("sawtooth:12", norm="l1", accuracy="0.05"), depth)
    assert (found.width, found.checked) == (width, True)


def test_the_errors_of_the_certified_examples() -> None:
    l1 = best_upper(Problem("sawtooth:8", norm="l1", accuracy="0.05"), 3)
    assert l1.error == rational("0.04931640625") and l1.width <= 15
    l2 = best_upper(Problem("sawtooth:8", norm="l2", accuracy="0.05"), 3)
    assert abs(l2.error - rational("0.0494105884402")) < rational("1e-13")
    assert l2.width == 16


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 7), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data()
)
def test_it_is_the_sawtooth_up_to_its_last_tooth(
    folds: int, bases: list[int], data: st.DataObject
) -> None:
    room = min(int(np.prod(bases)), 1 << folds)
    halves = data.draw(st.integers(1, 2 * room))
    teeth = fmpq(halves, 2)
    network = teeth_network(folds, bases, teeth)
    x = np.linspace(0, 1, 513)
    stop = float(teeth.p) / float(teeth.q) / 2**folds
    expected = Sawtooth(folds).floats(np.minimum(x, stop))
    assert np.array_equal(network.floats(x[:, None])[:, 0], expected)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("accuracy", ["0.2", "0.1", "0.01", "1e-9"])
def test_one_tooth_fewer_would_miss_the_accuracy(norm: str, accuracy: str) -> None:
    limit = rational(accuracy)
    for folds in (3, 9):
        teeth, whole = teeth_needed(folds, norm, limit), fmpq(1 << folds)

        def cost(kept: fmpq, whole: fmpq = whole) -> fmpq:
            return (1 - kept / whole) / (4 if norm == "l1" else 12)

        allowed = limit if norm == "l1" else limit**2
        assert cost(teeth) <= allowed
        assert teeth == fmpq(1, 2) or cost(teeth - 1) > allowed
