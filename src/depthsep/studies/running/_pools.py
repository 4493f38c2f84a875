"""Places where trials run: one process after another, or Dask's workers."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Generator
from typing import Protocol

from depthsep.studies.running._outcome import Outcome, Work
from depthsep.studies.running._runner import Runner


class Pool(Protocol):
    """A place where trials run, as the driver needs it."""

    name: str

    def room(self) -> int:
        """The number of trials that may be submitted now."""
        ...

    def submit(self, key: str, work: Work) -> None:
        """Start a trial, or queue it."""
        ...

    def finished(self, timeout: float) -> list[tuple[str, Outcome]]:
        """Trials that ended since the last call; waits for one, up to `timeout`."""
        ...

    def close(self) -> None:
        """Stop whatever runs."""
        ...


class SerialPool:
    """One trial at a time, in a process of its own."""

    name = "one process"

    def __init__(self, gpus: int = 0) -> None:
        self._runner = Runner(gpus)
        self._thread: threading.Thread | None = None
        self._ended: list[tuple[str, Outcome]] = []

    def room(self) -> int:
        """1, or 0 while a trial runs."""
        return 0 if self._thread is not None else 1

    def submit(self, key: str, work: Work) -> None:
        """Start it, in the background so that the caller can be interrupted."""

        def body() -> None:
            self._ended.append((key, self._runner.run(work)))

        self._thread = threading.Thread(target=body, daemon=True)
        self._thread.start()

    def finished(self, timeout: float) -> list[tuple[str, Outcome]]:
        """The one trial, if it has ended."""
        if self._thread is None:
            time.sleep(timeout)
            return []
        self._thread.join(timeout)
        if self._thread.is_alive():
            return []
        self._thread, found, self._ended = None, self._ended, []
        return found

    def close(self) -> None:
        """Stop the trial."""
        self._runner.close()


@contextlib.contextmanager
def signals_held() -> Generator[None, None, None]:
    """Put SIGINT and SIGTERM off until the block has ended, in the main thread.

    SIGINT is blocked, also in threads that the block starts, so that this one gets it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda kind, _: came.append(kind))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    for kind in came:
        os.kill(os.getpid(), kind)
