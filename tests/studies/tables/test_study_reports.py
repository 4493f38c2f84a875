"""What is made of rows: statistics, slopes, tables, exports, figures and pages."""

import csv
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.evidence import Inapplicable
from depthsep.reports import slopes_of, study_figure, write_study
from depthsep.studies import (
    Figure,
    Row,
    Slope,
    Store,
    figure_of,
    number_of,
    points_of,
    read_study,
    slope,
    store_of,
    table_of,
    to_xarray,
    write_table,
)
from depthsep.studies.tables._summary import binomial_interval
from support.commands import command

TEXT = """\
job = "maurey"
seeds = 3
title = "A <study> & its page"

[fixed]
pool = 100

[grid]
dim = [2, 8]
width = [4, 16, 64]

[[figure]]
x = "width"
y = "error"
by = "dim"
log = "xy"
fit = true

[[figure]]
x = "width"
y = ["error", "squared_error"]
facet = "dim"
log = "xy"
fit = true
"""


@pytest.fixture
def study(tmp_path):
    place = tmp_path / "law.toml"
    place.write_text(TEXT)
    found = read_study(place)
    rng = np.random.default_rng(0)
    with Store(store_of(found), writing=True) as store:
        store.set_study(found)
        for k, trial in enumerate(found.trials()):
            store.put(_row(trial, k, rng))
    return found


def _row(trial, k, rng):
    """error = 3 width^(-1/2) up to 1 %; squared_error known at some points only."""
    width = trial.parameters["width"]
    error = 3 * width**-0.5 * math.exp(0.01 * rng.standard_normal())
    metrics = {
        "error": error,
        "squared_error": None if k % 3 == 0 else k,
        "word": "=evil()",
    }
    facts = (trial.key, trial.job, trial.parameters, trial.seed, trial.code)
    if k == 17:
        return Row(*facts, "failed", failure="ValueError: <b>no</b>\n  at line 1")
    more = {
        "rigours": {"squared_error": "exact"},
        "seconds": 0.5,
        "versions": {"numpy": "2"},
    }
    return Row(*facts, "done", metrics, **more)


@pytest.fixture
def rows(study):
    with Store(store_of(study)) as store:
        return list(store.of(study.trials()).values())


def test_statistics_are_over_the_seeds_of_a_point(study, rows):
    points = points_of(rows, ("dim", "width"))
    assert [(p.parameters["dim"], p.parameters["width"]) for p in points[:2]] == [
        (2, 4),
        (2, 16),
    ]
    first = points[0].metrics["error"]
    values = [r.metrics["error"] for r in rows[:3]]
    assert first.count == 3 and first.median == sorted(values)[1]
    assert (first.least, first.most) == (min(values), max(values))
    assert first.mean == pytest.approx(np.mean(values))
    assert first.deviation == pytest.approx(np.std(values, ddof=1))
    assert points[0].metrics["squared_error"].count == 2  # one has none
    assert points[-1].failed == 1 and points[-1].done == 2
    assert [p.done for p in points_of(rows, ("dim",))] == [9, 8]


@pytest.mark.parametrize(("true", "count"), [(0, 1), (0, 9), (3, 9), (8, 9), (9, 9)])
def test_intervals_of_shares_are_those_of_scipy(true, count):
    from scipy.stats import binomtest

    expected = binomtest(true, count).proportion_ci(method="exact")
    found = binomial_interval(true, count)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_truths_are_shares_with_an_interval():
    metrics = [{"met": k < 3, "error": 0.5 * k} for k in range(4)]
    done = [Row(f"{k}", "j", {}, k, "c", "done", m) for k, m in enumerate(metrics)]
    (point,) = points_of(done, ())
    assert point.metrics["met"].share == binomial_interval(3, 4)
    assert point.metrics["met"].share_words == "3 of 4 [19%, 99%]"
    assert point.metrics["error"].share is None


def test_what_no_seed_changes_has_no_interval():
    metrics = [{"checked": True, "width": 2.0 * 2**k, "met": True} for k in range(4)]
    done = [
        Row(f"{k}", "j", {"x": 2**k}, 0, "c", "done", m) for k, m in enumerate(metrics)
    ]
    seedless = ("checked", "width")
    (point,) = points_of(done, (), seedless)
    assert point.metrics["checked"].share_words == "yes"
    assert point.metrics["met"].share_words == "4 of 4 [40%, 100%]"
    mixed = [*done, replace(done[0], metrics={"checked": False})]
    (point,) = points_of(mixed, (), seedless)
    assert point.metrics["checked"].share_words == "4 of 5"
    found = slope(done, "x", "width", seedless=seedless)
    assert isinstance(found, Slope) and str(found) == "1" and not found.has_interval
    assert slope(done, "x", "width").has_interval
    two = slope(done[:2], "x", "width", seedless=seedless)
    assert isinstance(two, Slope) and two.value == pytest.approx(1)


