"""Forty commands print what they printed when they were recorded."""

import json

import pytest

from recorded.record import COMMANDS, DOCUMENTS, documents

RECORDED = json.loads(DOCUMENTS.read_text())


@pytest.mark.slow
def test_the_documents_of_forty_commands_are_as_recorded(monkeypatch, tmp_path):
    """`python tests/recorded/record.py` records them again after a wanted change."""
    assert len(COMMANDS) == 40 and set(RECORDED) == set(COMMANDS)
    found = documents()
    assert [c for c in COMMANDS if found[c] != RECORDED[c]] == []
