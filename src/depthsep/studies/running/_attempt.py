"""One attempt at a trial, in the process that it runs in."""

import contextlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Generator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from depthsep._errors import DepthsepError, HypothesisError
from depthsep.jobs import job_named, keeping_at
from depthsep.studies.files._study import code_of
from depthsep.studies.running._outcome import Outcome, Work, outcome_of, shortened
from depthsep.studies.tables._table import LAST

LIBRARIES = ("depthsep", "numpy", "python-flint", "jax", "jaxlib")


class _TimeIsUp(BaseException):
    """The trial's time limit; no `except Exception` of a job holds it up."""


def attempt(work: Work) -> Outcome:
    """Run a trial; whatever goes wrong is part of the outcome."""
    begun = time.perf_counter()
    try:
        place = Path(os.fsdecode(work.partial))
        with _limited(work.limit), keeping_at(place):
            outcome = _done(work)
    except _TimeIsUp:
        said = f"stopped after its time limit of {work.limit:g} s"
        outcome = Outcome(error=shortened(f"{said}\n{traceback.format_exc()}"))
    except DepthsepError as error:
        outcome = Outcome(error=shortened(f"{error}\n{traceback.format_exc()}"))
    except BaseException as error:  # also KeyboardInterrupt, raised by a job
        line = traceback.format_exception_only(error)[-1].strip()
        outcome = Outcome(error=shortened(f"{line}\n{traceback.format_exc()}"))
    return replace(
        outcome,
        seconds=time.perf_counter() - begun,
        worker=f"{os.uname().nodename} ({os.getpid()})",
        versions=versions(),
    )


def _done(work: Work) -> Outcome:
    job = job_named(work.job, Path(os.fsdecode(work.folder)))
    if code_of(job) != work.code:
        raise DepthsepError(
            f"this worker has {code_of(job)}, but the study asks for {work.code}; "
            "install the same depthsep and job on all workers"
        )
    result = job.run(dict(work.parameters), work.seed)
    columns = (*work.parameters, "seed", *LAST)
    taken = [name for name in result.metrics if name in columns]
    if taken:
        raise HypothesisError(
            f"the metric {taken[0]!r} has the name of a parameter or a "
            "column; rename it"
        )
    return outcome_of(result, keep_files=work.keep_files)


@contextlib.contextmanager
def _limited(seconds: float | None) -> Generator[None, None, None]:
    """Raise in the trial when its time is up; the supervisor kills what goes on."""
    if seconds is None:
        yield
        return

    def ring(*_: object) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@lru_cache
def versions() -> dict[str, str]:
    """The versions of Python and of the libraries that results rest on."""
    found = {"python": sys.version.split()[0]}
    for name in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
