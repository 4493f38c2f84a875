"""Flows of few numbers, at given times."""

import jax.numpy as jnp
import numpy as np

from depthsep.dynamics.radial.learning._flow import states_at

TIMES = np.array([0.0, 0.3, 1.0, 4.0])


def turned(state):
    x, y = state
    return y, -x


def test_it_is_there_at_each_of_the_times(x64):
    start = jnp.array([1.0, 0.0]), jnp.array([0.0, 2.0])
    x, y = states_at(turned, start, TIMES, 1e-12, 1000)
    cos, sin = np.cos(TIMES), np.sin(TIMES)
    np.testing.assert_allclose(x, np.stack([cos, 2 * sin], axis=1), atol=1e-11)
    np.testing.assert_allclose(y, np.stack([-sin, 2 * cos], axis=1), atol=1e-11)


def test_flows_that_are_not_followed_are_none(x64):
    one = jnp.array(1.0)
    assert states_at(lambda x: x * x, one, TIMES, 1e-9, 1000) is None  # 1 / (1 - t)
    assert states_at(lambda x: jnp.nan * x, one, TIMES, 1e-9, 1000) is None
    assert states_at(lambda x: -x, one, TIMES, 1e-12, 3) is None
    found = states_at(lambda x: -x, one, TIMES[:1], 1e-12, 0)
    np.testing.assert_array_equal(found, [1.0])
