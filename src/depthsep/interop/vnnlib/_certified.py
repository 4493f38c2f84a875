"""Networks with weights of float32 and certificates for exactly these weights."""

from dataclasses import dataclass

import numpy as np

from depthsep.analysis import certify
from depthsep.evidence import Certificate, Source
from depthsep.interop.files._rounding import float_layers
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import build, certificate_of


@dataclass(frozen=True)
class Certified:
    """A network as it is written, and its certificate."""

    network: Network
    certificate: Certificate


def built(problem: Problem, *, depth: int) -> Certified:
    """The network that `build` makes, in float32 and certified again.

    Raises:
        CertificationError: rounded to float32 it misses the accuracy.
    """
    made = build(problem, depth=depth)
    return _again(problem, made.network, made.upper.source)


def certified(problem: Problem, network: Network, source: Source) -> Certified:
    """A given network, in float32 and certified.

    Raises:
        CertificationError: it misses the accuracy.
    """
    certify(network, problem)
    return _again(problem, network, source)


def in_singles(network: Network) -> Network:
    """Every weight rounded to the nearest float32."""
    layers = float_layers(network, rounded=True, kind=np.float32)
    return Network([Affine(*layer) for layer in layers], network.activations)


def _again(problem: Problem, network: Network, source: Source) -> Certified:
    singles = in_singles(network)
    return Certified(singles, certificate_of(singles, problem, str(source)))
