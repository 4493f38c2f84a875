"""What `make docs` ran: notebooks that show something, and pictures."""

import re
from xml.etree import ElementTree

import pytest

from support.places import ROOT

jupytext = pytest.importorskip("jupytext", reason="depthsep[docs] is not installed")
nbformat = pytest.importorskip("nbformat", reason="depthsep[docs] is not installed")
pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("[0-9][0-9]_*.py"))
SCRIPTS = sorted((ROOT / "docs" / "gallery").glob("[0-9][0-9]_*.py"))


@pytest.mark.parametrize("source", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_shows_something(site, source):
    """It ran to the end, or there would be no site."""
    done = nbformat.read(site / "notebooks" / f"{source.stem}.ipynb", as_version=4)
    written = [c.source for c in jupytext.read(source).cells]
    assert [c.source for c in done.cells] == written, "the site is old: run make docs"
    outputs = [shown for c in done.cells for shown in c.get("outputs", ())]
    assert not [o for o in outputs if o.get("name") == "stderr"]
    kinds = {kind for shown in outputs for kind in shown.get("data", ())}
    assert {"text/html", "image/svg+xml"} & kinds
    for cell in done.cells:
        drawn = [
            s for s in cell.get("outputs", ()) if "image/svg+xml" in s.get("data", ())
        ]
        words = cell.metadata.get("alt", "").split()
        assert len(drawn) <= 1 and (len(words) > 4) == bool(drawn), cell.source
    assert "kernelspec" in done.metadata


@pytest.mark.parametrize("source", NOTEBOOKS, ids=lambda p: p.stem)
def test_its_page_has_pictures_of_its_own(site, source):
    page = (site / "notebooks" / f"{source.stem}.html").read_text("utf-8")
    article = page.partition("<article")[2].partition("</article>")[0]
    pictures = re.findall(r'<img [^>]*src="([^"#]+)', article)
    assert pictures
    assert all((site / "notebooks" / file).exists() for file in pictures)
    assert f'download="{source.stem}.ipynb"' in article
    assert "<style" not in article and "$$" not in article


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_a_picture_is_drawn(site, path):
    root = ElementTree.parse(site / "gallery" / f"{path.stem}.svg").getroot()
    assert root.tag.endswith("}svg")
    assert root.find(".//{http://www.w3.org/2000/svg}path") is not None
