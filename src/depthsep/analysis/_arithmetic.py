"""What the rounding of every operation adds to a network's error, for all inputs."""

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Fixed, Floating, Format, nearest_float, rational
from depthsep.laws import Segment
from depthsep.networks import RELU, Network
from depthsep.problems import Problem

SAFE = 1 + 1e-9  # covers the rounding of this computation, in sums of up to 10^6 terms
HALF_UNIT = 0.5
LOST = 1e-300  # more than what underflows in this computation


def rounding_error(network: Network, problem: Problem, form: Format) -> fmpq:
    r"""A bound of |computed - exact| for every x of a format where the law lives.

    Layer by layer, each unit adds up its products and its bias in any order, each
    operation rounded to nearest or fused; ReLUs are exact. A sum of k terms is off by
    at most $\gamma_k = k u / (1 - k u)$ times the sum of their sizes, and by k times
    half of the smallest number (Higham, Accuracy and Stability, section 3.1). In fixed
    point products are added exactly, and each unit is rounded once.

    Raises:
        HypothesisError: units other than ReLUs, a law that is not on an interval or a
            box, weights that are no numbers of the format, values beyond its range.
    """
    sides = _sides(problem)
    if any(a is not RELU for a in network.activations):
        raise HypothesisError(
            "the rounding error can be bounded only for networks of ReLUs"
        )
    low, high = (
        np.array([nearest_float(v) for v in ends])
        for ends in ([s.start for s in sides], [s.stop for s in sides])
    )
    middle, radius = (low + high) / 2, (high - low) / 2 * SAFE
    off = np.zeros(len(middle))
    for k, layer in enumerate(network.layers):
        weight, bias = (_floats(v, form) for v in (layer.weight, layer.bias))
        size = np.abs(weight) @ (np.abs(middle) + radius) + np.abs(bias)
        here = np.abs(weight) @ radius
        middle = weight @ middle + bias
        radius = (here + 1e-12 * size) * SAFE
        off = _of_layer(weight, off, size, form)
        _check_range(float((size + off).max()) * SAFE, form)
        if k < len(network.activations):
            top = np.maximum(middle + radius, 0)
            bottom = np.maximum(middle - radius, 0)
            middle, radius = (top + bottom) / 2, (top - bottom) / 2 * SAFE + 1e-300
    return rational(float(off.max()))


def _of_layer(
    weight: np.ndarray, off: np.ndarray, size: np.ndarray, form: Format
) -> np.ndarray:
    """Errors of all sums, from those of what they read."""
    carried = np.abs(weight) @ off
    if isinstance(form, Fixed):
        return (carried + nearest_float(form.unit) * HALF_UNIT) * SAFE
    terms = (weight != 0).sum(axis=1) + 1
    share = terms * nearest_float(form.unit)
    if share.max() >= HALF_UNIT:
        raise HypothesisError(
            f"a unit adds up too many terms for its rounding in {form.name} "
            "to be bounded"
        )
    gamma, tiny = share / (1 - share), 2.0**form.exponent
    return (carried * (1 + gamma) + gamma * size + terms * tiny) * SAFE + LOST


def _sides(problem: Problem) -> tuple[Segment, ...]:
    """Where inputs lie.

    Raises:
        HypothesisError: not in a box.
    """
    law = problem.law
    if law.sides and not law.has_open_ends:
        return law.sides
    raise HypothesisError(
        "a bound on the rounding error is computed only for inputs in "
        f"a bounded interval or box, not under the law {law}"
    )


def _floats(values: np.ndarray, form: Format) -> np.ndarray:
    """Weights as floats; all of them are numbers of the format."""
    for value in np.ravel(values).tolist():
        number = value if isinstance(value, fmpq) else rational(value)
        held = (
            form.rounded(number) == number
            if isinstance(form, Floating)
            else (number / form.unit).q == 1
        )
        if not held:
            raise HypothesisError(
                f"the weight {nearest_float(number):.17g} (to 17 digits) cannot be "
                f"represented exactly in {form.name}; round the weights first"
            )
    flat = [nearest_float(v) if isinstance(v, fmpq) else v for v in np.ravel(values)]
    return np.array(flat, dtype=float).reshape(np.shape(values))


def _check_range(largest: float, form: Format) -> None:
    most = form.most * form.unit if isinstance(form, Fixed) else form.largest
    if largest > nearest_float(most):
        raise HypothesisError(
            f"the value of a unit may reach {largest:.4g}, which is "
            f"outside the range of {form.name}; rescale the network"
        )
