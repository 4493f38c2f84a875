"""Workers of this machine that dask does not start again.

A nanny restarts a worker that dies, but not one that dies while it starts, nor one
whose start failed, and its cluster drops it where that takes long: on a busy machine
all may be gone, and trials would wait forever.
"""

import contextlib
import time
from typing import TYPE_CHECKING

from depthsep._errors import DepthsepError

if TYPE_CHECKING:
    from distributed import Nanny, SpecCluster

LOOK = 5.0  # seconds between two looks
GONE = 300.0  # seconds without any worker, after which none is expected


class LostWorkers:
    """Looks after the workers of a cluster on this machine."""

    def __init__(self, cluster: "SpecCluster") -> None:
        self._cluster, self._count = cluster, len(cluster.workers)
        self._dead: set[object] = set()
        self._looked = self._seen = time.monotonic()

    def look(self) -> None:
        """Replace those that are missing, or had no process at two looks in a row.

        Raises:
            DepthsepError: none has lived for `GONE` seconds.
        """
        now = time.monotonic()
        if now < self._looked + LOOK:
            return
        self._looked, workers = now, self._cluster.workers
        dead = {name for name, nanny in workers.items() if not _lives(nanny)}
        if len(dead) < len(workers):
            self._seen = now
        if now > self._seen + GONE:
            raise DepthsepError(
                "workers can no longer be started on this machine; "
                "finished trials are kept, so run the study again"
            )
        again, loop = dead & self._dead, self._cluster.loop
        for name in again:
            nanny = workers.pop(name)
            if loop is not None:
                loop.add_callback(_closed, nanny)
        if len(workers) < self._count:
            self._cluster.scale(self._count)
        self._dead = dead - again


def _lives(nanny: "Nanny") -> bool:
    process = nanny.process
    return process is not None and process.status.name in ("starting", "running")


async def _closed(nanny: "Nanny") -> None:
    with contextlib.suppress(Exception):  # whatever state it was left in
        await nanny.close()
