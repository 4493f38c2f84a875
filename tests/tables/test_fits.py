"""Points in the mean, with weights: against programmes of our own, and scipy's."""

from itertools import combinations

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import differential_evolution, linprog

from depthsep import pieces
from depthsep._errors import HypothesisError
from depthsep.approximation import best_values
from depthsep.reports import table_figure
from depthsep.tables.fits import _tables
from depthsep.tables.fits._costs import sizes, squares
from support.commands import call, command


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def written(folder, x, y, w=None, name="p.csv"):
    file = folder / name
    columns = [x, y] if w is None else [x, y, w]
    file.write_text("\n".join(",".join(repr(float(v)) for v in row)
                              for row in zip(*columns, strict=True)))  # fmt: skip
    return f"points:{file}"


def noisy(count, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(count) * 6)
    return x, np.sin(x) + 0.1 * rng.normal(size=count), rng.integers(1, 6, count) / 2


def least_squares(x, y, w):
    """By numpy's own solver."""
    matrix = np.stack([np.ones_like(x), x], axis=1) * np.sqrt(w)[:, None]
    best = np.linalg.lstsq(matrix, y * np.sqrt(w), rcond=None)[0]
    return float((w * (y - best[0] - best[1] * x) ** 2).sum())


def least_sizes(x, y, w):
    """As a linear programme."""
    n = len(x)
    line = np.stack([np.ones(n), x], axis=1)
    found = linprog(
        np.append([0, 0], w),
        A_ub=np.block([[line, -np.eye(n)], [-line, -np.eye(n)]]),
        b_ub=np.append(y, -y),
        bounds=[(None, None)] * 2 + [(0, None)] * n,
    )
    return float(found.fun)


@pytest.mark.parametrize(("norm", "costs", "own"), [
    ("l2", squares, least_squares), ("l1", sizes, least_sizes)
])  # fmt: skip
def test_costs_of_runs(norm, costs, own) -> None:
    """From below, and sharp to nine digits; ties in x and zero costs among them."""
    x, y, w = noisy(14)
    x[3] = x[4] = x[5]
    found = costs(x, y, w, np.arange(15))
    for i, j in combinations(range(15), 2):
        part = slice(i, j)
        exact = own(x[part], y[part], w[part])
        assert found[i, j - 1] <= exact * (1 + 1e-9) + 1e-12
        assert found[i, j - 1] >= exact * (1 - 1e-6) - 1e-9


def fewest_with_jumps(x, y, w, own, limit):
    """The fewest runs within a limit of the sum of their costs, by plain recursion."""
    n = len(x)
    cost = {
        (i, j): own(x[i:j], y[i:j], w[i:j]) for i, j in combinations(range(n + 1), 2)
    }
    best = {0: 0.0}
    for count in range(1, n + 1):
        after = {}
        for j in range(1, n + 1):
            ways = [best[i] + cost[i, j] for i in range(j) if i in best]
            if ways:
                after[j] = min(ways)
        best = after
        if best.get(n, np.inf) <= limit:
            return count, best[n]
    raise AssertionError("every point is a run")


