"""Facts: every display shows every kind, also one that it has never heard of."""

import json
from dataclasses import dataclass

import pytest
from flint import fmpq

from depthsep import Segment, inspect
from depthsep.analysis import AbstractFact
from depthsep.analysis.inspection.facts._integrals import integral_json
from depthsep.analysis.regions._integrals import Integrals
from depthsep.cli.inspect._inspect_show import fact_lines
from depthsep.constructions import fold_network
from depthsep.evidence import Enclosure, Rigour
from depthsep.reports import write_inspection


@dataclass(frozen=True)
class Colour(AbstractFact):
    """A kind that no display knows."""

    value: str

    @property
    def title(self):
        return "the looks of it"

    def rows(self):
        return [("colour", self.value)]

    def table(self):
        return [["shade", "light", "dark"], ["share", "1/3", "2/3"]]

    def to_json(self):
        return {"colour": self.value}


def test_a_new_kind_of_fact_is_shown_everywhere(tmp_path):
    fact = Colour("teal")
    known = inspect(fold_network((2,)), Segment(0, 1)).with_fact(fact)
    printed = list(fact_lines(fact, fact.title))
    assert printed == [
        "the looks of it:",
        "  shade                     light     dark",
        "  share                       1/3      2/3",
        "  colour                 teal",
    ]
    assert known.to_json()["colour"] == "teal"
    write_inspection(known, tmp_path / "page", "net", known.to_json())
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    for shown in (page, known._repr_html_()):
        assert "he looks of it" in shown and "teal" in shown and "2/3" in shown
    kept = json.loads((tmp_path / "page" / "inspection.json").read_text("utf-8"))
    assert kept["colour"] == "teal"


def test_what_no_fact_says_is_none():
    known = inspect(fold_network((2,)), Segment(0, 1))
    assert known.lines is known.distance is known.box_regions is None
    assert known.slices == () and known.reason == "" and known.pieces == 2


@pytest.mark.parametrize(
    ("value", "rigour"), [(fmpq(1, 3), "exact"), (fmpq(1, 7**900), "enclosed")]
)
def test_an_exact_integral_printed_as_a_ball_is_called_enclosed(value, rigour):
    point = Enclosure(value, value, Rigour.EXACT)
    found = integral_json(Integrals(point, point, point, point, value))
    assert found["integral_rigour"] == rigour
