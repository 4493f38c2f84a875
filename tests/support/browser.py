"""A browser of this machine, for fixtures; tests say plainly where there is none."""

import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium_or_skip():
    """Debian's Chromium, driven by Playwright."""
    driver = pytest.importorskip("playwright.sync_api", reason="no playwright")
    if CHROMIUM is None:
        pytest.skip("no browser: Debian's chromium is not installed")
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def serious(page):
    """What axe-core finds that shuts people out: ids, and where first."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe")
    found = axe.Axe().run(page).response["violations"]
    grave = [v for v in found if v["impact"] in ("serious", "critical")]
    return [(v["id"], v["nodes"][0]["html"][:160]) for v in grave]
