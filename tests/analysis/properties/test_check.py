"""Properties of networks, decided as exact arithmetic over all regions decides them."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.analysis import Case, Linear, check, float32_outputs
from depthsep.analysis.regions import extremes
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.networks import RELU, TANH, Affine, Network, leaky_relu

SQUARE = ((fmpq(-1), fmpq(1)),) * 2


def drawn(seed, widths, activation=RELU):
    rng = np.random.default_rng(seed)
    layers = [
        Affine(rng.normal(size=(m, n)) * 1.4 / n**0.5, rng.normal(size=m) / 2)
        for n, m in pairwise(widths)
    ]
    return Network(layers, [activation] * (len(layers) - 1))


def at_least(limit, output=0, strict=False):
    """Y >= limit, the inputs that break it."""
    return Linear({}, {output: fmpq(-1)}, fmpq(limit), strict)


@pytest.mark.parametrize(
    ("activation", "seed"),
    [(leaky_relu("1/8") if k % 2 else RELU, k) for k in range(5)],
    ids=str,
)
def test_one_inequality_is_decided_next_to_its_limit(activation, seed) -> None:
    """Just above the largest value, just below, and at it: >= and >."""
    network = drawn(seed, [2, 10, 8, 1], activation)
    largest = extremes(network, Box.cube(Segment(-1, 1), 2)).largest
    near = fmpq(1, 10**6)
    for limit, strict, answer in (
        (largest + near, False, "holds"),
        (largest - near, False, "violated"),
        (largest, False, "violated"),
        (largest, True, "holds"),
    ):
        case = Case(SQUARE, (at_least(limit, strict=strict),))
        found = check(network, (case,), seconds=2)
        assert found.answer == answer, (limit, strict)
        if found.witness is not None:
            value = network(found.witness.point)[0]
            assert value >= limit and found.witness.outputs == (value,)
            assert all(-1 <= x <= 1 for x in found.witness.point)


@pytest.mark.parametrize("seed", range(12))
def test_several_inequalities_with_inputs_among_them(seed) -> None:
    """Y0 <= Y1, Y0 <= Y2 + x1/2 - 1/10, x1 + x2 >= 1/2: against a dense grid."""
    network = drawn(seed, [2, 9, 7, 3])
    half, tenth = fmpq(1, 2), fmpq(1, 10)
    rows = (
        Linear({}, {0: fmpq(1), 1: fmpq(-1)}),
        Linear({0: -half}, {0: fmpq(1), 2: fmpq(-1)}, tenth),
        Linear({0: fmpq(-1), 1: fmpq(-1)}, {}, half),
    )
    found = check(network, (Case(SQUARE, rows),), seconds=20)
    ticks = np.linspace(-1, 1, 401)
    x = np.stack(np.meshgrid(ticks, ticks), -1).reshape(-1, 2)
    y = network.floats(x)
    met = (y[:, 0] <= y[:, 1]) & (y[:, 0] <= y[:, 2] + x[:, 0] / 2 - 0.1)
    met &= x.sum(1) >= 0.5
    if met.any():
        assert found.answer == "violated"
    assert found.answer in ("holds", "violated")
    if found.witness is not None:
        point = found.witness.point
        outputs = [Enclosure(v, v, Rigour.EXACT) for v in network(point)]
        assert all(row.is_met(point, outputs) for row in rows)


def test_alternatives_are_looked_at_one_after_another() -> None:
    network = drawn(3, [2, 10, 8, 1])
    values = extremes(network, Box.cube(Segment(-1, 1), 2))
    high = Case(SQUARE, (at_least(values.largest + 1),))
    low = Case(SQUARE, (Linear({}, {0: fmpq(1)}, -(values.least + fmpq(1, 100))),))
    assert check(network, (high,)).answer == "holds"
    assert check(network, (high, low)).answer == "violated"
    assert check(network, ()).answer == "holds"


def test_smooth_networks_are_checked_too() -> None:
    network = drawn(4, [2, 10, 8, 1], TANH)
    largest = network.floats(np.random.default_rng(0).uniform(-1, 1, (10**5, 2))).max()
    for shift, answer in ((0.05, "holds"), (-0.05, "violated")):
        limit = fmpq(*float(largest + shift).as_integer_ratio())
        found = check(network, (Case(SQUARE, (at_least(limit),)),), seconds=20)
        assert found.answer == answer


def test_witnesses_are_float32_where_they_can_be() -> None:
    network = drawn(5, [2, 10, 8, 1])
    found = check(network, (Case(SQUARE, (at_least(-100),)),))
    assert found.witness is not None and found.witness.single
    (runs,) = float32_outputs(network, found.witness.point)
    assert abs(runs - nearest_float(found.witness.outputs[0])) < 1e-4


def test_time_that_is_over_is_not_an_answer() -> None:
    network = drawn(6, [6, 60, 60, 60, 1])
    box = ((fmpq(-1), fmpq(1)),) * 6
    values = network.floats(np.random.default_rng(0).uniform(-1, 1, (10**5, 6)))
    limit = fmpq(*float(values.max() * 1.5 + 1).as_integer_ratio())
    found = check(network, (Case(box, (at_least(limit),)),), seconds=0)
    assert found.answer in ("not decided", "holds")
    assert found.answer == "holds" or found.open_cases == (0,)


def test_what_does_not_fit_is_refused() -> None:
    network = drawn(7, [2, 4, 1])
    with pytest.raises(HypothesisError, match="3 inputs"):
        check(network, (Case((*SQUARE, SQUARE[0]), ()),))
    with pytest.raises(HypothesisError, match="output 1"):
        check(network, (Case(SQUARE, (at_least(0, output=1),)),))
