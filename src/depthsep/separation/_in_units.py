"""Networks of the units that a problem asks about."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions import Thresholds
from depthsep.evidence import Inapplicable
from depthsep.networks import RELU, THRESHOLD, Affine, Network, in_units, prune
from depthsep.problems import RELU_UNITS, Problem
from depthsep.separation._upper import SECONDS, best_upper, examined

Ends = list[tuple[object, object]]


def of_relus(problem: Problem) -> Problem:
    """The same question about ReLU networks, which are then rewritten."""
    return replace(problem, networks=replace(problem.networks, units=RELU_UNITS))


def rewritten_from(
    problem: Problem, constructions: Sequence[AbstractConstruction]
) -> Sequence[AbstractConstruction]:
    """Those whose networks `in_class` uses: none where it builds of thresholds."""
    return () if problem.networks.units.activation is THRESHOLD else constructions


def in_class(
    upper: Upper | Inapplicable, problem: Problem, depth: int, seconds: float = SECONDS
) -> Upper | Inapplicable:
    """A network of ReLUs, rewritten in the problem's units and examined again.

    Thresholds have a construction of their own, and need no network of ReLUs.
    """
    units = problem.networks.units
    activation = units.activation
    if activation is None or activation is RELU:
        return upper
    if activation is THRESHOLD:
        upper = best_upper(problem, 2, (Thresholds(),), seconds=seconds)
    if isinstance(upper, Inapplicable):
        return upper
    try:
        network, box = upper.network, _sides(problem)
        if activation is THRESHOLD:
            network = _passed_on(prune(network, box), depth)
        else:
            network = in_units(network, activation, box)
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(
            f"the network could not be rewritten in {units.words}: {refusal}"
        )
    claim = replace(
        upper,
        widths=network.widths,
        make=lambda: network,
        checked=False,
        detail=f"{upper.source.place}, rewritten in {units.words}",
    )
    return examined(claim, problem, seconds)


def _passed_on(network: Network, depth: int) -> Network:
    """More layers of thresholds: t >= 1/2 is t for what is 0 or 1."""
    (first, last), missing = network.layers, depth - 2
    width = network.widths[0]
    carry = Affine(np.eye(width), np.full(width, -0.5))
    layers = [first, *[carry] * missing, last]
    return Network(layers, (THRESHOLD,) * (depth - 1))


def _sides(problem: Problem) -> Ends:
    """A box that holds all inputs.

    Raises:
        HypothesisError: none is known.
    """
    law = problem.law
    if law.sides and not law.has_open_ends:
        return [(side.start, side.stop) for side in problem.sides]
    if law.setting in ("signs", "spheres"):
        return [(-1, 1)] * law.in_dim
    raise HypothesisError(f"the inputs are not known to be bounded under {law}")
