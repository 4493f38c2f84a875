"""The notebooks: they begin with a question, run, and show something."""

import re
import sys
from importlib import import_module

import pytest

from support.places import ROOT

jupytext = pytest.importorskip("jupytext", reason="depthsep[docs] is not installed")
NOTEBOOKS = ROOT / "docs" / "notebooks"
SOURCES = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py"))
LONGEST = 20  # lines of a cell of code


@pytest.fixture(scope="module")
def notebook_pages():
    """What makes their pages."""
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    try:
        return import_module("notebook_pages")
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_a_notebook_begins_with_a_question_and_is_on_the_list(source):
    first, *cells = jupytext.read(source).cells
    assert first.cell_type == "markdown"
    title, question, *_ = first.source.split("\n\n")
    assert title.startswith("# ") and question.count("?") == 1
    listed = (NOTEBOOKS / "index.md").read_text("utf-8")
    name = title.removeprefix("# ")
    assert f"## [{name}]({source.name})\n\n{question.replace('$', '')[:40]}" in (
        listed.replace("\\(", "").replace("\\)", "")
    )
    assert "## Try it" in cells[-1].source or "## For the teacher" in cells[-1].source


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_cells_are_short(source):
    for cell in jupytext.read(source).cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= LONGEST


def test_pages_of_notebooks_are_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert len(SOURCES) >= 6
    assert all(f"notebooks/{source.stem}.md" in nav for source in SOURCES)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_a_notebook_runs_and_shows_something(source, notebook_pages, tmp_path):
    done = notebook_pages.run(source, str(tmp_path))
    outputs = [shown for c in done.cells for shown in c.get("outputs", ())]
    assert not [o for o in outputs if o.output_type == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]
    kinds = {kind for shown in outputs for kind in shown.get("data", ())}
    assert {"text/html", "image/svg+xml"} & kinds
    for cell in done.cells:
        drawn = [
            s for s in cell.get("outputs", ()) if "image/svg+xml" in s.get("data", ())
        ]
        words = cell.metadata.get("alt", "").split()
        assert len(drawn) <= 1 and (len(words) > 4) == bool(drawn), cell.source
    assert list(tmp_path.iterdir()) == [], "it leaves nothing behind"


@pytest.mark.slow
def test_a_page_has_pictures_of_its_own_and_the_notebook_as_a_file(
    notebook_pages, monkeypatch
):
    monkeypatch.setattr(notebook_pages, "sources", lambda: SOURCES[:1])
    made = dict(notebook_pages.pages())
    page = made[f"notebooks/{SOURCES[0].stem}.md"]
    pictures = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", page)
    assert pictures
    assert all(f"notebooks/{file}" in made for _, file in pictures)
    assert '"kernelspec"' in made[f"notebooks/{SOURCES[0].stem}.ipynb"]
    assert "<style" not in page and "$$" not in page


@pytest.mark.slow
def test_a_cell_that_fails_is_an_error(notebook_pages, tmp_path):
    source = tmp_path / "00_wrong.py"
    source.write_text("# %% [markdown]\n# # Wrong\n\n# %%\n1 / 0\n")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        notebook_pages.run(source, str(tmp_path))
