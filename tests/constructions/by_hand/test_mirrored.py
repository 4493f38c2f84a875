"""Copies of symmetric functions: 2^L times the pieces, values of the copy."""

import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.constructions import mirrored_copies
from depthsep.networks import Network

# |x - 1/2| + |x - 1/4| + |x - 3/4|, and a network that is not symmetric
PLACES = [fmpq(1, 2), fmpq(1, 4), fmpq(3, 4)]
BOWL = Network.from_arrays(
    [[1]] * 3 + [[-1]] * 3, [*(-p for p in PLACES), *PLACES], [[1] * 6], [0]
)
SLOPE = Network.from_arrays([[1]], [0], [[1]], [0])


@pytest.mark.parametrize("folds", [1, 2, 5])
def test_copies_stand_side_by_side(folds):
    found = on_interval(mirrored_copies(BOWL, folds), 0, 1)
    assert found.pieces == 4 * 2**folds
    for k in range(97):
        x = fmpq(k, 97)
        scaled = 2**folds * x
        part = scaled - int(scaled.floor())
        assert found(x) == BOWL([part])[0]


def test_what_is_not_symmetric_is_refused():
    with pytest.raises(HypothesisError, match="not symmetric about 1/2"):
        mirrored_copies(SLOPE, 3)
    with pytest.raises(HypothesisError, match="give a number from 1 to"):
        mirrored_copies(BOWL, 0)
