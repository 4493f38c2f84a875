r"""Affine forms of many values on many boxes: c + sum_k s_k t_k +- e, t in [-1, 1]^d.

Float64 with every rounding bounded: for sums of n products, computed in any order,
|fl(sum) - sum| <= n u / (1 - n u) sum |.|, u = 2^-53.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

UNIT = 2.0**-53
TINY = 1e-300


@dataclass(frozen=True)
class Forms:
    """Affine forms of n values on B boxes of d dimensions.

    Attributes:
        centre: (B, n) values at the centres.
        slopes: (d, B, n) changes from the centre to the face of each axis.
        error: (B, n) bounds of what the form leaves out.
    """

    centre: np.ndarray
    slopes: np.ndarray
    error: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """(B, n) bounds of |centre| + sum |slopes|, without the error."""
        grown = np.abs(self.centre) + np.abs(self.slopes).sum(0)
        return grown * (1 + 4 * (len(self.slopes) + 2) * UNIT)

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """(B, n) lower and upper bounds."""
        reach = np.abs(self.slopes).sum(0) + self.error
        slack = 8 * (len(self.slopes) + 2) * UNIT * (np.abs(self.centre) + reach) + TINY
        return self.centre - reach - slack, self.centre + reach + slack

    def chosen(self, which: np.ndarray) -> "Forms":
        """Some of the values, by place."""
        return Forms(
            self.centre[:, which], self.slopes[:, :, which], self.error[:, which]
        )


@dataclass(frozen=True)
class Linear:
    """A linear map in float64, weight of shape (inputs, outputs)."""

    weight: np.ndarray

    @cached_property
    def sizes(self) -> np.ndarray:
        """|weight|."""
        return np.abs(self.weight)

    def __call__(self, forms: Forms) -> Forms:
        """The image of affine forms."""
        loss = 2 * (len(self.weight) + len(forms.slopes) + 8) * UNIT
        d, boxes, n = forms.slopes.shape
        slopes = forms.slopes.reshape(d * boxes, n) @ self.weight
        grown = (forms.error + loss * forms.size) @ self.sizes
        return Forms(
            forms.centre @ self.weight,
            slopes.reshape(d, boxes, -1),
            grown * (1 + loss) + TINY,
        )


def boxes_to_forms(low: np.ndarray, high: np.ndarray) -> Forms:
    """The inputs themselves, for boxes with corners (B, d)."""
    centre, half = (low + high) / 2, (high - low) / 2
    d = low.shape[1]
    slopes = np.zeros((d, *low.shape))
    for axis in range(d):
        slopes[axis, :, axis] = half[:, axis]
    rounded = ~(_is_short(low) & _is_short(high))
    error = np.where(rounded, 8 * UNIT * (np.abs(low) + np.abs(high)) + TINY, 0.0)
    return Forms(centre, slopes, error)


def _is_short(x: np.ndarray) -> np.ndarray:
    """Whether sums and halves of such numbers are exact: multiples of 2^-40."""
    grown = x * 2.0**40
    return (np.abs(x) <= 2.0**10) & (grown == np.rint(grown))


@dataclass(frozen=True)
class Bends:
    r"""phi_p(r) = sum_k weight_pk relu(sign_pk r + bias_pk), r one of the inputs.

    Units that read the same form r are bounded together: relu(r) - 2 relu(r - 1/2)
    stays in [0, 1/2] on [0, 1], which its two units alone would not show.

    Attributes:
        reads: (P,) which input.
        signs, biases, weights: (P, K), padded with weight 0.
        doubt: (P,) bounds of what else phi may change by.
    """

    reads: np.ndarray
    signs: np.ndarray
    biases: np.ndarray
    weights: np.ndarray
    doubt: np.ndarray

    def __call__(self, forms: Forms) -> Forms:
        """phi(r) = slope r + middle +- band: the chord, and what is off it.

        phi - slope r is affine between the breaks, so extreme at them or at the ends.
        """
        r = forms.chosen(self.reads)
        low, high = r.ends
        breaks = np.clip((-self.signs * self.biases).T[:, None], low, high)
        points = np.concatenate([low[None], high[None], breaks])
        values = self._at(points)
        length = high - low
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(length > 0, (values[1] - values[0]) / length, 0.0)
        off = values - slope * points
        worst_low, worst_high = off.min(0), off.max(0)
        farthest = np.maximum(np.abs(low), np.abs(high))
        steep, heights = self._sizes
        slack = 4 * (self.signs.shape[1] + 8) * UNIT * (steep * farthest + heights)
        middle = (worst_low + worst_high) / 2
        band = (worst_high - worst_low) / 2 + slack + self.doubt
        error = np.abs(slope) * r.error + band
        more = 8 * UNIT * (np.abs(slope) * r.size + np.abs(middle) + error)
        return Forms(slope * r.centre + middle, slope * r.slopes, error + more + TINY)

    def _at(self, r: np.ndarray) -> np.ndarray:
        total = np.zeros_like(r)
        for k in range(self.signs.shape[1]):
            unit = np.maximum(self.signs[:, k] * r + self.biases[:, k], 0.0)
            total += self.weights[:, k] * unit
        return total

    @cached_property
    def _sizes(self) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.abs(self.weights)
        return sizes.sum(1), (sizes * np.abs(self.biases)).sum(1)


@dataclass(frozen=True)
class Stages:
    """A ReLU network as linear maps with bends between them.

    Attributes:
        maps: one more than bends; the last gives the outputs without their biases.
        bias, doubt: of the outputs.
    """

    maps: Sequence[Linear]
    bends: Sequence[Bends]
    bias: np.ndarray
    doubt: np.ndarray

    def __call__(self, forms: Forms) -> Forms:
        """The outputs."""
        return self.followed(forms)[1]

    def followed(self, forms: Forms) -> tuple[list[Forms], Forms]:
        """What the bends of every stage read, and the outputs."""
        read = []
        for linear, bends in zip(self.maps, self.bends, strict=False):
            read.append(linear(forms))
            forms = bends(read[-1])
        last = self.maps[-1](forms)
        error = last.error + self.doubt
        error += 4 * UNIT * (last.size + np.abs(self.bias) + error)
        return read, Forms(last.centre + self.bias, last.slopes, error)

    @property
    def widest(self) -> int:
        """The most values at once, for the size of batches."""
        return max(
            (b.signs.size + len(b.reads) for b in self.bends),
            default=self.maps[-1].weight.shape[0],
        )
