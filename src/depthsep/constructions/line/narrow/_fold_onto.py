"""Layers that fold an interval onto one of its mirror images."""

from dataclasses import dataclass
from math import prod

import numpy as np

from depthsep.constructions.line._folds import balanced_bases
from depthsep.constructions.line.narrow._mirrors import Mirrors
from depthsep.networks import Affine, Network


@dataclass(frozen=True)
class Folding:
    """How f layers fold, and how many units each of them needs.

    Attributes:
        origin: even; the first layer folds at `origin` + k step.
        periods: how far apart each layer's folds are, in periods of the mirrors.
    """

    origin: int
    periods: tuple[int, ...]
    widths: tuple[int, ...]


def narrowest_folding(mirrors: Mirrors, layers: int) -> Folding:
    """Folds of about equal bases; the origin so that the first layer has fewest."""
    bases = balanced_bases(mirrors.images, layers)
    found = [
        _folding(mirrors, tuple(ordered), origin)
        for ordered in (bases, bases[::-1])
        for origin in range(0, 2 * prod(ordered[1:]), 2)
    ]
    return min(found, key=lambda f: (max(f.widths), sum(f.widths)))


def _folding(mirrors: Mirrors, bases: tuple[int, ...], origin: int) -> Folding:
    low, high = mirrors.steps
    low, high = low - origin, high - origin
    step, periods, widths = prod(bases[1:]), [], []
    for j in range(len(bases)):
        inner = _multiples_inside(low, high, step)
        periods.append(step)
        widths.append(len(inner) + 1)
        ends = np.array([low, high, *inner])
        distance = np.abs(ends - 2 * step * np.round(ends / (2 * step)))
        low, high = float(distance.min()), float(distance.max())
        step //= bases[j + 1] if j + 1 < len(bases) else 1
    return Folding(origin, tuple(periods), tuple(widths))


def _multiples_inside(low: float, high: float, step: int) -> list[int]:
    first = int(np.floor(low / step)) + 1
    last = int(np.ceil(high / step)) - 1
    return [k * step for k in range(first, last + 1)]


def folded_network(mirrors: Mirrors, folding: Folding, inside: Network) -> Network:
    """x -> inside(the mirror image of x that is kept), in float64.

    With u = (x - first) / period - origin, layer j holds the distance of u to the
    multiples of 2 periods[j].
    """
    low, high = (end - folding.origin for end in mirrors.steps)
    rate = 1 / mirrors.period
    row, constant = np.array([rate]), -rate * mirrors.start  # u - low
    layers: list[Affine] = []
    for step in folding.periods:
        inner = _multiples_inside(low, high, step)
        places = np.array([low, *inner])
        weight = np.tile(row, (len(places), 1))
        layers.append(Affine(weight, constant - (places - low)))
        middle = (places + np.append(places[1:], high)) / 2 / step
        rising = np.where(np.floor(middle) % 2 == 0, 1.0, -1.0)
        row = np.append(rising[:1], 2 * rising[1:])
        ends = np.array([*places, high])
        distance = np.abs(ends - 2 * step * np.round(ends / (2 * step)))
        low, high = float(distance.min()), float(distance.max())
        constant = float(distance[0]) - low
    # the last layer gives u - low; `inside` reads first + period u
    outer, *rest = inside.layers
    weight, bias = outer.as_floats
    first = mirrors.first + mirrors.period * low
    layers.append(
        Affine(
            weight * mirrors.period * row,
            bias + weight[:, 0] * (first + mirrors.period * constant),
        )
    )
    return Network([*layers, *rest])
