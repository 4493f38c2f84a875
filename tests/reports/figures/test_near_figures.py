"""Pictures of training near the start: what they are headed, and that it fits."""

from types import SimpleNamespace

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.reports import (
    distance_figure,
    kernel_figure,
    save_figure,
    training_figure,
)

STEPS = np.array([0, 1, 200])


def run_of(width):
    """What the pictures read of one run."""
    gap = 9 / width * np.arange(3)
    run = SimpleNamespace(
        steps=STEPS,
        distance=np.array([0, 2, 3.0]),
        longest=np.array([0, 4, 6.0]) / width**0.5,
        values=np.zeros((3, 5)),
        gap=gap,
    )
    predicted = np.ones((3, 5))
    return SimpleNamespace(
        width=width, run=run, worst=2 * gap, bound=4 * gap, predicted=predicted
    )


RUNS = [run_of(1024), run_of(64)]


def test_distances_are_drawn_by_width(tmp_path):
    figure = distance_figure(RUNS)
    whole, longest, *_ = figure.axes[0].lines
    assert whole.get_xdata().tolist() == [64, 1024]
    assert longest.get_ydata().tolist() == [6 / 8, 6 / 32]
    save_figure(figure, tmp_path / "distance.svg")
    with pytest.raises(HypothesisError, match="run"):
        distance_figure([])


def test_training_is_drawn_beside_its_prediction(tmp_path):
    figure = training_figure(RUNS, np.linspace(-3, 3, 5), (np.zeros(2), np.ones(2)))
    left, right = figure.axes
    assert len(left.lines) == 2 * len(RUNS) + 1
    assert len(right.lines) == 3 * len(RUNS)
    save_figure(figure, tmp_path / "training.svg")


def test_errors_of_kernels_have_a_line_each(tmp_path):
    errors = [
        SimpleNamespace(
            width=m, mean_squared_error=1 / m, standard_error=1 / (9 * m), seeds=8
        )
        for m in (16, 256)
    ]
    figure = kernel_figure({"depth 2": errors, "depth 4": errors})
    _, labels = figure.axes[0].get_legend_handles_labels()
    assert labels == ["depth 2", "depth 4"]
    save_figure(figure, tmp_path / "kernel.svg")
