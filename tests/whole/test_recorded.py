"""Forty commands print what they printed when they were recorded."""

import json
import re
from fractions import Fraction

import pytest

from recorded.record import COMMANDS, DOCUMENTS, documents

RECORDED = json.loads(DOCUMENTS.read_text())
LONG = re.compile(
    r"\d{15,}/\d{12,}"
)  # fitted weights: their last bits are the machine's
NEAR = Fraction(1, 10**9)


def same(found, recorded):
    """Equal, but for the last digits of long fractions."""
    if isinstance(found, dict) and isinstance(recorded, dict):
        names = set(found) == set(recorded)
        return names and all(same(v, recorded[k]) for k, v in found.items())
    if isinstance(found, list) and isinstance(recorded, list):
        pairs = zip(found, recorded, strict=False)
        return len(found) == len(recorded) and all(same(*pair) for pair in pairs)
    texts = isinstance(found, str) and isinstance(recorded, str)
    if texts and LONG.fullmatch(found) and LONG.fullmatch(recorded):
        return abs(Fraction(found) / Fraction(recorded) - 1) < NEAR
    return found == recorded


def test_only_the_last_digits_of_long_fractions_may_differ():
    assert (
        same({"a": ["1/3", "4940150899298049/140737488355328"]}, {"a": ["1/3"] * 2})
        is False
    )
    assert same("4940150899298049/140737488355328", "2470075449649033/70368744177664")
    assert not same(
        "4940150899298049/140737488355328", "4940150999298049/140737488355328"
    )
    assert not same("353", "354") and not same([1], [1, 2]) and not same({"a": 1}, {})


@pytest.mark.slow
def test_the_documents_of_forty_commands_are_as_recorded(monkeypatch, tmp_path):
    """`python tests/recorded/record.py` records them again after a wanted change."""
    assert len(COMMANDS) == 40 and set(RECORDED) == set(COMMANDS)
    found = documents()
    assert [c for c in COMMANDS if not same(found[c], RECORDED[c])] == []
