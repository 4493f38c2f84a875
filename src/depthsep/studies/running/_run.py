"""Running a study: what is missing, on a pool, every result kept as it comes."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from depthsep._cores import cores
from depthsep._errors import HypothesisError
from depthsep._extras import is_installed
from depthsep._progress import tell
from depthsep.studies.files._study import Study, Trial
from depthsep.studies.running._cluster import ClusterPool
from depthsep.studies.running._outcome import Outcome, Work
from depthsep.studies.running._pools import Pool, SerialPool, signals_held
from depthsep.studies.store._row import Row
from depthsep.studies.store._store import Store

POLL = 0.5


@dataclass(frozen=True)
class Progress:
    """The state of a run.

    Attributes:
        total: trials of the study.
        done, failed: so far, earlier runs included.
        latest: the trial that ended last; None at the start.
    """

    total: int
    done: int
    failed: int
    latest: Row | None = None

    @property
    def missing(self) -> int:
        """Trials without an answer."""
        return self.total - self.done - self.failed


def store_of(study: Study) -> Path:
    """The place of a study's rows: beside its file."""
    return study.folder / f"{study.name}.sqlite"


def run_study(
    study: Study,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    retry_failed: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Progress:
    """Run the trials that have no result yet; keep each as it ends.

    Results do not depend on where trials run: all run in processes apart from this one,
    with one thread each, functions of users in a fresh one every time.

    Args:
        workers: trials at a time on this machine; as many as cores if not given. 1
            needs no Dask.
        scheduler: the address of a Dask scheduler, whose workers are used instead.
        retry_failed: also those that failed for good.
        progress: called at the start and after every trial that is kept.

    Raises:
        HypothesisError: another run holds the store, no such scheduler, no Dask.
        FileFormatError: the store is damaged, or of a newer depthsep.
        DepthsepError: the scheduler went away; what is done is kept.
    """
    if scheduler is not None and workers is not None:
        raise HypothesisError("give workers or a scheduler, not both")
    if workers is not None and not 1 <= workers <= 4096:
        raise HypothesisError(f"`workers` is {workers}; give 1 to 4096")
    trials = study.trials()
    if not retry_failed and (state := _finished(study, trials)) is not None:
        return state
    with Store(store_of(study), writing=True) as store:
        held = store.meta().get("job", study.job.name)
        if held != study.job.name:
            raise HypothesisError(
                f"{store_of(study)} holds trials of the job {held}; "
                "give this study another name"
            )
        store.set_study(study)
        driver = _Driver(study, trials, store, retry_failed, progress)
        if driver.waiting:
            pool = None
            try:
                with signals_held():  # until the pool is there to be closed
                    pool = _pool(study, len(driver.waiting), workers, scheduler)
                driver.drive(pool)
            finally:
                if pool is not None:
                    with signals_held():
                        pool.close()
        return driver.state()


def _finished(study: Study, trials: list[Trial]) -> Progress | None:
    """The end, if nothing is missing: then no byte of the store changes."""
    place = store_of(study)
    if not place.is_file() or not place.stat().st_size:
        return None
    with Store(store_of(study)) as store:
        driver = _Driver(study, trials, store, False, None)
        as_it_was = store.meta().get("text") == study.text
    return driver.state() if as_it_was and not driver.waiting else None


def missing(
    study: Study,
    trials: Iterable[Trial],
    known: Mapping[str, Row],
    *,
    retry_failed: bool = False,
) -> list[Trial]:
    """List what a run would do: trials without a result that have an attempt left."""

    def is_missing(row: Row | None) -> bool:
        if row is None or row.is_done:
            return row is None
        return retry_failed or row.attempts <= study.retries

    return [trial for trial in trials if is_missing(known.get(trial.key))]


def _pool(
    study: Study, missing: int, workers: int | None, scheduler: str | None
) -> Pool:
    if scheduler is not None:
        return ClusterPool(scheduler=scheduler, gpus=study.gpus)
    has_dask = all(map(is_installed, ("distributed", "cryptography")))
    count = workers if workers is not None else (cores() if has_dask else 1)
    count = min(count, missing)
    if count == 1 and (workers is None or workers == 1 or not has_dask):
        return SerialPool(study.gpus)
    return ClusterPool(workers=count, gpus=study.gpus)


class _Driver:
    """One run, while it lasts."""

    def __init__(
        self,
        study: Study,
        trials: list[Trial],
        store: Store,
        retry_failed: bool,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.study, self.store, self.progress = study, store, progress
        self.trials = {trial.key: trial for trial in trials}
        known = store.of(trials)
        todo = missing(study, trials, known, retry_failed=retry_failed)
        self.waiting = deque(trial.key for trial in todo)
        self.attempts = {key: row.attempts for key, row in known.items()}
        # what this run adds: all retries anew for those that had used them up
        self.budget = {
            key: study.retries + 1 - (self.attempts.get(key, 0) % (study.retries + 1))
            for key in self.waiting
        }
        self.status = {
            key: row.status for key, row in known.items() if key not in self.budget
        }
        self.running: set[str] = set()
        self.lost: set[str] = set()
        self.suspects: deque[str] = deque()
        self._say(None)

    def state(self, latest: Row | None = None) -> Progress:
        """The state of the run."""
        done = sum(status == "done" for status in self.status.values())
        failed = len(self.status) - done
        return Progress(len(self.trials), done, failed, latest)

    def drive(self, pool: Pool) -> None:
        """Run all that wait; those whose worker vanished last, and alone."""
        while self.waiting or self.running or self.suspects:
            if self.waiting:
                for _ in range(min(pool.room(), len(self.waiting))):
                    self._submit(pool, self.waiting.popleft())
            elif self.suspects and not self.running and pool.room() > 0:
                self._submit(pool, self.suspects.popleft())
            for key, outcome in pool.finished(POLL):
                alone = self.running == {key} and not self.waiting
                self.running.discard(key)
                self._keep(key, outcome, alone)

    def _submit(self, pool: Pool, key: str) -> None:
        self.running.add(key)
        pool.submit(key, work_of(self.study, self.trials[key]))

    def _keep(self, key: str, outcome: Outcome, alone: bool) -> None:
        if outcome.lost and not alone:
            # perhaps another trial's doing: ask it again, and the next time alone
            (self.suspects if key in self.lost else self.waiting).append(key)
            self.lost.add(key)
            return
        self.attempts[key] = self.attempts.get(key, 0) + 1
        self.budget[key] -= 1
        row = self.store.put(
            row_of(self.trials[key], outcome, self.attempts[key]), outcome.files
        )
        if row.is_done or self.budget[key] <= 0:
            self.status[key] = row.status
            self._say(row)
        elif outcome.lost:
            self.suspects.append(key)
        else:
            self.waiting.append(key)

    def _say(self, row: Row | None) -> None:
        state = self.state(row)
        if self.progress is not None:
            self.progress(state)
        tell(state.done / max(state.total, 1), f"trials of {self.study.name}")


def work_of(study: Study, trial: Trial) -> Work:
    """Describe a trial to a worker."""
    partial = store_of(study).absolute().with_suffix(".partial") / trial.key[:24]
    return Work(
        trial.job,
        trial.parameters,
        trial.seed,
        trial.code,
        os.fsencode(study.folder.absolute()),
        study.time_limit,
        study.keep_files,
        os.fsencode(partial),
    )


def row_of(trial: Trial, outcome: Outcome, attempts: int) -> Row:
    """The row of an attempt."""
    return Row(
        key=trial.key,
        job=trial.job,
        parameters=trial.parameters,
        seed=trial.seed,
        code=trial.code,
        status="failed" if outcome.error else "done",
        metrics=outcome.metrics,
        rigours=outcome.rigours,
        failure=outcome.error,
        attempts=attempts,
        seconds=outcome.seconds,
        worker=outcome.worker,
        versions=outcome.versions,
    )
