"""Inspecting a given network: on an interval, on all of R, on a line, too large."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, Segment, TooLargeError, Uniform, inspect
from depthsep.analysis import on_interval
from depthsep.constructions import fold_network
from depthsep.evidence import Rigour
from depthsep.laws import Box
from depthsep.networks import RELU, Affine, Network, compose, leaky_relu
from depthsep.targets import Expression, Sawtooth, Square
from support.nets import UNIT, affine, tents_on_the_line

SUM = Network.from_arrays([[1, 1, 1]], ["3/2"])  # of three signs, as 0 to 3


def test_a_network_of_one_input_is_inspected_on_all_of_the_line():
    found = inspect(tents_on_the_line(3))
    assert (found.pieces, found.most_pieces, found.crossings) == (10, 36, 9)
    assert found.where == "all of R" and found.rigour is Rigour.EXACT
    assert found.size.widths == (3, 2, 2) and found.distance is None
    assert found.function.is_on_whole_line


def test_on_an_interval_and_at_another_level():
    found = inspect(fold_network((4,)), on=Segment(0, "1/2"), level="0.25")
    assert (found.pieces, found.crossings, found.where) == (2, 3, "[0, 1/2]")
    assert found.level == fmpq(1, 4)


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
@pytest.mark.parametrize("target", [Sawtooth(2), Square(), Expression("sin(x)")])
def test_the_distance_to_a_target_is_measured_on_its_interval(target, norm):
    found = inspect(fold_network((2, 2)), target=target, norm=norm)
    assert found.where == "[0, 1]" and found.norm == norm
    assert (found.distance.upper == 0) == (target == Sawtooth(2))


def test_float64_is_sampled():
    found = inspect(fold_network((2, 2)), on=UNIT, target=Square(), exact=False)
    assert found.rigour is Rigour.SAMPLED and found.pieces == 4
    assert found.distance.rigour is Rigour.SAMPLED


def test_on_a_segment_in_space():
    network = compose(fold_network((3,)), compose(affine("1/3", 0), SUM))
    found = inspect(network, line=([-1, -1, -1], [1, 1, 1]))
    assert found.where == "the segment from (-1, -1, -1) to (1, 1, 1)"
    assert found.pieces == 4  # 3 folds, and the part where the sum is negative
    assert found.function(0) == network([-1, -1, -1])[0]


def test_what_cannot_be_inspected_says_what_to_give():
    with pytest.raises(HypothesisError, match="the box has dimension"):
        inspect(SUM, Box.cube(UNIT, 2))
    with pytest.raises(
        HypothesisError, match="is measured along a line; on an interval"
    ):
        inspect(SUM, target=Square(), line=([0] * 3, [1] * 3))


def test_units_that_do_nothing_on_an_interval():
    leaky = leaky_relu("1/4")
    for activation, dead in ((RELU, 1), (leaky, 0)):
        network = Network.from_arrays(
            [[1], [1], [-1]], [0, 2, -2], [[1, 1, 1]], [0], activation=activation
        )
        units = inspect(network, on=Segment(-1, 1)).units
        assert (units.dead, units.linear) == ((dead,), (2 - dead,))
    assert inspect(network).units is None


def test_the_distance_to_another_network():
    first, second = fold_network((2,)), fold_network((4,))
    found = inspect(first, on=UNIT, against=second, norm="l1")
    assert 0 < found.distance.upper < 1 and found.distance.is_point
    with pytest.raises(HypothesisError, match="give an interval"):
        inspect(first, against=second)


@pytest.fixture
def few_pieces(monkeypatch):
    """Lists of pieces end at 2^16 here."""
    monkeypatch.setitem(on_interval.__kwdefaults__, "max_pieces", 1 << 16)


@pytest.mark.usefixtures("few_pieces")
def test_networks_of_too_many_pieces_are_counted_by_splitting():
    found = inspect(fold_network((2,) * 40), on=UNIT)
    assert found.pieces == 2**40 and found.most_pieces == 3**40
    assert found.function is None and found.crossings is None
    assert found.rigour is Rigour.EXACT and found.where == "[0, 1]"


@pytest.mark.usefixtures("few_pieces")
def test_networks_of_too_many_pieces_that_do_not_split_are_refused():
    with pytest.raises(TooLargeError, match="shorter interval"):
        inspect(fold_network((2,) * 40))
    with pytest.raises(TooLargeError):
        inspect(fold_network((2,) * 40), on=UNIT, target=Expression("sin(x)"))


def test_no_distance_is_left_out_in_silence():
    with pytest.raises(TooLargeError, match="so the distance cannot be found"):
        inspect(fold_network((1000,) * 4), on=UNIT, against=fold_network((2,)))


def test_wide_layers_are_refused_before_they_fill_the_memory():
    """A million rows of a thousand numbers."""
    with pytest.raises(TooLargeError, match="of width 1000, change sign 999000 times"):
        on_interval(fold_network((1000,) * 3), 0, 1)


@pytest.mark.usefixtures("few_pieces")
def test_counting_by_splitting_follows_the_output_asked_for():
    folds = fold_network((2,) * 40)
    last = folds.layers[-1]
    both = Affine([[0, 0], last.weight[0]], [1, last.bias[0]])
    network = Network((*folds.layers[:-1], both), folds.activations)
    assert inspect(network, on=UNIT, output=1).pieces == 2**40


@pytest.mark.parametrize("seed", range(4))
def test_integrals_of_one_input_are_exact(seed):
    rng = np.random.default_rng(seed)
    network = Network.from_arrays(
        rng.integers(-3, 4, (6, 1)).astype(float),
        rng.integers(-2, 3, 6).astype(float),
        rng.integers(-3, 4, (1, 6)).astype(float),
        np.array([-0.5]),
    )
    found = inspect(network, on=Segment(-1, 2)).integrals
    x = np.linspace(-1, 2, 600_001)
    y = network.floats(x[:, None])[:, 0]
    sums = (found.integral, found.absolute, found.square)
    for seen, values in zip(sums, (y, np.abs(y), y * y), strict=True):
        assert seen.is_point
        assert float(seen) == pytest.approx(np.trapezoid(values, x), abs=1e-8)
    assert float(found.volume) == 3
    assert float(found.largest) == pytest.approx(np.abs(y).max(), abs=1e-5)


def test_integrals_need_an_interval_and_exact_numbers():
    network = Network.from_arrays(
        np.ones((1, 1)), np.zeros(1), np.ones((1, 1)), np.zeros(1)
    )
    assert inspect(network).integrals is None
    assert inspect(network, on=Segment(0, 1), exact=False).integrals is None
    assert inspect(network, on=Segment(0, 1)).integrals.square.lower == fmpq(1, 3)


def test_a_law_is_no_interval():
    with pytest.raises(HypothesisError, match=r"Segment\(A, B\)"):
        inspect(Network.from_arrays([[1]], [0], [[1]], [0]), Uniform(0, 1))