@pytest.mark.parametrize(("norm", "own"), [("l2", least_squares), ("l1", least_sizes)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_tables_with_jumps_are_the_optimum(norm, own, seed, tmp_path) -> None:
    x, y, w = noisy(24, seed)
    accuracy = 0.15
    power = 1 if norm == "l1" else 2
    count, cost = fewest_with_jumps(x, y, w, own, accuracy**power * w.sum())
    target = written(tmp_path, x, y, w)
    table = pieces(target, norm=norm, accuracy=accuracy, jumps=True)
    assert len(table.pieces) == table.needed == count
    again = pieces(target, norm=norm, count=count, jumps=True)
    exact = (cost / w.sum()) ** (1 / power)
    assert real(again.least_error) <= exact * (1 + 1e-9)
    assert exact <= real(again.error.upper) * (1 + 1e-9) <= exact * 1.01


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("count", [40, 120])
def test_continuous_tables_in_the_mean(norm, count, tmp_path, monkeypatch) -> None:
    """Continuous, measured again, never below the bound, and near it."""
    monkeypatch.setitem(_tables.RUNS, norm, 60)  # more points are put into blocks
    x, y, w = noisy(count)
    target = written(tmp_path, x, y, w)
    table = pieces(target, norm=norm, count=3)
    assert table.is_continuous and len(table.pieces) == 3
    knots = [real(table.pieces[0].start), *(real(p.stop) for p in table.pieces)]
    values = [real(table.pieces[0].left), *(real(p.right) for p in table.pieces)]
    off = np.abs(y - np.interp(x, knots, values))
    power = 1 if norm == "l1" else 2
    mean = float((w * off**power).sum() / w.sum()) ** (1 / power)
    assert real(table.error.lower) - 1e-9 <= mean <= real(table.error.upper) + 1e-9
    assert real(table.least_error) <= mean <= 1.25 * real(table.least_error)
    within = pieces(target, norm=norm, accuracy=mean * 1.01)
    assert within.needed <= len(within.pieces) <= 3


def test_a_broken_line_is_found_again(tmp_path) -> None:
    """Four pieces with noise that is small: knots near the true ones."""
    x = np.linspace(0, 10, 400)
    true = np.array([0, 2.3, 4.1, 7.7, 10])
    y = np.interp(x, true, [0, 3, -1, 2, 2.5])
    rng = np.random.default_rng(0)
    target = written(tmp_path, x, y + 1e-3 * rng.normal(size=400))
    table = pieces(target, norm="l2", accuracy="2e-3")
    assert len(table.pieces) == table.needed == 4
    found = [real(p.stop) for p in table.pieces[:-1]]
    assert np.abs(np.array(found) - true[1:-1]).max() < 0.02


def test_weights_move_the_fit(tmp_path) -> None:
    """A weight of 3 is the point three times; one of 0 is no point."""
    x, y, _ = noisy(60)
    w = np.random.default_rng(1).integers(0, 4, 60)
    w[[0, -1]] = 1
    many = np.repeat(np.arange(60), w)
    for norm in ("l1", "l2"):
        once = pieces(written(tmp_path, x, y, w), norm=norm, count=3, jumps=True)
        again = pieces(written(tmp_path, x[many], y[many], name="q.csv"), norm=norm,
                       count=3, jumps=True)  # fmt: skip
        assert abs(real(once.least_error) - real(again.least_error)) < 1e-6
        assert abs(real(once.error.upper) - real(again.error.upper)) < 1e-6


@pytest.mark.parametrize(
    ("w", "given", "says"),
    [
        (-1, {"norm": "l2", "count": 2}, "it must be 0 or more"),
        (0, {"norm": "l2", "count": 2}, "has fewer than two different x with a"),
        (1, {"accuracy": 1}, "the points have weights, which apply to"),
        (1, {"norm": "l2", "count": 0}, "give 1 to 200"),
        (1, {"norm": "l2", "accuracy": 0}, "must be positive"),
        (
            1,
            {"norm": "l2", "accuracy": 1, "side": "above"},
            "is only for tables with free knots and for",
        ),
        (1, {"norm": "l3", "accuracy": 1}, "unknown norm"),
    ],
)
def test_what_is_refused(w, given, says, tmp_path) -> None:
    x, y, _ = noisy(20)
    target = written(tmp_path, x, y, np.full(20, w))
    with pytest.raises(HypothesisError, match=says):
        pieces(target, **given)


def test_the_command_writes_them(tmp_path, capsys) -> None:
    x, y, w = noisy(80)
    target = written(tmp_path, x, y, w)
    picture = tmp_path / "p.svg"
    out = call("pieces", target, "--norm", "l2", "--pieces", "4", "--picture", picture,
               "-o", tmp_path / "t.csv").stdout  # fmt: skip
    assert "in the root mean square" in out and picture.stat().st_size > 1000
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 5
    code, _, err = command(capsys, "pieces", target, "--accuracy", "0.1")
    assert code == 2 and "--norm l1 or l2" in err


def test_the_picture_says_which_error_it_is(tmp_path) -> None:
    """A mean is no bound of every point: no lines at what is allowed."""
    x, y, w = noisy(40)
    table = pieces(written(tmp_path, x, y, w), norm="l2", count=3)
    _, right = table_figure(table).axes
    said = [text.get_text() for text in right.texts]
    assert any("in the root mean square, proved" in line for line in said)
    assert len(right.lines) == 2  # the points, and 0
    worst = pieces(written(tmp_path, x, y), count=3)
    _, right = table_figure(worst).axes
    assert any("dashed" in text.get_text() for text in right.texts)
    assert len(right.lines) == 4


def exact_least_sizes(x, y, w):
    """In rationals: some line through two points is best."""
    points = [tuple(fmpq(*float(v).as_integer_ratio()) for v in row)
              for row in zip(x, y, w, strict=True)]  # fmt: skip
    lines = [(a, b, (d - b) / (c - a))
             for (a, b, _), (c, d, _) in combinations(points, 2) if a != c]  # fmt: skip
    lines = lines or [(a, b, fmpq(0)) for a, b, _ in points]
    return min(
        sum((u * abs(v - level - slope * (t - start)) for t, v, u in points), fmpq(0))
        for start, level, slope in lines
    )


@pytest.mark.parametrize("seed", range(8))
def test_costs_at_all_scales(seed) -> None:
    """Times in nanoseconds, tiny weights, huge offsets, ties: never above the truth."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        m = int(rng.integers(2, 7))
        scale = 10.0 ** rng.integers([-9, -9, -6], [11, 10, 7])
        x = np.sort(np.round(rng.random(m) * rng.choice([3, 20, 1000]))) * scale[0]
        y = np.round(rng.normal(size=m) * rng.choice([1, 5, 1e6])) * scale[1]
        x, y = (v + 1e9 * v.std() * (rng.random() < 0.3) for v in (x, y))
        w = rng.integers(1, 6, m) * scale[2] * rng.choice([1, 1e-3, 1e3], m)
        exact = exact_least_sizes(x, y, w)
        found = fmpq(*sizes(x, y, w, np.arange(m + 1))[0, -1].as_integer_ratio())
        assert found <= exact
        room = 1e-12 * float(w.sum()) * float(np.abs(y).max())
        assert real(found) >= real(exact) * (1 - 1e-5) - room


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
def test_a_number_that_was_asked_for_is_not_needed(norm, tmp_path) -> None:
    """Three pieces on a straight line: one is needed, whatever was asked."""
    x = np.arange(20.0)
    table = pieces(written(tmp_path, x, 2 * x + 1), norm=norm, count=3)
    assert table.asked == 3 and table.needed == 1


@pytest.mark.parametrize(
    ("norm", "cut"),
    [
        *(("l2", cut) for cut in (1, 2, 199, 398)),
        *(("l1", cut) for cut in (1, 81)),
    ],
)
def test_blocks_in_which_runs_end_cost_nothing(
    norm, cut, tmp_path, monkeypatch
) -> None:
    """Of many points in blocks: two lines are exact, wherever the cut is."""
    monkeypatch.setitem(_tables.RUNS, "l1", 40)
    monkeypatch.setitem(_tables.RUNS, "l2", 160)
    x = np.arange(400.0 if norm == "l2" else 160.0)
    target = written(tmp_path, x, np.where(x < cut, 0.0, 100.0))
    table = pieces(target, norm=norm, count=2, jumps=True)
    assert table.least_error == 0
    three = np.where(x < cut, 0.0, np.where(x < cut + 1, 50.0, x))
    table = pieces(written(tmp_path, x, three), norm=norm, count=3, jumps=True)
    assert table.least_error == 0


def test_neighbouring_floats_are_on_their_own_pieces(tmp_path) -> None:
    """The knot between them is no float: each point counts on its side, exactly."""
    for k in range(30):
        a = 1 + k * 2.0**-52
        x = [a - 1, a, np.nextafter(a, 2), a + 1]
        table = pieces(
            written(tmp_path, x, [0, 0, 5, 5]), norm="l2", count=2, jumps=True
        )
        assert table.error.upper == 0


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("1,0;1.0000000000000002,5", "are too close together for"),
        ("0,1e200;1,-1e200;2,3e200;3,1", "beyond 1e100"),
        ("-1e308,0;1e308,1;0,3", "beyond 1e100"),
        ("0,0;1e-320,1;1,3", "include numbers beyond 1e100, weights"),
    ],
)
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_numbers_that_float64_could_not_square(rows, says, norm) -> None:
    with pytest.raises(HypothesisError, match=says):
        pieces(f"points:{rows}", norm=norm, count=2)


def test_several_values_at_one_place() -> None:
    with pytest.raises(HypothesisError, match="several values at one x: no function"):
        pieces("points:0,0;0,1;1,1;1,1", norm="l2", accuracy="0.1")


def test_another_search_is_not_far_ahead(tmp_path) -> None:
    """Knots by scipy's differential evolution, on noisy data."""
    x, y, w = noisy(150, seed=3)
    y = y + 0.5 * np.sin(3 * x)
    table = pieces(written(tmp_path, x, y, w), norm="l2", count=5)

    def cost(inner):
        knots = np.sort(np.concatenate([[x[0]], inner, [x[-1]]]))
        if (np.diff(knots) <= 1e-6).any():
            return 1e9
        values = best_values(x, y, w, knots, "l2")
        return float((w * (y - np.interp(x, knots, values)) ** 2).sum() / w.sum())

    ends = [(float(x[0]), float(x[-1]))] * 4
    best = differential_evolution(cost, ends, seed=0, maxiter=150).fun ** 0.5
    assert real(table.error.upper) <= 1.1 * best


def test_knots_that_would_fall_together(tmp_path) -> None:
    """Places near 1e14, a few hundred apart: no table, or one whose knots differ."""
    x = 1e14 + np.array([0.0, 187.05, 414.8, 591.3])
    target = written(
        tmp_path, x, [1e6, 1001870.5, 1004147.9, 1005913.0], [1e12, 1, 4, 2]
    )
    for norm in ("l1", "l2"):
        table = pieces(target, norm=norm, count=4)
        assert all(p.start < p.stop for p in table.pieces)
        assert table.least_error <= table.error.upper
