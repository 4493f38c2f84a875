"""The code in the README and the documentation runs and says what the page says."""

import re

import pytest
from markdown.extensions.toc import slugify

from support.blocks import as_if_fresh as as_if_fresh
from support.blocks import blocks, figures
from support.places import ROOT

# made while the site is built, which checks the links to them
MADE = {"api", "commands", "gallery", "outside", "theorems"}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_python_in_the_readme_runs(capsys):
    code = re.search(r"```python\n(.*?)```", PAGES[0].read_text(), re.DOTALL)
    assert code is not None
    exec(compile(code[1], "README.md", "exec"), {})
    assert "121" in capsys.readouterr().out


def test_the_python_on_the_page_on_regions_runs(capsys):
    code = re.search(
        r"```python\n(.*?)```", (ROOT / "docs" / "regions.md").read_text(), re.DOTALL
    )
    assert code is not None
    exec(compile(code[1], "regions.md", "exec"), {})
    assert capsys.readouterr().out.startswith("7 17 11\n7 ((")


def look(picture):
    """Its size and its words, without decimals: some depend on the machine."""
    size = re.search(r"<svg [^>]*>", picture.read_text("utf-8"))[0]
    return size, {re.sub(r"\d+\.\d+", "#", t) for t in blocks.words_in(picture)}


@pytest.fixture
def run_of(tmp_path, monkeypatch, capsys, as_if_fresh):
    """What a page's Python prints, and its pictures, which look as in docs/images."""
    monkeypatch.chdir(tmp_path)

    def run(page):
        figures.main(tmp_path, page)
        made = sorted(tmp_path.glob("*.svg"))
        for picture in made:
            assert look(picture) == look(ROOT / "docs" / "images" / picture.name)
        return capsys.readouterr().out, [path.name for path in made]

    return run


@pytest.mark.slow
def test_the_python_on_the_page_on_examining_runs(run_of):
    assert "examine-map.svg" in run_of("examining.md")[1]


@pytest.mark.slow
def test_the_python_on_the_page_on_tables_runs(run_of):
    assert "table-sigmoid.svg" in run_of("tables.md")[1]


@pytest.mark.slow
def test_the_python_on_the_page_near_the_start_runs(run_of):
    printed, made = run_of("near_init.md")
    rows = [line.split() for line in printed.splitlines()]
    assert [r[0] for r in rows[:3]] == ["64", "256", "1024"]
    assert all(float(r[3]) < float(r[4]) for r in rows[:3])
    assert float(rows[3][0]) < 1e-8 and float(rows[5][0]) < 1e-9
    assert made == [f"near-{n}.svg" for n in ("distance", "kernel", "training")]


@pytest.mark.slow
def test_the_python_on_the_page_on_learning_runs(run_of):
    printed, made = run_of("learning.md")
    rows = [line.split() for line in printed.splitlines()[:2]]
    assert float(rows[0][1]) > 6 * float(rows[1][1])
    assert all(float(r[5]) < float(r[4]) for r in rows)
    names = ("acceleration", "alpha", "profile", "second", "spread")
    assert made == [f"learn-{name}.svg" for name in names]


@pytest.mark.slow
def test_the_python_on_the_page_on_studies_runs(run_of):
    pytest.importorskip("xarray", reason="depthsep[tables] is not installed")
    printed, made = run_of("studies.md")
    value, low, high = map(float, re.findall(r"-?[\d.]+", printed.split("\n")[0]))
    assert low < -0.5 < high and value == pytest.approx(-0.5, abs=0.05)
    page = (ROOT / "docs" / "studies.md").read_text("utf-8")
    assert made == sorted(set(re.findall(r"images/(study-[\w-]+\.svg)", page)))


def anchors(page):
    """The names of the headings of a page, as the site makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    plain = re.compile(r"\[([^]]*)\]\([^)]*\)|[`*]")
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    return {slugify(plain.sub(r"\1", head), "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_to_a_heading_finds_it(page):
    for link, name in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text("utf-8")):
        aim = page if not link else page.parent / link
        if aim.suffix == ".md" and aim.exists():
            assert name in anchors(aim), f"{link}#{name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in link and not MADE & set(link.split("/")[:-1]):
            assert (page.parent / link).exists(), link


def test_the_table_in_the_readme_is_the_table_that_is_made():
    from depthsep import Problem, separate

    table = separate(Problem("square", accuracy="1e-6"), depths=range(2, 8))
    written = re.findall(
        r"^\| +(\d+) \| +(\d+) \| +(\d+) \|", PAGES[0].read_text(), re.M
    )
    made = [(r.depth, r.lower.width, r.upper.width) for r in table]
    assert [tuple(map(int, row)) for row in written] == made
