"""Bit extraction: the Gray code by folding, binary digits by folding once more.

With binary digits b_1 b_2 ... of x, D^j(x) >= 1/2 exactly when b_j XOR b_{j+1} (for
j = 0: b_1), except at ties. So thresholds of the folds give the Gray code, not the
binary digits, which are its prefix parities (Telgarsky 2023, 4.1 says "direct").
A ReLU network has ramps instead of thresholds, so it is exact off a neighbourhood of
the ties only: here, at all midpoints (2p + 1) / 2^(n+1).
"""

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.constructions.line._folds import fold_coefficients
from depthsep.networks import Affine, Network, compose

MAX_BITS = 24


def gray_code(bits: int) -> Network:
    """x -> the first `bits` Gray-code digits of x, n = `bits` hidden layers.

    Exact at the midpoints (2p + 1) / 2^(n+1) of [0, 1]: there |D^j - 1/2| >= 2^(j-n-1),
    so ramps of slope 2^(n-j) suffice. Layer j + 1 holds two fold units, two ramp units
    and one unit for each digit found before: widths 4, 5, ..., n + 3.
    """
    _check(bits)
    layers, to_fold, digits = [], np.ones((1, 1)), np.zeros((0, 1))
    for j in range(bits):
        slope = 2.0 ** (bits - j)
        value = to_fold[0]
        weight = np.vstack([2 * value, 2 * value, slope * value, slope * value, digits])
        half = slope / 2
        bias = np.concatenate([[0, -1, 0.5 - half, -0.5 - half], np.zeros(j)])
        layers.append(Affine(weight, bias))
        to_fold = np.concatenate([fold_coefficients(2), np.zeros(j + 2)])[None, :]
        digits = np.zeros((j + 1, j + 4))
        digits[:j, 4:] = np.eye(j)
        digits[j, 2:4] = 1.0, -1.0
    layers.append(Affine(digits, np.zeros(bits)))
    return Network(layers)


def binary_digits(bits: int) -> Network:
    """x -> the first `bits` binary digits of x, exact at (2p + 1) / 2^(n+1).

    Digit k is the parity of the first k Gray digits: the zigzag of their sum, by k
    units; one hidden layer of n (n + 1) / 2 units after `gray_code`.
    """
    _check(bits)
    rows, offsets = [], []
    out = np.zeros((bits, bits * (bits + 1) // 2))
    for k in range(1, bits + 1):
        first = len(rows)
        for i in range(k):
            rows.append(np.concatenate([np.ones(k), np.zeros(bits - k)]))
            offsets.append(-float(i))
        out[k - 1, first : first + k] = fold_coefficients(k)
    parities = Network(
        [Affine(np.array(rows), np.array(offsets)), Affine(out, np.zeros(bits))]
    )
    return compose(parities, gray_code(bits))


def _check(bits: int) -> None:
    if not 1 <= bits <= MAX_BITS:
        raise HypothesisError(f"`bits` is {bits}; give 1 to {MAX_BITS}")
