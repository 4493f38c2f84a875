"""Bars and lines on stderr, where it is a terminal, for work that takes its time."""

import contextlib
import sys
from collections.abc import Iterator
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
    """A bar while something runs that may say how far it is (`depthsep.listening`).

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
