"""Tables, figures, LaTeX and HTML: right, readable, safe and repeatable."""

import io
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from rich.console import Console

from depthsep._errors import HypothesisError
from depthsep.claims import Learned, Lower, Upper
from depthsep.evidence import Inapplicable, Source, reference_text
from depthsep.networks import THRESHOLD, Network
from depthsep.problems import Problem
from depthsep.reports import (
    html_report,
    latex_table,
    network_figure,
    print_separation,
    save_figure,
    separation_figure,
    terminal_table,
    write_report,
)
from depthsep.reports.words._bases import bases
from depthsep.separation import Separation, build, separate
from depthsep.targets import AbstractLineTarget, InnerProduct, Radial, Square

PROBLEMS = {
    "square": (Problem("square", accuracy="1e-6"), range(2, 11)),
    "sawtooth:12": (Problem("sawtooth:12", norm="l1", accuracy="0.05"), range(2, 8)),
    "sawtooth:60": (Problem("sawtooth:60", norm="l1", accuracy="0.05"), range(2, 9)),
    "sine": (Problem("expr:sin(20*x)", accuracy="1e-2"), [2, 3, 5]),
    "parity": (Problem("parity:20"), range(2, 6)),
    "no lower": (Problem("expr:abs(x - 1/3)", norm="l1", accuracy="0.1"), range(2, 5)),
}
EVIL = '<script>alert("x")</script> & [bold]50%_$#^~\\{'


@pytest.fixture(scope="module")
def tables():
    return {
        name: separate(problem, depths=depths)
        for name, (problem, depths) in PROBLEMS.items()
    }


@pytest.fixture(params=PROBLEMS)
def table(request, tables):
    return tables[request.param]


@pytest.fixture(scope="module")
def nothing(tables):
    """A table in which nothing applies, for reasons that try to be markup."""
    gone = Inapplicable(EVIL)
    rows = [replace(r, upper=gone, lower=gone) for r in tables["sine"]]
    return Separation(tables["sine"].problem, tuple(rows))


@pytest.fixture(scope="module")
def learned(tables):
    rows = [
        replace(r, learned=Learned(77, 0.0123, (1, 2), met=True))
        for r in tables["sine"]
    ]
    return Separation(tables["sine"].problem, tuple(rows))


def printed(separation, width=80):
    stream = io.StringIO()
    print_separation(separation, Console(file=stream, width=width))
    return stream.getvalue()


def rows_of(text, depths):
    """The printed rows, as lists of words, by depth."""
    lines = [line.split() for line in text.splitlines()]
    return {int(w[0]): w for w in lines if len(w) > 4 and w[0] in map(str, depths)}


class Page(HTMLParser):
    """Collects ids, links and table rows, and checks that every tag is closed."""

    VOID = ("meta", "br", "hr", "img", "link", "input")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.links = [], set(), [], []
        self.rows, self.words = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [v for k, v in attrs if k in ("href", "src", "xlink:href")]
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if "td" in self.open:
            self.rows[-1][-1] += data


# The terminal


def test_every_row_of_the_terminal_table_shows_its_numbers(tables):
    for name in ("square", "sawtooth:12", "sine", "parity"):
        shown = rows_of(printed(tables[name]), [r.depth for r in tables[name]])
        for row in tables[name]:
            words = shown[row.depth]
            assert words[1] == str(row.depth - 1)
            assert words[2:5] == [str(row.lower.width), str(row.lower.rigour), words[4]]
            assert words[5:7] == [str(row.upper.width), str(row.upper.units)]


def test_the_terminal_table_fits_80_plain_columns(table, learned):
    for separation in (table, learned):
        text = printed(separation)
        assert max(map(len, text.splitlines())) <= 80
        assert text.isascii()
        assert "..." not in text


def test_a_narrow_terminal_loses_no_digits(tables):
    assert printed(tables["square"], 40).split() == printed(tables["square"]).split()


