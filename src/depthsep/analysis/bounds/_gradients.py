r"""Bounds of the gradient of an output on boxes, and its largest norm.

The chain rule with an interval of slopes for every unit, from the output to the inputs.
At kinks the bounds hold for difference quotients, so that they bound Lipschitz
constants and signs of monotone inputs.
"""

from dataclasses import dataclass

import numpy as np

from depthsep.analysis.bounds._backward import layers_on
from depthsep.analysis.bounds._balls import EPS, FLOOR, GROW, ROUND, Ball, known
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._forward import forms_on
from depthsep.analysis.bounds._hessians import hessians_of, is_smooth
from depthsep.analysis.bounds._search import AbstractBounded, OnBoxes

FEW_INPUTS = 8  # for which quick bounds of the units are worth more than sharp ones
DUAL = {"linf": "l1", "l2": "l2", "l1": "linf"}


def gradients_on(
    net: Followed, low: np.ndarray, high: np.ndarray, combination: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the partial derivatives on boxes, (B, n) below and above."""
    with np.errstate(all="ignore"):
        least, most, before, backwards = _by_chain_rule(net, low, high, combination)
        if is_smooth(net):
            middle = low / 2 + high / 2
            hessians = hessians_of(net, before, backwards)
            sizes = np.abs(hessians.middle) + hessians.reach
            reach = np.maximum(high - middle, middle - low) * (1 + 4 * EPS)
            moved = (sizes @ reach[:, :, None])[:, :, 0] * GROW
            a, b, *_ = _by_chain_rule(net, middle, middle, combination)
            margin = moved + ROUND * (np.abs(a) + np.abs(b) + moved)
            least, most = np.fmax(least, a - margin), np.fmin(most, b + margin)
        return known(least, -np.inf), known(most, np.inf)


def hessians_on(
    net: Followed, low: np.ndarray, high: np.ndarray, combination: np.ndarray
) -> Ball:
    """Second derivatives of a combination of outputs on boxes, (B, n, n)."""
    with np.errstate(all="ignore"):
        _, _, before, backwards = _by_chain_rule(net, low, high, combination)
        return hessians_of(net, before, backwards)


def _by_chain_rule(
    net: Followed, low: np.ndarray, high: np.ndarray, combination: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]], list[Ball]]:
    """Bounds; with them what the units read, and the derivatives in their values."""
    few = net.in_dim <= FEW_INPUTS
    before = forms_on(net, low, high)[0] if few else layers_on(net, low, high)
    last = net.maps[-1]
    middle = np.tile(combination @ last.weight.T, (len(low), 1))
    reach = last.share * (np.abs(combination) @ last.sizes.T)
    floor = last.floor * (1 + np.abs(combination).sum())
    reach = np.broadcast_to(reach * GROW + floor, middle.shape)
    backwards = []
    for k in range(len(net.units) - 1, -1, -1):
        backwards.append(Ball(middle, reach))
        slopes = net.units[k].slopes(*before[k])
        middle, reach = backwards[-1].times(*slopes)
        here = net.maps[k]
        far = reach @ here.sizes.T
        size = np.abs(middle) + reach
        off = here.share * (size @ here.sizes.T)
        floor = here.floor * (1 + size.sum(1, keepdims=True))
        middle, reach = middle @ here.weight.T, (far + off) * GROW + floor
    return middle - reach, middle + reach, before, backwards[::-1]


def norm_of(values: np.ndarray, norm: str) -> np.ndarray:
    """Norms of the last axis, in float64."""
    sizes = np.abs(values)
    if norm == "l2":  # squares of what is below 1e-160 would be 0
        top = np.maximum(sizes.max(-1, keepdims=True), FLOOR)
        return top[..., 0] * np.sqrt(((sizes / top) ** 2).sum(-1))
    return sizes.sum(-1) if norm == "l1" else sizes.max(-1)


def _scores(spread: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """How much a cut of each side promises, (B, n): long sides first."""
    longest = np.maximum(sides.max(1, keepdims=True), FLOOR)
    return spread[:, None] * sides / longest


@dataclass(frozen=True, eq=False)
class GradientNorm(AbstractBounded):
    """The norm of the gradient: its supremum is the Lipschitz constant.

    Attributes:
        norm: of the gradient, dual to that of the inputs.
        slopes: the gradient at (m, n) points, near.
    """

    net: Followed  # pyrefly: ignore[bad-override] (frozen)
    combination: np.ndarray
    norm: str
    slopes: "Slopes"

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        least, most = gradients_on(self.net, low, high, self.combination)
        size = np.maximum(np.abs(least), np.abs(most))
        upper = norm_of(size, self.norm) * (1 + (size.shape[1] + 8) * EPS) + FLOOR
        scores = _scores((most - least).sum(1), high - low)
        return OnBoxes(upper, scores, (low + high) / 2)

    def at(self, points: np.ndarray) -> np.ndarray:
        return norm_of(self.slopes(points), self.norm)


@dataclass(frozen=True, eq=False)
class Slopes:
    """The gradient of a combination of outputs at points, in float64."""

    net: Followed
    combination: np.ndarray

    def __call__(self, points: np.ndarray) -> np.ndarray:
        x, slopes = points, []
        for here, units in zip(self.net.maps, self.net.units, strict=False):
            z = x @ here.weight + here.bias
            slopes.append(np.stack(units.slopes(z, z)).mean(0))
            x = np.stack(units.span(z, z)).mean(0)
        rows = np.broadcast_to(
            self.combination @ self.net.maps[-1].weight.T, (len(points), x.shape[1])
        )
        for here, slope in zip(self.net.maps[-2::-1], slopes[::-1], strict=True):
            rows = (rows * slope) @ here.weight.T
        return rows


@dataclass(frozen=True, eq=False)
class PartialDerivative(AbstractBounded):
    """The derivative in one input: its largest value, or that it has none above 0."""

    net: Followed  # pyrefly: ignore[bad-override] (frozen)
    combination: np.ndarray
    axis: int
    slopes: Slopes

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        least, most = gradients_on(self.net, low, high, self.combination)
        scores = _scores((most - least)[:, self.axis], high - low)
        return OnBoxes(most[:, self.axis], scores, (low + high) / 2)

    def at(self, points: np.ndarray) -> np.ndarray:
        return self.slopes(points)[:, self.axis]
