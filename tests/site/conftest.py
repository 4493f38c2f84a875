"""The site that `make docs` made."""

import pytest

from support.places import ROOT


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    folder = ROOT / "site"
    if not (folder / "explorer" / "index.html").exists():
        pytest.skip("the site is not built: run make docs")
    return folder
