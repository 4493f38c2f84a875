"""Long work says how far it is; who listens shows it.

What works calls `followed` around its longest loop, without knowing who listens. Only
a terminal does, through `listening`.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[float, str], None]
Step = TypeVar("Step")

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
TIMES = 1000  # a loop reports at most so often


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Call `listener(share, what)` while work inside goes on, share from 0 to 1."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def followed(steps: Iterable[Step], total: int, what: str) -> Iterator[Step]:
    """The same steps, about `total` of them; whoever listens hears how many are done.

    A loop inside a step counts as its share of that step.
    """
    listener = _listener.get()
    if listener is None:
        yield from steps
        return
    done, every = 0, max(1, total // TIMES)

    def inside(share: float, line: str) -> None:
        listener(min((done + share) / max(total, 1), 1.0), line)

    token = _listener.set(inside)
    try:
        for done, step in enumerate(steps):
            if done % every == 0:
                inside(0.0, what)
            yield step
    finally:
        _listener.reset(token)
