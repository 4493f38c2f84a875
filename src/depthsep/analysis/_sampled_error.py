"""The error of any network under any law, sampled, with its standard error."""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.evidence import Rigour
from depthsep.networks import RELU, Affine, Network, as_relu
from depthsep.problems import Problem

SAMPLES = 100_000
BLOCK = 1 << 14
DIRECTIONS = 16
PRECISION = 256
NOTHING = 1e-40  # a slope that is 0 but for the radius of balls
BOUNDED = ("threshold", "sigmoid", "tanh", "erf", "sin", "cos")


@dataclass(frozen=True)
class SampledError:
    """What independent inputs show of an error; it proves nothing.

    Attributes:
        value: of the norm: the root of the mean square (l2), the mean (l1), or the
            largest of all samples (linf), which the sup exceeds.
        standard_error: of the value; None for linf. Infinite where `value` is.
        reason: why the value is infinite, or hardly settles; empty mostly.
    """

    norm: str
    value: float
    standard_error: float | None
    samples: int
    seed: int
    reason: str = ""
    rigour: Rigour = Rigour.SAMPLED

    def __str__(self) -> str:
        if self.standard_error is None:
            said = f"at least about {self.value:.4g}"
        elif np.isinf(self.value):
            said = "infinite"
        else:
            said = f"about {self.value:.4g} +- {self.standard_error:.2g}"
        how = f"sampled, {self.samples} inputs, seed {self.seed}"
        return f"{said} ({how}{'; ' + self.reason if self.reason else ''})"


def sampled_error(
    network: Network, problem: Problem, *, samples: int = SAMPLES, seed: int = 0
) -> SampledError:
    """|network - target| in the problem's norm, at inputs drawn from its law.

    Under laws without a mean (phi^2) an l1 or l2 error is infinite if the network grows
    in some directions: looked for in a few, exactly for ReLUs.

    Args:
        network: of any activations.
        samples: at least 2.

    Raises:
        HypothesisError: inputs or outputs that do not fit the target.
    """
    count, target = whole(samples, "samples", least=2), problem.target
    if network.in_dim != target.in_dim or network.out_dim != 1:
        raise HypothesisError(
            f"the network maps {network.in_dim} inputs to {network.out_dim} outputs; "
            f"the target takes {target.in_dim} to 1"
        )
    norm, reason = problem.norm, ""
    if norm != "linf" and not problem.law.has_mean:
        reason = _tail(network)
        if reason.startswith("it grows"):
            infinite = float("inf")
            return SampledError(norm, infinite, infinite, count, seed, reason)
    x = problem.law.sample(count, seed)
    off = np.concatenate(
        [
            np.abs(network.floats(part)[:, 0] - target.floats(part))
            for part in np.split(x, range(BLOCK, count, BLOCK))
        ]
    )
    if norm == "linf":
        return SampledError(norm, float(off.max()), None, count, seed, reason)
    powers = off**2 if norm == "l2" else off
    mean, deviation = float(powers.mean()), float(powers.std(ddof=1)) / count**0.5
    value = mean**0.5 if norm == "l2" else mean
    if norm == "l2":  # of a root, by its slope
        deviation = deviation / (2 * value) if value else 0.0
    return SampledError(norm, value, deviation, count, seed, reason)


def _tail(network: Network) -> str:
    """What is known of the network far away, under a law whose tail is heavy."""
    if network.activations and network.activations[-1].name in BOUNDED:
        return ""
    relus = as_relu(network)
    if any(a is not RELU for a in relus.activations):
        return "the law has no mean: the value settles only if the network is bounded"
    return "it grows, and the law has no mean" if _grows(relus) else ""


def _grows(network: Network) -> bool:
    """Whether N(r u) / r tends to something else than 0, for one of a few u."""
    bare = Network([Affine(a.weight, [0] * a.shape[0]) for a in network.layers])
    u = np.random.default_rng(0).integers(-512, 513, (DIRECTIONS, network.in_dim))
    with ctx.workprec(PRECISION):
        slopes = [bare.balls([arb(v) for v in row])[0] for row in u.tolist()]
        return any(float(abs(s).upper()) > NOTHING for s in slopes)
