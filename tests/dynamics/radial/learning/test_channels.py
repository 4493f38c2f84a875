"""The infinite-width limit with channels, against a sum over radii and networks."""

import numpy as np
import pytest
from scipy.special import gammaln

from depthsep import HypothesisError
from depthsep.dynamics import (
    RadialTask,
    couple,
    infinite_width,
    learn_radial,
    reduced_start,
    reduced_velocity,
)
from depthsep.dynamics.radial.learning._infinite import Reduced

UNITS = {"second": 2, "slope": (-0.7, -0.3), "offset": (0.5, 0.8)}


def by_hand(task, state):
    """The same velocities, by the midpoint rule on radii from 0 to 2."""
    d, channels = task.dim, task.bottleneck
    c_d = np.exp(gammaln(d / 2) - gammaln((d + 1) / 2)) / (2 * np.sqrt(np.pi))
    r = 2 * (np.arange(2_000_000) + 0.5) / 2_000_000
    before = np.outer(state.slopes, state.alpha * r) + np.array(state.offsets)[:, None]
    output = (np.array(state.scales)[:, None] * np.maximum(before, 0)).mean(axis=0)
    gap = np.maximum(1 - r, 0) - output
    first = ((before > 0) * gap * r).mean(axis=1)
    zeroth = ((before > 0) * gap).mean(axis=1)
    pull = (state.scales * state.slopes * first).mean()
    slopes = channels * state.scales * state.alpha * first
    return Reduced(
        4 * c_d * pull * state.alpha,
        slopes,
        state.scales * zeroth,
        state.slopes * state.alpha * first + state.offsets * zeroth,
    )


@pytest.mark.parametrize("channels", [1, 3])
def test_the_right_hand_side_is_the_one_by_hand(channels):
    more = {"train_scales": True, "bottleneck": channels, **UNITS}
    task = RadialTask(5, 8, **more)
    start = reduced_start(task)
    other = Reduced(1.3, np.array([-0.9, 0.2]), np.array([0.4, 0.1]), np.array([1, -2]))
    for state in (start, other):
        for one, two in zip(
            reduced_velocity(task, state), by_hand(task, state), strict=True
        ):
            assert np.allclose(one, two, atol=1e-6)


def test_there_is_none_without_a_limit():
    task = RadialTask(4, 8, bottleneck=2, train_outputs=True)
    with pytest.raises(HypothesisError, match="output weights"):
        reduced_velocity(task, reduced_start(task))
    with pytest.raises(HypothesisError, match="output weights"):
        infinite_width(task)


@pytest.mark.slow
def test_wide_networks_with_channels_follow_their_limit():
    sizes = {"pairs": 128, "time": 20, "records": 4, "start": "orthogonal"}
    task = RadialTask(4, 768, bottleneck=3, **sizes, **UNITS)
    run = learn_radial(task)
    limit = run.infinite.stepped  # that of one channel is more than 0.01 away
    assert np.abs(run.trajectory.alpha - limit.alpha).max() < 2e-3
    assert np.abs(run.trajectory.slopes.sum(axis=2) - limit.slopes).max() < 2e-3
    assert np.abs(run.trajectory.offsets - limit.offsets).max() < 2e-3
    assert couple(task).distance[-1] < 1e-4
