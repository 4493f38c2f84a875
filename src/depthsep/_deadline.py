"""One time limit for all that runs inside it, however deep.

Loops that can end early with a wider result ask `end_after` when to do so. Those that
have no result before their end call `check_time`, and whoever set the limit says what
is missing.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

from depthsep._errors import HypothesisError, OutOfTimeError

_limit: ContextVar[float] = ContextVar("limit", default=inf)


@contextmanager
def deadline(seconds: float) -> Generator[None]:
    """What runs inside ends after so long, or when an outer limit ends.

    Raises:
        HypothesisError: a negative number of seconds.
        OutOfTimeError: what runs inside has no result that soon.
    """
    token = _limit.set(end_after(seconds))
    try:
        yield
    finally:
        _limit.reset(token)


def end_after(seconds: float = inf) -> float:
    """When so many seconds are over, or the limit if that is sooner: monotonic time."""
    if not seconds >= 0:
        raise HypothesisError(f"`seconds` is {seconds}; give 0 or more")
    return min(_limit.get(), monotonic() + seconds)


def is_over(limit: float) -> bool:
    """Whether a time that `end_after` gave is past."""
    return monotonic() > limit


def seconds_left(limit: float = inf) -> float:
    """Until a time that `end_after` gave, or the deadline if that is sooner."""
    return max(0.0, min(limit, _limit.get()) - monotonic())


def check_time() -> None:
    """Give up if the limit is over."""
    if is_over(_limit.get()):
        raise OutOfTimeError("no time is left; allow more seconds", parameter="seconds")
