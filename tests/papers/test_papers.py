"""The tables of three papers, each row by one call."""

import json
from functools import cache
from math import ceil, comb

import numpy as np
import pytest
from flint import arb, fmpq
from scipy.special import eval_jacobi

from depthsep.cli import main
from depthsep.papers import daniely_row, eldan_shamir_row, safran_shamir_row
from support.slow import mostly_slow

TENTH, HALF = fmpq(1, 10), fmpq(1, 2)
shamir_row = cache(eldan_shamir_row)
# d: printed, theorem, linear, optimal, rank, rank in full, printed upper side
DANIELY = {
    3: (None, -6.5, -4.3, -4.0, 7.25, 7.29, 16.9),
    4: (None, -4.8, -2.5, -2.1, 15.13, 15.18, 19.0),
    5: (-13.6, -2.4, 0.00, 0.39, 24.092, 24.14, 20.6),
    10: (-10.6, 14.3, 17.1, 17.6, 78.464, 78.51, 25.6),
    20: (1.6, 60.3, 63.6, 64.0, 211.421, 211.47, 30.6),
}


@pytest.mark.parametrize("dim", DANIELY)
def test_the_table_of_daniely(dim):
    row = daniely_row(dim, TENTH)
    found = [*row.columns.values()][:7]
    for value, truth in zip(found, DANIELY[dim], strict=True):
        if truth is not None:
            assert abs(float(value.mid()) - truth) < 0.1
            assert value.rad() < 1e-9
    # as sharp as the float64 figures, to their digits
    assert abs(float(row.rank.mid()) - DANIELY[dim][4]) < 6e-3
    assert row.theorem < row.linear < row.optimal < row.rank < row.rank_full
    assert row.upper < float(row.upper_printed.mid())


def test_the_printed_example_is_weaker_and_needs_25_dimensions():
    """log2 1.6 in d = 20, where the printed proof does not apply yet."""
    row = daniely_row(20, TENTH)
    assert 1 < row.printed < 2 and row.rank_full > 200


# delta: the share of mass outside 2 R
DELTAS = {
    ("ball", 10): 0.0605,
    ("ball", 20): 0.0034,
    ("cos:4", 10): 0.994,
    ("cos:4", 20): 0.997,
    ("shells:4", 10): 0.990,
}


@pytest.mark.parametrize(
    ("written", "dim"), mostly_slow([("ball", 10), ("cos:4", 10)], DELTAS)
)
def test_the_table_of_eldan_and_shamir(written, dim):
    edge = fmpq(7071 * dim, 10_000) if written == "ball" else None
    accuracy = HALF if written == "shells:4" else TENTH  # which does not enter delta
    row = shamir_row(written, dim, accuracy, edge)
    assert abs(float(row.delta.mid()) - DELTAS[written, dim]) < 0.006
    assert row.delta.rad() < 1e-9 and row.norm_squared < 1


@pytest.mark.slow
def test_balls_alone_lose_their_share_and_waves_keep_it():
    balls = [shamir_row("ball", d, TENTH, fmpq(7071 * d, 10_000)) for d in (10, 20)]
    waves = [shamir_row("cos:4", d, TENTH, None) for d in (10, 20)]
    assert balls[1].delta < balls[0].delta and waves[1].delta > 0.99
    assert waves[1].lower > 40 > waves[1].upper
    assert waves[1].lemma is not None and waves[1].lower > waves[1].lemma > 20


@pytest.mark.slow
def test_random_signs_leave_less_than_alternating_ones():
    shares = [eldan_shamir_row(f"signs:{s}", 10, HALF).delta for s in range(2)]
    assert all(0.05 < float(s.mid()) < 0.9 for s in shares)
    assert float(shamir_row("shells:4", 10, HALF, None).delta.mid()) > 0.98


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["daniely", "--dims", "3,4", "--powers", "1,3"],
        ["eldan-shamir", "--dims", "3,5", "--targets", "triangle:4;ball"],
    ],
)
def test_papers_on_the_command_line(arguments, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["paper", *arguments, "--figure", str(tmp_path / "f.png"), "--json"])
    assert stop.value.code == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 4 and (tmp_path / "f.png").stat().st_size > 5000
    with pytest.raises(SystemExit) as stop:
        main(["paper", *arguments])
    assert stop.value.code == 0 and "d" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["daniely", "--dims", "1"],
        ["daniely", "--dims", "x"],
        ["daniely", "--accuracy", "0"],
        ["eldan-shamir", "--targets", "foo"],
        ["eldan-shamir", "--dims", "500"],
        ["safran-shamir", "--laws", "cauchy"],
        ["safran-shamir", "--targets", "foo"],
        ["other"],
    ],
)
def test_bad_papers_are_refused(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["paper", *arguments])
    assert stop.value.code == 2 and capsys.readouterr().err.count("\n") == 1


