"""Folds: zigzags of any base, one per hidden layer, with integer weights."""

from collections.abc import Sequence
from math import prod

import numpy as np

from depthsep.networks import Affine, Network


def balanced_bases(pieces: int, layers: int, *, carry: bool = False) -> tuple[int, ...]:
    """Bases b_1 >= b_2 >= ... with product >= pieces, for the least width, then units.

    A layer of base b has b units; with `carry`, every layer but the first has one unit
    more, so those bases are one smaller for the same width.
    """
    width = 1
    while width * max(1, width - carry) ** (layers - 1) < pieces:
        width = _next_width(width, pieces, layers, carry)
    bases = [width] + [max(1, width - carry)] * (layers - 1)
    whole = prod(bases)
    for i in reversed(range(layers)):
        others = whole // bases[i]
        bases[i] = max(1, -(-pieces // others))
        whole = others * bases[i]
    return tuple(sorted(bases, reverse=True))


def _next_width(width: int, pieces: int, layers: int, carry: bool) -> int:
    """Step by the largest power of two that leaves the width too small."""
    step = 1
    while (
        (width + 2 * step) * max(1, width + 2 * step - carry) ** (layers - 1)
    ) < pieces:
        step *= 2
    return width + step


def fold_coefficients(base: int) -> np.ndarray:
    """(1, -2, 2, ...): on relu(b y - i), i < b, they give the zigzag of b pieces."""
    c = np.full(base, 2.0)
    c[1::2] = -2.0
    c[0] = 1.0
    return c


def fold_network(bases: Sequence[int]) -> Network:
    """The zigzag of prod(bases) pieces on [0, 1], one hidden layer for each base.

    Each layer folds [0, 1] onto itself `base` times; all weights are integers, stored
    as float64 (bases below 2**53). A base of 1 passes its input on.

    Source:
        Telgarsky (2023), Proposition 4.1 for base 2 (there the folds are separated by
        linear layers, which are counted; here they are fused away).
    """
    layers, incoming = [], np.ones(1)
    for base in bases:
        weight = np.tile(float(base) * incoming, (base, 1))
        layers.append(Affine(weight, -np.arange(base, dtype=np.float64)))
        incoming = fold_coefficients(base)
    layers.append(Affine(incoming[None, :], np.zeros(1)))
    return Network(layers)
