"""The script that writes the measured ratios into the documentation."""

import runpy

import pytest

from support.places import ROOT

SCRIPT = runpy.run_path(str(ROOT / "docs" / "tightness.py"))


def test_a_family_is_written_between_the_marks() -> None:
    page = f"before\n{SCRIPT['START']}old{SCRIPT['END']}after\n"
    square = next(f for f in SCRIPT["FAMILIES"] if f.name == "`square`")
    found = SCRIPT["written"](page, (square,), long=False)
    assert found.startswith("before\n") and found.endswith("after\n")
    assert "| `square` | linf | 1.01, at most 1.01 |" in found and "old" not in found


def test_long_families_are_left_as_they_are() -> None:
    long = next(f for f in SCRIPT["FAMILIES"] if f.long)
    row = f"| {long.name} | {long.norms[0]} | 1 | 1 | 1 | 0 of 60 |\n"
    page = f"{SCRIPT['START']}{row}| other | l1 |\n{SCRIPT['END']}"
    found = SCRIPT["written"](page, (long,), long=False)
    assert row in found and "other" not in found


def test_the_page_has_a_row_for_every_family_and_norm() -> None:
    page = SCRIPT["PAGE"].read_text("utf-8")
    for family in SCRIPT["FAMILIES"]:
        for norm in family.norms:
            assert f"| {family.name} | {norm} |" in page


@pytest.mark.parametrize(
    ("new", "same"),
    [
        ("a 1.5, 20", True),
        ("a 1.45, 20", True),
        ("a 1.5, 23", True),  # a width of 6 for 7, a lower side of 7 for 6
        ("a 1.5, 26", False),
        ("b 1.5, 20", False),
    ],
)
def test_small_differences_of_numbers_are_allowed(new: str, same: bool) -> None:
    assert SCRIPT["agrees"]("a 1.5, 20", new) is same
