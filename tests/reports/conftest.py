"""The tables of support/tables.py, made once; no heading of a figure is cut off."""

from dataclasses import replace
from functools import cache

import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure

from depthsep.evidence import Inapplicable
from depthsep.reports.pages._separation import html_report
from depthsep.separation import Separation, separate
from support.tables import EVIL, PROBLEMS


@pytest.fixture(autouse=True)
def nothing_is_cut_off(monkeypatch):
    """In every figure that is saved, headings end before its right edge."""
    saved = Figure.savefig

    def save(figure, *args, **kwargs):
        saved(figure, *args, **kwargs)
        width, height = figure.bbox.size
        at_rest = RendererAgg(width, height, figure.dpi)
        texts = [text for axes in figure.axes for text in axes.texts]
        remarks = [t for t in texts if getattr(t, "xyann", None) == (0, 9)]
        titles = [axes._left_title for axes in figure.axes]
        for text in (*remarks, *titles, figure._suptitle, figure._supxlabel):
            if text is not None and text.get_text():
                end = text.get_window_extent(at_rest).x1
                assert end <= width + 2, text.get_text()

    monkeypatch.setattr(Figure, "savefig", save)


@pytest.fixture(scope="session")
def tables():
    return {
        name: separate(problem, depths=depths)
        for name, (problem, depths) in PROBLEMS.items()
    }


@pytest.fixture(params=PROBLEMS)
def name(request):
    return request.param


@pytest.fixture
def table(name, tables):
    return tables[name]


@pytest.fixture(scope="session")
def page_of(tables):
    """The HTML page of a table by its name, made once."""
    return cache(lambda name: html_report(tables[name]))


@pytest.fixture(scope="session")
def nothing(tables):
    """A table in which nothing applies, for reasons that try to be markup."""
    gone = Inapplicable(EVIL)
    rows = [replace(r, upper=gone, lower=gone) for r in tables["sine"]]
    return Separation(tables["sine"].problem, tuple(rows))