def test_a_report_of_tables_says_how_surely_each_number_is_known(tmp_path):
    fixed = '[fixed]\ntarget = "square"\naccuracy = "1e-2"\n'
    text = f'job = "separate"\n{fixed}[grid]\ndepth = [2, 3]\n'
    (tmp_path / "tables.toml").write_text(text)
    study, rows = read_study(tmp_path / "tables.toml"), []
    for trial in study.trials():
        found = study.job.run(study.job.filled(trial.parameters), 0)
        rigours = {name: str(rigour) for name, rigour in found.rigours.items()}
        assert rigours["proven_log2_width"] == "enclosed"
        assert rigours["certified_checked"] == "exact"
        given = (trial.key, "separate", trial.parameters, 0, "c", "done")
        rows.append(Row(*given, found.metrics, rigours))
    write_study(study, rows, tmp_path / "report")
    page = (tmp_path / "report" / "index.html").read_text()
    assert "proven_<wbr>log2_<wbr>width" in page
    assert ">yes<" in page and "[3%" not in page


def test_slopes_have_the_right_value_and_interval(rows):
    found = slope(rows, "width", "error")
    assert isinstance(found, Slope) and found.way == "seeds" and found.count == 3
    assert found.low < -0.5 < found.high and found.high - found.low < 0.05
    two = [row for row in rows if row.seed < 2]
    found = slope(two, "width", "error")
    assert isinstance(found, Slope) and found.way == "points" and found.count == 12
    assert found.low < -0.5 < found.high
    assert isinstance(slope(rows, "width", "word"), Inapplicable)
    assert isinstance(slope(rows[:2], "width", "error"), Inapplicable)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng, hits, times = np.random.default_rng(1), [0, 0], 400
    for _ in range(times):
        own = 0.3 * rng.standard_normal(5)  # what the trials of a seed share
        rows = [
            Row("", "", {"x": x}, s, "", "done", {"y": _draw(rng, x, own[s])})
            for s in range(5)
            for x in (1, 2, 4, 8, 16)
        ]
        for way, part in enumerate((rows, [r for r in rows if r.seed == 0])):
            found = slope(part, "x", "y")
            hits[way] += found.low <= -0.5 <= found.high
    # 95 % of 400 within five standard errors
    for count in hits:
        assert abs(count / times - 0.95) < 5 * (0.95 * 0.05 / times) ** 0.5


def _draw(rng, x, own):
    return math.exp(-0.5 * math.log(x) + own + 0.1 * rng.standard_normal())


def test_linear_slopes_and_logarithms_of_what_is_not_positive():
    rows = [Row("", "", {"x": x}, 0, "", "done", {"y": 2 * x - 3}) for x in (0, 1, 2)]
    assert slope(rows, "x", "y", log="none").value == pytest.approx(2)
    assert "logarithm" in slope(rows, "x", "y", log="xy").reason


def test_conditions_filter_rows(rows):
    table = table_of(rows, ["dim", "width"])
    assert len(table.where(["dim >= 8"])) == 9
    assert len(table.where(["dim = 8", "width < 16"])) == 3
    assert len(table.where(["status != done"])) == 1
    assert len(table.where(["squared_error = none"])) == 7
    for wrong, said in (
        ("dim", "write for example"),
        ("dmi = 2", "did you mean 'dim'"),
    ):
        with pytest.raises(HypothesisError, match=said):
            table.where([wrong])


def test_csv_holds_every_digit_and_no_formula(rows, tmp_path):
    place = write_table(table_of(rows, ["dim", "width"]), tmp_path / "rows.csv")
    with place.open() as stream:
        read = list(csv.DictReader(stream))
    assert len(read) == 18 and float(read[0]["error"]) == rows[0].metrics["error"]
    assert read[0]["squared_error"] == "" and read[1]["squared_error"] == "1"
    assert read[0]["word"] == "'=evil()"
    with pytest.raises(HypothesisError, match="must end in"):
        write_table(table_of(rows), tmp_path / "rows.xlsx")


