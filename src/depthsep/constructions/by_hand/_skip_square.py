"""x^2 on [0, 1] by folds, their sum read off all layers by skip connections."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.networks import Affine, SkipNetwork

MAX_LEVELS = 200


def square_with_skips(levels: int) -> SkipNetwork:
    r"""h_i(x) = x - sum_{k=1}^i D^k(x) / 4^k: 2 i units in i hidden layers.

    It interpolates x^2 at the multiples of 2^-i on [0, 1], within 4^(-i-1) there.
    D(z) = 2 relu(z) - 4 relu(z - 1/2); layer k holds the two units of D after D^(k-1),
    and the read-out reads all.

    Raises:
        HypothesisError: levels not from 1 to 200.

    Source:
        Telgarsky (2023), Theorem 4.2, in its form with skip connections.
    """
    if not 1 <= levels <= MAX_LEVELS:
        raise HypothesisError(
            f"levels is {levels}; give a number from 1 to {MAX_LEVELS}"
        )
    half = fmpq(1, 2)
    tooth, layers = [fmpq(1)], []
    for k in range(levels):
        row = [fmpq(0)] * (2 * k + 1 - len(tooth)) + tooth
        layers.append(Affine([row, row], [0, -half]))
        tooth = [fmpq(2), fmpq(-4)]
    read = [fmpq(1)]
    for k in range(1, levels + 1):
        read += [-2 / fmpq(4) ** k, 4 / fmpq(4) ** k]
    return SkipNetwork(1, [*layers, Affine([read], [0])])
