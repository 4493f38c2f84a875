"""Networks whose weights are numbers of a format: rounded, scaled, fitted again."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from flint import arb

from depthsep.exact import AbstractWeights, FloatWeights, nearest_float
from depthsep.networks import (
    RELU,
    Activation,
    Affine,
    Network,
    leaky_relu,
    leaky_slope,
)
from depthsep.problems import Problem

SAMPLES = 2000  # inputs at which a read-out is fitted again
MOST_UNITS = 200  # that are fitted again
SMALLEST = 1e-150  # of a weight that is scaled
Arrays = list[tuple[np.ndarray, np.ndarray]]


def roundings(
    network: Network, problem: Problem, weights: AbstractWeights
) -> Iterator[Network]:
    """Networks near a given one with such weights, the plain rounding first.

    Then units are scaled by powers of two, so that what comes in and what goes out is
    of one size, or so that what comes in is about 1 (a ReLU does not mind); and of each
    the read-out is fitted again: to the given network at many inputs, one weight after
    the other, so that later ones make up for what earlier ones lost.
    """
    slopes = [_rounded_slope(a, weights) for a in network.activations]
    inputs, tried = _inputs(problem), list[Network]()
    for arrays in _scaled(network):
        plain = _in_numbers(arrays, weights)
        if plain is None:
            continue
        for layers in (plain, _fitted(plain, slopes, network, inputs, weights)):
            made = None if layers is None else _network(layers, slopes)
            if made is not None and made not in tried:
                tried.append(made)
                yield made


def is_far_off(network: Network, problem: Problem) -> bool:
    """Whether samples leave no doubt that the sup error is above the accuracy.

    It saves examinations that take long and end in no: values in doubles have to be
    twice as far off.
    """
    inputs = _inputs(problem)
    if problem.norm != "linf" or inputs is None:
        return False
    points = inputs[:, 0] if inputs.shape[1] == 1 else inputs
    apart = np.abs(network.floats(inputs)[:, 0] - problem.target.floats(points))
    return bool(apart.max() > 2 * float(arb(problem.accuracy)))


def rounded_network(network: Network, weights: AbstractWeights) -> Network | None:
    """The plain rounding; None if a weight is beyond the range."""
    arrays = _in_numbers([layer.as_floats for layer in network.layers], weights)
    slopes = [_rounded_slope(a, weights) for a in network.activations]
    return None if arrays is None else _network(arrays, slopes)


def _network(arrays: Arrays, slopes: list[Activation]) -> Network:
    return Network([Affine(w, b) for w, b in arrays], slopes)


def _rounded_slope(activation: Activation, weights: AbstractWeights) -> Activation:
    """A slope is a weight, too; of whole numbers it stays a double."""
    slope = leaky_slope(activation)
    if slope is None:
        return activation
    value = nearest_float(slope)
    kind = weights.kind if isinstance(weights, FloatWeights) else float
    return leaky_relu(float(kind(value)))


def _in_numbers(arrays: Arrays, weights: AbstractWeights) -> Arrays | None:
    found: Arrays = []
    for weight, bias in arrays:
        layer = weights.rounded(weight, bias)
        if layer is None:
            return None
        found.append(layer)
    return found


def _scaled(network: Network) -> Iterator[Arrays]:
    """As it is; with what comes in and goes out alike; with 1 coming in."""
    arrays = [layer.as_floats for layer in network.layers]
    yield arrays
    if not all(a is RELU or leaky_slope(a) is not None for a in network.activations):
        return
    for goal in (_alike, _alike_with_biases, _one):
        yield _balanced(arrays, goal)


Goal = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Factors of units, from their largest weight in, their bias, and what goes out."""


def _alike(into: np.ndarray, bias: np.ndarray, out: np.ndarray) -> np.ndarray:
    return np.sqrt(out / into)


def _alike_with_biases(
    into: np.ndarray, bias: np.ndarray, out: np.ndarray
) -> np.ndarray:
    return np.sqrt(out / np.maximum(into, np.abs(bias)))


def _one(into: np.ndarray, bias: np.ndarray, out: np.ndarray) -> np.ndarray:
    return 1 / into


def _balanced(arrays: Arrays, goal: Goal) -> Arrays:
    """Units scaled by powers of two near a goal."""
    found = [(w.copy(), b.copy()) for w, b in arrays]
    for (weight, bias), (after, _) in pairwise(found):
        into: np.ndarray = np.abs(weight).max(axis=1).clip(SMALLEST)
        out: np.ndarray = np.abs(after).max(axis=0).clip(SMALLEST)
        power: np.ndarray = np.round(np.log2(goal(into, bias, out))).astype(np.int64)
        weight[:] = np.ldexp(weight, power[:, None])
        bias[:] = np.ldexp(bias, power)
        after[:] = np.ldexp(after, -power)
    return found


def _inputs(problem: Problem) -> np.ndarray | None:
    """Places of the domain, (n, d); none where it is no box."""
    sides = problem.sides
    if not sides or problem.law.has_open_ends:
        return None
    low = np.array([nearest_float(s.start) for s in sides])
    high = np.array([nearest_float(s.stop) for s in sides])
    if len(sides) == 1:
        return np.linspace(low, high, SAMPLES)
    return low + (high - low) * np.random.default_rng(0).random((SAMPLES, len(low)))


def _fitted(
    layers: Arrays,
    slopes: list[Activation],
    network: Network,
    inputs: np.ndarray | None,
    weights: AbstractWeights,
) -> Arrays | None:
    """With another read-out: near the network's values at the inputs."""
    weight, bias = layers[-1]
    if inputs is None or len(weight) > 1 or weight.shape[1] > MOST_UNITS:
        return None
    hidden = [*layers[:-1], (np.eye(weight.shape[1]), np.zeros(weight.shape[1]))]
    units = _network(hidden, slopes).floats(inputs)
    columns = np.concatenate([units, np.ones((len(units), 1))], axis=1)
    left = network.floats(inputs)[:, 0]
    chosen = np.append(weight[0], bias)
    scale = np.abs(columns).max(axis=0)
    order = np.argsort(-scale * np.abs(chosen))
    for number, k in enumerate(order):
        free = order[number:]
        best = np.linalg.lstsq(columns[:, free], left, rcond=1e-10)[0]
        chosen[free] = best
        layer = weights.rounded(chosen[None, :-1], chosen[-1:])
        if layer is None:
            return None
        chosen[k] = np.append(layer[0][0], layer[1])[k]
        left = left - columns[:, k] * chosen[k]
    layer = weights.rounded(chosen[None, :-1], chosen[-1:])
    return None if layer is None else [*layers[:-1], layer]
