"""Figures of tables and networks: right, and the same every time."""

import subprocess
import sys

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.claims import Lower, Upper
from depthsep.networks import THRESHOLD, Network
from depthsep.problems import Problem
from depthsep.reports import network_figure, save_figure, separation_figure
from depthsep.separation import build


def levels_and_marks(separation):
    (axes,) = separation_figure(separation).axes
    marks = [line for line in axes.lines if line.get_marker() in ("o", "^")]
    return axes, {
        (m.get_marker(), int(m.get_xdata()[0])): (m.get_ydata()[0], m) for m in marks
    }


def error_line(figure):
    panel = figure.axes[-1]
    return max((line.get_ydata() for line in panel.lines), key=len)


def test_the_figure_puts_every_width_at_its_logarithm(table):
    _, marks = levels_and_marks(table)
    for row in table:
        for marker, side in (("^", row.lower), ("o", row.upper)):
            if isinstance(side, Upper | Lower):
                assert marks[marker, row.depth][0] == pytest.approx(np.log2(side.width))
            else:
                assert (marker, row.depth) not in marks


def test_hollow_marks_are_the_networks_that_were_not_built(tables):
    _, marks = levels_and_marks(tables["sawtooth:60"])
    for row in tables["sawtooth:60"]:
        mark = marks["o", row.depth][1]
        is_hollow = mark.get_markerfacecolor() != mark.get_color()
        assert is_hollow == (not row.upper.checked)


def test_the_title_names_target_norm_and_accuracy(tables):
    (axes,) = separation_figure(tables["sawtooth:12"]).axes
    title = axes.get_title(loc="left")
    for words in ("sawtooth:12", "[0, 1]", "l1", "0.05"):
        assert words in title


def test_a_figure_of_nothing_says_so(nothing):
    assert "nothing to draw" in [
        t.get_text() for t in separation_figure(nothing).texts
    ] + [t.get_text() for t in separation_figure(nothing).axes[0].texts]


def test_the_error_of_the_square_touches_its_band_from_inside():
    problem = Problem("square", accuracy="1e-2")
    built = build(problem, depth=3)
    error = error_line(network_figure(problem, built.network))
    largest = built.examination.error.upper / problem.accuracy
    assert np.abs(error).max() == pytest.approx(int(largest.p) / int(largest.q))


def test_tiny_errors_are_drawn_from_exact_differences():
    problem = Problem("square", accuracy="1e-30")
    network = Network.from_arrays([["1"]], [0], [[1]], ["1e-31"])
    on_line = error_line(network_figure(Problem("expr:x", accuracy="1e-30"), network))
    assert np.allclose(on_line, 0.1)
    assert np.abs(error_line(network_figure(problem, network))).max() > 1e29


def test_knots_are_thinned_beyond_sixty():
    problem = Problem("square", accuracy="1e-6")
    axes = network_figure(problem, build(problem, depth=5).network).axes[0]
    (knots,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert 30 <= len(knots.get_xdata()) <= 60
    assert knots.get_label() == "knots (1 in 7 shown)"


@pytest.mark.parametrize("folds", [12, 60])
def test_a_network_too_dense_to_draw_is_shown_in_part(folds):
    problem = Problem(f"sawtooth:{folds}", norm="l1", accuracy="0.05")
    figure = network_figure(problem, build(problem, depth=10).network)
    values = max((line.get_ydata() for line in figure.axes[0].lines), key=len)
    assert np.count_nonzero(np.diff(np.sign(np.diff(values)))) == 7
    assert "too dense to draw" in figure.axes[0].texts[0].get_text()
    assert f"2^{{-{folds - 3}}}" in figure.axes[-1].get_xlabel()


@pytest.mark.slow
def test_thousands_of_pieces_become_an_envelope():
    problem = Problem("square", accuracy="1e-9")
    figure = network_figure(problem, build(problem, depth=8).network)
    band = figure.axes[1].collections[0].get_paths()[0].vertices
    assert len(band) < 4000
    assert 0.9 < np.abs(band[:, 1]).max() <= 1
    assert len(figure.axes) == 3  # the close-up of the error


def test_steps_are_drawn():
    steps = Network.from_arrays([[1], [1]], ["-1/3", "-2/3"], [[1, 1]], [0])
    steps = Network(steps.layers, [THRESHOLD])
    error = error_line(network_figure(Problem("expr:x", accuracy="1"), steps))
    assert np.isfinite(error).all()


@pytest.mark.parametrize("inputs", [1, 5, 200])
def test_parity_is_drawn_against_the_number_of_ones(inputs):
    problem = Problem(f"parity:{inputs}")
    axes = network_figure(problem, build(problem, depth=3).network).axes[0]
    rings, dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert (rings.get_ydata() == dots.get_ydata()).all()
    assert list(rings.get_ydata()) == [
        (-1) ** (inputs - int(p)) for p in rings.get_xdata()
    ]


def test_a_network_on_signs_that_sees_more_than_their_sum_is_drawn_in_one_order():
    network = Network.from_arrays([[1, 2, 4]], [0], [[1]], [0])
    axes = network_figure(Problem("parity:3"), network).axes[0]
    *_, dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert list(dots.get_ydata()) == [0, 0, 0, 7]


def test_a_network_that_does_not_fit_is_refused():
    network = Network.from_arrays([[1, 1]], [0], [[1]], [0])
    with pytest.raises(HypothesisError, match="maps 2 inputs to 1"):
        network_figure(Problem("square"), network)


def test_svg_is_the_same_every_time_whatever_the_settings(tables, tmp_path):
    import matplotlib

    def drawn(name):
        path = save_figure(separation_figure(tables["sawtooth:60"]), tmp_path / name)
        return path.read_bytes()

    first = drawn("a.svg")
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "other"}):
        before = dict(matplotlib.rcParams)
        assert drawn("b.svg") == first
        assert dict(matplotlib.rcParams) == before
    text = first.decode()
    assert "<metadata" not in text and "DOCTYPE" not in text and "<text" not in text
    assert drawn("a.png") == drawn("b.png")


def test_other_endings_are_refused(tables, tmp_path):
    with pytest.raises(HypothesisError, match=r"does not end in \.png"):
        save_figure(separation_figure(tables["square"]), tmp_path / "figure.exe")


def test_importing_loads_neither_matplotlib_nor_rich_and_drawing_no_pyplot():
    program = (
        "import sys, depthsep.reports as r\n"
        "from depthsep.reports import *\n"  # names are loaded when they are used
        "assert not {'matplotlib', 'rich'} & set(sys.modules)\n"
        "from depthsep.separation import separate\n"
        "from depthsep.problems import Problem\n"
        "r.html_report(separate(Problem('square'), depths=[2]))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
