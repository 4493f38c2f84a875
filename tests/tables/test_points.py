"""Points and bands: the error is measured at the points only."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from depthsep import pieces
from depthsep._errors import HypothesisError
from depthsep.tables._followed import followed
from depthsep.targets import PointSet


def written(folder, columns, header=""):
    file = folder / "points.csv"
    rows = "\n".join(",".join(repr(float(v)) for v in row) for row in columns)
    file.write_text(f"{header}\n{rows}" if header else rows)
    return str(file)


def line_fits(x, low, high):
    rows = np.stack([x - x[0], np.ones_like(x)], axis=1)
    room = linprog(
        [0, 0],
        np.vstack([rows, -rows]),
        np.concatenate([high, -low]),
        bounds=[(None, None)] * 2,
    )
    return room.status == 0


def fewest_with_jumps(x, low, high):
    """As many points as a line fits, one after the other."""
    start, found = 0, 0
    while start < len(x):
        stop = start + 1
        while stop < len(x) and line_fits(
            x[start : stop + 1], low[start : stop + 1], high[start : stop + 1]
        ):
            stop += 1
        start, found = stop, found + 1
    return found


def continuous_fits(x, low, high, knots):
    """Whether some continuous table with these knots goes through all windows."""
    basis = np.maximum(x[:, None] - np.array([-1e9, *knots])[None], 0)
    basis[:, 0] = x
    rows = np.hstack([np.ones((len(x), 1)), basis])
    room = linprog(
        np.zeros(rows.shape[1]),
        np.vstack([rows, -rows]),
        np.concatenate([high, -low]),
        bounds=[(None, None)] * rows.shape[1],
    )
    return room.status == 0


@pytest.mark.parametrize("seed", range(8))
def test_jumps_take_what_lines_through_points_take(seed, tmp_path) -> None:
    rng = np.random.default_rng(seed)
    x = np.unique(np.round(rng.uniform(0, 5, 40), 3))
    y = np.sin(2 * x) + 0.1 * rng.normal(size=len(x))
    file = written(tmp_path, np.stack([x, y], axis=1))
    table = pieces(f"points:{file}", accuracy="0.17", jumps=True)
    assert len(table.pieces) == table.needed
    assert table.needed == fewest_with_jumps(x, y - 0.17, y + 0.17)
    off = [
        abs(
            float(p.at(fmpq(*t.as_integer_ratio())).p)
            / float(p.at(fmpq(*t.as_integer_ratio())).q)
            - v
        )
        for p in table.pieces
        for t, v in zip(x.tolist(), y.tolist(), strict=True)
        if p.start < fmpq(*t.as_integer_ratio()) < p.stop
    ]
    assert max(off) <= 0.17


@pytest.mark.parametrize("seed", range(6))
def test_continuous_ones_against_all_sets_of_knots(seed, tmp_path) -> None:
    """Brute force: knots on a grid, values by linear programmes."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(np.arange(0, 20), 9, replace=False)) / 4.0
    y = np.round(rng.uniform(-1, 1, len(x)), 2)
    file = written(tmp_path, np.stack([x, y], axis=1))
    table = pieces(f"points:{file}", accuracy="0.4")
    assert table.is_continuous and table.error.upper <= fmpq(2, 5)
    knots = [k / 16 for k in range(int(16 * x[0]) + 1, int(16 * x[-1]))]
    for count in range(1, table.needed):
        if count == 1:
            assert not line_fits(x, y - 0.4, y + 0.4)
        elif count == 2:
            assert not any(continuous_fits(x, y - 0.4, y + 0.4, [k]) for k in knots)
        elif count == 3:
            some = rng.choice(len(knots), (150, 2))
            for pair in some:
                chosen = sorted(knots[k] for k in pair)
                assert not continuous_fits(x, y - 0.4, y + 0.4, chosen)
    inner = [float(p.stop.p) / float(p.stop.q) for p in table.pieces[:-1]]
    assert continuous_fits(x, y - 0.4001, y + 0.4001, inner)


def test_points_need_no_more_pieces_than_their_broken_line(tmp_path) -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 10, 60))
    file = written(tmp_path, np.stack([x, np.sin(x)], axis=1))
    for error in ("0.02", "0.1"):
        at_points = pieces(f"points:{file}", accuracy=error)
        everywhere = pieces(f"data:{file}", accuracy=error)
        assert at_points.needed <= len(everywhere.pieces)


