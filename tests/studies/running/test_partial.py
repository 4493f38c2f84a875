"""Long trials go on from what a killed attempt left, and leave nothing behind."""

from dataclasses import replace

import pytest

from depthsep import listening
from depthsep.jobs import keeping_at, partial_folder
from depthsep.jobs.learning import _radial
from depthsep.studies import read_study
from depthsep.studies.running._attempt import attempt
from depthsep.studies.running._run import work_of

TEXT = """\
job = "learn radial"
[fixed]
dim = 4
width = 32
pairs = 128
time = 5.0
records = 10
"""


class Killed(BaseException):
    """As a signal would."""


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setattr(_radial, "LONG", 0.0)
    monkeypatch.setattr(_radial, "EVERY", 0.0)
    (tmp_path / "s.toml").write_text(TEXT)
    study = read_study(tmp_path / "s.toml")
    return work_of(study, study.trials()[0])


def stop(share, line):
    if share > 0.5:
        raise Killed


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_as_an_undisturbed_one(work, tmp_path):
    place = tmp_path / "s.partial"
    undisturbed = attempt(replace(work, partial=str(tmp_path / "o").encode()))
    with listening(stop):
        first = attempt(work)
    assert "Killed" in first.error
    (folder,) = place.iterdir()
    assert (folder / "checkpoint.eqx").is_file()
    records = []
    with listening(lambda share, line: records.append(share)):
        second = attempt(work)
    assert not second.error and 0 < len(records) < 11
    assert second.metrics == undisturbed.metrics
    assert not place.exists() and not (tmp_path / "o").exists()


def test_short_runs_keep_nothing(work, tmp_path, monkeypatch):
    monkeypatch.setattr(_radial, "LONG", 1e9)
    with listening(stop):
        assert "Killed" in attempt(work).error
    assert not (tmp_path / "s.partial").exists()


def test_there_is_no_folder_outside_of_a_trial_or_where_none_can_be_made(tmp_path):
    assert partial_folder() is None
    (tmp_path / "file").write_text("")
    with keeping_at(tmp_path / "file" / "below"):
        assert partial_folder() is None
    with keeping_at(tmp_path / "a" / "b"):
        assert partial_folder() == tmp_path / "a" / "b"
        assert (tmp_path / "a" / "b").is_dir()
    assert not (tmp_path / "a").exists() and tmp_path.exists()
