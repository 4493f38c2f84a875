"""What notebooks show of records, and what plots and frames hold."""

from xml.etree import ElementTree

import pytest

from depthsep import HypothesisError, Network, Problem, Segment, inspect, separate
from depthsep.analysis import examine
from depthsep.claims import Attempt, Learned, TrainingPlan
from depthsep.interop import Verdict
from depthsep.laws import Box
from depthsep.separation import bound, build, statement_named


@pytest.fixture(scope="module")
def table():
    return separate(Problem("square", accuracy="1e-3"), depths=range(2, 5))


def shown(record):
    bundle = record._repr_mimebundle_()
    assert bundle["text/plain"] and bundle["text/html"] == record._repr_html_()
    page = bundle["text/html"].replace("$$", "")
    ElementTree.fromstring(page)  # whole
    return page


def test_a_table_shows_its_widths_and_sources(table):
    page = shown(table)
    assert "<td>11</td><td>11</td>" in page and "Theorem C" in page
    assert "<table" in page and "x^2" in page
    assert "11" in shown(table[2]) and "depth 3" in shown(table[3])


def test_every_other_record_has_a_display(table):
    built = build(Problem("square", accuracy="1e-3"), depth=3)
    network = built.network
    assert "4, 4" in shown(network)
    assert "exact" in shown(built.examination)
    assert "linf" in shown(table.problem)
    assert "theorem-a" in shown(statement_named("theorem-a"))
    assert "the certificate is not valid" in shown(
        Verdict(False, "the error is larger")
    )
    wide = Network.from_arrays([[1, 1], [1, -1]], [0, 0], [[1, 1]], [0])
    assert "inspection" in shown(inspect(wide, Box.cube(Segment(-1, 1), 2)))
    found = examine(network, Problem("square", accuracy="1e-3"))
    assert "split" in shown(found) or "enumerated" in shown(found)


def test_records_print_their_words(table):
    built = build(Problem("square", accuracy="1e-3"), depth=3)
    assert str(table[2]).splitlines()[1] == "  proven width ≥     11"
    assert str(built.network).splitlines()[2] == "  widths           4, 4"
    assert str(built.examination).splitlines()[:3] == [
        "examination",
        "  error   about 8.68056e-4",
        "  rigour  exact",
    ]
    found = bound("theorem-a", pieces=354, layers=3)
    assert str(found) == "7\n  rigour  exact"
    assert "exact" in shown(found) and "fmpq" not in str(found)
    verdict = Verdict(False, "the error is larger")
    said = "the certificate is not valid\n  why  the error is larger"
    assert str(verdict) == said
    assert str(statement_named("theorem-a")).count("\n") >= 4


def test_rows_of_a_table_print_a_line_each():
    tried = tuple(Attempt(width, 2 / width, seed=0) for width in (4, 16))
    assert str(Learned(16, 0.125, (0,), tried=tried)).splitlines() == [
        "trained",
        "  width     16, does not meet the accuracy",
        "  error     0.125",
        "  rigour    sampled",
        "  width 4   best error 0.5, seed 0",
        "  width 16  best error 0.125, seed 0",
    ]


@pytest.mark.slow
def test_what_training_found_is_displayed():
    plan = TrainingPlan(widths=(4,), steps=50, restarts=1)
    problem = Problem("square", accuracy="1e-3")
    learned = separate(problem, depths=(2,), learn=plan)[2].learned
    assert "sampled" in shown(learned) or "exact" in shown(learned)


def test_what_others_write_is_escaped():
    page = shown(Verdict(False, "<script>alert(1)</script>"))
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_plots_are_axes_that_one_can_change(table):
    axes = table.plot()
    axes.set_title("mine")
    assert axes.get_ylabel() and axes.get_title() == "mine"
    network = build(Problem("square", accuracy="1e-3"), depth=3).network
    assert network.plot().lines
    plane = Network.from_arrays([[1, 1], [1, -1]], [0, 0], [[1, 1]], [0])
    assert plane.plot(-1, 1).collections
    space = Network.from_arrays([[1, 1, 1]], [0], [[1]], [0])
    with pytest.raises(HypothesisError, match="3 inputs"):
        space.plot()


def test_tables_become_frames_and_latex(table):
    pytest.importorskip("pandas", reason="depthsep[tables] is not installed")
    frame = table.to_pandas()
    assert list(frame["certified_width"]) == [r.upper.width for r in table]
    assert list(frame["proven_width"]) == [r.lower.width for r in table]
    assert "tabular" in table.to_latex()
