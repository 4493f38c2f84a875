"""Infinite width, tangent kernels and sampling for the page, by JAX; `sampled`."""

from collections.abc import Iterator

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.dynamics import RadialTask, infinite_width, learn_radial
from depthsep.explore._line import rounded
from depthsep.explore._state import State
from depthsep.infinite_width import Gaussian, barron_thresholds, error_against_width
from depthsep.near_init import TangentKernel, finite_network

FRAMES = 60
WIDEST = 1024
MOST_PARTICLES = 256
WIDTHS = (16, 64, 256, 1024)


def learner(state: State) -> Iterator[dict[str, object]]:
    """The mean-field learner: its infinite-width flow, and particles of a run."""
    dim = state.dim or 4
    task = RadialTask(
        dim=dim, width=state.width, pairs=64, time=60.0, records=FRAMES, seed=state.seed
    )
    limit = infinite_width(task)
    yield {"times": rounded(limit.times), "alpha": rounded(limit.flow.alpha)}
    run = learn_radial(task)
    path, radii = run.trajectory, np.linspace(0, 1.6, 161)
    directions = np.asarray(run.network.weights)[:MOST_PARTICLES]
    for k, time in enumerate(np.asarray(path.steps) * task.step):
        before = np.outer(path.alpha[k] * path.slopes[k].mean(-1), radii)
        after = np.maximum(before + path.offsets[k][:, None], 0)
        values = (path.scales[k][:, None] * after).mean(axis=0)
        yield {
            "time": float(time),
            "alpha": float(path.alpha[k]),
            "spread": float(path.spread[k]),
            "loss": float(path.loss[k]),
            "values": rounded(values),
        }
    yield {
        "radii": rounded(radii),
        "target": rounded(task.profile.floats(radii)),
        "particles": rounded(directions[:, :2]),
    }


def kernel(state: State) -> Iterator[dict[str, object]]:
    """Tangent kernels of three random networks of one width beside their limit."""
    limit = TangentKernel("relu", depth=state.depth, weight_variance=2)
    angles = np.linspace(0, np.pi, 61)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    if state.width > WIDEST:
        raise HypothesisError(
            f"kernels are shown for widths up to {WIDEST} only; give a smaller width"
        )
    yield {"angles": rounded(angles), "limit": rounded(limit(points[:1], points)[0])}
    for seed in range(state.seed, state.seed + 3):
        network, layers = finite_network(limit, dim=2, width=state.width, seed=seed)
        yield {"kernel": rounded(np.sum(network.kernel(layers, points), axis=0)[0])}


def sampling(state: State) -> Iterator[dict[str, object]]:
    """Error against width of networks sampled for a Gaussian, beside the bound."""
    gaussian = Gaussian(state.dim or 10, str(state.sigma))
    representation = barron_thresholds(gaussian, radius=1)
    for width in WIDTHS:
        (found,) = error_against_width(representation, gaussian.floats, (width,))
        yield {
            "width": width,
            "sampled": float(found.mean_squared_error) ** 0.5,
            "bound": float(found.bound) ** 0.5,
        }
