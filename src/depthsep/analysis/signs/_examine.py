"""Examine a network of signs: all sign vectors, or all sums."""

from itertools import product as cartesian

import numpy as np
from flint import fmpq

from depthsep.analysis.line._examine import Effort, Examination
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.approximation import from_square
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import total
from depthsep.laws import SignCube
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import Parity

MAX_SIGN_INPUTS = 14


def examine_signs(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """All sign vectors, or one of each sum if the network sees only the sum."""
    # the only target whose values are known here, and the only law of its sums
    problem.target_as(Parity)
    problem.law_as(SignCube)
    first, d = network.layers[0], network.in_dim
    by_sum = bool(np.all(first.weight == first.weight[:, :1]))
    if by_sum:
        ones = Network(
            [type(first)(first.weight[:, :1], first.bias), *network.layers[1:]],
            network.activations,
        )
        signed = enumerate(_at_sums(ones, d))
        errors = [(abs(value - (-1) ** (d - p)), p) for p, value in signed]
        errors = _weighted([(e, p) for e, p in errors if e != 0], d)
    elif d <= MAX_SIGN_INPUTS:
        points = cartesian((-1, 1), repeat=d)
        errors = [(abs(network(x)[0] - int(np.prod(x))), 1) for x in points]
    else:
        return Inapplicable(
            f"2**{d} sign vectors are too many to try, and the first "
            "layer reads more than the sum of the signs"
        )
    return Examination(_mean_error(errors, problem.norm, d), None, "signs")


def _at_sums(network: Network, d: int) -> list[fmpq]:
    """Values at -d, 2 - d, ..., d: along the pieces where that is one pass."""
    sums = range(-d, d + 1, 2)
    if not all(a.continuous for a in network.activations):
        return [network([s])[0] for s in sums]
    f = on_interval(network, -d, d)
    knots, at = f.knots.tolist(), 0
    values = []
    for s in sums:
        while at < len(knots) - 2 and knots[at + 1] < s:
            at += 1
        slope = (f.values[at + 1] - f.values[at]) / (knots[at + 1] - knots[at])
        values.append(f.values[at] + slope * (s - knots[at]))
    return values


def _weighted(errors: list[tuple[fmpq, int]], d: int) -> list[tuple[fmpq, int]]:
    """Binomial weights for errors at p of d signs, p ascending."""
    weight, at, out = 1, 0, []
    for error, p in errors:
        while at < p:
            weight, at = weight * (d - at) // (at + 1), at + 1
        out.append((error, weight))
    return out


def _mean_error(errors: list[tuple[fmpq, int]], norm: str, d: int) -> Enclosure:
    if norm == "linf":
        worst = max((e for e, _ in errors), default=fmpq(0))
        return Enclosure(worst, worst, Rigour.EXACT)
    power = 1 if norm == "l1" else 2
    mean = total(e**power * weight for e, weight in errors) / (1 << d)
    if norm == "l2":
        return from_square(mean, Rigour.EXACT)
    return Enclosure(mean, mean, Rigour.EXACT)
