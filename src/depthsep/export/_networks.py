"""A network in the numbers of a format: what code computes, and what that costs."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import rounding_error
from depthsep.exact import (
    DOUBLE,
    Fixed,
    Format,
    decimal,
    nearest_float,
    plain,
    rational,
)
from depthsep.laws import Segment
from depthsep.networks import RELU, Network, layered
from depthsep.problems import Problem

Matrix = list[list[fmpq]]


@dataclass(frozen=True, eq=False)
class CodedNetwork:
    """ReLU layers whose weights are numbers of a floating-point format.

    Attributes:
        network: as it is computed, of one output.
        format: of inputs, weights, biases and sums.
        sides: where inputs may lie.
        rounding: |computed - network| is at most this, in any order of summation.
        claim: what is proved of the network itself, in words; or empty.
        error: of the computed values against its target; None without a certificate.
    """

    network: Network
    format: Format
    sides: tuple[Segment, ...]
    rounding: fmpq
    claim: str = ""
    error: fmpq | None = None

    @property
    def layers(self) -> list[tuple[Matrix, list[fmpq]]]:
        """Weights, a row a unit, and biases."""
        return [
            (
                [[_exact(w) for w in row] for row in np.asarray(a.weight).tolist()],
                [_exact(b) for b in np.asarray(a.bias).tolist()],
            )
            for a in self.network.layers
        ]

    def about(self) -> list[str]:
        """Lines for the head of a file that computes."""
        widths = ", ".join(map(str, self.network.widths))
        room = "; ".join(
            f"{nearest_float(s.start):g} to {nearest_float(s.stop):g}"
            for s in self.sides
        )
        off = plain(decimal(self.rounding, 4, upward=True))
        lines = [
            (
                f"A ReLU network; number of inputs: {self.network.in_dim}; widths of "
                f"the hidden layers: {widths}."
            ),
            (
                f"It is proved that for every {self.format.name} x in "
                f"the domain ({room}) the rounding of"
            ),
            (
                f"all operations adds an error of at most {off}, in any "
                "order of summation."
            ),
        ]
        if self.error is None:
            return lines
        error = plain(decimal(self.error, 4, upward=True))
        return [*lines, f"With rounding, the result is within {error} of {self.claim}."]


def coded_network(
    network: Network, problem: Problem, form: Format, error: fmpq | None = None
) -> CodedNetwork:
    """The network for code in a format; weights that are no numbers of it are refused.

    Args:
        problem: whose law says where inputs lie; with `error` also the target.
        error: of the network itself, if it is certified.

    Raises:
        HypothesisError: units other than ReLUs, several outputs, fixed point, weights
            that have to be rounded first.
    """
    if isinstance(form, Fixed):
        raise HypothesisError(
            "networks are exported only in double or float32; fixed "
            "point is for tables of pieces"
        )
    plain_network = layered(network)
    if plain_network.out_dim != 1 or any(
        a is not RELU for a in plain_network.activations
    ):
        raise HypothesisError(
            "the network has several outputs or units that are not ReLUs; "
            "only ReLU networks of one output are exported"
        )
    rounding = rounding_error(plain_network, problem, form)
    law, sides = problem.law, problem.sides
    words = f"{problem.target.words} in {problem.norm} under {law}"
    total = None if error is None else error + rounding
    return CodedNetwork(plain_network, form, sides, rounding, words, total)


def unit_bounds(code: CodedNetwork) -> list[list[tuple[fmpq, fmpq]]]:
    """For every layer the range of each sum before its ReLU: exact intervals."""
    # models have the sides as doubles, which may lie a little further out
    values = [
        (min(s.start, DOUBLE.rounded(s.start)), max(s.stop, DOUBLE.rounded(s.stop)))
        for s in code.sides
    ]
    found = []
    for weights, biases in code.layers:
        sums = []
        for row, bias in zip(weights, biases, strict=True):
            low = high = bias
            for w, (a, b) in zip(row, values, strict=True):
                ends = (w * a, w * b)
                low, high = low + min(ends), high + max(ends)
            sums.append((low, high))
        found.append(sums)
        values = [(max(a, fmpq(0)), max(b, fmpq(0))) for a, b in sums]
    return found


def _exact(value: object) -> fmpq:
    if isinstance(value, fmpq):
        return value
    assert isinstance(value, float | int)
    return rational(float(value))
