"""HTML pages: every number and source, no script, nothing fetched, safe."""

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from depthsep import HypothesisError
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable, Source, reference_text
from depthsep.problems import ANY_UNITS, NetworkClass, Problem
from depthsep.reports import save_figure, separation_figure, write_report
from depthsep.reports.pages._separation import html_report
from depthsep.reports.tables._latex import latex_table
from depthsep.reports.words._bases import bases
from depthsep.reports.words._tightness import ratio_words
from depthsep.separation import Separation, build, separate
from depthsep.targets import AbstractLineTarget, InnerProduct, Radial, Square
from support.tables import EVIL, printed


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


class Evil(AbstractLineTarget):
    """A target whose name attacks the page."""

    text = f"evil:{EVIL}"

    def floats(self, x):
        return x

    def jet(self, x):
        return Square().jet(x)


def test_every_number_stands_in_the_html_table(name, table, page_of):
    page = Page(page_of(name))
    rows = [cells for cells in page.rows if len(cells) == 11]
    for cells, row in zip(rows, table, strict=True):
        assert cells[:2] == [str(row.depth), str(row.depth - 1)]
        if isinstance(row.lower, Lower):
            assert cells[2] == str(row.lower.width)
        assert cells[5].lstrip("*") in (
            str(row.upper.width),
            f"2{row.upper.width.bit_length() - 1}",
        )
        assert cells[6] == ratio_words(row).replace("-", "\u2013")


def test_the_page_fetches_nothing_and_runs_nothing(name, page_of):
    text = page_of(name)
    page = Page(text)
    assert not {"script", "link", "iframe", "img", "object", "base"} & page.tags
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "@import" not in text
    assert all(u.startswith("#") for u in re.findall(r"url\(([^)]*)\)", text))


def test_ids_are_unique_on_the_page(page_of):
    page = Page(page_of("square"))
    assert len(page.ids) == len(set(page.ids))


def test_colours_follow_light_and_dark_mode(page_of):
    text = page_of("square")
    assert "prefers-color-scheme: dark" in text
    assert "#0072b2" not in text[text.index("<body>") :]
    assert "var(--certified)" in text[text.index("<svg") :]


def test_the_page_names_every_source_and_everything_asked(name, table, page_of):
    words = " ".join(Page(page_of(name)).words)
    for row in table:
        for side in (row.lower, row.upper):
            if not isinstance(side, Inapplicable):
                assert str(side.source) in words
                assert reference_text(side.source.key) in words
        for name, answer in row.asked:
            assert name in words
            assert answer in words


def test_user_text_is_escaped_on_the_page(tables):
    row = tables["sine"][2]
    words = {"title": EVIL, "tex": EVIL, "hypotheses": (EVIL,), "errata": (EVIL,)}
    evil = replace(row.upper.statement, source=Source("mine", EVIL), **words)
    of_evil = NetworkClass(units=replace(ANY_UNITS, words=EVIL))
    lower = replace(row.lower, statement=evil, networks=of_evil)
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
    text = html_report(tables["square"], built)
    assert "8, 8, 8" in text and "error at most" in text
    assert "error at most" not in html_report(tables["square"], built.network)


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


def test_a_place_that_cannot_be_written_is_named_in_one_line(nothing, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(HypothesisError, match="cannot write") as caught:
            write_report(nothing, folder)
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
