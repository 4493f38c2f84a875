"""A trial's process as its parent sees it: started, asked, timed, buried."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any, BinaryIO, cast

from depthsep.studies._outcome import Outcome, from_message, receive, send

IDLE_EXIT = 86  # of a process that ended because nothing was asked
GRACE = 5.0  # seconds after its limit in which a trial may still end by itself
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
    """One process for trials, one after another, started when it is first needed.

    A trial that crashes takes this process along, never its parent. Ending the parent
    in any way ends it, too.

    Args:
        gpus: 0 keeps JAX on the CPU.
    """

    def __init__(self, gpus: int = 0) -> None:
        self._gpus = gpus
        self._process: subprocess.Popen[bytes] | None = None
        self._said: BinaryIO | None = None
        self._closed = False

    def run(self, work: Mapping[str, Any]) -> Outcome:
        """One attempt; blocks until it ends or is stopped."""
        outcome = self._asked(work)
        if outcome is None:  # it had been idle for long and has just ended
            self._bury()
            outcome = self._asked(work)
        return outcome or Outcome(error="no process for the trial could be started")

    def _asked(self, work: Mapping[str, Any]) -> Outcome | None:
        """One attempt; None if the process ended before it read the trial."""
        begun, was_there = time.monotonic(), self._process is not None
        try:
            process = self._started()
            send(cast(BinaryIO, process.stdin), work, [])
        except OSError:
            return None
        limit = work["limit"]
        end = None if limit is None else begun + limit + GRACE
        answer = None
        if self._answers(process, end):
            answer = receive(cast(BinaryIO, process.stdout))
        elif process.poll() is None:
            self._bury()
            return Outcome(
                error=f"killed {GRACE:g} s after its time limit of {limit:g} s: it did "
                "not stop by itself",
                seconds=time.monotonic() - begun,
            )
        if answer is None:
            crash = self._crashed(process, time.monotonic() - begun)
            is_idle = was_there and process.returncode == IDLE_EXIT
            return None if is_idle else crash
        return from_message(*answer)

    def close(self) -> None:
        """End the process, whatever it does; it is not started again."""
        self._closed = True
        self._bury()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise OSError("the run was stopped")
        if self._process is None or self._process.poll() is not None:
            self._bury()
            self._said = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            self._process = subprocess.Popen(
                [sys.executable, "-m", "depthsep.studies._child"],
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

    def _answers(self, process: subprocess.Popen[bytes], end: float | None) -> bool:
        stdout = process.stdout
        assert stdout is not None
        wait = None if end is None else max(end - time.monotonic(), 0)
        with contextlib.suppress(ValueError, OSError):  # closed meanwhile
            return bool(select.select([stdout], [], [], wait)[0])
        return True

    def _crashed(self, process: subprocess.Popen[bytes], seconds: float) -> Outcome:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        said = self._tail()
        how = _how(process.returncode)
        self._bury()
        lines = f"the trial's process {how}"
        return Outcome(error=f"{lines}\n{said}" if said else lines, seconds=seconds)

    def _tail(self) -> str:
        if self._said is None or self._said.closed:
            return ""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(size - TAIL, 0))
        return self._said.read(TAIL).decode("utf-8", "replace").strip()

    def _bury(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)  # and what the trial started
            with contextlib.suppress(OSError):
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
        if self._said is not None:
            self._said.close()
            self._said = None


def _how(code: int | None) -> str:
    if code is None:
        return "closed its answers"
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
