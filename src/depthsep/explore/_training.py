"""Training beside the table: Adam on a plain network, frame by frame; `sampled`."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float
from depthsep.explore._line import rounded
from depthsep.explore._state import State

FRAMES = 60
STEPS = 3000
POINTS = 256
WIDEST = 256
DECAY = (0.9, 0.999)  # of Adam's two means
Layers = list[list[np.ndarray]]


def train(state: State) -> Iterator[dict[str, object]]:
    """Adam on a network of the row's depth, frame by frame.

    Raises:
        HypothesisError: not a function of one variable, or a wide network.
    """
    problem = state.problem()
    if problem.law.setting != "line":
        raise HypothesisError("training is shown for functions of one variable only")
    if state.width > WIDEST:
        raise HypothesisError(
            f"training is shown for widths up to {WIDEST} only; give a smaller width"
        )
    on = problem.interval
    start, stop = nearest_float(on.start), nearest_float(on.stop)
    x = np.linspace(start, stop, POINTS)
    y = np.asarray(problem.target.floats(x), dtype=float)
    middle, size = y.mean(), y.std() or 1.0
    yield {"x": rounded(x), "target": rounded(y), "steps": STEPS}
    inputs = (2 * (x - start) / (stop - start) - 1)[:, None]
    for step, values in _adam(state, inputs, (y - middle) / size):
        found = middle + size * values
        largest = float(np.abs(found - y).max())
        yield {"step": step, "values": rounded(found), "largest": largest}


def _adam(
    state: State, x: np.ndarray, y: np.ndarray
) -> Iterator[tuple[int, np.ndarray]]:
    """Steps and values of a plain network on the mean square, from He's start."""
    rng = np.random.default_rng(state.seed)
    sizes = [1, *[state.width] * (state.depth - 1), 1]
    layers: Layers = [
        [rng.normal(0, (2 / m) ** 0.5, (m, n)), rng.uniform(-1, 1, n)]
        for m, n in pairwise(sizes)
    ]
    means = [[np.zeros_like(p) for p in layer] for layer in layers]
    squares = [[np.zeros_like(p) for p in layer] for layer in layers]
    for step in range(STEPS + 1):
        values, gradients = _gradients(layers, x, y)
        if step % (STEPS // FRAMES) == 0:
            yield step, values
        rate = 0.01 * (1 - step / (STEPS + 1))
        for layer, g, m, s in zip(layers, gradients, means, squares, strict=True):
            for k in (0, 1):
                m[k] += (1 - DECAY[0]) * (g[k] - m[k])
                s[k] += (1 - DECAY[1]) * (g[k] ** 2 - s[k])
                mean = m[k] / (1 - DECAY[0] ** (step + 1))
                square = s[k] / (1 - DECAY[1] ** (step + 1))
                layer[k] -= rate * mean / (np.sqrt(square) + 1e-8)


def _gradients(
    layers: Layers, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """The values, and the gradient of the mean square by every weight and bias."""
    inputs = [x]
    for weight, bias in layers[:-1]:
        inputs.append(np.maximum(inputs[-1] @ weight + bias, 0))
    values = (inputs[-1] @ layers[-1][0] + layers[-1][1])[:, 0]
    back = (2 * (values - y) / len(y))[:, None]
    found = []
    for (weight, _), into in zip(reversed(layers), reversed(inputs), strict=True):
        found.append((into.T @ back, back.sum(0)))
        back = (back @ weight.T) * (into > 0)
    return values, found[::-1]
