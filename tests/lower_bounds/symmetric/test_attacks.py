"""Networks that try to fall below the bounds at depth 2: random and trained.

Least squares on the outer layer over random or optimised directions; errors are
measured by expansions or quadrature. `DEPTHSEP_DRAWS` multiplies the few draws.
"""

import os

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep.laws import SpherePair, SquaredTransform
from depthsep.lower_bounds import ZonalWave, radial_mass, tube_width
from depthsep.lower_bounds.symmetric.zonal._inner_rank import InnerRank
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Radial
from support.slow import mostly_slow

pytestmark = pytest.mark.attack

TIMES = int(os.environ.get("DEPTHSEP_DRAWS", "1"))
DRAWS = 2 * TIMES
SAMPLES = 12_000 if TIMES == 1 else 40_000
ACTIVATIONS = {
    "relu": lambda s: np.maximum(s, 0),
    "tanh": np.tanh,
    "cos": np.cos,
}


def least_error(features: np.ndarray, truth: np.ndarray, held: int) -> float:
    """Root mean squared error on held-out rows after least squares on the others."""
    design = np.column_stack([features, np.ones(len(features))])
    scale = np.maximum(np.abs(design).max(axis=0), 1e-12)
    read, *_ = np.linalg.lstsq(design[held:] / scale, truth[held:], rcond=1e-10)
    off = design[:held] / scale @ read - truth[:held]
    return float(np.sqrt((off**2).mean()))


def improved(directions, biases, data, activation, truth, steps=40):
    """Directions after steps of gradient descent on variable-projection residuals."""
    slope = 1e-4
    for _ in range(steps):
        hidden = data @ directions.T + biases
        design = np.column_stack([activation(hidden), np.ones(len(data))])
        read, *_ = np.linalg.lstsq(design, truth, rcond=1e-8)
        off = design @ read - truth
        push = (activation(hidden + slope) - activation(hidden - slope)) / (2 * slope)
        pull = (off[:, None] * push * read[:-1]).T @ data / len(data)
        size = np.linalg.norm(pull)
        if size == 0:
            break
        directions = directions - 0.5 * pull / max(size, 1e-3) * np.sqrt(len(pull))
    return directions


@pytest.mark.parametrize(
    ("name", "dim"),
    mostly_slow(
        [("relu", 3), ("tanh", 4)],
        [("relu", 3), ("relu", 4), ("relu", 5), ("tanh", 4), ("cos", 5)],
    ),
)
def test_no_network_on_spheres_falls_below_the_rank_bound(name, dim):
    """r units leave at least sum alpha_n^2 (1 - r / N)_+; trained ones too."""
    wave = ZonalWave(dim, "sin", lambda: arb(6))
    target, law = InnerProduct("sin(6*t)", dim), SpherePair(dim)
    masses = [
        (float((wave.coefficient(n) ** 2).mid()), _dimension(dim, n))
        for n in range(1, 40, 2)
    ]
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        data = law.sample(SAMPLES, draw)
        truth = target.floats(data)
        for r in (4, 12, 25):
            least = sum(m * max(0.0, 1 - r / n) for m, n in masses)
            directions = rng.standard_normal((r, 2 * dim)) * 3
            if draw % 2:  # x and x' along one line: where the bound is tight
                directions[:, dim:] = directions[:, :dim]
            biases = rng.uniform(-2, 2, r)
            activation = ACTIVATIONS[name]
            for trained in (False, True):
                if trained:
                    directions = improved(
                        directions, biases, data[:4000], activation, truth[:4000]
                    )
                features = activation(data @ directions.T + biases)
                error = least_error(features, truth, SAMPLES // 2)
                assert error**2 >= least * (1 - 5 / np.sqrt(SAMPLES)) - 1e-3


def _dimension(dim: int, degree: int) -> int:
    from depthsep.special import harmonic_dimension

    return harmonic_dimension(dim, degree)


@pytest.mark.parametrize("dim", [3, 4, 5])
def test_the_rank_bound_is_met_with_equality_by_no_fewer_units(dim):
    """The width that is proved, less one, cannot do it by the bound itself."""
    asked = Problem(InnerProduct("sin(6*t)", dim), norm="l2", accuracy="1/5")
    width = InnerRank().prove(asked, 2).width
    wave = ZonalWave(dim, "sin", lambda: arb(6))
    r = width - 1
    left = sum(
        float((wave.coefficient(n) ** 2).mid()) * max(0.0, 1 - r / _dimension(dim, n))
        for n in range(1, 60, 2)
    )
    assert left > 0.2**2


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("written", ["triangle:3", "shells:2", "ball"])
def test_no_ridge_sum_falls_below_the_tube_bound(dim, written):
    """m directions with free functions of one variable, least squares under phi^2.

    The functions are piecewise constant on 60 quantiles of each projection, the fit is
    measured on fresh points; sums of bounded functions are in L2(phi^2).
    """
    law = SquaredTransform(dim)
    if written == "ball":
        law = SquaredTransform(dim, edge=fmpq(3))
    target = Radial(written, dim)
    mass = radial_mass(target, law, fmpq(1, 100))
    norm = float(mass.total.mid()) ** 0.5
    x, fresh = law.sample(SAMPLES, 0), law.sample(SAMPLES, 1)
    truth, later = target.floats(x), target.floats(fresh)
    for m in (1, 2, 3, 5):
        angles = np.pi * (np.arange(m) + 0.3) / m
        v = np.random.default_rng(m).standard_normal((m, dim))
        if dim == 2:
            v = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        v /= np.linalg.norm(v, axis=1, keepdims=True)
        bins = [np.quantile(x @ w, np.linspace(0, 1, 61)[1:-1]) for w in v]
        design, test = (
            np.column_stack(
                [
                    np.eye(60)[np.searchsorted(b, p @ w)]
                    for w, b in zip(v, bins, strict=True)
                ]
            )
            for p in (x, fresh)
        )
        gram = design.T @ design + 1e-3 * np.eye(60 * m)
        read = np.linalg.solve(gram, design.T @ truth)
        error = float(np.sqrt(((test @ read - later) ** 2).mean()))
        claimed = tube_width(mass, fmpq(round(min(error, norm) * 960), 1000))
        assert claimed is None or claimed.width <= m or error > norm * 0.99
