"""Bars and lines on stderr, where it is a terminal, for work that takes its time."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from itertools import count
from threading import Timer

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from depthsep._progress import listening

SILENT = 1.0  # seconds before a bar is shown at all


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """A bar while something runs that may say how far it is (`_progress.followed`).

    Until it says so, the bar only shows that time passes.
    """
    if not sys.stderr.isatty():
        yield
        return
    bar = _bar()
    task = bar.add_task(what, total=None)
    timer = Timer(SILENT, bar.start)
    timer.daemon = True
    timer.start()

    def show(share: float, line: str) -> None:
        bar.update(task, total=1.0, completed=share, description=line)

    try:
        with listening(show):
            yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _bar() -> Progress:
    """What is done, its share, the time it took and the time left."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextlib.contextmanager
def progress_over(total: int, what: str) -> Iterator[Callable[[int], None] | None]:
    """A bar for a number of equal steps."""
    with share_of(what) as show:
        done = count(1)
        yield None if show is None else lambda _: show(next(done) / total)


@contextlib.contextmanager
def share_of(what: str) -> Iterator[Callable[[float], None] | None]:
    """A bar for work known by the share that is done, where stderr is a terminal."""
    with share_and_line(what) as show:
        yield None if show is None else lambda share: show(share, what)


@contextlib.contextmanager
def share_and_line(what: str) -> Iterator[Callable[[float, str], None] | None]:
    """A bar with a line on how it goes, and the time left."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar() as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda share, line: bar.update(task, completed=share, description=line)
