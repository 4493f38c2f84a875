"""Running studies: anywhere the same rows, through kills, poison and time limits."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from depthsep import HypothesisError
from depthsep.studies import Store, read_study, run_study, store_of
from support.commands import call
from support.places import SUPPORT

psutil = pytest.importorskip("psutil", reason="psutil comes with dask's extra: cluster")
pytest.importorskip("distributed", reason="dask is not installed: depthsep[cluster]")
JOBS = SUPPORT / "study_jobs.py"


@pytest.fixture
def study_in(tmp_path):
    def make(function, more="", grid="k = [0, 1, 2, 3, 4, 5]", name="study"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        shutil.copy(JOBS, folder / "study_jobs.py")
        place = folder / "study.toml"
        place.write_text(f'job = "study_jobs:{function}"\n{more}\n[grid]\n{grid}\n')
        return read_study(place)

    return make


def rows_of(study):
    with Store(store_of(study)) as store:
        return list(store.of(study.trials()).values())


def identities(study):
    return [row.identity for row in rows_of(study)]


def python(sigint):
    """Python, whatever this process makes of SIGINT."""
    return [sys.executable, str(SUPPORT / "with_signals.py"), sigint]


def start(study, *arguments, **more):
    file = str(study.folder / "study.toml")
    command = [*python("default"), "-m", "depthsep", "study", "run", file, *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, **more)


def wait_for(condition, seconds=90.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("waited too long")


def keys_now(study):
    """What a reader sees: every row of it was acknowledged."""
    with contextlib.suppress(HypothesisError), Store(store_of(study)) as store:
        return {row.key for row in store.rows()}
    return set()


@pytest.mark.slow
def test_serial_local_and_resumed_runs_give_identical_rows(study_in):
    runs = {name: study_in("arrays", "seeds = 2", "k = [0, 1]", name) for name in "abc"}
    run_study(runs["a"], workers=1)
    run_study(runs["b"], workers=2)

    class Stop(Exception):
        pass

    def stop_early(state):
        if state.done >= 2:
            raise Stop

    with pytest.raises(Stop):
        run_study(runs["c"], workers=1, progress=stop_early)
    assert 2 <= len(rows_of(runs["c"])) < 4
    again = run_study(runs["c"], workers=1)
    assert again.done == again.total == 4
    first = identities(runs["a"])
    assert len(first) == 4 and first[0]["files"]
    assert first == identities(runs["b"]) == identities(runs["c"])
    with Store(store_of(runs["a"])) as store:
        row = store.rows()[0]
        assert store.read_file(row, "trajectory.npz")[:2] == b"PK"


@pytest.fixture(scope="module")
def cluster():
    """A cluster that somebody else started."""
    from distributed import LocalCluster

    address = "127.0.0.1:0"
    with LocalCluster(
        n_workers=1, threads_per_worker=2, dashboard_address=address, silence_logs=50
    ) as made:
        yield made


@pytest.mark.slow
def test_named_jobs_give_identical_rows_anywhere(tmp_path, cluster):
    text = 'job = "maurey"\nseeds = 2\n[fixed]\ndim = 2\npoints = 50\n'
    found = []
    for where in ({"workers": 1}, {"scheduler": cluster.scheduler_address}):
        place = tmp_path / "".join(where) / "study.toml"
        place.parent.mkdir()
        place.write_text(text + "[grid]\nwidth = [4]\n")
        study = read_study(place)
        assert run_study(study, **where).done == 2
        found.append(identities(study))
    assert found[0] == found[1]


def test_run_again_does_only_what_is_missing(study_in):
    study = study_in("count", "retries = 0")
    assert run_study(study, workers=1).done == 6
    before = [row.finished + row.worker for row in rows_of(study)]
    wider = study_in("count", "retries = 0", grid="k = [0, 1, 2, 3, 4, 5, 6]")
    said = []
    state = run_study(wider, workers=1, progress=said.append)
    assert (said[0].done, said[0].missing) == (6, 1) and state.done == 7
    assert [row.finished + row.worker for row in rows_of(study)] == before
    last = store_of(study).read_bytes()
    assert (
        run_study(wider, workers=1).done == 7 and store_of(study).read_bytes() == last
    )


def test_the_environment_of_a_trial(study_in):
    study = study_in("environment", grid="k = [1]")
    run_study(study, workers=1)
    (row,) = rows_of(study)
    assert row.metrics == {"threads": "1", "x64": True, "backend": "cpu"}


SAID = {
    "raise": "ValueError: three is poison",
    "exit": "exit code 7",
    "segfault": "SIGSEGV",
    "slow": "time limit of 4 s",
    "watcher": "watches over the trial was killed by SIGKILL",
    "surrogate": "bad \\ud800",
    "long": "keep arrays in Result.arrays",
    "name": "a metric is named",
    "stop": "KeyboardInterrupt",
    "holding": "exit code 1",
    "worker": "worker vanished",
}


@pytest.fixture
def failed_in(study_in):
    """Those that failed, of the given kinds of poison, before one that is fine."""

    def run(kinds, workers, retries=1):
        given = f"retries = {retries}\ntime_limit = 4"
        study = study_in("poison", given, f"how = {[*kinds, 'fine']}\nk = [3]")
        state = run_study(study, workers=workers)
        assert (state.done, state.failed) == (1, len(kinds))
        rows = [row for row in rows_of(study) if not row.is_done]
        assert {row.parameters["how"] for row in rows} == set(kinds)
        for row in rows:
            assert row.parameters["k"] == 3 and row.attempts == retries + 1
            assert row.metrics == {}
        return study, {row.parameters["how"]: row for row in rows}

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "workers"),
    [([*SAID][:-1], 1), (["exit", "slow", "worker"], 2)],
    ids=["alone", "cluster"],
)
def test_poison_trials_fail_after_their_retries_and_the_others_finish(
    failed_in, kinds, workers
):
    study, rows = failed_in(kinds, workers)
    for how, row in rows.items():
        assert SAID[how] in row.failure
        if how in ("raise", "slow"):
            assert "study_jobs.py" in row.failure  # the traceback says where
    assert run_study(study, workers=1).failed == len(kinds)
    # not tried again
    assert {row.attempts for row in rows_of(study) if not row.is_done} == {2}


@pytest.mark.slow
def test_failed_trials_are_tried_again_where_one_asks_for_it(failed_in):
    study, _ = failed_in(["raise"], 1)
    assert run_study(study, workers=1, retry_failed=True).failed == 1
    (failed,) = [row for row in rows_of(study) if not row.is_done]
    assert failed.attempts == 4


@pytest.mark.slow
def test_trials_that_do_not_listen_are_killed(failed_in):
    _, rows = failed_in(["deaf", "garbage"], 1, retries=0)
    assert "did not stop by itself" in rows["deaf"].failure
    assert "cannot be read" in rows["garbage"].failure
    for row in rows.values():
        assert row.seconds < 60  # by itself it would sleep for a minute


@pytest.mark.slow
def test_a_driver_group_that_is_interrupted_says_no_traceback(study_in, tmp_path):
    study = study_in("waiting", f'[fixed]\ngate = "{tmp_path / "gate"}"')
    driver = start(study, "--workers", "2", start_new_session=True)
    wait_for(lambda: keys_now(study))
    os.killpg(driver.pid, signal.SIGINT)  # as a terminal does
    _, said = driver.communicate(timeout=60)
    assert driver.returncode == 130
    assert "Traceback" not in said and said.count("\n") <= 3, said


def test_no_trial_answers_for_another(study_in):
    study = study_in("forking")
    assert run_study(study, workers=1).done == 6
    assert all(r.metrics["k_found"] == r.parameters["k"] for r in rows_of(study))


def test_no_trial_finds_what_another_left(study_in):
    study = study_in("leaving", "retries = 0")
    assert run_study(study, workers=1).done == 6
    assert len({row.metrics["found"] for row in rows_of(study)}) == 1


def test_what_a_trial_started_ends_with_it(study_in, tmp_path):
    place = tmp_path / "started"
    more = f'time_limit = 60\n[fixed]\nplace = "{place}"'
    study = study_in("starting", more, grid="k = [0, 1]")
    driver = start(study, "--workers", "1")
    wait_for(lambda: place.is_file() and len(place.read_text().split()) == 2)
    first, second = (int(line) for line in place.read_text().split())
    wait_for(lambda: not _pid_lives(first))
    assert _pid_lives(second)
    family = psutil.Process(driver.pid).children(recursive=True)
    os.kill(driver.pid, signal.SIGKILL)  # while a trial holds the interpreter's lock
    driver.communicate(timeout=60)
    wait_for(lambda: not any(_lives(p) for p in family))
    wait_for(lambda: not _pid_lives(second))


def test_nothing_in_the_current_folder_is_run(tmp_path):
    (tmp_path / "numpy.py").write_text("raise SystemExit('run')")
    text = 'job = "maurey"\n[fixed]\ndim = 2\npoints = 50\n[grid]\nwidth = [4]\n'
    (tmp_path / "study.toml").write_text(text)
    command = [sys.executable, "-P", "-m", "depthsep", "study", "run", "study.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_a_job_prints_disturbs_nothing(study_in, capfd):
    study = study_in("poison", '[fixed]\nhow = "chatty"')
    assert run_study(study, workers=1).done == 6
    assert "xxx" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("function", "said"),
    [("colliding", "rename it"), ("listing", "a metric must be a number")],
)
def test_results_that_cannot_be_kept_are_failures(study_in, function, said):
    study = study_in(function, "retries = 0", grid="k = [1]")
    assert run_study(study, workers=1).failed == 1
    assert said in rows_of(study)[0].failure


@pytest.mark.slow
def test_gpus_are_resources_of_workers(study_in, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,7")
    study = study_in("device", "gpus = 1")
    assert run_study(study, workers=4).done == 6
    assert {row.metrics["device"] for row in rows_of(study)} == {"4", "7"}
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(HypothesisError, match="this machine has none"):
        run_study(study_in("device", "gpus = 1", name="none"), workers=2)


@pytest.mark.slow
def test_an_existing_scheduler_is_used(study_in, cluster):
    study = study_in("count")
    assert run_study(study, scheduler=cluster.scheduler_address).done == 6
    with pytest.raises(HypothesisError, match="no worker offers a GPU"):
        other = study_in("device", "gpus = 1", name="gpu")
        run_study(other, scheduler=cluster.scheduler_address)
    assert cluster.scheduler_info["workers"]  # still there for others
    with pytest.raises(HypothesisError, match="no scheduler at"):
        run_study(study_in("count", name="other"), scheduler="nonsense://nowhere")


def test_workers_and_scheduler_exclude_each_other(study_in):
    study = study_in("count")
    with pytest.raises(HypothesisError, match="not both"):
        run_study(study, workers=2, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(HypothesisError, match="`workers` is 0"):
        run_study(study, workers=0)


def test_a_second_driver_is_refused_while_the_first_goes_on(study_in):
    study = study_in("count")

    def interfere(state):
        if state.done == 2:
            second = start(study, "--workers", "1")
            _, said = second.communicate(timeout=60)
            assert second.returncode == 2 and "another `study run`" in said
            assert said.count("\n") == 1

    assert run_study(study, workers=1, progress=interfere).done == 6
    assert len(rows_of(study)) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "workers"), [(signal.SIGINT, "1"), (signal.SIGTERM, "2")]
)
def test_a_stopped_run_leaves_no_process_and_goes_on_later(
    study_in, which, workers, tmp_path
):
    gate = tmp_path / "gate"
    study = study_in("waiting", f'[fixed]\ngate = "{gate}"')
    driver = start(study, "--workers", workers)
    wait_for(lambda: keys_now(study))
    family = psutil.Process(driver.pid).children(recursive=True)
    driver.send_signal(which)
    _, said = driver.communicate(timeout=60)
    assert driver.returncode == 130 and "kept in" in said
    assert "Traceback" not in said
    wait_for(lambda: not any(_lives(p) for p in family))
    gate.touch()
    assert run_study(study, workers=1).done == 6


def test_a_run_that_ignores_sigint_says_how_to_stop_it(study_in):
    study = study_in("arrays", "seeds = 1")
    command = [*python("ignore"), "-m", "depthsep", "study", "run"]
    done = subprocess.run(
        [*command, str(study.folder / "study.toml"), "--workers", "1"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "SIGTERM" in done.stderr


def _pid_lives(number):
    with contextlib.suppress(psutil.NoSuchProcess):
        return _lives(psutil.Process(number))
    return False


def _lives(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def _worker_of(family):
    """The parent of a supervisor that is no supervisor; None if all have just ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        watchers = [
            p for p in family if "depthsep.studies.running._supervisor" in p.cmdline()
        ]
        parents = [p.parent() for p in watchers]
        return next((p for p in parents if p and p not in watchers), None)
    return None


