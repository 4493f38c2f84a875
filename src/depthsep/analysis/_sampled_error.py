"""The error of any network under any law, sampled, with its standard error."""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep._plural import plural
from depthsep.evidence import Rigour
from depthsep.networks import RELU, Affine, Network, as_relu
from depthsep.problems import Problem

SAMPLES = 100_000
BLOCK = 1 << 14
DIRECTIONS = 16
MOST_WEIGHTS = 200_000  # that are followed exactly
GROWS = "the network's output is unbounded, and |x| has no finite mean under the law"
UNSEEN = (
    "|x| has no finite mean under the law, so the error is infinite if the network is "
    f"unbounded; in {DIRECTIONS} random directions the network was found to be bounded"
)
UNKNOWN = (
    "|x| has no finite mean under the law, so the sampled error "
    "converges only if the network is bounded"
)
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
    in some directions: 16 of them are looked at, exactly, for networks of ReLUs.

    Args:
        network: of any activations.
        samples: at least 2.

    Raises:
        HypothesisError: inputs or outputs that do not fit the target.
    """
    count, target = whole(samples, "samples", least=2), problem.target
    if network.in_dim != target.in_dim or network.out_dim != 1:
        raise HypothesisError(
            f"the network maps {plural(network.in_dim, 'input')} to "
            f"{plural(network.out_dim, 'output')}; "
            f"the target maps {target.in_dim} to 1"
        )
    norm, reason = problem.norm, ""
    if norm != "linf" and not problem.law.has_mean:
        reason = _tail(network)
        if reason == GROWS:
            return SampledError(norm, np.inf, np.inf, count, seed, reason)
    off = _differences(network, problem, count, seed)
    top = float(off.max())
    if not np.isfinite(off).all():
        beyond = "some values are too large for float64"
        return SampledError(norm, np.inf, np.inf, count, seed, beyond)
    if norm == "linf" or top == 0:
        error = None if norm == "linf" else 0.0
        return SampledError(norm, top, error, count, seed, reason)
    powers = (off / top) ** (2 if norm == "l2" else 1)
    mean, deviation = float(powers.mean()), float(powers.std(ddof=1)) / count**0.5
    if norm == "l1":
        return SampledError(norm, top * mean, top * deviation, count, seed, reason)
    root = mean**0.5  # its deviation by its slope
    deviation = deviation / (2 * root)
    return SampledError(norm, top * root, top * deviation, count, seed, reason)


def _differences(
    network: Network, problem: Problem, count: int, seed: int
) -> np.ndarray:
    x, target = problem.law.sample(count, seed), problem.target
    with np.errstate(all="ignore"):
        parts = [
            np.abs(network.floats(part)[:, 0] - target.floats(part))
            for part in np.split(x, range(BLOCK, count, BLOCK))
        ]
    return np.concatenate(parts)


def _tail(network: Network) -> str:
    """What is known of the network far away, under a law whose tail is heavy."""
    if network.activations and network.activations[-1].name in BOUNDED:
        return ""
    relus = as_relu(network)
    if any(a is not RELU for a in relus.activations):
        return UNKNOWN
    if sum(layer.weight.size for layer in relus.layers) > MOST_WEIGHTS:
        return UNKNOWN
    return GROWS if _grows(relus) else UNSEEN


def _grows(network: Network) -> bool:
    """Whether N(r u) / r tends to something else than 0, for one of a few u; exact."""
    bare = Network([Affine(a.weight, [0] * a.shape[0]) for a in network.layers])
    u = np.random.default_rng(0).integers(-512, 513, (DIRECTIONS, network.in_dim))
    return any(bare(row)[0] != 0 for row in u.tolist())
