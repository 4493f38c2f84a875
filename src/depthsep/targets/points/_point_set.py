"""Points, or bands, of a file: errors count there alone."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import nearest_float, rational
from depthsep.laws import AbstractLaw, AtPoints, Segment
from depthsep.targets._base import AbstractTarget
from depthsep.targets.line._csv import DIGEST, Columns, read_digested


@dataclass(frozen=True)
class PointSet(AbstractTarget):
    """A function g is off by max(top - g, g - bottom) at every x, or 0 if that is less.

    Of points top and bottom are y: of several at one x the largest and the least. Of
    bands they are the lower end and the upper end.

    Attributes:
        path: of the file, or the rows themselves.
        digest: of the file's bytes.
        x: (n,) increasing.
        top: (n,)
        bottom: (n,)
        is_band: whether the file has bands.
        was_sorted: whether its rows stood in the order of x.
        rows: (m, 3) of points all rows in order of x, with weights: 1 if the file has
            none.
        is_weighted: whether it has.
    """

    settings: ClassVar[tuple[str, ...]] = ("points",)
    words_are_formula: ClassVar[bool] = False

    path: str
    digest: str
    x: np.ndarray = field(compare=False, repr=False)
    top: np.ndarray = field(compare=False, repr=False)
    bottom: np.ndarray = field(compare=False, repr=False)
    is_band: bool = False
    was_sorted: bool = field(default=True, compare=False)
    rows: np.ndarray = field(
        default_factory=lambda: np.empty((0, 3)), compare=False, repr=False
    )
    is_weighted: bool = field(default=False, compare=False)

    @staticmethod
    def read(written: str, *, is_band: bool) -> "PointSet":
        """PATH, or PATH#DIGEST, of rows `x, y`, or `x, y, weight`.

        Of bands `x, lo, hi`, or as named.

        Raises:
            HypothesisError: a bad row, a negative weight, a band whose lower end is
                above the upper one.
        """
        path, columns = read_digested(written, 3 if is_band else 2, 3)
        x, low, high = _ends(columns, is_band)
        if (low > high).any():
            k = int((low > high).argmax())
            raise HypothesisError(
                f"{path}: at x = {x[k]:g} the lower end {low[k]:g} is "
                f"above the upper end {high[k]:g}"
            )
        first = np.flatnonzero(np.diff(x, prepend=-np.inf))
        if is_band:  # the narrowest of several at one x
            top, bottom = (
                np.maximum.reduceat(low, first),
                np.minimum.reduceat(high, first),
            )
        else:
            top, bottom = (
                np.maximum.reduceat(high, first),
                np.minimum.reduceat(low, first),
            )
        if not np.isfinite(float(top.max()) - float(bottom.min())) or not np.isfinite(
            float(bottom.max()) - float(top.min())
        ):
            raise HypothesisError(
                f"the values in {path} are too far apart; rescale them"
            )
        if len(first) < 2:
            raise HypothesisError(f"{path} has points at only one x; give two or more")
        digest = columns.digest[:DIGEST]
        return PointSet(
            path,
            digest,
            x[first],
            top,
            bottom,
            is_band,
            columns.was_sorted,
            _rows(columns, path, is_band),
            not is_band and columns.values.shape[1] == 3,
        )

    @property
    def text(self) -> str:
        """What the command line calls it."""
        mark = f"#{self.digest}" if self.digest else ""
        return f"{'band' if self.is_band else 'points'}:{self.path}{mark}"

    @property
    def in_dim(self) -> int:
        return 1

    @property
    def words(self) -> str:
        """In English."""
        name = "band" if self.is_band else "point"
        if not self.digest:
            return plural(len(self.x), f"given {name}")
        return f"the {name}s of {self.path}"

    def default_law(self) -> AbstractLaw:
        weight = self.rows[:, 2] if len(self.rows) else np.ones(len(self.x))
        return AtPoints(self.rows[:, 0] if len(self.rows) else self.x, weight)

    def law_for(self, law: AbstractLaw) -> AbstractLaw:
        return self.default_law() if isinstance(law, AtPoints) else law

    def check_means(self, law: AbstractLaw, norm: str) -> None:
        if norm != "linf" and self.is_band:
            raise HypothesisError(
                f"{self} is a band, for which mean errors are not defined; use linf"
            )
        if norm == "linf" and self.is_weighted:
            raise HypothesisError(
                f"{self} has weights, which apply to mean errors only; "
                "use l1 or l2, or a file without weights"
            )

    @property
    def least_error(self) -> fmpq:
        """Half of how far several values at one x are apart: nothing is nearer."""
        gap = max(float((self.top - self.bottom).max()), 0.0)
        return rational(gap) / 2

    @property
    def whole(self) -> Segment:
        """From the first point to the last."""
        return Segment(self.x[0], self.x[-1])

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Straight between the middles: for pictures."""
        return np.interp(x, self.x, (self.top + self.bottom) / 2)

    def line_error(self, start: fmpq, stop: fmpq, left: fmpq, right: fmpq) -> fmpq:
        """By how much a line is off at the points between two places: exact.

        Floats say which points can be the furthest; rationals say how far they are.
        """
        slope = (right - left) / (stop - start)
        a, b = nearest_float(start), nearest_float(stop)
        first, last = np.searchsorted(self.x, a), np.searchsorted(self.x, b, "right")
        x, top, bottom = (v[first:last] for v in (self.x, self.top, self.bottom))
        g = nearest_float(left) + nearest_float(slope) * (x - a)
        with np.errstate(all="ignore"):
            off = np.maximum(top - g, g - bottom)
        reach = abs(nearest_float(left)) + abs(nearest_float(slope)) * (b - a)
        size = np.abs(top).max(initial=0.0) + np.abs(bottom).max(initial=0.0)
        inner = (x > a) & (x < b)
        unsure = 64 * np.finfo(float).eps * (reach + size)
        far = ~(off < off[inner].max(initial=0.0) - unsure)
        found = fmpq(0)
        for k in np.flatnonzero(far | ~inner).tolist():
            t, u, v = (rational(float(z[k])) for z in (x, top, bottom))
            if start <= t <= stop:
                value = left + slope * (t - start)
                found = max(found, u - value, value - v)
        return found


def _rows(columns: Columns, path: str, is_band: bool) -> np.ndarray:
    """Points with their weights, those of weight 0 left out."""
    values = columns.values
    if is_band:
        return np.empty((0, 3))
    if values.shape[1] == 2:
        return np.column_stack([values, np.ones(len(values))])
    if (values[:, 2] < 0).any():
        k = int((values[:, 2] < 0).argmax())
        raise HypothesisError(
            f"{path}: at x = {values[k, 0]:g} the weight is "
            f"{values[k, 2]:g}; it must be 0 or more"
        )
    kept = values[values[:, 2] > 0]
    if len(kept) < 2 or kept[0, 0] == kept[-1, 0]:
        raise HypothesisError(
            f"{path} has fewer than two different x with a positive weight"
        )
    return kept


def _ends(columns: Columns, is_band: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, lower and upper ends."""
    x = columns.values[:, 0]
    if not is_band:
        return x, columns.values[:, 1], columns.values[:, 1]
    low, high = (2, 1) if columns.names[1:] == ("upper", "lower") else (1, 2)
    return x, columns.values[:, low], columns.values[:, high]
