"""Study files: what is read, what is refused and on which line, and what is run."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from depthsep import FileFormatError, HypothesisError
from depthsep.jobs import REQUIRED, job_named
from depthsep.studies import JOBS, Study, estimate, read_study
from depthsep.studies.files._file import study_from_text
from support.commands import command
from support.places import SUPPORT

GOOD = """\
job = "maurey"
seeds = 2
time_limit = 5
retries = 1

[fixed]
sigma = 0.1

[grid]
dim = [2, 3]
width = [4, 8]

[[zip]]
radius = ["1", "2"]
points = [100, 200]

[[figure]]
x = "width"
y = "error"
by = "dim"
log = "xy"
fit = true
"""


def read(text, folder=Path("/nowhere")):
    return study_from_text(text, folder / "study.toml")


def refusal(text):
    with pytest.raises(FileFormatError) as error:
        read(text)
    return str(error.value)


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_study_is_the_product_of_grid_zip_and_seeds():
    study = read(GOOD)
    trials = study.trials()
    assert study.count == len(trials) == 2 * 2 * 2 * 2
    assert study.varied == ("dim", "width", "radius", "points")
    points = {(t.parameters["radius"], t.parameters["points"]) for t in trials}
    assert points == {("1", 100), ("2", 200)}
    assert len({t.key for t in trials}) == 16
    first = trials[0]
    assert first.parameters["sigma"] == "1/10"  # a tenth, not the float beside it
    assert first.parameters["choice"] == "network" and first.seed == 0
    assert [f.x for f in study.figures] == ["width"] and study.figures[0].fit


def test_keys_depend_on_meaning_not_on_writing():
    study = read(GOOD)
    explicit = read(changed("sigma = 0.1", 'sigma = "2/20"\nchoice = "network"'))
    assert [t.key for t in study.trials()] == [t.key for t in explicit.trials()]
    turned = read(
        changed("dim = [2, 3]\nwidth = [4, 8]", "width = [8, 4]\ndim = [3, 2]")
    )
    assert {t.key for t in turned.trials()} == {t.key for t in study.trials()}
    other = read(changed("sigma = 0.1", "sigma = 0.2"))
    assert not {t.key for t in other.trials()} & {t.key for t in study.trials()}


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("seeds", "sedes", 2, "did you mean 'seeds'"),
        ('"maurey"', '"mauray"', 1, "did you mean 'maurey'"),
        ('"maurey"', '"os:system"', 1, "defines no function"),
        ('"maurey"', '"no_such_module:f"', 1, "there is no module"),
        ('"maurey"', '"a b:c"', 1, "Python names"),
        ('"maurey"', "3", 1, "in quotes"),
        ('job = "maurey"', "", 1, "there is no job"),
        ("seeds = 2", "seeds = 0", 2, "give the number of seeds"),
        ("seeds = 2", "seeds = [1, 1]", 2, "give each seed once"),
        ("seeds = 2", "seeds = [-1]", 2, "give 0 to"),
        ("seeds = 2", "seeds = true", 2, "seeds"),
        ("time_limit = 5", "time_limit = 0", 3, "time_limit"),
        ("time_limit = 5", 'time_limit = "long"', 3, "time_limit"),
        ("retries = 1", "retries = -1", 4, "retries"),
        ("sigma = 0.1", "sgima = 0.1", 7, "did you mean 'sigma'"),
        ("sigma = 0.1", "sigma = [1]", 7, "a number"),
        ("sigma = 0.1", "sigma = -1", 9, "sigma"),
        ("dim = [2, 3]", "dim = 2", 10, "give a list"),
        ("dim = [2, 3]", "dim = []", 10, "empty list"),
        ("dim = [2, 3]", 'dim = ["2"]', 10, "a whole number"),
        ("dim = [2, 3]", "dim = [2.0]", 10, "a whole number"),
        ("dim = [2, 3]", "dim = [true]", 10, "a whole number"),
        ("dim = [2, 3]", "dim = [2, 2]", 10, "the same value twice"),
        ("dim = [2, 3]", "dim = [0]", 10, "give 1 to"),
        ("width = [4, 8]", "width = [4, 8", 13, "TOML"),
        ("points = [100, 200]", "points = [100]", 13, "the same number of values"),
        ("points = [100, 200]", "width = [1, 2]", 15, "given more than once"),
        ("[[zip]]", "[zip]", 13, "[[zip]]"),
        ('x = "width"', 'x = "widht"', 17, "did you mean 'width'"),
        ('y = "error"', "y = []", 17, "a metric"),
        ('log = "xy"', 'log = "all"', 17, "log"),
        ("fit = true", "fitted = true", 22, "did you mean 'fit'"),
    ],
)
def test_mistakes_are_refused_with_their_line_and_a_remedy(old, new, line, said):
    message = refusal(changed(old, new))
    assert said in message
    assert message.startswith(f"/nowhere/study.toml:{line}: "), message
    assert "\n" not in message


def test_points_that_do_not_fit_together_are_named():
    text = 'job = "learn radial"\n[fixed]\nstep = 5.0\n[grid]\n'
    text += "dim = [4]\nwidth = [8]\ntime = [1.0]\n"
    assert "it must be 1 to 1e8 times `step`" in refusal(text)
    missing = 'job = "separate"\n[fixed]\ntarget = "square"\n[grid]\ndepth = [2]\n'
    assert "separate needs accuracy" in refusal(missing)
    nameless = changed('job = "maurey"', 'job = "maurey"\nname = "../evil"')
    assert "study.toml:2: `name` is '../evil'" in refusal(nameless)


def test_too_many_trials_are_refused_before_they_are_made():
    many = changed("seeds = 2", "seeds = 400000")
    assert "at most 1000000" in refusal(many)


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileFormatError, match="No such file"):
        read_study(tmp_path / "none.toml")
    place = tmp_path / "bytes.toml"
    place.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="UTF-8"):
        read_study(place)
    place.write_bytes(b"#" * 2_000_000)
    with pytest.raises(FileFormatError, match="bytes, the limit for study files"):
        read_study(place)
    place.write_text("a = " + "[" * 5000)
    with pytest.raises(FileFormatError, match="TOML"):
        read_study(place)


@pytest.mark.parametrize("job", JOBS, ids=lambda j: j.name)
def test_every_job_states_its_parameters(job):
    names = [p.name for p in job.parameters]
    assert len(set(names)) == len(names) and "seed" not in names
    for parameter in job.parameters:
        assert parameter.meaning
        if parameter.default is not REQUIRED and parameter.default is not None:
            assert parameter.read(parameter.default) == parameter.default
    assert job_named(job.name, Path()) is job and job.meaning


def own(tmp_path, function, more=""):
    shutil.copy(SUPPORT / "study_jobs.py", tmp_path / "study_jobs.py")
    text = f'job = "study_jobs:{function}"\n{more}\n[grid]\nk = [1, 2]\n'
    place = tmp_path / "own.toml"
    place.write_text(text)
    return place


def test_functions_of_the_user_are_jobs(tmp_path):
    study = read_study(own(tmp_path, "count", "[fixed]\nseconds = 1"))
    assert study.trials()[0].parameters == {"k": 1, "seconds": 1.0}
    assert study.job.meaning == "A deterministic job"
    before = [t.key for t in study.trials()]
    with (tmp_path / "study_jobs.py").open("a") as stream:
        stream.write("# other code, other trials\n")
    after = [t.key for t in read_study(tmp_path / "own.toml").trials()]
    assert not set(before) & set(after)


def test_functions_are_checked(tmp_path):
    with pytest.raises(FileFormatError, match="by name, and one must be seed"):
        read_study(own(tmp_path, "seedless"))
    with pytest.raises(FileFormatError, match="defines no function"):
        read_study(own(tmp_path, "os"))
    with pytest.raises(FileFormatError, match=r"own.toml:4: `k` is 1.5"):
        read_study(_with(own(tmp_path, "count"), "[1, 2]", "[1.5]"))
    (tmp_path / "broken.py").write_text("1 +")
    with pytest.raises(FileFormatError, match="cannot be imported"):
        read_study(_with(tmp_path / "own.toml", "study_jobs:count", "broken:f"))


def _with(place, old, new):
    text = place.read_text()
    assert old in text
    place.write_text(text.replace(old, new))
    return place


def test_modules_do_not_lead_out_of_the_folder(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside.py"
    inside.mkdir()
    outside.write_text("def f(k: int, seed: int):\n    return {}\n")
    os.symlink(outside, inside / "linked.py")
    place = inside / "study.toml"
    place.write_text('job = "linked:f"\n[grid]\nk = [1]\n')
    with pytest.raises(FileFormatError, match="out of the study's folder"):
        read_study(place)


def test_a_named_job_never_runs_a_file_of_the_folder(tmp_path):
    """A file that hides a library's name stays unread."""
    for name in ("numpy.py", "jax.py", "json.py", "tomllib.py", "maurey.py"):
        (tmp_path / name).write_text("raise SystemExit('run')")
    (tmp_path / "study.toml").write_text(GOOD)
    study = read_study(tmp_path / "study.toml")
    assert isinstance(study, Study) and str(tmp_path) not in sys.path


