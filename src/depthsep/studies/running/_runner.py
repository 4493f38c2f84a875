"""The supervisor of trials, seen from the process that asks for them."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import BinaryIO, cast

import msgspec

from depthsep.studies.running._outcome import (
    Outcome,
    Work,
    receive,
    send,
    shortened,
    unpacked,
)

GRACE = 5.0  # seconds after its limit in which a trial may still end by itself
IDLE_EXIT = 86  # of a supervisor that ended because nothing was asked
TAIL = 4000
ONE_THREAD = {
    **dict.fromkeys(
        (
            *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
            *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NPROC"),
        ),
        "1",
    ),
    "JAX_ENABLE_X64": "1",
    "MPLBACKEND": "agg",
    "PYTHONHASHSEED": "0",
}
XLA_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


class Runner:
    """A supervisor of trials, one trial after another, started when first needed.

    A trial that crashes takes its own process along, at most its supervisor, never the
    process that asks. Ending that in any way ends the others, too.

    Args:
        gpus: 0 keeps JAX on the CPU.
    """

    def __init__(self, gpus: int = 0) -> None:
        self._gpus = gpus
        self._process: subprocess.Popen[bytes] | None = None
        self._said: BinaryIO | None = None
        self._closed = False

    def run(self, work: Work) -> Outcome:
        """One attempt; blocks until it ends or is stopped, and raises nothing."""
        begun = time.monotonic()
        try:
            outcome = self._asked(work)
            if outcome is None:  # it had been idle for long and has just ended
                self._end()
                outcome = self._asked(work)
        except Exception as error:  # a file that is closed
            outcome = Outcome(error=f"the trial's answer was lost: {error!r:.200}")
            self._end()
        if outcome is None:
            outcome = Outcome(error="no process for the trial could be started")
        if outcome.seconds == 0:
            return Outcome(error=outcome.error, seconds=time.monotonic() - begun)
        return outcome

    def _asked(self, work: Work) -> Outcome | None:
        """One attempt; None if the supervisor ended before it read the trial."""
        was_there = self._process is not None
        process, limit = self._started(), work.limit
        # the supervisor keeps the time; this is for the case that it is gone, too
        seconds = None if limit is None else limit + 4 * GRACE
        guard = None if seconds is None else threading.Timer(seconds, process.kill)
        if guard is not None:
            guard.daemon = True
            guard.start()
        try:
            send(cast(BinaryIO, process.stdin), msgspec.json.encode(work))
            answer = receive(cast(BinaryIO, process.stdout))
        except BrokenPipeError:
            answer = None
        finally:
            if guard is not None:
                guard.cancel()
        if answer is not None:
            outcome = unpacked(answer)
            return outcome if not outcome.error else self._with_tail(outcome)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        if was_there and process.returncode == IDLE_EXIT:
            return None
        how = how_it_ended(process.returncode)
        outcome = Outcome(error=f"the process that watches over the trial {how}")
        outcome = self._with_tail(outcome)
        self._end()
        return outcome

    def close(self) -> None:
        """End the processes, whatever they do; they are not started again."""
        self._closed = True
        self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError("the run was stopped")
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._said = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            self._process = subprocess.Popen(
                # -P: nothing in the current folder hides a library
                [sys.executable, "-P", "-m", "depthsep.studies.running._supervisor"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env=_environment(self._gpus),
                start_new_session=True,  # a Ctrl-C is for the driver
            )
        assert self._said is not None
        self._said.seek(0)
        self._said.truncate()
        return self._process

    def _with_tail(self, outcome: Outcome) -> Outcome:
        """Add what a trial without a traceback printed last: it may say why."""
        tail = self._tail()
        if not tail or "Traceback" in outcome.error:
            return outcome
        error = shortened(f"{outcome.error}\n{tail}")
        return Outcome(error=error, seconds=outcome.seconds, worker=outcome.worker)

    def _tail(self) -> str:
        if self._said is None or self._said.closed:
            return ""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(size - TAIL, 0))
        said = self._said.read(TAIL).decode("utf-8", "replace")
        return said.replace("\0", "").strip()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)  # it sees that, kills the trial and ends
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                process.kill()
            process.wait()
        if self._said is not None:
            self._said.close()
            self._said = None


def how_it_ended(code: int | None) -> str:
    """An exit code in words; negative ones are signals."""
    if code is None:
        return "closed its output before it answered"
    if code >= 0:
        return f"ended with exit code {code} before it answered"
    with contextlib.suppress(ValueError):
        name = signal.Signals(-code).name
        more = "; memory may have run out" if name == "SIGKILL" else ""
        return f"was killed by {name}{more}"
    return f"was killed by signal {-code}"


def _environment(gpus: int) -> dict[str, str]:
    """One thread a trial, so that as many run as there are cores; float64 in JAX."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} {XLA_ONE_THREAD}".strip()
    found = os.environ | ONE_THREAD | {"XLA_FLAGS": flags}
    return found if gpus else found | {"JAX_PLATFORMS": "cpu"}
