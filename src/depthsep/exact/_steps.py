"""A limit on work that is counted in steps, so that every machine stops alike."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from depthsep._errors import HypothesisError

MAX_STEPS = 3_000_000
"""Calls of Python functions; sympy makes a few thousand for a usual formula."""


class _OutOfSteps(BaseException):
    """Not an `Exception`, so that nothing on the way catches it."""


@contextmanager
def few_steps(what: str, limit: int = MAX_STEPS) -> Generator[None]:
    """Refuse what takes more than so many function calls.

    Raises:
        HypothesisError: it does; names `what`.
    """
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"
        if count > limit:
            raise _OutOfSteps

    if sys.getprofile() is not None:  # a profiler is at work: it must not be lost
        yield
        return
    sys.setprofile(counted)
    try:
        yield
    except _OutOfSteps:
        raise _refusal(what) from None
    finally:
        sys.setprofile(None)
    if count > limit:  # somebody caught it on the way
        raise _refusal(what)


def _refusal(what: str) -> HypothesisError:
    return HypothesisError(
        f"{what} takes too many steps to simplify; "
        "write it with fewer powers inside powers"
    )
