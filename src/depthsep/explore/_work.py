"""Work in a process of its own: bounded, and gone when nobody waits for it."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

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
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    try:
        for event in job_named(name)(state):
            out.send_bytes(msgspec.json.encode(event))
        out.send_bytes(b'{"done":true}')
    except DepthsepError as error:
        out.send_bytes(_failed(str(error)))
    except MemoryError:
        out.send_bytes(_failed("out of memory; ask for less"))
    except BrokenPipeError:
        pass


def _failed(words: str) -> bytes:
    return msgspec.json.encode({"error": " ".join(words.split())})


@contextmanager
def working(name: str, state: State) -> Iterator[tuple[BaseProcess, Connection]]:
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
