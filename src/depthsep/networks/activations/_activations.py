"""Activations as values: what each does to rationals, balls and float64 arrays."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from flint import arb, fmpq

from depthsep._errors import UndecidedError

ZERO = fmpq(0)


class Relu(NamedTuple):
    """factor * relu(sign * z + offset), a part of an activation."""

    sign: int
    offset: fmpq
    factor: fmpq


@dataclass(frozen=True)
class Activation:
    """A scalar activation, applied to every unit of a hidden layer.

    Attributes:
        name: how files and messages call it.
        exact: its value at a rational; refuses where that is irrational.
        balls: an enclosure of its values on a ball.
        floats: vectorised float64 values.
        pieces: t, the number of its affine pieces on R; 0 if it has none.
        continuous: whether it is continuous.
        increasing: whether it never decreases.
        nonnegative: whether it is never below 0.
        convex: whether it is known to be.
        relus: as a sum of these and the constant `start`, exactly; empty for others.
    """

    name: str
    exact: Callable[[fmpq], fmpq]
    balls: Callable[[arb], arb]
    floats: Callable[[np.ndarray], np.ndarray]
    pieces: int
    continuous: bool
    increasing: bool = True
    nonnegative: bool = True
    relus: tuple[Relu, ...] = ()
    start: fmpq = ZERO
    convex: bool = False

    def __repr__(self) -> str:
        return self.name


def _relu(x: fmpq) -> fmpq:
    return x if x > 0 else fmpq(0)


def _threshold(x: fmpq) -> fmpq:
    return fmpq(1) if x >= 0 else fmpq(0)


def _threshold_balls(x: arb) -> arb:
    if x >= 0:
        return arb(1)
    if x < 0:
        return arb(0)
    if x.is_nan():
        raise UndecidedError(
            "it could not be decided whether a threshold unit is on, as its input "
            "could not be bounded"
        )
    return arb(0).union(arb(1))


def _relu_balls(x: arb) -> arb:
    return x.max(arb(0))


def _relu_floats(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0.0)


def _threshold_floats(x: np.ndarray) -> np.ndarray:
    return (x >= 0).astype(np.float64)


RELU = Activation(
    "relu",
    _relu,
    _relu_balls,
    _relu_floats,
    2,
    True,
    relus=(Relu(1, ZERO, fmpq(1)),),
    convex=True,
)
THRESHOLD = Activation(
    "threshold", _threshold, _threshold_balls, _threshold_floats, 2, False
)
