"""What the page can ask for: generators of events, each a small JSON object."""

from collections.abc import Callable, Iterator
from importlib import import_module

from depthsep._errors import HypothesisError
from depthsep.explore._state import State

Event = dict[str, object]
Job = Callable[[State], Iterator[Event]]
# name: the module of the function of that name, loaded when it is asked for
JOBS = {
    "check": "depthsep.explore._table",
    "table": "depthsep.explore._table",
    "certificate": "depthsep.explore._table",
    "graph": "depthsep.explore._line",
    "why": "depthsep.explore._why",
    "train": "depthsep.explore._training",
    "regions": "depthsep.explore._plane",
    "learner": "depthsep.explore._infinite",
    "kernel": "depthsep.explore._infinite",
    "sampling": "depthsep.explore._infinite",
}


def job_named(name: str) -> Job:
    """The job of a name.

    Raises:
        HypothesisError: there is none.
    """
    if name not in JOBS:
        raise HypothesisError(
            f"there is no job {name[:40]!r}; the jobs are {', '.join(JOBS)}"
        )
    return getattr(import_module(JOBS[name]), name)