def test_estimates_come_from_models_and_then_from_measurements():
    study = read(GOOD)
    guess = estimate(study, study.trials(), {})
    assert guess.seconds > 0 and "model" in guess.basis


def test_a_dry_run_prints_trials_and_an_estimate(tmp_path, capsys):
    place = tmp_path / "study.toml"
    place.write_text(GOOD)
    code, out, _ = command(capsys, "study", "run", place, "--dry-run", "--workers", "2")
    assert code == 0 and "16 trials, 0 done, 16 to run" in out
    assert "dim = 2, width = 4, radius = 1, points = 100, seed = 1" in out
    assert (
        "from a rough model of the job" in out
        and "a trial is stopped after 5 seconds" in out
    )
    code, out, _ = command(capsys, "study", "run", place, "--dry-run", "--json")
    document = json.loads(out)
    assert document["trials"] == 16 and len(document["missing"]) == 16
    assert not list(tmp_path.glob("*.sqlite"))


def test_mistakes_end_the_command_with_code_2_and_nothing_written(tmp_path, capsys):
    place = tmp_path / "study.toml"
    place.write_text(changed("seeds", "sedes"))
    code, out, err = command(capsys, "study", "run", place)
    assert code == 2 and not out and err.count("\n") == 1
    assert "study.toml:2: unknown key 'sedes'" in err
    assert [p.name for p in tmp_path.iterdir()] == ["study.toml"]
    code, _, err = command(capsys, "study", "show", place)
    assert code == 2 and "unknown key" in err
    place.write_text(GOOD)
    code, _, err = command(capsys, "study", "show", place)
    assert code == 2 and "depthsep study run" in err