def test_long_integers_are_shortened_to_the_safe_side(tables):
    shown = rows_of(printed(tables["sawtooth:60"]), range(2, 9))
    assert shown[2][2] == "8.19e17"
    assert tables["sawtooth:60"][2].lower.width >= 819 * 10**15
    assert shown[2][5:7] == ["*2^60", "2^60"]
    assert tables["sawtooth:60"][4].upper.units == 3145728
    assert shown[4][6] == "3.15e6"


def test_an_error_is_never_shown_too_small_nor_beyond_the_accuracy(tables):
    row = tables["square"][2]
    for error, accuracy, shown in (
        (fmpq(1001, 10**6), fmpq(1, 100), "0.00101"),
        (fmpq(10**6 + 1, 10**12), fmpq(1, 100), "1.01e-6"),
        (fmpq(1, 300), fmpq(1, 300), "1/300"),
        (fmpq(0), fmpq(1, 100), "0"),
    ):
        changed = replace(row, upper=replace(row.upper, error=error))
        problem = Problem("square", accuracy=accuracy)
        assert rows_of(printed(Separation(problem, (changed,))), [2])[2][8] == shown


def test_networks_that_were_not_built_are_marked_with_a_footnote(tables):
    assert "*  by theorem, not built" in printed(tables["sawtooth:60"])
    assert "*" not in printed(tables["square"])


def test_an_empty_place_shows_its_reason(tables):
    text = " ".join(printed(tables["no lower"]).split())
    assert "no proven width: no subinterval with f'' of one sign asks for more" in text
    assert "bounds quadratics only" not in text


def test_brackets_in_a_reason_are_not_markup_in_the_terminal(nothing):
    assert "[bold]50%_$#^~\\{" in printed(nothing)


def test_sources_stand_below_the_terminal_table(table):
    text = " ".join(printed(table).split())
    for row in table:
        for side in (row.lower, row.upper):
            assert isinstance(side, Inapplicable) or str(side.source) in text


def test_what_training_found_is_shown_and_called_no_proof(learned):
    assert "77" in printed(learned)
    assert "proves nothing" in printed(learned)
    assert "77" in html_report(learned)
    assert "no proof" in latex_table(learned)


def test_the_terminal_table_is_a_rich_table(tables):
    assert terminal_table(tables["square"]).row_count == len(tables["square"])


# Figures


def levels_and_marks(separation):
    (axes,) = separation_figure(separation).axes
    marks = [line for line in axes.lines if line.get_marker() in ("o", "^")]
    return axes, {
        (m.get_marker(), int(m.get_xdata()[0])): (m.get_ydata()[0], m) for m in marks
    }


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


def error_line(figure):
    panel = figure.axes[-1]
    return max((line.get_ydata() for line in panel.lines), key=len)


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
    assert knots.get_label() == "1 knot in 7"


@pytest.mark.parametrize("folds", [12, 60])
def test_a_network_too_dense_to_draw_is_shown_in_part(folds):
    problem = Problem(f"sawtooth:{folds}", norm="l1", accuracy="0.05")
    figure = network_figure(problem, build(problem, depth=10).network)
    values = max((line.get_ydata() for line in figure.axes[0].lines), key=len)
    assert np.count_nonzero(np.diff(np.sign(np.diff(values)))) == 7
    assert "too dense to draw" in figure.axes[0].texts[0].get_text()
    assert f"2^{{-{folds - 3}}}" in figure.axes[-1].get_xlabel()


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
    with pytest.raises(HypothesisError, match=r"neither \.png nor \.svg"):
        save_figure(separation_figure(tables["square"]), tmp_path / "figure.exe")


