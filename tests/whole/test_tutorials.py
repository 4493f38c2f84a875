"""The start page and the tutorials: their blocks run and print what the pages show."""

import re
import subprocess
import sys

import pytest

from support.places import ROOT

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
PAGES = [DOCS / "start.md", *(p for p in TUTORIALS if p.name != "index.md")]
PICTURE = re.compile(r"!\[([^\]]+)\]\(([^)]+\.svg)\)")


def name(page):
    return page.stem


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [*PAGES, DOCS / "how-to.md", DOCS / "questions.md"], ids=name
)
def test_a_page_shows_what_its_blocks_print(page):
    run = [sys.executable, str(DOCS / "blocks.py"), str(page)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


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
