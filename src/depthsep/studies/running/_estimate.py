"""Estimates of the time that is left: a model of the job, fitted to done trials."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from depthsep._plural import plural
from depthsep.studies.files._study import Study, Trial
from depthsep.studies.store._row import Row


@dataclass(frozen=True)
class Estimate:
    """Seconds of work, of one worker: rough.

    Attributes:
        seconds: of all trials that are missing; None if nothing is known.
        basis: where it comes from, in words.
    """

    seconds: float | None
    basis: str


def estimate(
    study: Study, missing: Iterable[Trial], known: Mapping[str, Row]
) -> Estimate:
    """Estimate the time of missing trials, from a model of the job and done trials."""
    model, trials = study.job.seconds, list(missing)
    done = [row for row in known.values() if row.is_done]
    measured = np.array([row.seconds for row in done])
    if model is None:
        if not len(done):
            return Estimate(None, "it is not known how long a trial takes")
        mean = float(measured.mean())
        return Estimate(
            mean * len(trials),
            f"from {plural(len(done), 'trial')} already done",
        )
    wanted = sum(model(trial.parameters) for trial in trials)
    if len(done) < 3:
        return Estimate(wanted, "from a rough model of the job")
    expected = np.array([model(row.parameters) for row in done])
    factor = float(measured.sum() / expected.sum())
    return Estimate(
        wanted * factor,
        f"from a model fitted to {plural(len(done), 'trial')} already done",
    )
