"""Where the knots of a grid go, and how few are enough: float64, not proved.

A cell of the grid is cut along one of its diagonals. A value at a corner is the
target's, moved by half of what the triangles around it would be off by on one side.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep._deadline import check_time

SAMPLES = 7  # points along each side of a cell at which errors are measured
DENSE = 129  # points along each axis that say how much the target bends
FLAT = 0.05  # of the mean: places bend at least as much
ROUNDS = 4
MOST_CELLS = 5_000
SHAPES = 24  # numbers of columns that are tried

TIE = 1e-9  # of a spread: so much is no reason to cut a cell another way
_SHARE = np.linspace(0, 1, SAMPLES)
SHARES = [v[None, None] for v in np.meshgrid(_SHARE, _SHARE, indexing="ij")]

Values = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Draft:
    """Knots and values in float64.

    Attributes:
        x, y: (n + 1,), (m + 1,) knots.
        values: (n + 1, m + 1)
        rising: (n, m) whether a cell is cut from its lower left to its upper right.
        off: the largest error at the samples.
    """

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    rising: np.ndarray
    off: float

    @property
    def cells(self) -> int:
        """Each of which is two triangles."""
        return self.rising.size


@dataclass(frozen=True, eq=False)
class Grids:
    """Grids for a target.

    Attributes:
        f: (n, 2) to (n,).
        x, y: ends of the two sides.
        uniform: knots at equal distances; else closer where the target bends more.
    """

    f: Values
    x: tuple[float, float]
    y: tuple[float, float]
    uniform: bool

    def at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The target at arrays of one shape."""
        return self.f(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(x.shape)

    def fewest(self, error: float) -> Draft | None:
        """The grid of the fewest cells within an error, among many shapes."""
        best = self._square(error)
        if best is None:
            return None
        for columns in self._numbers(best.cells):
            check_time()
            found = self._rows(columns, (best.cells - 1) // columns, error)
            if found is not None:
                best = found
        return best

    def _square(self, error: float) -> Draft | None:
        n = 1
        while n * n <= MOST_CELLS:
            found = self.draft(n, n)
            if found.off <= error:
                return found
            # an error falls with the square of a cell
            n = max(n + 1, int(0.9 * n * np.sqrt(found.off / error)))
        return None

    def _numbers(self, cells: int) -> Iterator[int]:
        yield from np.unique(
            np.geomspace(1, cells, SHAPES).round().astype(int)
        ).tolist()

    def _rows(self, columns: int, most: int, error: float) -> Draft | None:
        """With the fewest rows, up to a number of them."""
        found = self.draft(columns, most) if most else None
        if found is None or found.off > error:
            return None
        low = 0
        while most - low > 1:
            middle = (low + most) // 2
            draft = self.draft(columns, middle)
            if draft.off <= error:
                found, most = draft, middle
            else:
                low = middle
        return found

    def draft(self, columns: int, rows: int) -> Draft:
        """A grid of so many cells."""
        check_time()
        x = self._knots(columns, 0)
        y = self._knots(rows, 1)
        return self.on(x, y)

    def on(self, x: np.ndarray, y: np.ndarray) -> Draft:
        """With given knots."""
        s, t = SHARES
        across = x[:-1, None, None, None] + np.diff(x)[:, None, None, None] * s
        up = y[None, :-1, None, None] + np.diff(y)[None, :, None, None] * t
        target = self.at(*np.broadcast_arrays(across, up))
        corners = self.at(*np.meshgrid(x, y, indexing="ij"))
        ways = np.array([_straight(corners, s, t, rising) for rising in (False, True)])
        off = target - ways
        low, high = off.min((3, 4)), off.max((3, 4))
        spread = (high - low) * (1 - TIE * np.array([0, 1])[:, None, None])
        cuts = (spread.argmin(axis=0), *(np.full(low.shape[1:], k) for k in (0, 1)))
        return min(
            (self._moved(x, y, corners, target, (low + high) / 2, cut) for cut in cuts),
            key=lambda draft: draft.off,
        )

    def _moved(
        self,
        x: np.ndarray,
        y: np.ndarray,
        corners: np.ndarray,
        target: np.ndarray,
        middles: np.ndarray,
        cut: np.ndarray,
    ) -> Draft:
        """With corners moved by what the cells around them are off by on one side."""
        s, t = SHARES
        chosen = np.take_along_axis(middles, cut[None], axis=0)[0]
        values = corners + _at_corners(chosen)
        falling, rising = (_straight(values, s, t, way) for way in (False, True))
        g = np.where(cut[:, :, None, None], rising, falling)
        worst = float(np.nan_to_num(np.abs(target - g), nan=np.inf).max())
        return Draft(x, y, values, cut.astype(bool), worst)

    def _knots(self, count: int, axis: int) -> np.ndarray:
        start, stop = (self.x, self.y)[axis]
        if self.uniform:
            return np.linspace(start, stop, count + 1)
        places, mass = self._bends[axis]
        return np.interp(np.linspace(0, 1, count + 1), mass, places)

    @cached_property
    def _bends(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each axis places, and how much of all bends lies before them."""
        return list(self._measured())

    def _measured(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Again on places that are as close as the bends last seen: near sqrt at 0."""
        places = [np.linspace(*side, DENSE) for side in (self.x, self.y)]
        masses = [places[0], places[1]]
        for number in range(ROUNDS):
            if number:
                steps = np.linspace(0, 1, DENSE)
                places = [
                    np.interp(steps, *p) for p in zip(masses, places, strict=True)
                ]
            f = self.at(*np.meshgrid(*places, indexing="ij"))
            masses = [_mass(f, places), _mass(f.T, places[::-1])]
        yield from zip(places, masses, strict=True)


def _mass(f: np.ndarray, places: list[np.ndarray]) -> np.ndarray:
    """The integral of the root of second derivatives up to each place of the first."""
    x, y = places
    slopes = np.diff(f, axis=0) / np.diff(x)[:, None]
    turn = np.abs(np.diff(slopes, axis=0)).max(axis=1)
    bend = 2 * turn / (x[2:] - x[:-2])
    mixed = np.abs(np.diff(slopes, axis=1) / np.diff(y)).max(axis=1)
    bend = np.maximum(np.append(bend[:1], bend), np.append(bend, bend[-1:]))
    length = (y[-1] - y[0]) / (x[-1] - x[0])
    density = np.nan_to_num(np.sqrt(bend + mixed * length), nan=0.0, posinf=0.0)
    share = density * np.diff(x)
    share = np.maximum(share, FLAT * share.sum() * np.diff(x) / (x[-1] - x[0]))
    mass = np.append(0, np.cumsum(share + 1e-300))
    return mass / mass[-1]


def _straight(
    corners: np.ndarray, s: np.ndarray, t: np.ndarray, rising: bool
) -> np.ndarray:
    """The table on every cell at shares s and t of its sides, cut along a diagonal."""
    a, b, c, d = (v[:, :, None, None] for v in (
        corners[:-1, :-1], corners[1:, :-1], corners[:-1, 1:], corners[1:, 1:]
    ))  # fmt: skip
    if rising:
        below, above = a + s * (b - a) + t * (d - b), a + t * (c - a) + s * (d - c)
        return np.where(s >= t, below, above)
    below = a + s * (b - a) + t * (c - a)
    return np.where(s + t <= 1, below, d + (1 - s) * (c - d) + (1 - t) * (b - d))


def _at_corners(cells: np.ndarray) -> np.ndarray:
    """Means over the cells around every corner."""
    sums, count = (np.zeros([n + 1 for n in cells.shape]) for _ in range(2))
    for i in (slice(None, -1), slice(1, None)):
        for j in (slice(None, -1), slice(1, None)):
            sums[i, j] += cells
            count[i, j] += 1
    return sums / count