def test_parquet_pandas_and_xarray_agree(study, rows, tmp_path):
    pandas = pytest.importorskip("pandas", reason="depthsep[tables] is not installed")
    pytest.importorskip("pyarrow", reason="depthsep[tables] is not installed")
    pytest.importorskip("xarray", reason="depthsep[tables] is not installed")
    table = table_of(rows, study.varied)
    place = write_table(table, tmp_path / "rows.parquet")
    frame, back = table.to_pandas(), pandas.read_parquet(place)
    assert list(frame.columns) == list(back.columns) and len(back) == 18
    assert (frame["error"].dropna() == back["error"].dropna()).all()
    data = to_xarray(study, rows)
    assert data["error"].dims == ("dim", "width", "seed")
    assert data["error"].shape == (2, 3, 3) and int(data["error"].isnull().sum()) == 1
    one = rows[4]
    place = {k: one.parameters[k] for k in study.varied} | {"seed": one.seed}
    assert float(data["error"].sel(place)) == one.metrics["error"]


def test_zipped_lists_share_an_axis(tmp_path):
    pytest.importorskip("xarray", reason="depthsep[tables] is not installed")
    text = (
        'job = "maurey"\n[grid]\ndim = [2, 3]\n[[zip]]\nwidth = [4, 8]\npool = [9, 7]\n'
    )
    (tmp_path / "z.toml").write_text(text)
    study = read_study(tmp_path / "z.toml")
    rows = [
        Row(t.key, t.job, t.parameters, 0, t.code, "done", {"y": float(k)})
        for k, t in enumerate(study.trials())
    ]
    data = to_xarray(study, rows)
    assert data["y"].dims == ("dim", "width", "seed") and data["y"].shape == (2, 2, 1)
    assert data["pool"].dims == ("width",) and list(data["pool"].values) == [9, 7]


def test_huge_integers_become_text(tmp_path):
    rows = [
        Row(str(k), "", {"x": k}, 0, "", "done", {"n": 2 ** (60 * k)}) for k in (0, 2)
    ]
    columns = table_of(rows).to_pandas()["n"]
    assert list(columns) == ["1", str(2**120)]


def test_figures_and_slopes(study, rows):
    asked = study.figures[0]
    figure = study_figure(asked, rows)
    (axes,) = figure.axes
    assert axes.get_xscale() == axes.get_yscale() == "log"
    labels = axes.get_legend_handles_labels()[1]
    assert len(labels) == 2 and all("slope -0." in label for label in labels)
    found = dict(slopes_of(asked, rows))
    assert set(found) == {"dim = 2", "dim = 8"}
    facets = study_figure(study.figures[1], rows)
    assert len(facets.axes) == 2
    hollow = [
        line for a in facets.axes for line in a.lines if line.get_label() == "_hollow"
    ]
    assert hollow  # some trials have none
    assert study_figure(asked, []).axes  # nothing yet, no error
    words = figure_of(study, {"x": "choice", "y": "error"})
    assert (
        study_figure(words, rows).axes[0].get_xticklabels()[0].get_text() == "network"
    )


def test_numbers_in_quotes_are_places_on_an_axis():
    written = ["1/100", "1e-1", 1, "10"]
    assert [number_of(v) for v in written] == [0.01, 0.1, 1.0, 10.0]
    signed = ["-1/2", "-3", "+2", ".5"]
    assert [number_of(v) for v in signed] == [-0.5, -3.0, 2.0, 0.5]
    others = ["network", "", "inf", "1/0", "2 layers", "1" * 41, True, None, [1]]
    assert [number_of(v) for v in others] == [None] * len(others)
    assert number_of(10**400) == number_of("1e400") == math.inf
    rows = [
        Row(f"{k}", "j", {"x": x}, 0, "c", "done", {"y": 100.0**k})
        for k, x in enumerate(written[:3])
    ]
    asked = Figure(x="x", y=("y",), log="xy", fit=True)
    (axes,) = study_figure(asked, rows).axes
    assert axes.get_xscale() == "log"
    assert axes.lines[0].get_xdata().tolist() == [0.01, 0.1, 1.0]
    ((_, fitted),) = slopes_of(asked, rows)
    assert fitted.value == pytest.approx(2)


