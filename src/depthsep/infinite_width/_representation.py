"""Functions as expectations over features, and the finite networks drawn from them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, Source
from depthsep.exact import nearest_float
from depthsep.networks import RELU, THRESHOLD, Activation, Affine, Network

MAX_WIDTH = 1 << 22


@dataclass(frozen=True)
class Features:
    """Features weights[j] * activation(directions[j] . x - offsets[j]), j < k.

    Shapes: directions (k, d), offsets (k,), weights (k,).
    """

    directions: np.ndarray
    offsets: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Representation:
    r"""f(x) = constant + slope . x + E[V(x)] for |x| <= radius, V a random feature.

    V(x) = weight * activation(direction . x - offset): an integral against a signed
    measure, whose mass is E|weight| where the activation is a threshold.

    Attributes:
        in_dim: d.
        activation: of the features.
        radius: of the ball on which the identity holds.
        draw: k independent features from a generator.
        largest: |V(x)| <= largest on the domain, so E V^2 <= largest^2.
        constant, slope: the affine part; slope is zero for thresholds.
        source: the theorem.
        total: E[weight], where it is known: what centring needs.
        interval: where the identity holds, if that is not a ball.
    """

    in_dim: int
    activation: Activation
    radius: float
    draw: Callable[[int, np.random.Generator], Features]
    largest: Enclosure
    constant: float
    slope: np.ndarray
    source: Source
    total: float | None = None
    interval: tuple[float, float] | None = None

    def network(self, width: int, seed: int, *, centred: bool = False) -> Network:
        """The mean of `width` independent features, as a network of one hidden layer.

        Args:
            centred: use 1[...] - 1/2 in place of 1[...]; the expectation stays, and the
                second moment falls to a quarter of `largest`^2.

        A slope takes two ReLU units more. Weights are float64.

        Raises:
            HypothesisError: a width out of range; centring of what has no known total.
        """
        if not 1 <= width <= MAX_WIDTH:
            raise HypothesisError(f"width is {width}; give 1 to {MAX_WIDTH}")
        self._check_centred(centred)
        features = self.draw(width, np.random.default_rng(seed))
        outer = features.weights / width
        constant = self.constant + self._shift(outer, centred)
        directions, offsets = features.directions, features.offsets
        if self.activation is RELU and np.any(self.slope):
            directions = np.vstack([directions, self.slope, -self.slope])
            offsets = np.append(offsets, [0.0, 0.0])
            outer = np.append(outer, [1.0, -1.0])
        first = Affine(directions, -offsets)
        last = Affine(outer[None, :], np.array([constant]))
        return Network([first, last], [self.activation])

    def _shift(self, outer: np.ndarray, centred: bool) -> float:
        if not centred:
            return 0.0
        assert self.total is not None
        return (self.total - float(outer.sum())) / 2

    def expected_error(self, width: int, *, centred: bool = False) -> float:
        """A bound on the root of E ||f - network||^2 in L2(P), any P on the domain.

        Maurey: (E ||V||^2 - ||f - constant||^2) / k <= largest^2 / k, a quarter of it
        when centred. In expectation only: a single sample may do worse.
        """
        if width < 1:
            raise HypothesisError(f"width is {width}; give 1 or more")
        self._check_centred(centred)
        largest = nearest_float(self.largest.upper) / (2 if centred else 1)
        return largest / width**0.5

    def _check_centred(self, centred: bool) -> None:
        if centred and (self.total is None or self.activation is not THRESHOLD):
            raise HypothesisError(
                "`centred` is possible only for threshold units, and "
                "only if the expected value of their weights is known"
            )

    def jordan(self) -> tuple["Representation", "Representation"]:
        """The positive and the negative part of the measure: f = affine + f+ - f-.

        Each is drawn from the same law, with the weights of the other sign set to 0.
        """
        return self._part(1.0), self._part(-1.0)

    def _part(self, sign: float) -> "Representation":
        def draw(count: int, rng: np.random.Generator) -> Features:
            found = self.draw(count, rng)
            return replace(found, weights=np.maximum(sign * found.weights, 0.0))

        zero = np.zeros(self.in_dim)
        return replace(self, draw=draw, constant=0.0, slope=zero, total=None)
