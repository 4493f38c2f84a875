"""Names of trials: what is stored is found again when a job gains a parameter."""

from dataclasses import replace
from pathlib import Path

from depthsep.jobs import job_named
from depthsep.studies import Study

VALUES = {"dim": 4, "width": 8}


def keys(job, **more):
    study = Study("s", job, fixed=VALUES | more, seeds=(0, 1))
    return [trial.key for trial in study.trials()]


def test_an_added_parameter_leaves_names_as_they_were():
    job = job_named("learn radial", Path())
    added = [p.name for p in job.parameters if p.added]
    assert "measure" in added
    kept = [p for p in job.parameters if not p.added]
    before = replace(job, parameters=tuple(kept), check=lambda _: None)
    assert keys(job) == keys(before) and len(set(keys(job))) == 2


def test_an_added_parameter_that_is_used_is_part_of_the_name():
    job = job_named("learn radial", Path())
    assert not set(keys(job)) & set(keys(job, measure="chi:D:3"))
    assert keys(job, measure="chi:D:3") != keys(job, measure="chi:D:4")


def test_other_defaults_are_part_of_the_name():
    job = job_named("learn radial", Path())
    changed = [
        replace(p, default=0.7) if p.name == "alpha" else p for p in job.parameters
    ]
    assert not set(keys(job)) & set(keys(replace(job, parameters=tuple(changed))))
