"""Forty commands print what they printed when they were recorded."""

import json
import re
from fractions import Fraction

import pytest

from recorded.record import COMMANDS, DOCUMENTS, documents

RECORDED = json.loads(DOCUMENTS.read_text())
# fitted weights and weights of linear programmes: their last bits, and which of several
# optima is taken, are the machine's
LONG = re.compile(r"-?\d{9,}/\d{9,}")
BALL = re.compile(r"\[(\S+) \+/- \S+\]")
SEGMENTS = re.compile(r" on \d+ segments?, such as the one from .*")
NEAR = Fraction(1, 10**9)
BITS = 8  # by which the longest number may differ


def same(found, recorded):
    """Equal, but for the last digits of long fractions."""
    if isinstance(found, dict) and isinstance(recorded, dict):
        names = set(found) == set(recorded)
        return names and all(
            abs(v - recorded[k]) <= BITS if k == "bits" else same(v, recorded[k])
            for k, v in found.items()
        )
    if isinstance(found, list) and isinstance(recorded, list):
        pairs = zip(found, recorded, strict=False)
        return len(found) == len(recorded) and all(same(*pair) for pair in pairs)
    texts = isinstance(found, str) and isinstance(recorded, str)
    if texts and LONG.fullmatch(found) and LONG.fullmatch(recorded):
        return near(Fraction(found), Fraction(recorded))
    if texts and BALL.fullmatch(found) and BALL.fullmatch(recorded):
        middles = (Fraction(BALL.fullmatch(text)[1]) for text in (found, recorded))
        return near(*middles)
    if texts:
        return SEGMENTS.sub("", found) == SEGMENTS.sub("", recorded)
    return found == recorded


def near(found, recorded):
    return abs(found - recorded) <= NEAR * abs(recorded)


def test_only_the_last_digits_of_long_fractions_may_differ():
    assert (
        same({"a": ["1/3", "4940150899298049/140737488355328"]}, {"a": ["1/3"] * 2})
        is False
    )
    assert same("4940150899298049/140737488355328", "2470075449649033/70368744177664")
    assert not same(
        "4940150899298049/140737488355328", "4940150999298049/140737488355328"
    )
    assert same("[3.14159265358979 +/- 3e-9]", "[3.14159265358978 +/- 2e-9]")
    assert not same("[3.1415 +/- 1e-5]", "[3.1416 +/- 1e-5]")
    assert not same({"bits": 12}, {"bits": 53}) and same({"bits": 52}, {"bits": 53})
    assert same(
        "J on 3 segments, such as the one from 0",
        "J on 4 segments, such as the one from 1",
    )
    assert not same(
        "J on 3 segments, such as the one from 0",
        "K on 3 segments, such as the one from 0",
    )
    assert not same("353", "354") and not same([1], [1, 2]) and not same({"a": 1}, {})


@pytest.mark.slow
def test_the_documents_of_forty_commands_are_as_recorded(monkeypatch, tmp_path):
    """`python tests/recorded/record.py` records them again after a wanted change."""
    assert len(COMMANDS) == 40 and set(RECORDED) == set(COMMANDS)
    found = documents()
    assert [c for c in COMMANDS if not same(found[c], RECORDED[c])] == []
