"""Networks with smooth units: their jets, and the sup error by branch and bound.

A network of sigmoid or tanh units has no pieces to enumerate. On a cell it is enclosed,
with two derivatives in a direction, by balls that go through the layers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.line._examine import Effort, Examination
from depthsep.approximation import sup_distance
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import Jet, jets
from depthsep.networks import (
    RELU,
    Activation,
    Network,
    as_relu,
    derivatives,
    has_derivatives,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, AbstractLineTarget

Slopes = Callable[[arb], tuple[arb, arb]]


def examine_smooth(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """The sup error on an interval or a box, enclosed; it bounds l1 and l2 errors."""
    unknown = _unknown(network)
    if problem.law.has_open_ends:
        return Inapplicable(
            f"networks with smooth units are not examined under the law {problem.law}"
        )
    if unknown or problem.law.setting not in ("line", "box"):
        where = "" if unknown else f" under the law {problem.law}"
        names = unknown or [a.name for a in network.activations if not a.pieces]
        return Inapplicable(f"networks with {names[0]} units are not examined{where}")
    try:
        found = _sup(network, problem, problem.accuracy, effort.seconds)
    except HypothesisError as refusal:
        return Inapplicable(str(refusal))
    if problem.norm != "linf":
        found = found.as_upper_end()
    return Examination(found, None, "balls")


def _unknown(network: Network) -> list[str]:
    """The units that have no jets."""
    return [a.name for a in network.activations if _function(a) is None]


def smooth_distance(network: Network, problem: Problem, seconds: float) -> Enclosure:
    """The sup error to a part in ten thousand, or as near as the time allows.

    Raises:
        HypothesisError: the target is not finite somewhere, or units that jump.
    """
    network = as_relu(network)
    unknown = _unknown(network)
    if unknown:
        raise HypothesisError(f"networks with {unknown[0]} units are not examined")
    rough = _sup(network, problem, problem.accuracy, seconds / 10)
    return _sup(network, problem, rough.upper / 10**4, seconds, decide=False)


def _sup(
    network: Network,
    problem: Problem,
    size: fmpq,
    seconds: float,
    *,
    decide: bool = True,
) -> Enclosure:
    """The sup error against a size: decided, or to a thousandth of it, or to it."""
    is_line = problem.law.setting == "line"
    target = _Line(problem.line_target) if is_line else None
    return sup_distance(
        _NetworkJets(network),
        target or problem.target_as(AbstractBoxTarget).as_formula(),
        problem.sides,
        enough=size if decide else None,
        negligible=size / 1000 if decide else size,
        seconds=seconds,
    )


@dataclass(frozen=True)
class _Line:
    """A target of one input, followed as one of several is."""

    target: AbstractLineTarget

    def along(self, direction: Sequence[int], x: Sequence[arb]) -> Jet:
        """Its jet; the direction is 1."""
        return self.target.jet(x[0])

    def __str__(self) -> str:
        return str(self.target)


@dataclass(frozen=True)
class _NetworkJets:
    """A network of one output as a function of balls."""

    network: Network

    @cached_property
    def rows(self) -> list[list[tuple[list[arb], arb]]]:
        """Weights and biases as balls, layer by layer."""
        return [
            [([arb(w) for w in row], arb(b)) for row, b in layer.rational_rows()]
            for layer in self.network.layers
        ]

    def along(self, direction: Sequence[int], x: Sequence[arb]) -> Jet:
        """Enclosures of the value and two derivatives in a direction, over a box."""
        values = [jets.variable(v, k) for v, k in zip(x, direction, strict=True)]
        for k, rows in enumerate(self.rows):
            values = [_affine(row, bias, values) for row, bias in rows]
            if k < len(self.network.activations):
                apply = _function(self.network.activations[k])
                assert apply is not None
                values = [apply(v) for v in values]
        return values[0]


def _affine(row: Sequence[arb], bias: arb, values: Sequence[Jet]) -> Jet:
    value, first, second = bias, arb(0), arb(0)
    for w, v in zip(row, values, strict=True):
        if w != 0:
            value, first = value + w * v.value, first + w * v.first
            second = second + w * v.second
    return Jet(value, first, second)


def _function(activation: Activation) -> Callable[[Jet], Jet] | None:
    """The activation on jets; None for those that jump."""
    if activation.name == "square":
        return lambda z: jets.integer_power(z, 2)
    if activation is RELU:
        zero = jets.constant(arb(0))
        return lambda z: jets.larger(z, zero, 1)
    slopes = SLOPES.get(activation.name)
    if slopes is None:
        if not has_derivatives(activation):
            return None
        slopes = _by_series(activation)
    return lambda z: _chained(z, activation, slopes)


def _by_series(activation: Activation) -> Slopes:
    def slopes(z: arb) -> tuple[arb, arb]:
        _, first, second = derivatives(activation, z, 2)
        return first, second

    return slopes


def _chained(z: Jet, activation: Activation, slopes: Slopes) -> Jet:
    if not z.value.is_finite():
        return jets.undefined()
    slope, bend = slopes(z.value)
    second = bend * z.first * z.first + slope * z.second
    return Jet(activation.balls(z.value), slope * z.first, second)


def _sigmoid_slopes(z: arb) -> tuple[arb, arb]:
    # s (1 - s) = 1 / (2 cosh(z / 2))^2 is even: no cancellation for large z
    slope = 1 / (2 * (z / 2).cosh()) ** 2
    return slope, -slope * (z / 2).tanh()


def _softplus_slopes(z: arb) -> tuple[arb, arb]:
    slope, _ = _sigmoid_slopes(z)
    return 1 / (1 + (-z).exp()), slope


def _gelu_slopes(z: arb) -> tuple[arb, arb]:
    density = (-z * z / 2).exp() / (2 * arb.pi()).sqrt()
    below = (1 + (z / arb(2).sqrt()).erf()) / 2
    return below + z * density, density * (2 - z * z)


def _known(name: str) -> Slopes:
    function = jets.FUNCTIONS[name]
    return lambda z: (function.first(z), function.second(z))


SLOPES: dict[str, Slopes] = {
    "sigmoid": _sigmoid_slopes,
    "softplus": _softplus_slopes,
    "gelu": _gelu_slopes,
    **{name: _known(name) for name in ("tanh", "exp", "erf", "sin", "cos")},
}
