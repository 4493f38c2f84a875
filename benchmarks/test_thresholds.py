"""Layers of thresholds on a line: their pieces, beside evaluating them once a piece."""

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import on_interval
from depthsep.constructions import step_network
from depthsep.laws import Segment
from depthsep.targets import target_from_text

ON = Segment(0, 1)


@pytest.fixture(scope="module")
def steps():
    return step_network(target_from_text("expr:sin(20*x)"), ON, fmpq(1, 400))


def test_pieces_of_thresholds(benchmark, steps):
    assert benchmark(on_interval, steps, 0, 1).pieces == steps.units


def test_baseline_evaluate_once_a_piece(benchmark, steps):
    x = np.linspace(0, 1, steps.units)[:, None]
    assert np.isfinite(benchmark(steps.floats, x)).all()
