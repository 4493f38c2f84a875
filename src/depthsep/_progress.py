"""Long work says how far it is; who listens shows it.

What works calls `tell`, or `followed` around its longest loop, without knowing who
listens. A terminal does, through `listening`; notebooks do of themselves.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import TypeVar

Listener = Callable[[float, str], None]
Step = TypeVar("Step")

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
TIMES = 1000  # a loop reports at most so often
NOTEBOOKS = "depthsep.reports.displays"


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Call `listener(share, what)` while work inside goes on, share from 0 to 1.

    >>> from depthsep import Problem, listening, separate
    >>> shares = []
    >>> with listening(lambda share, what: shares.append(share)):
    ...     table = separate(Problem("square", accuracy="1e-2"), depths=[2, 3])
    >>> min(shares) >= 0 and max(shares) <= 1
    True
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(share: float, what: str) -> None:
    """Whoever listens hears that this share of the work is done."""
    if (listener := _heard_by()) is not None:
        listener(share, what)


def followed(
    steps: Iterable[Step], total: int, what: str | Callable[[Step], str]
) -> Iterator[Step]:
    """The same steps, about `total` of them; whoever listens hears how many are done.

    A loop inside a step counts as its share of that step.

    Args:
        what: the line that is shown; if it depends on the step, it is shown before the
            lines of loops inside.
    """
    listener = _heard_by()
    if listener is None:
        yield from steps
        return
    done, every, words = 0, max(1, total // TIMES), ""

    def inside(share: float, line: str) -> None:
        shown = f"{words}: {line}" if callable(what) and line else line or words
        listener(min((done + share) / max(total, 1), 1.0), shown)

    token = _listener.set(inside)
    try:
        for done, step in enumerate(steps):
            if done % every == 0:
                words = what(step) if callable(what) else what
                inside(0.0, "")
            yield step
    finally:
        if _listener.get() is inside:  # a loop that is given up may end much later
            _listener.reset(token)


def _heard_by() -> Listener | None:
    """Who listens: what was set, or the notebook that this runs in."""
    if (listener := _listener.get()) is not None or "ipykernel" not in sys.modules:
        return listener
    return import_module(NOTEBOOKS).notebook_listener()
