"""Fewest pieces beside pwlf and a plain dynamic programme: pieces, error, time.

    pip install pwlf==2.7.0
    python benchmarks/curves.py [POINTS ...]

Five curves through 1,000 points each, within an error at the points; then
one noisy curve through more and more points. pwlf (least squares, `fitfast`) gets one
segment more until its error at the points is small enough. At last least squares with
six pieces on the five curves, with noise: what pwlf is made for.
"""

import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

import numpy as np

from depthsep import pieces
from depthsep.exact import nearest_float

SEGMENTS = 6
FEW = 400  # points of the dynamic programme
LONGEST = 60.0  # seconds for pwlf, after which it is left out
CURVES: tuple[
    tuple[str, Callable[[np.ndarray], np.ndarray], float, float, float], ...
] = (
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -8, 8, 0.01),
    ("sine", np.sin, 0, 6, 0.02),
    ("square root", np.sqrt, 0, 1, 0.01),
    ("Runge", lambda x: 1 / (1 + 25 * x * x), -1, 1, 0.02),
    ("cubic", lambda x: x**3 - x, -2, 2, 0.1),
)


def by_depthsep(x: np.ndarray, y: np.ndarray, error: float) -> tuple[int, float]:
    """Proved to be fewest."""
    with TemporaryDirectory() as folder:
        file = f"{folder}/curve.csv"
        np.savetxt(file, np.stack([x, y], axis=1), delimiter=",")
        table = pieces(f"points:{file}", accuracy=str(error))
    off = np.abs(table.function.floats(x) - y).max()
    return len(table.pieces), float(off)


def by_pwlf(x: np.ndarray, y: np.ndarray, error: float) -> tuple[int, float]:
    """One segment more until it is near enough."""
    import pwlf

    np.random.seed(0)
    end = time.monotonic() + LONGEST
    for count in range(2, 60):
        model = pwlf.PiecewiseLinFit(x, y)
        model.fitfast(count, pop=3)
        off = float(np.abs(model.predict(x) - y).max())
        if off <= error:
            return count, off
        if time.monotonic() > end:
            break
    return 0, off


def by_programme(x: np.ndarray, y: np.ndarray, error: float) -> tuple[int, float]:
    """Chords between some of the points, the fewest."""
    keep = np.unique(np.linspace(0, len(x) - 1, min(FEW, len(x))).astype(int))
    x, y = x[keep], y[keep]
    count = np.full(len(x), len(x))
    count[0] = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            chord = y[i] + (y[j] - y[i]) * (x[i : j + 1] - x[i]) / (x[j] - x[i])
            if np.abs(chord - y[i : j + 1]).max() <= error:
                count[j] = min(count[j], count[i] + 1)
    return int(count[-1]), error


def row(name: str, x: np.ndarray, y: np.ndarray, error: float) -> str:
    """One line of the table."""
    cells = [name, str(len(x)), f"{error:g}"]
    for way in (by_depthsep, by_pwlf, by_programme):
        start = time.monotonic()
        found, off = way(x, y, error)
        shown = f"{found} ({off:.3g})" if found else f"none in {LONGEST:g} s"
        cells.append(f"{shown}, {time.monotonic() - start:.2g} s")
    return f"| {' | '.join(cells)} |"


def squares_row(name: str, x: np.ndarray, y: np.ndarray) -> str:
    """Root mean squares of six pieces, the least that any have, and times."""
    import pwlf

    start = time.monotonic()
    table = pieces(points_of(x, y), norm="l2", count=SEGMENTS)
    ours = time.monotonic() - start
    assert table.least_error is not None
    cells = [name, f"{nearest_float(table.least_error):.4g}"]
    cells.append(f"{nearest_float(table.error.upper):.4g}, {ours:.2g} s")
    for fast in (True, False):
        np.random.seed(0)
        start = time.monotonic()
        model = pwlf.PiecewiseLinFit(x, y)
        (model.fitfast if fast else model.fit)(SEGMENTS)
        off = float(np.sqrt(((model.predict(x) - y) ** 2).mean()))
        cells.append(f"{off:.4g}, {time.monotonic() - start:.2g} s")
    return f"| {' | '.join(cells)} |"


def points_of(x: np.ndarray, y: np.ndarray) -> str:
    """As a target, without a file."""
    rows = (f"{a!r},{b!r}" for a, b in zip(x.tolist(), y.tolist(), strict=True))
    return f"points:{';'.join(rows)}"


def main() -> None:
    """Print the tables in Markdown."""
    print("| curve | points | within | depthsep | pwlf | programme over 400 points |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, function, start, stop, error in CURVES:
        x = np.linspace(start, stop, 1000)
        print(row(name, x, function(x), error), flush=True)
    rng = np.random.default_rng(0)
    for count in [int(v) for v in sys.argv[1:]] or [10**4, 10**5, 10**6]:
        x = np.linspace(0, 20, count)
        y = np.sin(x) + 0.01 * rng.normal(size=count)
        print(row("noisy sine", x, y, 0.1), flush=True)
    print("\n| curve | no table is below | depthsep | pwlf, fitfast | pwlf, fit |")
    print("|---|---:|---:|---:|---:|")
    for name, function, start, stop, error in CURVES:
        x = np.linspace(start, stop, 500)
        y = function(x) + error * rng.normal(size=len(x))
        print(squares_row(name, x, y), flush=True)


if __name__ == "__main__":
    main()
