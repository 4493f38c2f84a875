"""Random initialisations, and which limits hold for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._inputs import whole

MOST_WEIGHTS = 1 << 30


class Layer(NamedTuple):
    """An affine layer: weight (fan_out, fan_in), bias (fan_out,) or None; a pytree."""

    weight: np.ndarray
    bias: np.ndarray | None = None


@dataclass(frozen=True)
class Initialisation:
    """A law of parameters.

    Attributes:
        layer: (generator, fan_out, fan_in, whether it is the last) to a layer.
        limits: what is proved for it, and what is not.
    """

    name: str
    layer: Callable[[np.random.Generator, int, int, bool], Layer]
    limits: tuple[str, ...]
    symmetrised: bool = False

    def __repr__(self) -> str:
        return self.name


def draw(name: str, sizes: Sequence[int], seed: int) -> tuple[Layer, ...]:
    """Parameters of a fully connected network, float64.

    Args:
        sizes: inputs, widths of the hidden layers, outputs.

    Raises:
        HypothesisError: an unknown name, sizes below 1, symmetrised pairs at another
            depth than 2 or with an odd width.
        TooLargeError: more than 2^30 weights.
    """
    law = initialisation(name)
    sizes = [whole(s, "a size", least=1) for s in sizes]
    if len(sizes) < 2:
        raise HypothesisError(
            f"`sizes` is {tuple(sizes)}; give the number of inputs, the "
            "widths and the number of outputs"
        )
    weights = sum(a * b for a, b in pairwise(sizes))
    if weights > MOST_WEIGHTS:
        raise TooLargeError(f"there are {weights} weights; at most 2^30 can be drawn")
    rng = np.random.default_rng(whole(seed, "seed"))
    if law.symmetrised:
        return _symmetrised(law, sizes, rng)
    return _layers(law, sizes, rng)


def initialisation(name: str) -> Initialisation:
    """The initialisation of this name.

    Raises:
        HypothesisError: the name is unknown.
    """
    for law in INITIALISATIONS:
        if law.name == name:
            return law
    known = ", ".join(law.name for law in INITIALISATIONS)
    raise HypothesisError(
        f"there is no initialisation {name[:40]!r}; choose one of {known}"
    )


def _layers(
    law: Initialisation, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[Layer, ...]:
    last = len(sizes) - 2
    return tuple(
        law.layer(rng, sizes[k + 1], sizes[k], k == last) for k in range(last + 1)
    )


def _symmetrised(
    law: Initialisation, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[Layer, ...]:
    if len(sizes) != 3 or sizes[1] % 2:
        raise HypothesisError(
            f"`sizes` is {tuple(sizes)}; symmetrised pairs need one "
            "hidden layer, of even width"
        )
    inner, outer = _layers(law, (sizes[0], sizes[1] // 2, sizes[2]), rng)
    return (
        Layer(np.concatenate([inner.weight, inner.weight])),
        Layer(np.concatenate([outer.weight, -outer.weight], axis=1)),
    )


def _signs(rng: np.random.Generator, out: int, into: int, last: bool) -> Layer:
    if last:
        return Layer(rng.choice([-1.0, 1.0], size=(out, into)))
    return Layer(rng.standard_normal((out, into)))


def _gaussian(rng: np.random.Generator, out: int, into: int, last: bool) -> Layer:
    return Layer(rng.standard_normal((out, into)), rng.standard_normal(out))


def _scaled(rng: np.random.Generator, out: int, into: int, last: bool) -> Layer:
    return Layer(_signs(rng, out, into, last).weight / into**0.5)


def _pytorch(rng: np.random.Generator, out: int, into: int, last: bool) -> Layer:
    edge = into**-0.5
    return Layer(rng.uniform(-edge, edge, (out, into)), rng.uniform(-edge, edge, out))


def _he(rng: np.random.Generator, out: int, into: int, last: bool) -> Layer:
    return Layer((2 / into) ** 0.5 * rng.standard_normal((out, into)), np.zeros(out))


INITIALISATIONS = (
    Initialisation(
        "signs",
        _signs,
        (
            (
                "the output weights a_j are +-1, the rows are N(0, I), and there are "
                "no biases; scale the network of width m by rho / sqrt(m)"
            ),
            (
                "the statements telgarsky-3.4, telgarsky-3.7 and "
                "telgarsky-3.8 on linearisation, telgarsky-3.15 on "
                "noise and telgarsky-3.10 on planting hold"
            ),
            (
                "the kernel k_m at width m tends to its limit k_inf; for fixed rho "
                "and ReLUs, the noise F(x; w_0), the output at the start, tends to "
                "N(0, rho^2 |x|^2 / 2) in law"
            ),
        ),
    ),
    Initialisation(
        "gaussian",
        _gaussian,
        (
            (
                "all parameters, biases included, are N(0, 1); the "
                "layers are scaled as for TangentKernel, at any depth"
            ),
            (
                "the kernel k_m at width m tends to its limit at every "
                "depth, as the output weights a have E a^2 = 1"
            ),
            (
                "this start cannot be used for planting, which needs a "
                "= +-1; |a|_inf grows like sqrt(2 ln m)"
            ),
        ),
    ),
    Initialisation(
        "scaled",
        _scaled,
        (
            (
                "a = +-1/sqrt(m) and the rows are N(0, I/d): this is the same as the "
                "initialisation named signs, with rho = 1 and inputs x/sqrt(d)"
            ),
            (
                "the statements on linearisation hold with |a|_inf = "
                "1/sqrt(m) and inputs x/sqrt(d)"
            ),
            (
                "for ReLUs the first-layer kernel k_m tends to <x, x'> "
                "(pi - theta) / (2 pi), where theta is the angle "
                "between x and x', without the factor 1/d"
            ),
        ),
    ),
    Initialisation(
        "pytorch",
        _pytorch,
        (
            (
                "weights and biases are uniform between -1/sqrt(fan-in) "
                "and 1/sqrt(fan-in), so their variances are 1/(3 fan-in)"
            ),
            (
                "the rows are not rotation invariant, so the limit of "
                "the kernel is not the k_inf of Gaussian rows"
            ),
            (
                "for d = 2 without bias, x = (1, 0) and z at an angle theta in [pi/4, "
                "3 pi/4], a row has v.x > 0 and v.z > 0 with probability 1/4 + "
                "cot(theta)/8; Gaussian rows give (pi - theta)/(2 pi)"
            ),
            (
                "kernel values are near those of Gaussian rows only "
                "for large d and for x spread over many coordinates"
            ),
        ),
    ),
    Initialisation(
        "he",
        _he,
        (
            (
                "weights N(0, 2/fan-in) and biases 0 give the NNGP kernel with weight "
                "variance c = 2 at inputs x/sqrt(d/2)"
            ),
            (
                "the first-layer kernel converges; the kernels of later layers grow "
                "like m, as there is no factor 1/sqrt(m) outside the weights"
            ),
        ),
    ),
    Initialisation(
        "symmetrised",
        _signs,
        (
            (
                "equal rows come in pairs with the signs a and -a, so "
                "F(x; w_0) = 0 for every x"
            ),
            "the kernel at width m and, for fixed rho, the linearisation tend to their "
            "limits, as there is no noise",
            (
                "only m/2 rows are independent, so the binomial laws in "
                "the bounds have half as many trials"
            ),
        ),
        symmetrised=True,
    ),
)
