"""The process that trials run in: `python -m depthsep.studies._child`.

It reads trials from standard input and answers on what was standard output; whatever a
job prints goes where its errors go. It ends when its parent does.
"""

import contextlib
import faulthandler
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO

from depthsep._errors import DepthsepError, HypothesisError
from depthsep.studies._outcome import (
    Outcome,
    outcome_of,
    receive,
    send,
    shortened,
    to_message,
)
from depthsep.studies._runner import IDLE_EXIT
from depthsep.studies._study import code_of
from depthsep.studies._table import LAST
from depthsep.studies.jobs import job_named

IDLE_SECONDS = 120.0  # after which it ends; its parent starts another if need be
LIBRARIES = ("depthsep", "numpy", "python-flint", "jax", "jaxlib")


class _TimeIsUp(BaseException):
    """The trial's time limit; no `except Exception` of a job holds it up."""


def main() -> None:
    """Answer one trial after another until the parent is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver says when to stop
    asked = os.fdopen(os.dup(0), "rb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    while _is_asked(asked) and (message := receive(asked)) is not None:
        with _parent_watched(asked):
            outcome = attempt(**message[0])
        send(answers, *to_message(outcome))
    sys.exit(IDLE_EXIT)


def _is_asked(asked: BinaryIO) -> bool:
    """Whether something comes before this process has been idle for too long."""
    return bool(select.select([asked], [], [], IDLE_SECONDS)[0])


@contextlib.contextmanager
def _parent_watched(asked: BinaryIO) -> Iterator[None]:
    """End this process at once if the parent goes while a trial runs."""
    done, told = os.pipe()
    watcher = threading.Thread(target=_watch, args=(asked.fileno(), done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        os.close(told)
        watcher.join()
        os.close(done)


def _watch(parent: int, done: int) -> None:
    # the parent asks nothing while it waits: input means that it is gone
    ready, _, _ = select.select([parent, done], [], [])
    if parent in ready and done not in ready:
        os._exit(1)


def attempt(
    *,
    job: str,
    parameters: Mapping[str, Any],
    seed: int,
    code: str,
    folder: str,
    limit: float | None,
    keep_files: bool,
) -> Outcome:
    """Run a trial; whatever goes wrong is part of the outcome."""
    begun = time.perf_counter()
    try:
        with _limited(limit):
            outcome = _done(job, parameters, seed, code, Path(folder), keep_files)
    except _TimeIsUp:
        said = f"stopped after its time limit of {limit:g} s\n{traceback.format_exc()}"
        outcome = Outcome(error=shortened(said))
    except DepthsepError as error:
        outcome = Outcome(error=shortened(f"{error}\n{traceback.format_exc()}"))
    except (Exception, SystemExit) as error:
        line = traceback.format_exception_only(error)[-1].strip()
        outcome = Outcome(error=shortened(f"{line}\n{traceback.format_exc()}"))
    return replace(
        outcome,
        seconds=time.perf_counter() - begun,
        worker=f"{os.uname().nodename} ({os.getpid()})",
        versions=_versions(),
    )


def _done(
    name: str,
    parameters: Mapping[str, Any],
    seed: int,
    code: str,
    folder: Path,
    keep_files: bool,
) -> Outcome:
    job = job_named(name, folder)
    if code_of(job) != code:
        raise DepthsepError(
            f"this worker has {code_of(job)}, the study asks for {code}; install the "
            "same depthsep and job on all workers"
        )
    result = job.run(dict(parameters), seed)
    taken = [n for n in result.metrics if n in parameters or n in ("seed", *LAST)]
    if taken:
        raise HypothesisError(
            f"the metric {taken[0]!r} is the name of a parameter or a column; rename it"
        )
    return outcome_of(result, keep_files=keep_files)


@contextlib.contextmanager
def _limited(seconds: float | None) -> Iterator[None]:
    """Raise in the trial when its time is up; the parent kills what does not listen."""
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
def _versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0]}
    for name in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


if __name__ == "__main__":
    main()
