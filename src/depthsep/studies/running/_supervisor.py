"""The process that watches over trials.

Run as `python -m depthsep.studies.running._supervisor`.

It runs no job itself: it forks a process for trials, reads what that says, keeps its
time, and kills it with all that it has started when its time or its parent's is over.
Functions of users get a fresh process for every trial, so that none finds what another
left behind; named jobs share one, so that what JAX compiled is used again.
"""

import contextlib
import ctypes
import faulthandler
import os
import select
import signal
import sys
import time
from typing import NoReturn

import msgspec

from depthsep.studies.running._attempt import attempt, versions
from depthsep.studies.running._outcome import (
    GARBLED,
    Outcome,
    Work,
    complete,
    packed,
    receive,
    send,
)
from depthsep.studies.running._runner import GRACE, IDLE_EXIT, how_it_ended

IDLE_SECONDS = 120.0  # after which it ends; its parent starts another if need be
LOOK = 0.2  # seconds between looks at a process that says nothing
MOST_SAID = 1 << 26  # bytes of what a trial prints that are kept
DIE_WITH_PARENT = 1  # prctl(PR_SET_PDEATHSIG, ...)


def main() -> None:
    """Answer one trial after another until the parent is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    asked = os.fdopen(os.dup(0), "rb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver says when to stop
    versions()  # found once, for all processes to come
    process: _Process | None = None
    while select.select([asked], [], [], IDLE_SECONDS)[0]:
        message = receive(asked)
        if message is None:
            break
        process = process or _Process((asked.fileno(), answers.fileno()))
        outcome = process.run(_work(message), asked.fileno())
        if process.is_spent:
            process = process.end()
        send(answers, packed(outcome))
    if process is not None:
        process.end()
    sys.exit(IDLE_EXIT)


def _work(message: bytes) -> Work:
    return msgspec.json.decode(message, type=Work)


class _Process:
    """A forked process for trials, with pipes of its own.

    Args:
        secret: files that it closes: the supervisor's talk with its parent.
    """

    def __init__(self, secret: tuple[int, ...]) -> None:
        self.is_spent = False
        self._code: int | None = None
        theirs_in, self._ask = os.pipe()
        self._answer, theirs_out = os.pipe()
        self._id = os.fork()
        if self._id == 0:
            for file in (*secret, self._ask, self._answer):
                os.close(file)
            _serve(theirs_in, theirs_out)
        with contextlib.suppress(OSError):  # whoever of the two comes first
            os.setpgid(self._id, self._id)
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(self._answer, False)

    def run(self, work: Work, parent: int) -> Outcome:
        """One attempt; ends this very process if the parent goes meanwhile."""
        self.is_spent = ":" in work.job
        begun, limit = time.monotonic(), work.limit
        end = None if limit is None else begun + limit + GRACE
        try:
            with os.fdopen(os.dup(self._ask), "wb") as stream:
                send(stream, msgspec.json.encode(work))
        except OSError:  # it died before it read
            pass
        said = bytearray()
        while True:
            is_over = self._read(said, parent)
            found = complete(said)
            if found is not None:
                self.is_spent |= found.error == GARBLED
                return found
            spent = time.monotonic() - begun
            if is_over:
                self.is_spent = True
                error = f"the trial's process {how_it_ended(self._code)}"
                return Outcome(error=error, seconds=spent)
            if end is not None and time.monotonic() > end:
                self.is_spent = True
                error = (
                    f"killed {GRACE:g} s after its time limit of {limit:g} s: it did "
                    "not stop by itself"
                )
                return Outcome(error=error, seconds=spent)

    def _read(self, said: bytearray, parent: int) -> bool:
        """Take in what is said; whether the process is over."""
        is_over = self._has_ended()
        ready = select.select([self._answer, parent], [], [], 0 if is_over else LOOK)[0]
        if parent in ready:  # nothing is asked while a trial runs: it is gone
            self.end()
            os._exit(1)
        if self._answer in ready:
            with contextlib.suppress(BlockingIOError):
                while part := os.read(self._answer, 1 << 20):
                    said += part
                if not is_over:
                    time.sleep(LOOK)  # it closed its side: it ends, or will be killed
        if os.fstat(2).st_size > MOST_SAID:
            os.ftruncate(2, 0)
        return is_over

    def _has_ended(self) -> bool:
        if self._code is None:
            with contextlib.suppress(ChildProcessError):
                number, status = os.waitpid(self._id, os.WNOHANG)
                self._code = os.waitstatus_to_exitcode(status) if number else None
        return self._code is not None

    def end(self) -> None:
        """Kill it, and whatever of its group is left."""
        with contextlib.suppress(OSError):
            os.killpg(self._id, signal.SIGKILL)
        if self._code is None:
            with contextlib.suppress(OSError):
                os.waitpid(self._id, 0)
        for file in (self._ask, self._answer):
            with contextlib.suppress(OSError):
                os.close(file)


def _serve(asked: int, answers: int) -> NoReturn:
    """The forked process: trials, one after another, until it is killed."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    with contextlib.suppress(OSError, AttributeError):  # Linux
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    faulthandler.enable()
    own = os.getpid()
    try:
        with os.fdopen(asked, "rb", buffering=0) as stream:
            while (message := receive(stream)) is not None:
                outcome = attempt(_work(message))
                if os.getpid() != own:  # a job forked, and this is the copy
                    os._exit(0)
                with os.fdopen(os.dup(answers), "wb") as out:
                    send(out, packed(outcome))
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
