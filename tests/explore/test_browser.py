"""The explorer in a browser: typed, moved, stopped, reloaded, saved."""

import json
import re
import subprocess
import sys
import time

import pytest

from support.browser import serious

pytestmark = pytest.mark.slow
OPACITY = "getComputedStyle(document.querySelector('#table .body')).opacity"
SETTLED = (
    "!document.getElementById('progress') || document.getElementById('progress').hidden"
)


@pytest.fixture
def page(chromium, explorer, request):
    """A page of the explorer; what it complains about fails the test."""
    size, scheme = getattr(request, "param", ((1400, 900), "light"))
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        accept_downloads=True,
    )
    opened = context.new_page()
    said = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    opened.goto(explorer)
    opened.wait_for_selector("#graph svg")
    yield opened
    assert said == []
    context.close()


def until(page, expression, seconds=60):
    """Wait for what JavaScript says; the page itself forbids polling by text."""
    stop = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < stop, expression
        page.wait_for_timeout(30)


def settled(page):
    until(page, SETTLED)


def row(page, depth):
    cells = page.locator(f"#table tbody tr:nth-child({depth - 1}) td")
    return [cells.nth(k).inner_text() for k in range(3)]


def opacity(page):
    return float(page.evaluate(OPACITY))


def test_a_formula_is_typed_and_its_rows_appear(page):
    page.fill("#target", "expr:sin(20*x)")
    until(page, "document.getElementById('said').textContent.includes('sin')")
    until(
        page, "document.querySelector('#table td:nth-child(2)')?.textContent === '120'"
    )
    settled(page)
    assert row(page, 2)[1] == "120" and row(page, 3)[1] == "12"
    page.click("#code summary")
    assert "expr:sin(20*x)" in page.inner_text("#python")


def test_a_bad_formula_is_one_line_and_the_page_goes_on(page):
    page.fill("#target", "expr:sin(20*x")
    page.wait_for_selector("#said.wrong")
    said = page.inner_text("#said")
    assert said and "\n" not in said
    assert opacity(page) < 0.5  # what is shown is not what was asked
    page.fill("#target", "expr:1/x")
    until(page, "document.getElementById('said').textContent.includes('defined')")
    page.fill("#target", "square")
    page.wait_for_selector("#said:not(.wrong)")
    # the formula is checked before its table is asked for, so nothing runs in between
    until(page, f"{OPACITY} === '1'")
    settled(page)
    assert row(page, 2)[1:] == ["11", "11"]


def test_the_accuracy_moves_and_the_link_keeps_it(page, explorer):
    page.evaluate(
        "const a = document.getElementById('accuracy'); a.value = -30;"
        "a.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    until(
        page, "document.querySelector('#table td:nth-child(2)')?.textContent === '353'"
    )
    settled(page)
    assert row(page, 2) == ["2", "353", "354"] and row(page, 3) == ["3", "18", "20"]
    page.click("#table tbody tr:nth-child(3) button")
    until(page, "location.hash.includes('depth=4')")
    assert "token" not in page.url and "accuracy=1e-6" in page.url
    page.reload()
    page.wait_for_selector("#graph svg")
    settled(page)
    assert page.inner_text("#depth-shown") == "4" and row(page, 4) == ["4", "7", "8"]


