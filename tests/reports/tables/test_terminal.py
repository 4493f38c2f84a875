"""Tables for the terminal: every number, in 80 columns, with footnotes."""

from dataclasses import replace

import pytest
from flint import fmpq

from depthsep.claims import Learned
from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.reports.pages._separation import html_report
from depthsep.reports.tables._latex import latex_table
from depthsep.reports.tables._terminal import terminal_table
from depthsep.separation import Separation
from support.tables import printed


@pytest.fixture(scope="module")
def learned(tables):
    rows = [
        replace(r, learned=Learned(77, 0.0123, (1, 2), met=True))
        for r in tables["sine"]
    ]
    return Separation(tables["sine"].problem, tuple(rows))


def rows_of(text, depths):
    """The printed rows, as lists of words, by depth."""
    lines = [line.split() for line in text.splitlines()]
    return {int(w[0]): w for w in lines if len(w) > 4 and w[0] in map(str, depths)}


def test_every_row_of_the_terminal_table_shows_its_numbers(tables):
    for name in ("square", "sawtooth:12", "sine", "parity"):
        shown = rows_of(printed(tables[name]), [r.depth for r in tables[name]])
        for row in tables[name]:
            words = shown[row.depth]
            assert words[1] == str(row.depth - 1)
            assert words[2:5] == [str(row.lower.width), str(row.lower.rigour), words[4]]
            assert words[5:8:2] == [str(row.upper.width), str(row.upper.units)]
            assert fmpq(row.upper.width, row.lower.width) == row.ratio
            shown_ratio = float(words[6])
            assert 0 <= shown_ratio - row.upper.width / row.lower.width < 0.011


def test_the_terminal_table_fits_80_plain_columns(table, learned):
    for separation in (table, learned):
        text = printed(separation)
        assert max(map(len, text.splitlines())) <= 80
        assert text.isascii()
        assert "..." not in text


def test_a_narrow_terminal_loses_no_digits(tables):
    assert printed(tables["square"], 40).split() == printed(tables["square"]).split()


def test_long_integers_are_shortened_to_the_safe_side(tables):
    shown = rows_of(printed(tables["sawtooth:60"]), range(2, 9))
    assert shown[2][2] == "9.22e17"
    assert tables["sawtooth:60"][2].lower.width >= 819 * 10**15
    # 4/5 of the 2^60 pieces, up to two
    assert tables["sawtooth:60"][2].upper.width == 8 * 2**60 // 10 + 2
    assert shown[2][5:8] == ["*9.23e17", "1.01", "9.23e17"]
    assert tables["sawtooth:60"][4].upper.units == 2920236
    assert shown[4][7] == "2.93e6"


def test_an_error_is_never_shown_too_small_nor_beyond_the_accuracy(tables):
    row = tables["square"][2]
    for error, accuracy, shown in (
        (fmpq(1001, 10**6), fmpq(1, 100), "0.00101"),
        (fmpq(10**6 + 1, 10**12), fmpq(1, 100), "1.01e-6"),
        (fmpq(1, 300), fmpq(1, 300), "1/300"),
        (fmpq(0), fmpq(1, 100), "0"),
    ):
        changed = replace(row, upper=replace(row.upper, error=error))
        problem = Problem("square", accuracy=accuracy)
        assert rows_of(printed(Separation(problem, (changed,))), [2])[2][9] == shown


def test_networks_that_were_not_built_are_marked_with_a_footnote(tables):
    assert "this width rests on a theorem; no" in printed(tables["sawtooth:60"])
    assert "*" not in printed(tables["square"])


def test_an_empty_place_shows_its_reason(tables):
    text = " ".join(printed(tables["no lower"]).split())
    assert "no proven width: " in text
    assert "this bound covers quadratics only" not in text


def test_brackets_in_a_reason_are_not_markup_in_the_terminal(nothing):
    assert "[bold]50%_$#^~\\{" in printed(nothing)


def test_sources_stand_below_the_terminal_table(table):
    text = " ".join(printed(table).split())
    for row in table:
        for side in (row.lower, row.upper):
            assert isinstance(side, Inapplicable) or str(side.source) in text


def test_what_training_found_is_shown_and_called_no_proof(learned):
    assert "77" in printed(learned)
    assert "proves nothing" in printed(learned)
    assert "77" in html_report(learned)
    assert "without skip connections" in latex_table(learned)


def test_the_terminal_table_is_a_rich_table(tables):
    assert terminal_table(tables["square"]).row_count == len(tables["square"])
