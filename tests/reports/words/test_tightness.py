"""How close the sides are: true for the table it stands below."""

from dataclasses import replace

import pytest

from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.reports import tightness
from depthsep.reports.pages._separation import html_report
from depthsep.reports.tables._latex import latex_table
from depthsep.reports.words._tightness import ratio_words
from depthsep.separation import Separation, separate
from support.tables import printed

LEAST = "the certified width is the least possible"


@pytest.fixture(scope="module")
def table() -> Separation:
    return separate(Problem("square", accuracy="1e-4"), depths=[2, 3, 4, 5])


def with_widths(table: Separation, pairs: list[tuple[int, int]]) -> Separation:
    """Rows with other proven and certified widths."""
    rows = [
        replace(
            row,
            lower=replace(row.lower, width=low, units=low),
            upper=replace(row.upper, widths=(high,) * (row.depth - 1)),
        )
        for row, (low, high) in zip(table, pairs, strict=True)
    ]
    return Separation(table.problem, tuple(rows))


BOTH = (
    [(4, 4), (3, 4), (2, 5), (2, 2)],
    f"At depths 2, 5 {LEAST}; at depths 3-4 it is at most 2.5 times the proven "
    "one (5 against 2 at depth 4).",
)


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ([(4, 4), (3, 3), (2, 2), (2, 2)], f"At depths 2-5 {LEAST}."),
        BOTH,
        (
            [(4, 5), (3, 4), (2, 3), (1, 3)],
            "At depths 2-5 the certified width is at most 3 times the proven one "
            "(3 against 1 at depth 5).",
        ),
        (
            [(3, 4), (0, 4), (0, 3), (0, 3)],
            "At depth 2 the certified width is at most 1.34 times the proven one "
            "(4 against 3 at depth 2).",
        ),
        ([(0, 4), (0, 4), (0, 3), (0, 3)], ""),
    ],
)
def test_one_sentence(table: Separation, pairs: list, sentence: str) -> None:
    changed = with_widths(table, pairs)
    assert tightness(changed) == sentence
    assert sentence in " ".join(printed(changed).split())


def test_the_page_has_the_sentence(table: Separation) -> None:
    pairs, sentence = BOTH
    assert sentence in html_report(with_widths(table, pairs))


def test_a_row_without_a_side_has_no_ratio(table: Separation) -> None:
    none = Inapplicable("nothing")
    for row in (replace(table[2], lower=none), replace(table[2], upper=none)):
        alone = Separation(table.problem, (row,))
        assert row.ratio is None and ratio_words(row) == "-" and tightness(alone) == ""
        assert " -- " in latex_table(alone)


def test_ratios_are_rounded_up(table: Separation) -> None:
    changed = with_widths(table, [(3, 3), (3, 4), (7, 10**9), (1, 2**70)])
    assert [ratio_words(row) for row in changed] == ["1", "1.34", "1.43e8", "1.19e21"]
