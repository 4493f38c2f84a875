"""Constructions that make their network at once, at the one depth it has."""

from abc import abstractmethod
from functools import lru_cache
from typing import NamedTuple

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import AbstractConstruction, Upper
from depthsep.evidence import Inapplicable, Rigour
from depthsep.networks import Network
from depthsep.problems import Problem

ROUNDING = 1 - fmpq(1, 1 << 24)
"""The share of an accuracy that theorems are given; float64 values use up the rest."""


class Made(NamedTuple):
    """A network and its error, by the theorem."""

    network: Network
    error: fmpq


class AbstractMade(AbstractConstruction):
    """A construction that makes its network at once, at the one depth it has."""

    @abstractmethod
    def made(self, problem: Problem) -> Made:
        """The network.

        Raises:
            HypothesisError, TooLargeError: the theorem does not serve the problem.
        """

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        found = _found(self, problem)
        if isinstance(found, Inapplicable):
            return found
        network = found.network
        if network.depth != depth:
            return Inapplicable(
                "this construction builds a network of depth "
                f"{network.depth} here, not {depth}"
            )
        return Upper.of_network(network, found.error, Rigour.ENCLOSED, self.statement)

    def natural_depth(self, problem: Problem) -> int | None:
        found = _found(self, problem)
        return None if isinstance(found, Inapplicable) else found.network.depth


@lru_cache(maxsize=8)
def _found(construction: AbstractMade, problem: Problem) -> Made | Inapplicable:
    try:
        made = construction.made(problem)
    except (HypothesisError, TooLargeError) as refusal:
        return Inapplicable(str(refusal))
    if not made.network.widths:
        return Inapplicable(
            "an affine function already meets the accuracy; leave out --by"
        )
    return made
