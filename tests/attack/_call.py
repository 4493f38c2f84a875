"""Run the command line in this process, bounded in time, and see how it behaves."""

import contextlib
import io
import json
import re
import shlex
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRESS = re.compile(r": (\d+%, )?\d+ s$")
LONGEST = 60.0
"""Seconds of processor time after which a call is stopped and reported."""


class Stopped(BaseException):
    """The time of a call is over; no `except Exception` catches it."""


@dataclass(frozen=True)
class Answer:
    """What a command did: exit code (None if an exception escaped) and what it said."""

    command: str
    code: int | None
    out: str
    err: str
    crash: str
    seconds: float

    @property
    def document(self) -> Any:
        """The JSON document on stdout; None if it is none."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def fault(self) -> tuple[str, str] | None:
        """What no command may do, whatever it is asked: a short name and details."""
        if self.crash:
            return "traceback" if self.crash != "slow" else "slow", self.crash
        if self.code not in (0, 1, 2):
            return "exit code", f"exit code {self.code}"
        said = self.err.strip().splitlines()
        lines = [line for line in said if not PROGRESS.search(line)]
        if self.code and len(lines) != 1:
            return "stderr", f"exit code {self.code}, {len(lines)} lines: {lines[:3]}"
        if not self.code and lines:
            return "stderr", f"exit code 0, but stderr says {lines[:3]}"
        if self.code == 0 and "--json" in self.command and self.document is None:
            return "json", "stdout is no JSON document"
        return None


def call(*arguments: str, seconds: float = LONGEST) -> Answer:
    """`depthsep` with these arguments."""
    from depthsep.cli import main

    out, err = io.StringIO(), io.StringIO()
    code, crash, start = None, "", time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with stopped_after(seconds):
                main(list(arguments))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except Stopped:
            crash = "slow"
        except Exception as error:
            crash = gist(error)
    spent = time.process_time() - start
    command = "depthsep " + shlex.join(arguments)
    return Answer(command, code, out.getvalue(), err.getvalue(), crash, spent)


@contextlib.contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise `Stopped` after so much processor time, wherever the code then is."""

    def stop(*_: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def gist(error: BaseException) -> str:
    """The kind of an exception and the line of the library that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if "depthsep" in f.filename] or list(frames)
    last = inside[-1]
    text = " ".join(str(error).split())[:120]
    where = f"{Path(last.filename).name}:{last.name}"
    return f"{type(error).__name__} in {where}: {text}"
