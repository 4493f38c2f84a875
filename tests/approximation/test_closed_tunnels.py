"""Counts in closed tunnels are those of whole sweeps."""

import numpy as np
import pytest

from depthsep.approximation import ClosedTunnels, tunnel_links


@pytest.mark.parametrize("seed", range(8))
def test_links_are_those_of_a_sweep_from_end_to_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(15):
        count = int(rng.integers(3, 60))
        x = np.cumsum(rng.uniform(0.01, 1, count))
        values = np.cumsum(rng.normal(size=count)) * rng.random() + np.sin(x)
        error = rng.uniform(1e-3, 0.7)
        walls = (values - error).tolist(), (values + error).tolist()
        closed = ClosedTunnels(x.tolist(), *walls)
        for at in {0, count - 2, int(rng.integers(0, count - 1))}:
            level = float(values[at] + rng.uniform(-1, 1) * error)
            floor, ceiling = (wall.copy() for wall in walls)
            floor[at : at + 2] = ceiling[at : at + 2] = [level, level]
            links = tunnel_links(x.tolist(), floor, ceiling, continuous=True)
            assert closed.links(at, level) == len(links)
