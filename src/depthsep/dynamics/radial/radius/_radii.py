"""Samples of the radius under any radial law, in NumPy."""

import numpy as np
from flint import ctx

from depthsep.dynamics.radial.radius._moments import (
    BallMoments,
    RadialMoments,
    ShellMoments,
    TableMoments,
    UniformMoments,
)
from depthsep.laws import AbstractRadialLaw, RadialLaw, SquaredTransform


def draw_radii(
    law: AbstractRadialLaw | RadialMoments, count: int, rng: np.random.Generator
) -> np.ndarray:
    """`count` independent radii; for tabulated moments by inversion of the table."""
    if isinstance(law, RadialLaw):
        return law.radius.draw(rng.random(count))
    if isinstance(law, SquaredTransform):
        with ctx.workprec(64):
            phase = float(law.phase().mid())
        return law.sample_radii(count, rng) / phase
    if isinstance(law, ShellMoments):
        return rng.choice(np.asarray(law.radii), count)
    if isinstance(law, TableMoments):
        nodes = law.start + law.step * np.arange(law.values.shape[1])
        levels = np.asarray(law.values[0])
        u = rng.random(count)
        far = law.tail / np.maximum(1 - u, 1e-300)  # P(r > s) = tail / s far out
        return np.where(u > levels[-1], far, np.interp(u, levels, nodes))
    if isinstance(law, UniformMoments):
        return rng.uniform(law.start, law.stop, count)
    assert isinstance(law, BallMoments)
    return rng.random(count) ** (1 / law.dim)
