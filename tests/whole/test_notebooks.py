"""The notebooks: they begin with a question; what fails in one is an error."""

from importlib import import_module

import pytest

from support.places import ROOT

jupytext = pytest.importorskip("jupytext", reason="depthsep[docs] is not installed")
NOTEBOOKS = ROOT / "docs" / "notebooks"
SOURCES = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py"))
LONGEST = 20  # lines of a cell of code


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
def test_a_cell_that_fails_is_an_error(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    notebook_pages = import_module("notebook_pages")
    source = tmp_path / "00_wrong.py"
    source.write_text("# %% [markdown]\n# # Wrong\n\n# %%\n1 / 0\n")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        notebook_pages.run(source, str(tmp_path))
