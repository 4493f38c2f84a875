"""Surveys of slices and of the box: one after another, or in processes."""

import os
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import ceil
from multiprocessing import TimeoutError, get_context

from depthsep._deadline import deadline, seconds_left
from depthsep._errors import OutOfTimeError
from depthsep.analysis.inspection._plan import Plan
from depthsep.analysis.inspection._region_domains import RegionDomain
from depthsep.analysis.inspection.facts._regions import RegionSurvey

LARGE = 200  # units: slices of fewer are done before a process has started
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
GRACE = 30.0  # seconds after the time of a survey until its process is given up


def surveys(
    domains: Sequence[RegionDomain], plan: Plan, end: float
) -> Iterator[RegionSurvey]:
    """In order; of large networks in processes, if the plan allows more than one.

    Args:
        end: when all have to be done, of the monotonic clock.
    """
    large = any(sum(domain.network.widths) >= LARGE for domain in domains)
    if large and min(plan.jobs, len(domains)) > 1:
        yield from _in_processes(domains, plan, seconds_left(end))
        return
    for k, domain in enumerate(domains):
        yield _survey(plan, seconds_left(end) / (len(domains) - k), domain)


def _survey(plan: Plan, seconds: float, domain: RegionDomain) -> RegionSurvey:
    with deadline(seconds):
        return domain.survey(plan)


def _in_processes(
    domains: Sequence[RegionDomain], plan: Plan, left: float
) -> Iterator[RegionSurvey]:
    jobs = min(plan.jobs, len(domains))
    share = left / ceil(len(domains) / jobs)
    # what a distance is measured to stays here
    asked = replace(plan, target=None, against=None, law=None)
    with _single_threaded():
        workers = get_context("forkserver").Pool(jobs, _leave_to_parent)
    with workers as pool:
        found = pool.imap(partial(_survey, asked, share), domains)
        for _ in domains:
            try:
                yield found.next(timeout=left + GRACE)
            except TimeoutError as error:  # its process was killed
                raise OutOfTimeError(
                    "a slice was not finished in time; allow more seconds"
                ) from error


@contextmanager
def _single_threaded() -> Generator[None]:
    """Processes started here leave the other cores to each other."""
    missing = [name for name in THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, "1"))
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


def _leave_to_parent() -> None:
    """A process of the pool does not answer to Ctrl-C: whoever started it ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