def test_one_figure_needs_two_dimensions():
    from depthsep import HypothesisError
    from depthsep.reports import dimension_figure

    row = eldan_shamir_row("triangle:4", 3, TENTH)
    assert isinstance(row.norm_squared, arb)
    with pytest.raises(HypothesisError):
        dimension_figure([row])


def test_formulas_are_charged_for_being_followed():
    """1 - r as a formula without a polynomial: its ball holds the exact norm."""
    exact = eldan_shamir_row("1-r", 3, TENTH, fmpq(2))
    near = eldan_shamir_row("abs(1-r)", 3, TENTH, fmpq(2))
    assert near.norm_squared.overlaps(exact.norm_squared)
    assert near.delta.overlaps(exact.delta) and near.norm_squared.rad() > 1e-6
    assert near.lower <= exact.lower


def directions_on_the_ball(radius: float, dim: int, error: float) -> int:
    """For the indicator of |x| <= R: coefficients by 5,000 points, then a search."""
    r = (np.arange(5000) + 0.5) / 5000 * radius
    masses, spaces = [], []
    for n in range(192):
        basis = eval_jacobi(n, 0, dim / 2 - 1, 2 * r * r - 1)
        a = (
            np.mean(basis * dim * r ** (dim - 1))
            * radius
            * ((4 * n + dim) / dim) ** 0.5
        )
        masses.append(a * a)
        spaces.append(comb(n + dim - 1, dim - 1))
    masses, spaces = np.array(masses), np.array(spaces, dtype=float)
    rest = radius**dim - masses.sum()

    def left(m: float) -> float:
        shares = np.maximum(1 - m / spaces, 0)
        beyond = max(1 - m / comb(192 + dim - 1, dim - 1), 0)
        return float(masses[1:] @ shares[1:] + rest * beyond)

    low, high = 0.0, 1e18
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > error**2 else (low, middle)
    return ceil(high)


@pytest.mark.parametrize("dim", [3, 10])
def test_the_indicator_of_a_ball_recomputed(dim):
    row = safran_shamir_row("ball", dim, TENTH, "ball")
    plain = directions_on_the_ball(0.5 ** (1 / dim), dim, 0.1)
    assert row.directions == pytest.approx(plain, rel=0.01, abs=1)
    assert float(row.variance.mid()) == pytest.approx(0.25, abs=1e-5)


def test_the_indicator_grows_exponentially_and_depth_3_does_not():
    rows = [safran_shamir_row("ball", d, TENTH, "gaussian") for d in (5, 10, 20)]
    assert [r.directions for r in rows] == [304, 75914, 241255721]
    assert rows[2].lower > 27 > 12 > rows[2].upper > rows[0].upper


def test_the_paper_of_safran_and_shamir_on_the_command_line(capsys):
    words = ["paper", "safran-shamir", "--dims", "5,10", "--laws", "gauss", "--json"]
    with pytest.raises(SystemExit) as stop:
        main([*words, "--targets", "cos(4*r)"])
    assert stop.value.code == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [r["directions"] for r in rows] == [176, 7656]


def test_the_printed_example_is_about_the_third_power_alone():
    row = daniely_row(39, fmpq(1, 2), power=0)
    assert not row.printed > 0  # the zero function meets this accuracy
    column = "depth 2: example in the paper, for E = .0166"
    assert daniely_row(25, TENTH).columns[column] > 0


def ended(given):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as end:
        main(given)
    return end.value.code or 0


def test_every_dimension_beside_one(capsys):
    """The formulas are between the bounds of one dimension, and far apart."""
    given = ["paper", "daniely", "--dims", "all", "--accuracy", "1/2", "--json"]
    assert ended(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert [t["depth"] for t in found["theorems"]] == [2, 3]
    assert all(o["holds"] for t in found["theorems"] for o in t["obligations"])
    for row in found["rows"]:
        low, alone, built, high = [*row.values()][3:]
        assert low > high
        if alone is not None:
            assert low <= alone and built <= high
    assert {row["d"] for row in found["rows"]} >= {6, 1000}


def test_radial_waves_in_every_dimension(capsys):
    given = ["paper", "eldan-shamir", "--dims", "all", "--accuracy", "3/5", "--json"]
    assert ended(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert [t["step"] for t in found["theorems"]] == [2, 2, 1]
    for row in found["rows"]:
        low, alone, built, high = [*row.values()][3:]
        assert low <= alone and built <= high
        assert row["d"] < 21 or low > high


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["safran-shamir", "--dims", "all"], "no formulas for all dimensions"),
        (["daniely", "--dims", "all", "--powers", "2"], "--powers has no meaning"),
        (["daniely", "--dims", "all", "--accuracy", "0.7"], "0 < E <= 2/3"),
    ],
)
def test_what_is_not_known_for_every_dimension_is_one_line(given, says, capsys):
    assert ended(["paper", *given]) == 2
    assert says in capsys.readouterr().err
