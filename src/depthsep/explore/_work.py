"""Work in a process of its own: bounded, and gone when nobody waits for it."""

import os
import resource
import signal
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread

import msgspec

from depthsep._errors import DepthsepError
from depthsep.explore._jobs import job_named
from depthsep.explore._state import State

MEMORY = 8 << 30  # bytes of address space
SECONDS = 900  # of processor time
LOADED = ("depthsep.explore._table", "depthsep.explore._line")
context = get_context("forkserver")
context.set_forkserver_preload([*LOADED, "depthsep.explore._work"])


def work(name: str, state: State, out: Connection) -> None:
    """Send every event of a job as JSON; errors are one line, as an event."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    Thread(target=_end_with_parent, daemon=True).start()
    memory = min(MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 3)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    try:
        for event in job_named(name)(state):
            out.send_bytes(msgspec.json.encode(event))
        out.send_bytes(b'{"done":true}')
    except DepthsepError as error:
        out.send_bytes(_failed(str(error)))
    except MemoryError:
        out.send_bytes(
            _failed(
                "out of memory; allow a larger error, or ask for fewer "
                "depths or a smaller width"
            )
        )
    except BrokenPipeError:
        pass
    except Exception as error:
        out.send_bytes(
            _failed(f"a bug in depthsep ({type(error).__name__}); report it")
        )
        raise


def _end_with_parent() -> None:
    """Go when the server is gone, however it went."""
    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(1)


def _failed(words: str) -> bytes:
    return msgspec.json.encode({"error": " ".join(words.split())})


@contextmanager
def working(
    name: str, state: State
) -> Generator[tuple[BaseProcess, Connection], None, None]:
    """A process that does a job, and where its events come out; ended at the end."""
    events, out = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(name, state, out), daemon=True)
    process.start()
    out.close()
    try:
        yield process, events
    finally:
        process.kill()
        process.join()
        events.close()
