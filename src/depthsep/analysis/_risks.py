r"""The parts of a risk: what generalisation, optimisation and approximation cost.

R(f) = E (f(x) - y)^2 over x of the law and y = target(x) + noise, r(f) its mean over
a sample. For a network found from the sample and an ideal one
R(f) = [R(f) - r(f)] + [r(f) - r(g)] + [r(g) - R(g)] + R(g).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.analysis._mean_distance import mean_distance
from depthsep.analysis.inspection._inspect import inspect
from depthsep.evidence import Enclosure
from depthsep.exact import rational, readable, total
from depthsep.laws import Box, Segment
from depthsep.networks import Network
from depthsep.targets import AbstractBoxTarget, AbstractTarget


@dataclass(frozen=True)
class RiskParts(Displayed):
    """R and r of the network found (f) and of the ideal one (g).

    Attributes:
        risk, ideal_risk: R(f) and R(g), enclosed.
        seen, ideal_seen: r(f) and r(g), exact.
    """

    risk: Enclosure
    ideal_risk: Enclosure
    seen: fmpq
    ideal_seen: fmpq

    @property
    def generalisation(self) -> Enclosure:
        """R(f) - r(f)."""
        return _less(self.risk, self.seen)

    @property
    def optimisation(self) -> fmpq:
        """r(f) - r(g); negative where f fits the sample better than g."""
        return self.seen - self.ideal_seen

    @property
    def ideal_generalisation(self) -> Enclosure:
        """r(g) - R(g)."""
        off = _less(self.ideal_risk, self.ideal_seen)
        return Enclosure(-off.upper, -off.lower, off.rigour)

    @property
    def approximation(self) -> Enclosure:
        """R(g)."""
        return self.ideal_risk


def risk_parts(
    found: Network,
    ideal: Network,
    target: AbstractTarget,
    on: Segment | Box,
    inputs: Sequence[object],
    labels: Sequence[object],
    *,
    noise: object = 0,
    seconds: float = 60.0,
) -> RiskParts:
    """The four parts of the risk of a network, squares of differences as the loss.

    Args:
        found: fitted to the sample, in any way.
        ideal: what it is compared with: a certified network, say.
        target: E(y | x).
        on: x is uniform there.
        inputs: (n,) numbers, or (n, d).
        labels: (n,), the y of the sample.
        noise: the variance of y - target(x).
        seconds: for each risk on a box.

    Raises:
        HypothesisError: inputs and labels that do not fit, inputs outside the law's
            support; networks and targets whose distance cannot be enclosed.

    Source:
        Telgarsky (2023), (1.4); Remark 1.5 is seen = 0 with a risk above the noise.
    """
    for network in (found, ideal):
        if network.out_dim != 1:
            raise HypothesisError(
                f"the network has {plural(network.out_dim, 'output')}; give "
                "networks with one output"
            )
    if isinstance(inputs, str) or isinstance(labels, str):
        raise HypothesisError("give inputs and labels as sequences of numbers")
    points = [_point(x) for x in inputs]
    values = [rational(y, name="a label") for y in labels]
    spread = rational(noise, name="noise")
    if not points or len(points) != len(values) or spread < 0:
        raise HypothesisError(
            f"the number of labels is {len(values)} for "
            f"{plural(len(points), 'input')}, and the noise variance is "
            f"{spread}; give at least one input, one label for each "
            "input, and a noise variance of 0 or more"
        )
    sides = [on] if isinstance(on, Segment) else list(on.sides)
    for x in points:
        inside = all(s.start <= v <= s.stop for s, v in zip(sides, x, strict=False))
        if len(x) != len(sides) or not inside:
            raise HypothesisError(
                f"the input {', '.join(map(readable, x))} does not lie in {on}"
            )
    return RiskParts(
        risk=_risk(found, target, on, spread, seconds),
        ideal_risk=_risk(ideal, target, on, spread, seconds),
        seen=_seen(found, points, values),
        ideal_seen=_seen(ideal, points, values),
    )


def _point(x: object) -> list[fmpq]:
    x = x.tolist() if isinstance(x, np.ndarray) else x
    several = isinstance(x, Sequence) and not isinstance(x, str)
    numbers = list(x) if several else [x]  # type: ignore[call-overload]
    return [rational(v, name="an input") for v in numbers]


def _seen(network: Network, points: list[list[fmpq]], labels: list[fmpq]) -> fmpq:
    pairs = zip(points, labels, strict=True)
    return total((network(x)[0] - y) ** 2 for x, y in pairs) / len(points)


def _risk(
    network: Network,
    target: AbstractTarget,
    on: Segment | Box,
    noise: fmpq,
    seconds: float,
) -> Enclosure:
    if isinstance(on, Segment):
        error = inspect(network, on, target=target, norm="l2", seconds=inf).distance
    elif isinstance(target, AbstractBoxTarget):
        error = mean_distance(network, target, on, "l2", seconds=seconds)
    else:
        error = None
    if error is None:
        raise HypothesisError(
            f"the risk for {target} on {on} cannot be enclosed; give a "
            "formula as the target"
        )
    if error.square is not None:
        return Enclosure(error.square + noise, error.square + noise, error.rigour)
    low, high = max(error.lower, fmpq(0)), error.upper
    return Enclosure(low**2 + noise, high**2 + noise, error.rigour)


def _less(risk: Enclosure, seen: fmpq) -> Enclosure:
    return Enclosure(risk.lower - seen, risk.upper - seen, risk.rigour)
