"""One quadratic by folds for each coordinate, all adding to one carried sum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.constructions.line._quadratic import quadratic_network
from depthsep.exact import floats_if_exact, rational, rational_array
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.targets import ExactForm


@dataclass(frozen=True)
class SharedSum:
    """Hidden layers, and sum_i q(input i) = row . last layer + constant."""

    layers: tuple[Affine, ...]
    row: np.ndarray
    constant: fmpq

    def followed_by(self, outer: Network) -> Network:
        """outer(the sum)."""
        first = outer.layers[0]
        weight = np.outer(_exact(first.weight[:, 0]), self.row)
        bias = _exact(first.bias) + _exact(first.weight[:, 0]) * self.constant
        entry = Affine(floats_if_exact(weight), floats_if_exact(bias))
        return Network([*self.layers, entry, *outer.layers[1:]])


def shared_widths(bases: Sequence[int], count: int) -> tuple[int, ...]:
    """count b_1, then count b_j and the unit that carries the sum."""
    return (count * bases[0], *(count * b + 1 if b > 1 else 1 for b in bases[1:]))


def shared_sum(
    form: ExactForm, on: Segment, bases: Sequence[int], inputs: np.ndarray
) -> SharedSum:
    """The sum over rows of `inputs` of the quadratic of what the row reads.

    Args:
        bases: of the folds, see `quadratic_network`.
        inputs: shape (count, in_dim), the rows.
    """
    part, count = quadratic_network(form, on, bases), len(inputs)
    maps = [(_exact(a.weight), _exact(a.bias)) for a in part.layers]
    weight, bias = maps[0]
    blocks = [np.outer(weight[:, 0], _exact(row)) for row in inputs]
    layers = [_affine(np.concatenate(blocks), np.tile(bias, count))]
    folds = bases[0]
    for (weight, bias), base in zip(maps[1:-1], bases[1:], strict=True):
        width = base if base > 1 else 0
        more = weight.shape[1] - folds  # 1 where a sum is carried: folds do not read it
        below = np.full((count * width, count * folds + more), fmpq(0), dtype=object)
        for i in range(count):
            rows, columns = (
                slice(i * width, (i + 1) * width),
                slice(i * folds, (i + 1) * folds),
            )
            below[rows, columns] = weight[:width, :folds]
        carried = np.tile(weight[width:, :folds], count)
        carried = np.concatenate([carried, weight[width:, folds:]], axis=1)
        offsets = np.concatenate([np.tile(bias[:width], count), bias[width:] * count])
        layers.append(_affine(np.concatenate([below, carried]), offsets))
        folds = width
    weight, bias = maps[-1]
    row = np.concatenate([np.tile(weight[0, :folds], count), weight[0, folds:]])
    return SharedSum(tuple(layers), row, bias[0] * count)


def _exact(values: np.ndarray) -> np.ndarray:
    """The same numbers as rationals."""
    flat = [rational(v) for v in values.ravel().tolist()]
    return rational_array(flat).reshape(values.shape)


def _affine(weight: np.ndarray, bias: np.ndarray) -> Affine:
    return Affine(floats_if_exact(weight), floats_if_exact(bias))
