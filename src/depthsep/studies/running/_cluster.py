"""Trials on Dask's workers: on this machine, or wherever a scheduler has some."""

import contextlib
import math
import os
import queue
import re
import threading
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from depthsep._errors import DepthsepError, HypothesisError
from depthsep._extras import needed
from depthsep._plural import plural
from depthsep.studies.running._lost_workers import LostWorkers
from depthsep.studies.running._outcome import Outcome, Work, packed, unpacked
from depthsep.studies.running._runner import Runner

if TYPE_CHECKING:
    from distributed import Client, Future, SpecCluster

CONNECT = 15.0  # seconds to wait for a scheduler
CLOSE = 60.0  # seconds for the workers to end, on a busy machine
HTTP = "127.0.0.1:0"  # any port, for this machine alone
PRELOAD = "depthsep.studies.running._worker_signals"
PATIENCE = "distributed.deploy.lost-worker-timeout"
QUIET = 50  # logging.CRITICAL
FRESH = 2.0  # seconds between questions to the scheduler for its workers
QUEUED = 64  # trials beyond the threads of a cluster, for it to see how many it needs

_runners: dict[tuple[str, int], Runner] = {}  # on a worker, by run and thread


class ClusterPool:
    """Trials on the workers of a scheduler.

    A worker thread keeps a process for the trials it is given (`Runner`), so that a
    trial that crashes does not take the worker along. A worker that vanishes with its
    trial is reported as a loss.

    Args:
        workers: processes to start on this machine, one trial at a time each.
        scheduler: the address of a scheduler to use instead.
        gpus: what a trial needs of the workers' resource GPU.

    Raises:
        HypothesisError: dask is not installed, the scheduler is not there, or has no
            worker with a GPU.
    """

    def __init__(
        self, *, workers: int = 0, scheduler: str | None = None, gpus: int = 0
    ) -> None:
        self._dask = needed("dask", "cluster")
        self._distributed = needed("distributed", "cluster")
        self._gpus, self._run = gpus, uuid.uuid4().hex
        self._cluster: SpecCluster | None = None
        self._lost: LostWorkers | None = None
        self._kept = contextlib.ExitStack()  # settings of dask, until the pool ends
        self._client: Any  # answers at once, or by coroutines: as it was made
        self._ended: queue.Queue[tuple[str, Future]] = queue.Queue()
        self._futures: dict[str, Future] = {}
        self._lock = threading.Lock()
        self._threads, self._asked = 1, -math.inf
        if scheduler is None:
            self._cluster = self._local(workers)
            self._lost = LostWorkers(self._cluster)
            self._client = self._distributed.Client(self._cluster, set_as_default=False)
            # one more a worker, on its way while the one before runs
            self._spare, self.name = (
                workers,
                f"{plural(workers, 'worker')} on this machine",
            )
        else:
            self._client = self._connected(scheduler)
            self._spare, self.name = QUEUED, f"workers of {scheduler}"
        if gpus and not self._has_gpus():
            self.close()
            raise HypothesisError(
                "no worker offers a GPU; start workers with "
                "--resources GPU=1, or remove `gpus` from the study"
            )

    def _local(self, workers: int) -> "SpecCluster":
        devices = _devices() if self._gpus else []
        if self._gpus and not devices:
            raise HypothesisError(
                "the study asks for GPUs, but this machine has none; "
                "remove `gpus` from the study, or give a scheduler",
                parameter="scheduler",
            )
        settings = {
            # a worker that dies is the driver's matter: it counts attempts
            "distributed.scheduler.allowed-failures": 0,
            "distributed.scheduler.worker-saturation": 1.0,
            "distributed.comm.timeouts.connect": "60s",
        }
        with contextlib.ExitStack() as kept, self._dask.config.set(settings):
            # a worker that takes long to start again on a busy machine is not lost
            kept.enter_context(self._dask.config.set({PATIENCE: "10 minutes"}))
            cluster = self._started(devices[:workers] or [None] * workers)
            self._kept = kept.pop_all()
        return cluster

    def _started(self, devices: Sequence[str | None]) -> "SpecCluster":
        """A worker for each device; it sees its own alone and offers it as a resource.

        Keys of this run alone: others on this machine cannot send it work.
        """
        needed("cryptography", "cluster")
        dask, keys = self._distributed, self._distributed.Security.temporary()
        common = {"security": keys, "protocol": "tls://", "host": "127.0.0.1"}
        worker = {
            **common,
            "preload": [PRELOAD],
            "nthreads": 1,
            "memory_limit": 0,
            "silence_logs": QUIET,
        }
        specs = {
            k: {"cls": dask.Nanny, "options": {**worker, **_with_device(device)}}
            for k, device in enumerate(devices)
        }
        options = {**common, "dashboard_address": HTTP}
        return dask.SpecCluster(
            workers=specs,
            scheduler={"cls": dask.Scheduler, "options": options},
            security=keys,
            silence_logs=QUIET,
        )

    def _connected(self, scheduler: str) -> "Client":
        if not re.fullmatch(r"[a-z]+://[^\s/]+", scheduler):
            raise HypothesisError(
                f"the scheduler is {scheduler[:60]!r}; give tcp://HOST:PORT"
            )
        try:
            return self._distributed.Client(
                scheduler, timeout=CONNECT, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise HypothesisError(
                f"there is no scheduler at {scheduler} ({said}); give "
                "tcp://HOST:PORT of a running dask scheduler"
            ) from None

    def _has_gpus(self) -> bool:
        known = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return any(w.get("resources", {}).get("GPU") for w in known)

    def room(self) -> int:
        """The threads that are free, and a few trials more, which wait."""
        if time.monotonic() >= self._asked + FRESH:
            self._threads = max(sum(self._client.nthreads().values()), 1)
            self._asked = time.monotonic()
        with self._lock:
            return self._threads + self._spare - len(self._futures)

    def submit(self, key: str, work: Work) -> None:
        """Hand it to the scheduler."""
        name = f"trial-{key[:16]}-{uuid.uuid4().hex[:8]}"
        future = self._client.submit(
            run_here,
            self._run,
            work,
            self._gpus,
            key=name,
            pure=False,
            resources={"GPU": self._gpus} if self._gpus else None,
        )
        with self._lock:
            self._futures[key] = future
        future.add_done_callback(lambda f: self._ended.put((key, f)))

    def finished(self, timeout: float) -> list[tuple[str, Outcome]]:
        """Every trial that has ended by now."""
        if self._lost is not None:
            self._lost.look()
        found = []
        with contextlib.suppress(queue.Empty):
            key, future = self._ended.get(timeout=timeout)
            found.append((key, self._outcome(key, future)))
            while True:
                key, future = self._ended.get_nowait()
                found.append((key, self._outcome(key, future)))
        if not found and self._client.status not in ("running", "newly-created"):
            raise DepthsepError(
                "the scheduler no longer answers; finished trials are "
                "kept, so run the study again"
            )
        return found

    def _outcome(self, key: str, future: "Future") -> Outcome:
        with self._lock:
            self._futures.pop(key, None)
        try:
            return unpacked(future.result())
        except self._distributed.KilledWorker:
            return Outcome(error="its worker vanished while the trial ran", lost=True)
        except (self._distributed.CancelledError, OSError) as error:
            raise DepthsepError(
                f"the scheduler gave up a trial ({type(error).__name__}); finished "
                "trials are kept, so run the study again"
            ) from error
        except Exception as error:  # whatever Dask or a worker's depthsep raises
            return Outcome(
                error=f"the trial failed on its worker: {type(error).__name__}: {error}"
            )

    def close(self) -> None:
        """Stop this run's trials, and the workers that it started."""
        quiet = contextlib.suppress(Exception)
        with quiet, self._lock:
            self._client.cancel(list(self._futures.values()), force=True)
        with quiet:
            self._client.run(end_runners, self._run, on_error="ignore")
        with quiet:
            self._client.close(timeout=5)
        if self._cluster is not None:
            with quiet:
                self._cluster.close(timeout=CLOSE)
        self._kept.close()


def run_here(run: str, work: Work, gpus: int) -> bytes:
    """Run a trial in the process of this thread, on a worker."""
    here = (run, threading.get_ident())
    runner = _runners.get(here)
    if runner is None:
        runner = _runners[here] = Runner(gpus)
    return packed(runner.run(work))


def end_runners(run: str) -> None:
    """End the processes of a run, on a worker."""
    for here in [known for known in _runners if known[0] == run]:
        _runners.pop(here).close()


def _with_device(device: str | None) -> dict[str, object]:
    if device is None:
        return {}
    return {"resources": {"GPU": 1}, "env": {"CUDA_VISIBLE_DEVICES": device}}


def _devices() -> list[str]:
    """GPUs that this process may use, as CUDA names them."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return [d for d in visible.split(",") if d not in ("", "-1")]
    root = "/proc/driver/nvidia/gpus"
    with contextlib.suppress(OSError):
        return [str(k) for k in range(len(os.listdir(root)))]
    return []