def test_studies_in_python_are_checked_too():
    job = job_named("maurey", Path())
    with pytest.raises(HypothesisError, match="given more than once"):
        Study("a", job, {"dim": 2}, {"dim": [2]})
    with pytest.raises(HypothesisError, match="empty"):
        Study("a", job, {"dim": 2}, {"width": []})


@pytest.mark.parametrize(
    "text",
    [
        'title = """\n[' + " " * 5000 + 'x!\n"""\n' + GOOD,
        ".".join("a" * 20_000) + " = 1",
        GOOD.replace("seeds = 2", "seeds = " + "9" * 5000),
        GOOD.replace("seeds = 2", "seeds = 0x" + "f" * 5000),
        GOOD.replace("[2, 3]", "[" + "9" * 400 + "]"),
        "k" * 900_000 + " = 1",
    ],
    ids=["header", "dots", "digits", "hex", "huge", "key"],
)
def test_hostile_files_are_refused_soon_and_shortly(text):
    try:
        read(text)
    except FileFormatError as error:
        assert len(str(error)) < 500 and "\n" not in str(error)


def test_long_lists_are_read_fast_and_told_apart(tmp_path):
    study = read_study(
        _with(own(tmp_path, "count"), "[1, 2]", str(list(range(20_000))))
    )
    assert study.count == len(study.trials()) == 20_000
    (tmp_path / "loose.py").write_text("def f(a, seed):\n    return {}\n")
    loose = tmp_path / "loose.toml"
    loose.write_text('job = "loose:f"\n[grid]\na = [1, true, 1.5, "1", [1, 2]]\n')
    assert read_study(loose).count == 5
    loose.write_text('job = "loose:f"\n[grid]\na = [2020-01-01]\n')
    with pytest.raises(FileFormatError, match="give numbers, strings, booleans"):
        read_study(loose)
    loose.write_text('job = "json:loads"\n[grid]\na = [1]\n')
    (tmp_path / "json.py").write_text("raise SystemExit('run')")
    with pytest.raises(FileFormatError, match="a module of Python itself"):
        read_study(loose)


def test_keys_know_what_a_module_imports_from_the_folder(tmp_path):
    (tmp_path / "helper.py").write_text("F = 1\n")
    (tmp_path / "user.py").write_text(
        "import helper\ndef f(a: float, seed, b: float = 0):\n    return {}\n"
    )
    place = tmp_path / "study.toml"
    place.write_text('job = "user:f"\n[grid]\na = [1]\n')
    before = read_study(place).trials()[0].key
    place.write_text('job = "user:f"\n[fixed]\nb = 0\n[grid]\na = [1.0]\n')
    assert read_study(place).trials()[0].key == before
    (tmp_path / "helper.py").write_text("F = 2\n")
    assert read_study(place).trials()[0].key != before


def test_values_of_studies_in_python_are_read_as_in_files():
    job = job_named("maurey", Path())
    study = Study("a", job, {"dim": 2, "sigma": 0.1}, {"width": [4]})
    assert study.trials()[0].parameters["sigma"] == "1/10"
    for wrong, said in (
        ({"width": [4.5]}, "whole number"),
        ({"width": [-3]}, "give 1 to"),
    ):
        with pytest.raises(HypothesisError, match=said):
            Study("a", job, {"dim": 2}, wrong)
    with pytest.raises(HypothesisError, match="`name` is"):
        Study("../../evil", job, {"dim": 2}, {"width": [4]})


def test_figures_ask_for_metrics_that_there_are():
    assert "has no metric 'eror'; did you mean 'error'" in refusal(
        changed('y = "error"', 'y = "eror"')
    )
    assert "differ" in refusal(changed('by = "dim"', 'by = "width"'))


def test_a_dry_run_lists_what_a_run_would_do(tmp_path, capsys):
    from depthsep.studies import Row, Store, missing, store_of

    place = tmp_path / "study.toml"
    place.write_text(GOOD)
    study = read_study(place)
    trials = study.trials()
    with Store(store_of(study), writing=True) as store:
        for trial, attempts in ((trials[0], 1), (trials[1], 2)):
            facts = (trial.key, trial.job, trial.parameters, trial.seed, trial.code)
            store.put(Row(*facts, "failed", failure="no", attempts=attempts))
        known = store.of(trials)
    assert len(missing(study, trials, known)) == 15
    assert len(missing(study, trials, known, retry_failed=True)) == 16
    _, out, _ = command(capsys, "study", "run", place, "--dry-run")
    assert "15 to run" in out