def test_a_long_job_is_stopped(page):
    page.fill("#target", "expr:sin(300*x)")
    page.evaluate(
        "const a = document.getElementById('accuracy'); a.value = -40;"
        "a.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    until(page, "location.hash.includes('accuracy=1e-8')")
    assert "300" in page.url  # what was typed is not lost when a slider moves
    page.wait_for_selector("#cancel:not([hidden])")
    page.click("#cancel")
    assert page.inner_text("#said") == "Stopped."
    assert page.locator(".old").count()  # a panel, graph or table, was not drawn anew
    assert page.is_hidden("#progress")
    page.fill("#target", "square")
    until(page, "document.querySelector('#table td:nth-child(2)')?.textContent > 0")


def test_what_is_stopped_before_it_is_checked_leaves_old_panels(page):
    settled(page)
    page.fill("#target", "expr:sin(300*x)")
    page.wait_for_selector("#cancel:not([hidden])")
    page.route("**/api/check", lambda _: None)  # no answer
    page.fill("#target", "expr:cos(3*x)")
    until(page, "location.hash.includes('cos')")
    page.click("#cancel")
    assert page.inner_text("#said") == "Stopped."
    assert page.locator("#panels.old").count() == 1
    page.unroute("**/api/check")
    page.fill("#target", "square")
    until(page, "!document.querySelector('#panels.old')")


def test_a_certificate_is_saved_and_verifies(page, tmp_path):
    settled(page)
    with page.expect_download() as waited:
        page.click("#certificate")
    file = tmp_path / "certificate.json"
    waited.value.save_as(file)
    run = [sys.executable, "-m", "depthsep", "verify", str(file)]
    assert subprocess.run(run, capture_output=True).returncode == 0
    document = json.loads(file.read_text())
    document["claim"]["error"] = "1/100000"
    file.write_text(json.dumps(document))
    assert subprocess.run(run, capture_output=True).returncode != 0


def test_pictures_are_saved(page):
    for kind in ("SVG", "PNG"):
        with page.expect_download() as waited:
            page.click(f"#graph [data-save={kind}]")
        assert waited.value.suggested_filename == f"graph.{kind.lower()}"


def test_layers_are_stepped_through_and_training_is_played(page):
    page.click("#next-layer")
    assert "Hidden layer 2 of 2" in page.inner_text("#layers")
    page.click("#next-layer")
    assert "output" in page.inner_text("#layers")
    page.click("#play")
    until(
        page,
        "document.getElementById('training').textContent.includes('Step 3000')",
    )


@pytest.mark.parametrize("view", ["regions", "kernel", "sampling", "learner"])
def test_every_view_draws_its_pictures(page, view):
    page.click(f"nav a[data-view={view}]")
    page.wait_for_selector(".panel svg", timeout=60_000)
    settled(page)
    assert f"view={view}" in page.url
    assert page.locator(f"nav a[data-view={view}]").get_attribute("aria-current")


SEEN = [((390, 900), "dark"), ((1400, 900), "light")]


@pytest.mark.parametrize("page", SEEN, indirect=True, ids=str)
def test_nothing_is_cut_off_and_nobody_is_shut_out(page):
    settled(page)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert serious(page) == []


def test_a_keyboard_is_enough(page):
    page.focus("#depth")
    page.keyboard.press("ArrowRight")
    until(page, "location.hash.includes('depth=4')")
    assert re.fullmatch("4", page.inner_text("#depth-shown"))


def test_a_function_is_drawn_and_becomes_the_target(page):
    page.click("#pad-open")
    box = page.locator("#sheet").bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] - 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 4, steps=12)
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 4, steps=12)
    page.mouse.up()
    assert page.input_value("#rows").count("\n") >= 20
    page.fill("#rows", "x,y\n0,0\n0.5,1\n1,0")
    page.click("#pad-use")
    until(page, "document.getElementById('target').value.startsWith('data:0,0; 0.5,1')")
    settled(page)
    until(page, "document.querySelector('#table td:nth-child(2)')?.textContent === '1'")


def test_a_unit_folds_the_target_and_arrows_move_between_units(page):
    settled(page)
    page.locator("circle.unit").first.focus()
    until(page, "document.querySelector('#fold-shown svg') !== null")
    assert "Unit 1 of hidden layer 1" in page.inner_text("#fold-shown")
    page.keyboard.press("ArrowRight")
    until(
        page,
        "document.getElementById('fold-shown').textContent.includes('layer 2')",
    )


def test_the_bound_of_a_row_is_explained(page):
    settled(page)
    until(page, "document.querySelector('#why svg') !== null")
    said = page.inner_text("#why")
    assert "at least 12 straight pieces" in said
    assert "can make at most 9 pieces" in said


def test_a_link_holds_the_state_in_its_fragment(page, explorer):
    page.select_option("#norm", "l2")
    until(page, "location.hash.includes('norm=l2')")
    kept = page.evaluate("location.hash")
    page.evaluate("location.hash = '#norm=l1'")
    until(page, "document.getElementById('norm').value === 'l1'")
    page.evaluate(f"location.hash = {kept!r}")
    until(page, "document.getElementById('norm').value === 'l2'")