@pytest.mark.slow
def test_thirty_trials_survive_a_killed_worker_and_a_killed_driver(study_in):
    grid = f"k = {list(range(15))}"
    study = study_in("count", "seeds = 2\n[fixed]\nseconds = 0.2", grid)
    driver = start(study, "--workers", "2")
    wait_for(lambda: len(keys_now(study)) >= 4)
    family = psutil.Process(driver.pid).children(recursive=True)
    wait_for(lambda: _worker_of(family))
    worker = _worker_of(family)
    assert worker.pid != driver.pid
    os.kill(worker.pid, signal.SIGKILL)
    some = len(keys_now(study))
    wait_for(lambda: len(keys_now(study)) >= some + 6)
    acknowledged = keys_now(study)
    family += psutil.Process(driver.pid).children(recursive=True)
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate(timeout=60)
    kept = rows_of(study)
    assert acknowledged <= {row.key for row in kept} and len(kept) < 30
    wait_for(lambda: not any(_lives(p) for p in family))
    final = call("study", "run", study.folder / "study.toml", "--workers", 1)
    assert final.exit_code == 0, final.stderr
    assert "30 of 30 done, 0 failed" in final.stdout
    rows = rows_of(study)
    assert len(rows) == len({row.key for row in rows}) == 30
    with Store(store_of(study)) as store:
        assert len(store.rows()) == 30  # none twice, none that was not asked for
    for before in kept:
        (after,) = [row for row in rows if row.key == before.key]
        assert after == before
    for row in rows:
        assert row.metrics["third"] == (row.parameters["k"] + row.seed) / 3
