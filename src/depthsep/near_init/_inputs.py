"""What callers give: points, chances, amounts, and arguments read by their names."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TypeVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, whole
from depthsep.exact import rational

PRECISION = 160
COMPARING = 4096  # bits in which chances near 1 are compared with it
ONE = fmpq(1)

LARGEST_NORM = {8: 1e150, 4: 1e18}  # squares must stay finite


def points(x: object, name: str) -> np.ndarray:
    """Inputs of shape (n, d), d >= 1, of norms whose squares stay finite.

    Raises:
        HypothesisError: as `floats`, no input, or norms beyond 1e150 (float32: 1e18).
    """
    array = floats(x, name, ndim=2)
    if array.shape[1] == 0:
        raise HypothesisError(
            f"{name} has shape {array.shape}, so its points have no coordinates"
        )
    most = LARGEST_NORM[array.dtype.itemsize]
    top = float(np.abs(array).max(initial=0))
    limit = most / array.shape[1] ** 0.5
    if top > limit:
        raise HypothesisError(
            f"{name} has an entry of size {top:.1e}; entries above {limit:.1e} are "
            "refused, as squares overflow; scale the inputs"
        )
    return array


def probability(delta: object, *, below: fmpq = ONE) -> fmpq:
    """`delta` as a rational.

    Raises:
        HypothesisError: it does not lie in (0, below).
    """
    found = rational(delta, name="delta")
    if not 0 < found < below:
        raise HypothesisError(f"delta is {delta}; give a number between 0 and {below}")
    return found


def amount(value: object, name: str) -> fmpq:
    """A rational that is at least 0, from any number or text.

    Raises:
        HypothesisError: it is not.
    """
    found = rational(value, name=name)
    if found < 0:
        raise HypothesisError(f"`{name}` is {value}; give 0 or more")
    return found


Result = TypeVar("Result")
WHOLE = ("width", "dim", "units", "units_per_row", "points")
AMOUNTS = ("tau", "distance", "weight", "norm", "level", "factor")


def checked(function: Callable[..., Result]) -> Callable[..., Result]:
    """The function with arguments read by their names, as the statements' are.

    Widths and other numbers of things are whole and at least 1; distances, thresholds
    and lengths become exact rationals, at least 0, from any number or text ("1/20",
    0.05, which is its binary value); delta a rational in (0, 1).
    """
    shape = signature(function)

    @wraps(function)
    def read(*args: object, **named: object) -> Result:
        given = shape.bind(*args, **named)
        for name, value in given.arguments.items():
            if name in WHOLE:
                given.arguments[name] = whole(value, name, least=1)
            elif name in AMOUNTS:
                given.arguments[name] = amount(value, name)
            elif name == "delta":
                given.arguments[name] = probability(value)
        return function(*given.args, **given.kwargs)

    return read
