"""Ten steps of every kind of radial task, written out again in NumPy.

The loop knows the start and the directions; the means over radii are Gauss's rule
between all kinks, so exact for the polynomials there.
"""

from dataclasses import dataclass, replace

import jax
import numpy as np
import pytest

from depthsep.dynamics import RadialTask, learn_radial
from depthsep.dynamics.radial.task._start import (
    starting_network,
    training_directions,
)
from depthsep.evidence import Inapplicable

GAUSS, SHARE = np.polynomial.legendre.leggauss(4)
KINDS = (
    {},
    {"solver": "heun", "start": "orthogonal", "directions": "independent"},
    {"bottleneck": 3, "target": [(0, 0.5), (0.7, 1), (1.2, -0.3), (1.5, 0)]},
    {"bottleneck": 2, "outputs": "gaussian", "train_outputs": True, "law": "ball:3"},
    {"dim": 4, "subspace": 2, "bottleneck": 2, "rates": (1.0, 0.5)},
    {"train_scales": True, "law": "shells:3:1/2,1,3/2", "fresh": True},
)


@dataclass
class Net:
    """Particles; also their velocities."""

    weights: np.ndarray
    outputs: np.ndarray
    slopes: np.ndarray
    offsets: np.ndarray
    scales: np.ndarray

    def moved(self, other, h):
        names = vars(self)
        return Net(*(getattr(self, n) + h * getattr(other, n) for n in names))


def radii(task, kinks):
    """Radii and weights that give means of quadratics between kinks exactly."""
    if isinstance(task.law, str) and task.law.startswith("shells"):
        return np.array([0.5, 1, 1.5]), np.full(3, 1 / 3)
    last = 1.0 if task.law == "ball:3" else 2.0
    ends = np.unique(np.clip([0, *kinks, last], 0, last))
    middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    r = (middle[:, None] + half[:, None] * GAUSS).ravel()
    w = (half[:, None] * SHARE).ravel()
    return r, w * (3 * r**2 if last == 1 else 0.5)


def velocity(task, net, points, weights, stretch):
    """-m dL/dw of every particle, and the loss: one direction and sign at a time."""
    rate, second = task.rates
    m2, size = len(net.offsets), np.linalg.norm(net.weights, axis=1)
    out = Net(*(np.zeros_like(x) for x in vars(net).values()))
    knots, heights = np.array(task.corners).T
    loss = 0.0
    for u, share, long in zip(points, weights / 2, stretch, strict=True):
        for v in (u, -u):
            active = net.weights @ v > 0
            along = np.where(active, net.weights @ v, 0)
            first = (size * along) @ net.outputs / len(size)
            slope = net.slopes @ first
            kinks = [-b / a for a, b in zip(slope, net.offsets, strict=True) if a]
            r, w = radii(task, [*kinks, *(knots / long if long else [])])
            before = np.outer(slope, r) + net.offsets[:, None]
            on = before > 0
            f = (net.scales[:, None] * np.maximum(before, 0)).mean(axis=0)
            gap = np.interp(long * r, knots, heights, right=0.0) - f
            loss += share * (w * gap**2).sum() / 2
            zeroth, once = on @ (w * gap), on @ (w * gap * r)
            out.slopes += share * second * np.outer(net.scales * once, first)
            out.offsets += share * second * net.scales * zeroth
            if task.train_scales:
                out.scales += share * second * (slope * once + net.offsets * zeroth)
            pull = (net.scales * once) @ net.slopes / m2
            each = net.outputs @ pull
            lift = np.outer(size * active, v) + (net.weights.T * along / size).T
            out.weights += share * rate * each[:, None] * lift
            if task.train_outputs:
                out.outputs += share * rate * np.outer(size * along, pull)
    return out, loss


class Plain:
    """What the loop needs of a task."""

    def __init__(self, task):
        self.law, self.rates, self.solver = task.law, task.rates, task.solver
        self.train_scales, self.train_outputs = task.train_scales, task.train_outputs
        given = task.target if not isinstance(task.target, str) else [(0, 1), (1, 0)]
        self.corners = given


def loop(task):
    """Losses before every step, and the network at the end."""
    with jax.enable_x64(True):
        start = starting_network(task)
        names = ("weights", "outputs", "slopes", "offsets", "scales")
        parts = {n: getattr(start, n) for n in names}
        drawn = [
            training_directions(task, k if task.fresh else None) for k in range(11)
        ]
        drawn = [[np.asarray(x) for x in d] for d in drawn]
    if parts["outputs"] is None:
        parts["outputs"] = np.ones((task.width, 1))
    net, plain, losses = Net(*map(np.array, parts.values())), Plain(task), []
    for k in range(11):
        now, loss = velocity(plain, net, *drawn[k])
        losses.append(loss)
        if k < 10 and plain.solver == "euler":
            net = net.moved(now, task.step)
        elif k < 10:
            ahead, _ = velocity(plain, net.moved(now, task.step), *drawn[k])
            net = net.moved(now, task.step / 2).moved(ahead, task.step / 2)
    return losses, net


LONG = [pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[2:]]


@pytest.mark.parametrize("change", [*KINDS[:2], *LONG], ids=str)
def test_ten_steps_are_those_of_a_loop_in_numpy(change):
    sizes = {"pairs": 5, "step": 0.5, "time": 5.0, "records": 10, "second": 3}
    units = {"slope": (-0.7, -0.4, 0.1), "offset": (0.6, 0.3, -0.2)}
    task = RadialTask(3, 6, **sizes, **units, precision="float64", seed=3)
    task = replace(task, **change)
    run = learn_radial(task)
    if not task.has_proper_subspace:  # that limit has tests of its own
        assert isinstance(run.infinite, Inapplicable) == (task.no_flow is not None)
    losses, net = loop(task)
    assert np.allclose(run.trajectory.loss, losses, rtol=0, atol=1e-10)
    for name in ("weights", "slopes", "offsets", "scales"):
        assert np.allclose(
            getattr(run.network, name), getattr(net, name), rtol=0, atol=1e-10
        ), name
    if run.network.outputs is not None:
        assert np.allclose(run.network.outputs, net.outputs, rtol=0, atol=1e-10)
    assert losses[0] > losses[-1]
