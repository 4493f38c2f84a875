"""The code in the README and the documentation runs and says what the page says."""

import re
import subprocess
import sys

import pytest
from markdown.extensions.toc import slugify

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


@pytest.mark.slow
def test_the_python_on_the_page_on_examining_runs(tmp_path):
    run = [sys.executable, "-W", "error", str(ROOT / "docs" / "figures.py"), tmp_path]
    done = subprocess.run([*run, "examining.md"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    made = (tmp_path / "examine-map.svg").read_text()
    kept = (ROOT / "docs" / "images" / "examine-map.svg").read_text()
    assert made[:400] == kept[:400] and "path" in made


@pytest.mark.slow
def test_the_python_on_the_page_near_the_start_runs(tmp_path):
    run = [sys.executable, "-W", "error", str(ROOT / "docs" / "figures.py"), tmp_path]
    run += ["near_init.md"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [r[0] for r in rows[:3]] == ["64", "256", "1024"]
    assert all(float(r[3]) < float(r[4]) for r in rows[:3])
    assert float(rows[3][0]) < 1e-8 and float(rows[5][0]) < 1e-9
    for name in ("training", "distance", "kernel"):
        made = (tmp_path / f"near-{name}.svg").read_text()
        kept = (ROOT / "docs" / "images" / f"near-{name}.svg").read_text()
        assert made.startswith("<?xml") and made[:400] == kept[:400]


@pytest.mark.slow
def test_the_python_on_the_page_on_learning_runs(tmp_path):
    run = [sys.executable, "-W", "error", str(ROOT / "docs" / "figures.py"), tmp_path]
    done = subprocess.run([*run, "learning.md"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    rows = [line.split() for line in done.stdout.splitlines()[:2]]
    assert float(rows[0][1]) > 6 * float(rows[1][1])
    assert all(float(r[5]) < float(r[4]) for r in rows)
    for name in ("alpha", "profile", "spread", "second", "acceleration"):
        assert (tmp_path / f"learn-{name}.svg").exists()
        assert (ROOT / "docs" / "images" / f"learn-{name}.svg").exists()


@pytest.mark.slow
def test_the_python_on_the_page_on_studies_runs(tmp_path):
    pytest.importorskip("xarray", reason="depthsep[tables] is not installed")
    run = [sys.executable, "-W", "error", str(ROOT / "docs" / "figures.py"), tmp_path]
    done = subprocess.run([*run, "studies.md"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    value, low, high = map(float, re.findall(r"-?[\d.]+", done.stdout.split("\n")[0]))
    assert low < -0.5 < high and value == pytest.approx(-0.5, abs=0.05)
    page = (ROOT / "docs" / "studies.md").read_text("utf-8")
    made = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert made == sorted(set(re.findall(r"images/(study-[\w-]+\.svg)", page)))
    for name in made:
        kept = (ROOT / "docs" / "images" / name).read_text()
        assert kept[:400] == (tmp_path / name).read_text()[:400]


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
