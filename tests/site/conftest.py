"""The site that `make docs` made, and a browser if this machine has one."""

import pytest

from support.browser import chromium_or_skip
from support.places import ROOT


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    folder = ROOT / "site"
    if not (folder / "explorer" / "index.html").exists():
        pytest.skip("the site is not built: run make docs")
    return folder


@pytest.fixture(scope="session")
def chromium():
    """A browser, if this machine has one."""
    with chromium_or_skip() as browser:
        yield browser
