"""The tables of support/tables.py, made once."""

from dataclasses import replace
from functools import cache

import pytest

from depthsep.evidence import Inapplicable
from depthsep.reports.pages._separation import html_report
from depthsep.separation import Separation, separate
from support.tables import EVIL, PROBLEMS


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
