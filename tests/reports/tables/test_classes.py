"""Wherever a row is shown, it says which networks its proven width binds."""

import pytest
from rich.console import Console

from depthsep import Problem, separate
from depthsep.reports.displays._html import record_html
from depthsep.reports.pages._separation import html_report
from depthsep.reports.tables._latex import latex_table
from depthsep.reports.tables._terminal import terminal_table


@pytest.fixture(scope="module")
def table():
    return separate(Problem("expr:x*(1-x)", accuracy="1/20"), depths=[6])


def in_terminal(table):
    console = Console(width=200)
    with console.capture() as caught:
        console.print(terminal_table(table))
    return caught.get()


PLACES = {
    "terminal": in_terminal,
    "page": html_report,
    "paper": latex_table,
    "notebook": record_html,
    "text": str,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_width_without_skips_is_marked(place, table):
    shown = " ".join(PLACES[place](table).split())
    assert "without skip connections" in shown


@pytest.mark.parametrize("place", ["terminal", "page", "paper"])
def test_a_width_of_all_networks_says_so(place):
    square = separate(Problem("square", accuracy="1/100"), depths=[2])
    shown = " ".join(PLACES[place](square).split())
    assert "every ReLU network, with any weights and any" in shown
