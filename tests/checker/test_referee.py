"""The referee's suite: proofs that hold are accepted, altered ones refused by both."""

import json
import sys
from contextlib import suppress

import pytest

from depthsep import DepthsepError
from depthsep.witnesses import verify_proof
from support.places import ROOT

sys.path.insert(0, str(ROOT / "checker"))
import referee

COUNT = 8
IN_BOTH = 4  # files that depthsep verifies, too


@pytest.mark.slow
def test_the_checker_is_right_about_the_suite(tmp_path):
    valid, altered = referee.make(tmp_path, COUNT)
    assert valid == COUNT and altered == COUNT * referee.EACH
    assert referee.run(tmp_path) == []
    wrong = sorted((tmp_path / "altered").iterdir())
    for file in wrong[:: len(wrong) // IN_BOTH - 1]:
        with suppress(DepthsepError):  # it cannot be read at all
            assert not verify_proof(file).valid, file
    for file in sorted((tmp_path / "valid").iterdir())[: IN_BOTH // 2]:
        assert verify_proof(file).valid, file


def test_the_suite_is_the_same_every_time(tmp_path):
    for place in ("one", "two"):
        referee.make(tmp_path / place, 2)
    files = [p for p in (tmp_path / "one").rglob("*.json")]
    assert len(files) == 12
    for file in files:
        other = tmp_path / "two" / file.relative_to(tmp_path / "one")
        assert json.loads(file.read_text()) == json.loads(other.read_text())


def test_a_checker_that_believes_everything_is_found_out(tmp_path, capsys):
    referee.make(tmp_path, 2)
    believer = tmp_path / "believer.py"
    believer.write_text("print('valid')\n")
    assert len(referee.run(tmp_path, believer)) == 10
    assert "2 of 12 answers are right" in capsys.readouterr().out