def test_importing_loads_neither_matplotlib_nor_rich_and_drawing_no_pyplot():
    program = (
        "import sys, depthsep.reports as r\n"
        "assert not {'matplotlib', 'rich'} & set(sys.modules)\n"
        "from depthsep.separation import separate\n"
        "from depthsep.problems import Problem\n"
        "r.html_report(separate(Problem('square'), depths=[2]))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# LaTeX


def test_every_number_stands_in_the_latex_table(table):
    text = latex_table(table).replace(r"\,", "")
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")]
    for line, row in zip(body.splitlines()[1:], table, strict=True):
        cells = [cell.strip().rstrip("\\") for cell in line.split("&")]
        assert cells[:2] == [str(row.depth), str(row.depth - 1)]
        for cell, side in ((cells[2], row.lower), (cells[4], row.upper)):
            if isinstance(side, Inapplicable):
                assert cell == "--"
            else:
                found = re.match(r"\$2\^\{(\d+)\}\$|(\d+)", cell)
                assert (2 ** int(found[1]) if found[1] else int(found[2])) == side.width


def test_latex_is_balanced_and_escaped(table, nothing):
    for separation in (table, nothing):
        text = latex_table(separation)
        bare = re.sub(r"\\[\\{}%&$#_]", "", text.split("\n", 1)[1])
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert not set("#%_") & set(bare)
        opened = re.findall(r"\\begin\{(\w+)\}", text)
        assert sorted(opened) == sorted(re.findall(r"\\end\{(\w+)\}", text))
    assert r"50\%\_\$\#\textasciicircum{}\textasciitilde{}\textbackslash{}\{" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles_with_booktabs_and_amsmath_alone(table, nothing, tmp_path):
    document = (
        "\\documentclass{article}\\usepackage{booktabs,amsmath}\\begin{document}\n"
        f"{latex_table(table)}{latex_table(nothing)}\\end{{document}}"
    )
    (tmp_path / "t.tex").write_text(document)
    command = ["pdflatex", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout


# HTML


def test_every_number_stands_in_the_html_table(table):
    page = Page(html_report(table))
    rows = [cells for cells in page.rows if len(cells) == 10]
    for cells, row in zip(rows, table, strict=True):
        assert cells[:2] == [str(row.depth), str(row.depth - 1)]
        if isinstance(row.lower, Lower):
            assert cells[2] == str(row.lower.width)
        assert cells[5].lstrip("*") in (
            str(row.upper.width),
            f"2{row.upper.width.bit_length() - 1}",
        )


def test_the_page_fetches_nothing_and_runs_nothing(table):
    text = html_report(table)
    page = Page(text)
    assert not {"script", "link", "iframe", "img", "object", "base"} & page.tags
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "@import" not in text
    assert all(u.startswith("#") for u in re.findall(r"url\(([^)]*)\)", text))


def test_ids_are_unique_on_the_page(tables):
    page = Page(html_report(tables["square"]))
    assert len(page.ids) == len(set(page.ids))


def test_colours_follow_light_and_dark_mode(tables):
    text = html_report(tables["square"])
    assert "prefers-color-scheme: dark" in text
    assert "#0072b2" not in text[text.index("<body>") :]
    assert "var(--certified)" in text[text.index("<svg") :]


def test_the_page_names_every_source_and_everything_asked(table):
    words = " ".join(Page(html_report(table)).words)
    for row in table:
        for side in (row.lower, row.upper):
            if not isinstance(side, Inapplicable):
                assert str(side.source) in words
                assert reference_text(side.source.key) in words
        for name, answer in row.asked:
            assert name in words
            assert answer in words


class Evil(AbstractLineTarget):
    """A target whose name attacks the page."""

    text = f"evil:{EVIL}"

    def floats(self, x):
        return x

    def jet(self, x):
        return Square().jet(x)


def test_user_text_is_escaped_on_the_page(tables):
    row = tables["sine"][2]
    words = {"title": EVIL, "formula": EVIL, "hypotheses": (EVIL,), "errata": (EVIL,)}
    evil = replace(row.upper.statement, source=Source("mine", EVIL), **words)
    lower = replace(row.lower, statement=evil, class_of_networks=EVIL)
    upper = replace(row.upper, statement=evil, detail=EVIL)
    asked = ((EVIL, EVIL),)
    rows = (
        replace(row, upper=upper, lower=lower, asked=asked),
        replace(tables["sine"][3], lower=Inapplicable(EVIL)),
    )
    separation = Separation(Problem(Evil(), accuracy="1e-2"), rows)
    text = html_report(separation)
    assert "<script" not in text
    # the title twice, lead, picture's source, two statements with four texts and a
    # source each, class of networks, reason, asked, answer, and the documents
    assert text.count("&lt;script&gt;") >= 20
    Page(text)
    latex_table(separation)
    assert EVIL in printed(separation, 300)


def test_a_page_computes_nothing_twice(tables):
    once = {"bases", "to_json", "curve", "separation_figure", "network_figure", "_page"}
    seen = []

    def watch(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_name in once and "depthsep" in code.co_filename:
            seen.append(code.co_qualname)

    sys.setprofile(watch)
    try:
        html_report(tables["sine"])
    finally:
        sys.setprofile(None)
    found = [name for name in seen if name in once or name == "Separation.to_json"]
    assert sorted(found) == sorted(once - {"to_json"} | {"Separation.to_json"})


def test_a_page_without_any_network_says_so(nothing):
    assert "No network was built" in html_report(nothing)


def test_a_given_network_is_pictured_and_only_a_built_one_has_an_error(tables):
    problem = tables["square"].problem
    built = build(problem, depth=4)
    assert "8, 8, 8" in html_report(tables["square"], built)
    assert "error at most" in html_report(tables["square"], built)
    assert "error at most" not in html_report(tables["square"], built.network)


# The folder


def test_a_report_is_a_folder_of_seven_files(tables, tmp_path):
    folder = tmp_path / "new" / "report"
    paths = write_report(tables["square"], folder)
    names = "index.html separation.svg separation.png network.svg network.png table.tex"
    assert [p.name for p in paths] == [*names.split(), "separation.json"]
    assert sorted(folder.iterdir()) == sorted(paths)
    document = json.loads((folder / "separation.json").read_text())
    assert document == tables["square"].to_json()
    assert (folder / "network.png").read_bytes().startswith(b"\x89PNG")


def test_a_report_without_a_network_leaves_its_pictures_out(nothing, tmp_path):
    names = {p.name for p in write_report(nothing, tmp_path)}
    assert "separation.svg" in names
    assert "network.svg" not in names


def test_reports_are_the_same_every_time(tables, tmp_path):
    first, second = (
        write_report(tables["parity"], tmp_path / name) for name in ("a", "b")
    )
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_a_place_that_cannot_be_written_is_named_in_one_line(tables, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(HypothesisError, match="cannot write") as caught:
            write_report(tables["square"], folder)
        assert "\n" not in str(caught.value)


def test_a_failed_write_leaves_the_old_file(tables, tmp_path, monkeypatch):
    path = tmp_path / "figure.svg"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(HypothesisError, match="No space left"):
        save_figure(separation_figure(tables["square"]), path)
    assert path.read_text() == "old"
    assert list(Path(tmp_path).iterdir()) == [path]


@pytest.mark.parametrize(
    "problem",
    [
        Problem("product", accuracy="1e-2"),
        Problem(InnerProduct("sin(3*t)", 3), norm="l2", accuracy="1/5"),
        Problem(Radial("triangle:1", 3), norm="l2", accuracy="1/10"),
        Problem("sawtooth:4", norm="l1", accuracy="1/20"),
    ],
    ids=str,
)
def test_every_basis_is_shown_with_its_hypotheses(problem):
    separation = separate(problem, depths=[2, 3])
    text = html_report(separation)
    for basis in bases(separation):
        item = text.partition(f'<li id="basis-{basis.mark}">')[2].partition("</li>")[0]
        assert (basis.statement is None) != ("Hypotheses: " in item)
