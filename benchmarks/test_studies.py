"""What a study costs beside its trials: the driver, processes, the store, a report."""

from concurrent.futures import ProcessPoolExecutor

import pytest

from depthsep.reports import write_study
from depthsep.studies import Row, Store, points_of, read_study, run_study, store_of

TRIALS = 200
JOB = """\
import time

def nap(k: int, seed: int, seconds: float = 0.05) -> dict:
    time.sleep(seconds)
    return {"square": k * k}
"""


def nap(k):
    """The trial without a study around it."""
    import time

    time.sleep(0.05)
    return {"square": k * k}


@pytest.fixture
def study_file(tmp_path):
    def make(name, trials=TRIALS):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "jobs.py").write_text(JOB)
        place = folder / "study.toml"
        place.write_text(f'job = "jobs:nap"\n[grid]\nk = {list(range(trials))}\n')
        return place

    return make


def test_two_hundred_naps_on_two_workers(benchmark, study_file):
    names = iter("abcdefgh")

    def run():
        assert run_study(read_study(study_file(next(names))), workers=2).done == TRIALS

    benchmark.pedantic(run, rounds=2)


def test_two_hundred_naps_on_a_plain_pool(benchmark):
    def run():
        with ProcessPoolExecutor(2) as pool:
            assert len(list(pool.map(nap, range(TRIALS)))) == TRIALS

    benchmark.pedantic(run, rounds=2)


def test_starting_a_local_cluster_for_one_trial_each(benchmark, study_file):
    names = iter("abcdefgh")
    state = benchmark.pedantic(
        lambda: run_study(read_study(study_file(next(names), 2)), workers=2), rounds=3
    )
    assert state.done == 2


def filled(place, trials):
    study = read_study(place)
    with Store(store_of(study), writing=True) as store:
        for t in study.trials():
            facts = (t.key, t.job, t.parameters, t.seed, t.code, "done")
            store.put(Row(*facts, {"y": float(t.parameters["k"])}))
    return study


def test_a_thousand_rows_are_kept(benchmark, study_file):
    names = iter("abcdefgh")
    study = benchmark.pedantic(
        lambda: filled(study_file(next(names), 1000), 1000), rounds=3
    )
    assert store_of(study).stat().st_size < 2_000_000


def test_ten_thousand_rows_are_read_and_summed_up(benchmark, study_file):
    study = filled(study_file("read", 10_000), 10_000)

    def read():
        with Store(store_of(study)) as store:
            return points_of(store.of(study.trials()).values(), ("k",))

    assert len(benchmark.pedantic(read, rounds=3)) == 10_000


def test_a_report_of_a_thousand_rows(benchmark, study_file, tmp_path):
    study = filled(study_file("report", 1000), 1000)
    with Store(store_of(study)) as store:
        rows = store.rows()
    place = tmp_path / "page"
    written = benchmark.pedantic(lambda: write_study(study, rows, place), rounds=2)
    assert written[0].stat().st_size > 10_000
