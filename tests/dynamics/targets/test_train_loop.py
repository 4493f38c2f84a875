"""Ten steps of training on a target, written out again in NumPy."""

import itertools

import jax
import numpy as np

from depthsep.claims import TrainingPlan
from depthsep.dynamics import train_from


def gradients(layers, x, y):
    """Of the mean square, layer by layer."""
    values = [x]
    for w, b in layers[:-1]:
        values.append(np.maximum(values[-1] @ w.T + b, 0))
    w, b = layers[-1]
    gap = 2 * ((values[-1] @ w.T + b)[:, 0] - y) / len(y)
    back, found = gap[:, None], []
    for k in range(len(layers) - 1, -1, -1):
        found.append((back.T @ values[k], back.sum(axis=0)))
        if k:
            back = back @ layers[k][0] * (values[k] > 0)
    return found[::-1]


def test_ten_steps_of_adam_are_those_of_a_loop_in_numpy():
    rng = np.random.default_rng(9)
    sizes = [2, 5, 4, 1]
    layers = [
        (rng.standard_normal((b, a)), rng.standard_normal(b))
        for a, b in itertools.pairwise(sizes)
    ]
    x = rng.standard_normal((50, 2))
    y = np.sin(x[:, 0]) * x[:, 1]
    plan = TrainingPlan(steps=10, batch=16, rate=0.05, seed=3)
    trained = train_from(layers, x, y, plan)
    with jax.enable_x64(True):
        key = jax.random.key(3)
        batches = [
            np.asarray(jax.random.randint(jax.random.fold_in(key, k + 1), (16,), 0, 50))
            for k in range(10)
        ]
    memory = [[(0.0, 0.0) for _ in pair] for pair in layers]
    for k, batch in enumerate(batches):
        rate = plan.rate * (1 + np.cos(np.pi * k / 10)) / 2
        moved = []
        for layer, slopes, kept in zip(
            layers, gradients(layers, x[batch], y[batch]), memory, strict=True
        ):
            pair = []
            for j, (w, g) in enumerate(zip(layer, slopes, strict=True)):
                m, v = kept[j]
                m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
                kept[j] = m, v
                up = m / (1 - 0.9 ** (k + 1)), v / (1 - 0.999 ** (k + 1))
                pair.append(w - rate * up[0] / (np.sqrt(up[1]) + 1e-8))
            moved.append(tuple(pair))
        layers = moved
    for own, other in zip(trained, layers, strict=True):
        for one, two in zip(own, other, strict=True):
            assert np.allclose(one, two, rtol=0, atol=1e-10)
