"""A server of the explorer, and a browser if this machine has one."""

import re
import shutil
import subprocess
import sys

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def explorer():
    """The address, with its token, of an explorer that runs."""
    pytest.importorskip("starlette", reason="depthsep[web] is not installed")
    pytest.importorskip("uvicorn", reason="depthsep[web] is not installed")
    command = [sys.executable, "-m", "depthsep", "explore", "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        line = server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert found, line
        yield found[0]
        server.terminate()


@pytest.fixture(scope="session")
def chromium():
    """Chromium, driven by Playwright."""
    driver = pytest.importorskip("playwright.sync_api", reason="no playwright")
    if CHROMIUM is None:
        pytest.skip("no browser: Debian's chromium is not installed")
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