def test_the_page_says_everything_and_loads_nothing(study, rows, tmp_path):
    written = write_study(study, rows, tmp_path / "page")
    names = {path.name for path in written}
    assert names == {
        *("index.html", "study.toml", "rows.csv"),
        *(f"figure-{k}.{end}" for k in (1, 2) for end in ("svg", "png")),
    }
    page = (tmp_path / "page" / "index.html").read_text()
    assert "A &lt;study&gt; &amp; its page" in page and "<study>" not in page
    assert "17 trials" in page and "1 failed" in page
    assert "ValueError: &lt;b&gt;no&lt;/b&gt;" in page
    assert "2 of 3" in page and "squared_error exact" in page
    assert "pool = 100" in page  # the study file
    assert "numpy 2" in page and "depthsep 0" in page  # versions
    assert not re.search(r"https?://(?!www\.w3\.org)|<script|<link", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert (tmp_path / "page" / "study.toml").read_text() == TEXT


EVIL = '<script>alert("x")</script>'


def test_nothing_that_users_write_is_markup_on_the_page(study, rows, tmp_path):
    figure = replace(study.figures[0], title=EVIL, by="note", y=("error", EVIL))
    evil = replace(study, title=EVIL, text=EVIL, figures=(figure,))
    own = [
        replace(
            row,
            metrics={**row.metrics, EVIL: 1.0},
            parameters={**row.parameters, "note": EVIL},
            versions={EVIL: EVIL},
            failure=row.failure and EVIL,
            code=EVIL,
        )
        for row in rows
    ]
    write_study(evil, own, tmp_path / "page", conditions=[f"note={EVIL}"])
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "<script" not in page
    # title twice, file, condition, label and slopes of the figure, metric, version and
    # its number, code, failure twice
    assert page.count("&lt;script&gt;") >= 12


def test_show_lists_filters_and_aggregates(study, capsys):
    file = study.folder / "law.toml"
    code, out, _ = command(capsys, "study", "show", file)
    assert code == 0 and "law (maurey): 17 done, 1 failed, of 18 trials" in out
    assert (
        re.search(r"dim +width +n +failed +error +squared_error", out)
        and "(2 of 3)" in out
    )
    _, out, _ = command(
        capsys, "study", "show", file, "--by", "dim", "--metrics", "error"
    )
    assert len(out.splitlines()) == 6 and "over width and seeds" in out
    assert "values of single trials: sampled" in out
    _, out, _ = command(capsys, "study", "show", file, "--trials", "--where", "dim = 2")
    assert len(out.splitlines()) == 11
    _, out, _ = command(capsys, "study", "show", file, "--failed")
    assert "dim = 8, width = 64, seed = 2 (1 attempt):" in out and "line 1" in out
    _, out, _ = command(capsys, "study", "show", file, "--json", "--where", "width=64")
    rows = json.loads(out)["rows"]
    assert len(rows) == 6 and {"dim", "width", "seed", "error", "status"} <= set(
        rows[0]
    )
    for wrong, said in (
        (["--metrics", "eror"], "did you mean 'error'"),
        (["--by", "dmi"], "did you mean 'dim'"),
        (["--where", "x=1"], "no column"),
    ):
        code, out, err = command(capsys, "study", "show", file, *wrong)
        assert code == 2 and said in err and not out


def test_report_and_export_from_the_command_line(study, capsys, tmp_path):
    file = study.folder / "law.toml"
    code, out, _ = command(capsys, "study", "report", file, "-o", tmp_path / "page")
    assert (
        code == 0 and "index.html" in out and (tmp_path / "page/figure-2.png").exists()
    )
    asked = ["--x", "width", "--y", "error", "--log", "xy", "--fit", "--where", "dim=2"]
    command(capsys, "study", "report", file, "-o", tmp_path / "one", *asked)
    page = (tmp_path / "one" / "index.html").read_text()
    assert "depthsep" in page and not (tmp_path / "one/figure-2.png").exists()
    code, out, _ = command(capsys, "study", "export", file, tmp_path / "rows.csv")
    assert code == 0 and "18 trials" in out
    code, _, err = command(capsys, "study", "export", file, tmp_path / "rows.txt")
    assert code == 2 and "must end in" in err
    code, _, err = command(capsys, "study", "report", file, "--y", "error")
    assert code == 2 and "`x` is" in err
    code, _, err = command(
        capsys, "study", "report", file, "--x", "width", "--y", "eror"
    )
    assert code == 2 and "did you mean 'error'" in err


def test_reading_changes_no_byte_of_a_store(study, capsys):
    before = store_of(study).read_bytes()
    command(capsys, "study", "show", study.folder / "law.toml")
    assert store_of(study).read_bytes() == before
    assert not [
        p for p in Path(study.folder).iterdir() if p.name.endswith(("-wal", "-shm"))
    ]


def test_reports_replace_reports_and_nothing_else(study, rows, tmp_path):
    page, other = tmp_path / "page", tmp_path / "other"
    write_study(study, rows, page)
    write_study(study, rows, page, figures=study.figures[:1])
    assert (page / "figure-1.svg").exists() and not (page / "figure-2.svg").exists()
    other.mkdir()
    (other / "study.toml").write_text("mine")
    with pytest.raises(HypothesisError, match="choose a new folder"):
        write_study(study, rows, other)
    assert (other / "study.toml").read_text() == "mine"


def test_conditions_that_mean_nothing_are_refused(study, capsys):
    file = study.folder / "law.toml"
    for wrong in ("dim => 2", "dim >= abc", "dim >= 2 and width = 4", "dim = 77"):
        code, out, err = command(capsys, "study", "show", file, "--where", wrong)
        assert code == 2 and not out and err.count("\n") == 1, wrong
    code, _, err = command(capsys, "study", "report", file, "--by", "dim", "--fit")
    assert code == 2 and "--x and --y" in err


def test_documents_hold_points_and_rigours(study, capsys):
    file = study.folder / "law.toml"
    _, out, _ = command(capsys, "study", "show", file, "--json", "--by", "dim")
    document = json.loads(out)
    assert document["rows"][1]["rigours"] == "squared_error exact"
    first = document["points"][0]
    assert first["parameters"] == {"dim": 2} and first["metrics"]["error"]["count"] == 9
    _, out, _ = command(capsys, "study", "show", file, "--json", "--failed")
    assert [row["status"] for row in json.loads(out)["rows"]] == ["failed"]
    _, out, _ = command(
        capsys, "study", "show", file, "--metrics", "word,squared_error"
    )
    assert "=evil()" in out and "squared_error exact" in out


def test_trials_of_older_code_are_mentioned_and_kept_apart(study, rows, capsys):
    with Store(store_of(study), writing=True) as store:
        old = rows[0]
        facts = (old.job, old.parameters, old.seed, "depthsep 0.0, job 0", "done")
        store.put(Row("0" * 64, *facts, {"error": 99.0}))
    file = study.folder / "law.toml"
    _, out, err = command(capsys, "study", "show", file)
    assert "17 done" in out and "left out: 1 trial of older code" in err
    _, out, _ = command(capsys, "study", "show", file, "--all-code")
    assert "18 done" in out and "99" in out
    with Store(store_of(study)) as store:
        everything = store.rows()
    pytest.importorskip("xarray", reason="depthsep[tables] is not installed")
    assert float(to_xarray(study, everything)["error"].max()) < 99


def test_awkward_numbers_and_names_are_drawn(study, tmp_path):
    facts = [(k, {"width": k, "pool": 10**k}) for k in (1, 400)]
    rows = [
        Row(str(k), "", p, 0, "", "done", {"error": 1e308 / k, r"$\foo$": 1})
        for k, p in facts
    ]
    asked = study.figures[0]
    study_figure(asked, rows)
    from depthsep.reports import save_figure

    odd = replace(asked, x="pool", y=(r"$\foo$",), title=r"$\bar$", by=None)
    save_figure(study_figure(odd, rows), tmp_path / "odd.svg")
    save_figure(study_figure(replace(odd, facet="width"), rows), tmp_path / "odd.svg")
    same = [Row(str(k), "", {"x": 0.1}, k % 4, "", "done", {"y": k}) for k in range(12)]
    assert isinstance(slope(same, "x", "y", log="none"), Inapplicable)


def test_equal_slopes_of_seeds_are_one_fit():
    rows = [
        Row("", "", {"x": x}, s, "", "done", {"y": float(x * x)})
        for s in range(3)
        for x in (1, 2, 3, 4)
    ]
    found = slope(rows, "x", "y", log="none")
    assert found.way == "points" and found.low < found.value < found.high
    with pytest.raises(HypothesisError, match="choose none, x, y, xy"):
        slope(rows, "x", "y", log="xx")
