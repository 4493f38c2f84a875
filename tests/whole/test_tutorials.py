"""The start page and the tutorials: their blocks run and print what the pages show."""

import re

import pytest

from support.blocks import as_if_fresh as as_if_fresh
from support.blocks import blocks
from support.places import ROOT

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
PAGES = [DOCS / "start.md", *(p for p in TUTORIALS if p.name != "index.md")]
RUN = [*PAGES, DOCS / "how-to.md", DOCS / "questions.md"]
PICTURE = re.compile(r"!\[([^\]]+)\]\(([^)]+\.svg)\)")


def name(page):
    return page.stem


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=name)
def test_a_page_shows_what_its_blocks_print(page, as_if_fresh, capsys):
    different = blocks.main([str(page)])
    assert not different, capsys.readouterr().out


def test_a_picture_with_other_words_is_found(tmp_path, as_if_fresh, capsys):
    kept, page = tmp_path / "images" / "tutorial-a.svg", tmp_path / "page.md"
    kept.parent.mkdir()
    kept.write_text("<!-- old words -->")
    code = "from pathlib import Path\n\nPath('a.svg').write_text('<!-- new words -->')"
    page.write_text(f"![A](images/tutorial-a.svg)\n\n```python\n{code}\n```\n")
    assert blocks.main([str(page)]) == 1
    assert "['new words', 'old words']" in capsys.readouterr().out
    assert blocks.main(["--write", str(page)]) == 0
    assert kept.read_text() == "<!-- new words -->"
    assert blocks.main([str(page)]) == 0


@pytest.mark.parametrize("page", RUN, ids=name)
def test_a_page_imports_names_from_packages(page):
    """`import depthsep` would see what an earlier page did: they share a Python."""
    for kind, _, body in blocks.BLOCK.findall(page.read_text("utf-8")):
        assert kind != "python" or not re.search(r"^\s*import depthsep", body, re.M)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_has_a_question_a_picture_and_a_way_on(page):
    text = page.read_text("utf-8")
    title, first, *_ = text.split("\n\n")
    assert title.startswith("# ") and "\n" not in title
    assert "?" in first
    pictures = PICTURE.findall(text)
    assert pictures and all(len(words.split()) > 4 for words, _ in pictures)
    assert all((page.parent / file).is_file() for _, file in pictures)
    _, _, onwards = text.partition("\n## Next\n")
    links = re.findall(r"\]\(([^)]+)\)", onwards)
    assert sum("/" not in link or "tutorials/" in link for link in links) >= 2
    assert any("proofs/" in link for link in links)


def test_every_picture_of_a_tutorial_is_shown():
    shown = {file for page in PAGES for _, file in PICTURE.findall(page.read_text())}
    kept = (DOCS / "images").glob("tutorial-*.svg")
    assert {path.name for path in kept} <= {file.rsplit("/")[-1] for file in shown}
