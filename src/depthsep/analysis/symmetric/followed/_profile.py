r"""A function of one variable on [-1, 1] as a table of Taylor polynomials, proved.

f(u) = f(c) + f'(c) (u - c) +- sup |f''| (u - c)^2 / 2 for the table's point c next to
the middle of a range, or f(c) +- sup |f'| |u - c| where that is less.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.box.followed._affine_forms import Forms
from depthsep.exact import ball_upper, nearest_float
from depthsep.targets import AbstractLineTarget

PRECISION = 96
CELLS = 1 << 13
ROUNDING = 1e-14


@dataclass(frozen=True)
class ProfileTable:
    """The table: for each of `CELLS` equal cells of [-1, 1] its centre's values.

    Attributes:
        value, slope: f and f' at the centres.
        doubt, tilt: what the values and the slopes may be off by.
        steepest, bent: lists of maxima of |f'| and |f''| over 1, 2, 4, ... cells.
        top, bottom: the same of f and of -f.
    """

    value: np.ndarray
    slope: np.ndarray
    doubt: np.ndarray
    tilt: np.ndarray
    steepest: list[np.ndarray]
    bent: list[np.ndarray]
    top: list[np.ndarray]
    bottom: list[np.ndarray]

    @staticmethod
    def of(profile: AbstractLineTarget) -> "ProfileTable":
        """Made in balls.

        Raises:
            HypothesisError: f has values that are not enclosed.
        """
        rows = [_row(profile, j) for j in range(CELLS)]
        value, slope, doubt, tilt, *most = np.array(rows).T
        if not np.isfinite(value + doubt).all():
            raise HypothesisError(
                f"{profile} is undefined or too large for float64 somewhere on [-1, 1]"
            )
        return ProfileTable(
            *(value, slope, doubt, tilt), *(list(_maxima(values)) for values in most)
        )

    def __call__(self, u: Forms) -> Forms:
        """f(u), for u in [-1, 1] whatever its form allows."""
        low, high = (np.clip(end[:, 0], -1.0, 1.0) for end in u.ends)
        first, last = _cell(low), _cell(high)
        j = _cell(np.clip(u.centre[:, 0], -1.0, 1.0))
        first, last = np.minimum(first, j), np.maximum(last, j)
        point = (2 * j + 1) / CELLS - 1
        off = u.centre[:, 0] - point
        reach = np.maximum(np.abs(low - point), np.abs(high - point)) + ROUNDING
        by_bend = _largest(self.bent, first, last) * reach * reach / 2
        by_bend += np.abs(self.slope[j]) * u.error[:, 0] + self.tilt[j] * reach
        by_slope = _largest(self.steepest, first, last) * reach
        top, bottom = (_largest(m, first, last) for m in (self.top, self.bottom))
        off_value = np.maximum(top - self.value[j], bottom + self.value[j])
        by_slope = np.fmin(by_slope, off_value)
        flat = ~(by_bend <= by_slope)
        slope = np.where(flat, 0.0, self.slope[j])
        error = np.where(flat, by_slope, by_bend) + self.doubt[j]
        error += ROUNDING * (np.abs(self.value[j]) + np.abs(slope) + error)
        return Forms(
            (self.value[j] + slope * off)[:, None],
            u.slopes * slope[:, None],
            error[:, None],
        )


def _cell(u: np.ndarray) -> np.ndarray:
    """The cell of a number in [-1, 1]; at an end, one of its two."""
    return np.clip(((u + 1) * (CELLS / 2)).astype(np.int64), 0, CELLS - 1)


def _row(profile: AbstractLineTarget, j: int) -> tuple[float, ...]:
    with ctx.workprec(PRECISION):
        point = fmpq(2 * j + 1 - CELLS, CELLS)
        at = profile.jet(arb(point))
        # a little wider, so that rounded ends of ranges are inside
        around = profile.jet(arb(point, fmpq(1, CELLS) * (1 + fmpq(1, 2**20))))
        value, slope = _middle(at.value), _middle(at.first)
        slope = slope if np.isfinite(slope) else 0.0
        off = _above(abs(at.value - arb(value)))
        tilt = _above(abs(at.first - arb(slope)))
        sizes = [_above(abs(ball)) for ball in (around.first, around.second)]
        ends = [_above(around.value), _above(-around.value)]
        return value, slope, off, tilt, *sizes, *ends


def _middle(ball: arb) -> float:
    return float(ball.mid()) if ball.is_finite() else float("nan")


def _above(size: arb) -> float:
    if not size.is_finite():
        return float("inf")
    near = nearest_float(ball_upper(size))
    return float(np.nextafter(near, np.inf))


def _maxima(values: np.ndarray) -> Iterable[np.ndarray]:
    yield values
    while len(values) > 1:
        values = np.maximum(values[::2], values[1::2])
        yield values


def _largest(
    maxima: list[np.ndarray], first: np.ndarray, last: np.ndarray
) -> np.ndarray:
    """The maximum over cells first..last, or a little more: two blocks cover them."""
    level = np.ceil(np.log2(last - first + 1)).astype(np.int64)
    found = np.zeros(len(first))
    for k in np.unique(level):
        rows, blocks = level == k, maxima[int(k)]
        ends = first[rows] >> k, last[rows] >> k
        found[rows] = np.maximum(blocks[ends[0]], blocks[ends[1]])
    return found
