"""Workers that dask does not start again are replaced."""

import os
import signal
import time
from types import SimpleNamespace

import pytest

pytest.importorskip("distributed", reason="depthsep[cluster] is not installed")
from distributed import Status

from depthsep import DepthsepError
from depthsep.studies import read_study
from depthsep.studies.running import _lost_workers
from depthsep.studies.running._cluster import ClusterPool
from depthsep.studies.running._lost_workers import LostWorkers
from depthsep.studies.running._run import work_of


@pytest.fixture(scope="module")
def pool():
    made = ClusterPool(workers=1)
    yield made
    made.close()


def lost(cluster):
    """As if its worker had died while it started: its nanny does nothing then."""
    (nanny,) = cluster.workers.values()
    nanny.status = Status.starting
    os.kill(nanny.pid, signal.SIGKILL)
    # a trial sent to it before the scheduler knows would be lost with it
    until = time.monotonic() + 60
    while cluster.scheduler.workers and time.monotonic() < until:
        time.sleep(0.02)
    return nanny


def dropped(cluster):
    """As its cluster does where a worker takes long to start again."""
    (nanny,) = cluster.workers.values()
    cluster.sync(nanny.close)
    cluster.workers.clear()
    return nanny


@pytest.mark.slow
@pytest.mark.parametrize("given_up", [lost, dropped])
def test_a_trial_is_run_though_its_worker_was_given_up(pool, tmp_path, given_up):
    cluster = pool._cluster
    first = given_up(cluster)
    place = tmp_path / "study.toml"
    place.write_text('job = "maurey"\n[fixed]\ndim = 1\n[grid]\nwidth = [2]\n')
    study = read_study(place)
    (trial,) = study.trials()
    pool.submit(trial.key, work_of(study, trial))
    found, until = [], time.monotonic() + 300
    while not found and time.monotonic() < until:
        found = pool.finished(0.5)
    ((key, outcome),) = found
    assert key == trial.key and not outcome.error, outcome.error
    (second,) = cluster.workers.values()
    assert second is not first and second.process is not None


class Cluster:
    """Without workers, whatever is asked."""

    class loop:
        add_callback = staticmethod(lambda *_: None)

    def __init__(self):
        self.asked = []
        self.workers = {}
        self.scale(2)

    def scale(self, count):
        self.asked.append(count)
        for name in range(count):
            self.workers.setdefault(name, type("Nanny", (), {"process": None})())


def test_where_none_starts_the_run_ends(monkeypatch):
    clock = iter(range(0, 10**6, 10))
    ticking = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr(_lost_workers, "time", ticking)
    cluster = Cluster()
    lost_workers = LostWorkers(cluster)
    with pytest.raises(DepthsepError, match="workers can no longer be started on this"):
        while True:
            lost_workers.look()
    # asked for two at the start, then at every second look
    assert set(cluster.asked) == {2} and 14 <= len(cluster.asked) <= 16
