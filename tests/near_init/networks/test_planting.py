"""Planting a network beside the start."""

import numpy as np
import pytest

from depthsep.near_init import adversary, draw, network_value, plant


def test_second_layers_as_they_are_drawn_are_understood():
    inner, outer = draw("signs", (2, 600, 1), 0)
    x = np.array([[0.6, 0.8]])
    rows = plant([1.0], [[0.6, 0.8]], outer.weight, inner.weight, "1/2")
    flat = plant([1.0], [[0.6, 0.8]], outer.weight[0], inner.weight, "1/2")
    assert (rows.planted == flat.planted).all()
    value = network_value(outer.weight, inner.weight, x)
    assert value == pytest.approx(network_value(outer.weight[0], inner.weight, x))
    assert adversary(outer.weight, inner.weight, x[0], 1).rows > 0
