"""Sawtooths for every k and parities for every d, beside the bounds of one number."""

import pytest

from depthsep import HypothesisError
from depthsep.every_dimension import bounds_for
from depthsep.every_dimension._sawtooth import (
    PARITY_LOWER,
    PARITY_UPPER,
    TEETH_LOWER,
    TEETH_UPPER,
)
from depthsep.separation import bound


@pytest.mark.parametrize("accuracy", ["1/32", "1/10", "6/25"])
@pytest.mark.parametrize("layers", range(1, 9))
def test_the_sawtooth_is_that_of_theorem_b(layers, accuracy) -> None:
    given = {"folds": layers**2, "accuracy": accuracy, "layers": layers}
    one = bound("sawtooth-l1", **given).value
    every = TEETH_LOWER.at(layers, accuracy).value
    assert one - 1 <= every <= one
    widths = bound("sawtooth-folds", folds=layers**2, layers=layers**2).value
    assert str(widths) == str(TEETH_UPPER.at(layers, accuracy).value)


@pytest.mark.parametrize("dim", [2, 3, 5, 16, 64, 100])
def test_the_parity_is_that_of_cut_squares(dim) -> None:
    from flint import fmpq

    from depthsep.lower_bounds import parity_width

    assert PARITY_LOWER.at(dim, "1/2").value == parity_width(dim, fmpq(1, 2), "l1")
    layers = (dim - 1).bit_length()
    found = bound("parity-folds", inputs=dim, layers=layers).value
    assert int(str(found)) <= PARITY_UPPER.at(dim, "1/2").value


def test_targets_and_sentences() -> None:
    assert bounds_for("sawtooth:k^2") == (TEETH_LOWER, TEETH_UPPER)
    assert bounds_for("parity:d") == (PARITY_LOWER, PARITY_UPPER)
    assert "in some hidden layer, for every k >= 1" in TEETH_LOWER.sentence
    assert "in its hidden layer, for every d >= 2" in PARITY_LOWER.sentence
    with pytest.raises(HypothesisError, match="k is 0"):
        TEETH_LOWER.at(0, "1/10")
    assert bound("telgarsky-every-k", layers=5, accuracy="1/32").value == 31
