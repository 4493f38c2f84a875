"""What is counted once for a problem, whichever networks it asks about."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from depthsep.problems import ANY_RELU, Problem

P = ParamSpec("P")
T = TypeVar("T")


def once_for_all_networks(
    count: Callable[Concatenate[Problem, P], T],
) -> Callable[Concatenate[Problem, P], T]:
    """A cached function of a problem that does not read its class of networks."""
    cached = lru_cache(maxsize=64)(count)

    @wraps(count)
    def counted(problem: Problem, *more: P.args, **options: P.kwargs) -> T:
        return cached(replace(problem, networks=ANY_RELU), *more, **options)

    return counted
