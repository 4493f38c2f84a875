"""The built site: whole from the file system, open to everybody, nothing missing."""

import importlib
import re
import sys
from html import unescape
from urllib.parse import unquote

import pytest

from depthsep.separation import results
from support.browser import serious
from support.places import ROOT

pytestmark = pytest.mark.slow
SHOWN = (  # of each kind, one that is not long
    "index.html",
    "start.html",
    "concepts.html",
    "gallery/index.html",
    "tutorials/sigmoid.html",
    "notebooks/index.html",
    "notebooks/07_tables.html",
    "theorems/index.html",
    "theorems/wasserstein-particles.html",
    "commands/separate.html",
    "api/depthsep.explore.html",
    "trust.html",
    "explorer/index.html",
)
ASKS = re.compile(r'<(link|script|img|source|iframe)\b[^>]*?\b(?:href|src)="([^"]+)"')
QUESTIONS = 24
WORDS = (
    (ROOT / "docs" / "questions.md")
    .read_text("utf-8")
    .partition("## Words to search for\n\n")[2]
    .replace("\n", " ")
    .strip(" .")
    .split(", ")
)


def left_alone(request):
    """Whether the page was left before the file had come."""
    return request.failure == "net::ERR_ABORTED"


@pytest.fixture
def page(chromium, request):
    """A page without a network: what is asked for, and what is not there, is noted."""
    scheme = getattr(request, "param", "light")
    context = chromium.new_context(offline=True, color_scheme=scheme)
    opened = context.new_page()
    opened.asked, opened.failed = [], []
    opened.on("request", lambda r: opened.asked.append(r.url))
    opened.on("requestfailed", lambda r: left_alone(r) or opened.failed.append(r.url))
    opened.on("pageerror", lambda error: opened.failed.append(str(error)))
    yield opened
    context.close()


def test_whatever_a_page_asks_for_is_there(site):
    asked = 0
    for file in site.rglob("*.html"):
        for tag, place in set(ASKS.findall(file.read_text("utf-8"))):
            if place.startswith(("data:", "blob:", "#")):
                continue
            asked += 1
            path = unquote(re.split("[?#]", unescape(place))[0])
            assert ":" not in path and (file.parent / path).exists(), (file, tag, place)
    assert asked > 3000


def asked_elsewhere(page):
    return [u for u in page.asked if not u.startswith(("file:", "data:", "blob:"))]


def test_no_page_asks_for_anything_else_while_it_runs(site, page):
    """One of every folder; those of SHOWN are looked at below."""
    files = {file.parent: file for file in sorted(site.rglob("*.html"))}
    assert len(files) > 10
    for file in files.values():
        before = len(page.asked)
        page.goto(file.as_uri())
        assert page.failed == [], file
        assert len(page.asked) > before + 3, file
    assert asked_elsewhere(page) == []


@pytest.mark.parametrize(
    ("name", "page"),
    [(n, "light") for n in SHOWN] + [(n, "dark") for n in SHOWN[::2]],
    indirect=["page"],
)
def test_nobody_is_shut_out(site, page, name):
    page.goto((site / name).as_uri())
    page.wait_for_timeout(300)
    assert page.failed == asked_elsewhere(page) == []
    assert serious(page) == []  # this asks for style sheets once more


def test_the_exported_explorer_answers_without_a_server(site, page):
    page.goto((site / "explorer" / "index.html").as_uri())
    page.wait_for_selector("#graph svg")
    assert page.inner_text("#table tbody tr:nth-child(1) td:nth-child(2)") == "11"
    page.select_option("#target", "expr:sin(20*x)")
    page.wait_for_timeout(500)
    assert "120" in page.inner_text("#table")
    for view in ("regions", "learner", "kernel", "sampling"):
        page.click(f"nav a[data-view={view}]")
        page.wait_for_selector(".panel svg")
    assert page.failed == []


def test_every_statement_has_its_page_with_its_formula(site):
    for statement in results():
        text = (site / "theorems" / f"{statement.id}.html").read_text("utf-8")
        assert (
            "<math" in text
            and f"depthsep bound {statement.id}"
            in unescape(re.sub(r"<[^>]+>", "", text))
        ) or not statement.parameters


def test_every_public_name_is_documented(site):
    sys.path.insert(0, str(ROOT / "docs" / "site"))
    try:
        pages = importlib.import_module("api_pages")
    finally:
        sys.path.pop(0)
    for package in pages.packages():
        text = (site / "api" / f"{package}.html").read_text("utf-8")
        ids = set(re.findall(r'id="([\w.]+)"', text))
        shown = {name.rpartition(".")[2] for name in ids}
        assert set(pages.names(package)) <= shown, package


def test_every_question_has_an_answer_and_a_page_that_tells_more(site):
    text = (site / "questions.html").read_text("utf-8")
    parts = re.split(r"<h3 id=", text)[1:]
    assert len(parts) == QUESTIONS
    for part in parts:
        link = re.search(r'More: <a href="([^"#]*)(?:#([\w-]+))?"', part)
        if link is None:
            raise AssertionError(part)
        answer = (site / link[1]).read_text("utf-8")
        assert link[2] is None or f'id="{link[2]}"' in answer
        assert '<span class="gp">$' in part or "import" in part


FOUND = """word => {
    const first = document.querySelector(".md-search-result__item");
    return first && first.innerText.toLowerCase().includes(word) && first.innerText;
}"""


def test_the_search_finds_the_words_that_people_type(site, page):
    """From the file system, on one page: loading the index takes seconds."""
    page.goto((site / "index.html").as_uri())
    field = page.locator("input.md-search__input")
    field.click(force=True)
    page.keyboard.type("sawtooth")
    page.wait_for_selector(".md-search-result__item a", timeout=20_000)
    assert page.locator(".md-search-result__item").count() > 2
    for word in WORDS:
        for text, state in (("", "detached"), (word, "visible")):
            field.fill(text)
            page.keyboard.press("End")  # the page listens to keys
            page.wait_for_selector(".md-search-result__item", state=state)
        start = word.split()[0].lower()[:6]
        first = page.wait_for_function(FOUND, arg=start, timeout=20_000).json_value()
        assert "\\" not in first  # no TeX