def test_ties_bound_the_error(tmp_path) -> None:
    file = written(tmp_path, [(0, 0), (1, 0.5), (1, 1.5), (2, 2)])
    with pytest.raises(HypothesisError, match=r"the least possible error is 0\.5"):
        pieces(f"points:{file}", accuracy="0.4")
    table = pieces(f"points:{file}", accuracy="0.5")
    assert len(table.pieces) == 1 and table.error.upper == fmpq(1, 2)


@pytest.mark.parametrize("header", ["", "x,lo,hi", "t,upper,lower"])
def test_bands(header, tmp_path) -> None:
    x = np.linspace(0, 3, 20)
    low, high = np.sin(x) - 0.05, np.sin(x) + 0.1
    columns = [x, high, low] if "upper" in header else [x, low, high]
    file = written(tmp_path, np.stack(columns, axis=1), header)
    table = pieces(f"band:{file}")
    assert table.error.upper == 0 and "through them" in table.summary
    g = table.function.floats(x)
    assert (g >= low - 1e-12).all() and (g <= high + 1e-12).all()
    looser = pieces(f"band:{file}", accuracy="0.1")
    assert len(looser.pieces) < len(table.pieces)


def test_crossed_bands_are_refused(tmp_path) -> None:
    file = written(tmp_path, [(0, 0, 1), (1, 2, 1), (2, 0, 1)])
    with pytest.raises(HypothesisError, match="is above the upper end"):
        pieces(f"band:{file}")
    for given in ({"relative": True}, {"interpolate": True}, {"norm": "l2"}):
        good = written(tmp_path, [(0, 0, 1), (1, 0, 1), (2, 0, 1)])
        with pytest.raises(HypothesisError):
            pieces(f"band:{good}", accuracy="0.1", **given)


def test_the_error_at_points_is_exact(tmp_path) -> None:
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(0, 10, 50))
    y = rng.normal(size=50)
    points = PointSet.read(written(tmp_path, np.stack([x, y], axis=1)), is_band=False)
    exact = [
        tuple(fmpq(*v.as_integer_ratio()) for v in p)
        for p in zip(x.tolist(), y.tolist(), strict=True)
    ]
    ends = [fmpq(k, 7) for k in range(71)] + [t for t, _ in exact]
    for _ in range(300):
        start, stop = sorted(ends[k] for k in rng.choice(len(ends), 2))
        if start == stop:
            continue
        left, right = (fmpq(int(v), 8) for v in rng.integers(-12, 12, 2))
        slope = (right - left) / (stop - start)
        off = [
            abs(left + slope * (t - start) - v) for t, v in exact if start <= t <= stop
        ]
        assert points.line_error(start, stop, left, right) == max(off, default=fmpq(0))


def test_files_that_changed_and_rows_that_were_sorted(tmp_path) -> None:
    file = written(tmp_path, [(2, 1), (0, 0), (1, 3)])
    table = pieces(f"points:{file}", accuracy="0.1")
    assert "were sorted by x" in str(table)
    text = table.room.target.text
    assert pieces(text, accuracy="0.1").pieces == table.pieces
    written(tmp_path, [(2, 1), (0, 0), (1, 4)])
    with pytest.raises(HypothesisError, match="has changed"):
        pieces(text, accuracy="0.1")


def test_a_header_may_name_the_ends_of_bands(tmp_path) -> None:
    file = written(tmp_path, [(0, 1, 0), (1, 2, 1), (2, 1, 0)], "x,max,min")
    assert len(pieces(f"band:{file}").pieces) <= 2


def test_walls_between_points_are_as_steep_as_is_said(tmp_path, monkeypatch) -> None:
    """A million times height over gap, of the file's gaps, also where few are kept."""
    x = np.linspace(0, 1, 4001)
    file = written(tmp_path, np.stack([x, np.sin(9 * x)], axis=1))
    points = PointSet.read(file, is_band=False)
    for many in (1, 10**9):
        monkeypatch.setattr("depthsep.tables._followed.MANY", many)
        walls = followed(points, points.whole, fmpq(1)).outside
        slopes = [
            abs((b - a) / (t - s))
            for (s, t), (a, b) in zip(
                pairwise(walls.x), pairwise(walls.low), strict=True
            )
        ]
        height, gap = np.ptp(points.top), 1 / 4000
        steepest = max(float(v.p) / float(v.q) for v in slopes)
        assert steepest >= 1e6 * height / gap * 0.99
