"""Bars and lines on stderr for work that takes its time."""

import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Event, Thread, Timer
from time import monotonic
from typing import Protocol

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
EVERY = 10.0  # seconds between lines where there is no terminal


class Waiting(Protocol):
    """Shows on stderr that something runs, and how far it is."""

    def aside(self) -> AbstractContextManager[None]:
        """Makes room for what is printed meanwhile."""
        ...


@contextmanager
def waiting(what: str) -> Generator[Waiting]:
    """A bar while something runs that may say how far it is (`depthsep.listening`).

    Until it says so, the bar only shows that time passes. Where stderr is no terminal,
    it is a line every ten seconds.
    """
    shown = _Bar(what) if sys.stderr.isatty() else _Lines(what)
    try:
        with listening(shown.show):
            yield shown
    finally:
        shown.end()


class _Bar:
    """A bar that appears after a second and goes when the work is done."""

    def __init__(self, what: str) -> None:
        self.bar = _bar()
        self.task = self.bar.add_task(what, total=None)
        self.timer = Timer(SILENT, self.bar.start)
        self.timer.daemon = True
        self.timer.start()

    def show(self, share: float, line: str) -> None:
        self.bar.update(self.task, total=1.0, completed=share, description=line)

    @contextmanager
    def aside(self) -> Generator[None]:
        was_shown = self.bar.live.is_started
        self.bar.stop()
        yield
        if was_shown:
            self.bar.start()

    def end(self) -> None:
        self.timer.cancel()
        self.timer.join()
        self.bar.stop()


class _Lines:
    """What is going on and how far it is, every ten seconds, from a thread."""

    def __init__(self, what: str) -> None:
        self.share, self.line, self.started = 0.0, what, monotonic()
        self.ended = Event()
        Thread(target=self._run, daemon=True).start()

    def show(self, share: float, line: str) -> None:
        self.share, self.line = share, line or self.line

    def aside(self) -> AbstractContextManager[None]:
        return nullcontext()

    def end(self) -> None:
        self.ended.set()

    def _run(self) -> None:
        while not self.ended.wait(EVERY):
            seconds = monotonic() - self.started
            done = f" {self.share:.0%}," if self.share else ""
            print(f"{self.line}:{done} {seconds:.0f} s", file=sys.stderr, flush=True)


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
