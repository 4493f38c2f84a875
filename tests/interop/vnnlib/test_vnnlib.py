"""Verification instances: answers proved, files that others can read, bad requests."""

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from depthsep import CertificationError, HypothesisError
from depthsep.exact import nearest_float, rational
from depthsep.interop import read_onnx, verify
from depthsep.interop.vnnlib import FAMILIES, export_vnnlib
from depthsep.interop.vnnlib._instances import Property, check_instance
from depthsep.interop.vnnlib._text import counterexample_text, property_text
from depthsep.networks import Network
from support.commands import command
from support.regions import diamond
from support.s_expressions import tree


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return export_vnnlib(tmp_path_factory.mktemp("suite") / "made", levels=range(1, 4))


def truth(term, values):
    """Whether an assertion holds, exactly."""
    head, *rest = term
    if head in ("and", "or"):
        return (all if head == "and" else any)(truth(t, values) for t in rest)
    a, b = (values[t] if t in values else rational(t) for t in rest)
    return a <= b if head == "<=" else a >= b


def assertions(path):
    return [t[1] for t in tree(path.read_text("utf-8")) if t[0] == "assert"]


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_the_folder_is_laid_out_as_the_competition_wants(suite):
    listed = rows(suite.folder / "instances.csv")
    assert len(listed) == len(suite.instances) == 39
    for network, wanted, seconds in listed:
        assert (suite.folder / network).is_file() and int(seconds) == 120
        assert (suite.folder / wanted).is_file()
    head, *answers = rows(suite.folder / "answers.csv")
    assert head[:3] == ["onnx", "vnnlib", "answer"]
    assert [a[:2] for a in answers] == [row[:2] for row in listed]
    assert {a[2] for a in answers} == {"sat", "unsat"}


def test_files_mean_what_the_instances_say(suite):
    for instance in suite.instances:
        network = read_onnx(suite.folder / "onnx" / f"{instance.network_name}.onnx")
        assert network == instance.network
        terms = assertions(suite.folder / "vnnlib" / f"{instance.name}.vnnlib")
        points = [[(a + b) / 2 for a, b in instance.wanted.box]]
        points += [[a for a, _ in instance.wanted.box]]
        points += [] if instance.witness is None else [list(instance.witness)]
        for point in points:
            (value,) = network(point)
            values = {f"X_{k}": x for k, x in enumerate(point)} | {"Y_0": value}
            broken = instance.wanted.is_broken_by(tuple(point), value)
            assert all(truth(t, values) for t in terms) == broken
            if instance.witness is None:
                assert not broken


def test_witnesses_satisfy_the_file_exactly_and_at_run_time(suite):
    runtime = pytest.importorskip("onnxruntime")
    for path in (suite.folder / "witnesses").iterdir():
        said, *rest = path.read_text("utf-8").split("\n", 1)
        assert said == "sat"
        pairs = dict(tree(rest[0])[0])
        values = {name: rational(x) for name, x in pairs.items()}
        wanted = suite.folder / "vnnlib" / f"{path.stem}.vnnlib"
        assert all(truth(t, values) for t in assertions(wanted))
        name = next(i.network_name for i in suite.instances if i.name == path.stem)
        model = suite.folder / "onnx" / f"{name}.onnx"
        x = [nearest_float(v) for n, v in values.items() if n.startswith("X")]
        assert [np.float32(v) for v in x] == x
        feed = {"x": np.array([x], dtype=np.float32)}
        (y,) = runtime.InferenceSession(model).run(None, feed)
        assert y[0, 0] == pytest.approx(nearest_float(values["Y_0"]), abs=1e-5)


def test_instances_that_hold_hold_on_many_points(suite):
    rng = np.random.default_rng(0)
    for instance in suite.instances:
        if instance.witness is not None:
            continue
        ends = np.array([[nearest_float(v) for v in s] for s in instance.wanted.box])
        x = rng.uniform(ends[:, 0], ends[:, 1], (20_000, len(ends)))
        values = instance.network.floats(x)
        assert values.max() < nearest_float(instance.wanted.above)
        if instance.wanted.below is not None:
            assert values.min() > nearest_float(instance.wanted.below)


def test_certificates_hold_and_are_about_the_networks_written(suite):
    for path in (suite.folder / "certificates").iterdir():
        assert verify(path).valid, path


def test_difficulty_grows_with_the_level(suite):
    for family, what in (("sawtooth", "everywhere"), ("product", "at-most-1")):
        chosen = [
            i for i in suite.instances if i.name.startswith(family) and what in i.name
        ]
        assert [i.regions for i in chosen] == sorted({i.regions for i in chosen})
        margins = [i.margin for i in chosen]
        assert margins == sorted(set(margins), reverse=True)


def test_no_instance_is_trivial(suite):
    for instance in suite.instances:
        assert instance.margin > 0
        if "error" in instance.name:
            low, high = (instance.network([fmpq(k, 7)])[0] for k in (1, 3))
            assert low != high


def test_a_wrong_answer_is_never_written(suite):
    for instance in suite.instances:
        wanted = instance.wanted
        if instance.witness is None:
            below = wanted.below
            lower = replace(
                wanted,
                above=wanted.above - 2 * instance.margin,
                below=None if below is None else below + 2 * instance.margin,
            )
            with pytest.raises(CertificationError, match="there is a counterexample"):
                check_instance(replace(instance, wanted=lower))
        else:
            higher = replace(wanted, above=wanted.above + 2 * instance.margin)
            with pytest.raises(CertificationError, match="not a counterexample"):
                check_instance(replace(instance, wanted=higher))
            outside = tuple(x + 4 for x in instance.witness)
            with pytest.raises(CertificationError, match="not a counterexample"):
                check_instance(replace(instance, witness=outside))


def test_nothing_is_left_behind_when_it_fails(tmp_path, monkeypatch):
    from depthsep.interop.vnnlib import _export

    def wrong(instance):
        raise CertificationError("no")

    monkeypatch.setattr(_export, "check_instance", wrong)
    with pytest.raises(CertificationError):
        export_vnnlib(tmp_path / "made", families=["sawtooth"], levels=range(1, 2))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_kept(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(HypothesisError, match="is not an empty folder"):
        export_vnnlib(tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": ["waves"]}, "unknown family 'waves'"),
        ({"levels": range(0, 3)}, "levels must be from 1 to 6"),
        ({"levels": range(3, 9)}, "levels must be from 1 to 6"),
        ({"levels": range(3, 3)}, "levels must be from 1 to 6"),
        ({"timeout": 0}, "whole number of seconds"),
    ],
)
def test_requests_that_make_no_sense_are_refused(tmp_path, options, message):
    with pytest.raises(HypothesisError, match=message):
        export_vnnlib(tmp_path / "made", **options)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "problem",
    [
        ["square", "--on", "1/3,2", "--accuracy", "1e-3", "--depth", "3"],
        ["expr:sin(3*x)", "--accuracy", "1e-2", "--depth", "2"],
        ["product", "--on", "-1,1", "--accuracy", "1e-1", "--depth", "2"],
    ],
)
def test_a_certified_network_of_one_s_own(tmp_path, capsys, problem):
    certificate = str(tmp_path / "cert.json")
    code, _, err = command(capsys, "build", *problem, "--certificate", certificate)
    assert code == 0, err
    folder = str(tmp_path / "made")
    options = ["--certificate", certificate, "--levels", "1:2", "--json"]
    code, out, err = command(capsys, "export-vnnlib", folder, *options)
    assert code == 0, err
    document = json.loads(out)
    answers = [i["answer"] for i in document["instances"]]
    assert answers == ["unsat", "sat"] * 2 and document["rigour"] == "exact"
    (kept,) = (Path(folder) / "certificates").iterdir()
    assert verify(kept).valid


def test_a_certificate_that_was_altered_is_refused(tmp_path, capsys, suite):
    path = tmp_path / "cert.json"
    shutil.copy(suite.folder / "certificates" / "sawtooth-3.json", path)
    written = json.loads(path.read_text("utf-8"))
    written["claim"]["error"] = "1/1000"
    path.write_text(json.dumps(written))
    folder = tmp_path / "made"
    code, _, err = command(
        capsys, "export-vnnlib", str(folder), "--certificate", str(path)
    )
    assert code == 2 and "is not valid" in err and not folder.exists()


def test_the_command_says_what_it_made(tmp_path, capsys):
    options = ["--family", "product", "--levels", "1"]
    code, out, err = command(capsys, "export-vnnlib", str(tmp_path / "made"), *options)
    assert code == 0 and "5 instances" in out and "sat: 2, each" in out
    code, _, err = command(
        capsys, "export-vnnlib", str(tmp_path / "x"), "--levels", "a"
    )
    assert code == 2 and "such as 1:6, from 1 to 6" in err
    assert set(FAMILIES) == {"sawtooth", "product", "error"}


def test_points_are_boxes_too():
    point = (fmpq(1, 4), fmpq(1, 2))
    limits = Property(tuple((x, x) for x in point), None, fmpq(3, 4))
    text = property_text(limits, "one point")
    assert "(assert (>= Y_0 0.75))" in text and "(assert (<= X_0 0.25))" in text
    assert limits.is_broken_by(point, diamond()(point)[0])
    assert counterexample_text(point, fmpq(3, 4)).endswith("(Y_0 0.75))\n")
    with pytest.raises(HypothesisError, match="is not a power of 2"):
        counterexample_text((fmpq(1, 3),), fmpq(0))
    assert isinstance(diamond(), Network)


def test_a_certificate_named_like_a_family_has_networks_of_its_own(tmp_path, capsys):
    place = tmp_path / "product.json"
    problem = ["product", "--on", "-2,2", "--accuracy", "1/10"]
    code, _, err = command(capsys, "build", *problem, "--certificate", place)
    assert code == 0, err
    folder = tmp_path / "made"
    options = ["--family", "product", "--certificate", place, "--levels", "1:2"]
    code, _, err = command(capsys, "export-vnnlib", folder, *options)
    assert code == 0, err
    with (folder / "answers.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len({row["onnx"] for row in rows}) == 3
    for row in rows:
        if row["witness"]:
            text = (folder / row["witness"]).read_text("utf-8")
            values = {k: rational(v) for k, v in tree(text.split("\n", 1)[1])[0]}
            *point, value = values.values()
            assert read_onnx(folder / row["onnx"])(point) == (value,)


def test_properties_without_a_limit_or_a_box_are_refused():
    side = (fmpq(0), fmpq(1))
    with pytest.raises(HypothesisError, match="needs a limit"):
        Property((side,), None, None)
    with pytest.raises(HypothesisError, match="low <= high"):
        Property((side, (fmpq(1), fmpq(0))), None, fmpq(1))
    assert "0.0000" in counterexample_text((fmpq(1, 2) ** 7000,), fmpq(0))


def test_intervals_too_short_for_float32_are_refused(tmp_path, capsys):
    place = tmp_path / "cert.json"
    problem = ["square", "--on", "1/3,0.33333334", "--accuracy", "1e-6"]
    assert command(capsys, "build", *problem, "--certificate", place)[0] == 0
    options = [tmp_path / "made", "--certificate", place]
    code, _, err = command(capsys, "export-vnnlib", *options)
    assert code == 2 and "too short" in err and not (tmp_path / "made").exists()


def test_the_current_folder_is_not_replaced(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = command(capsys, "export-vnnlib", ".")
    assert code == 2 and "the folder is the current one; give a new" in err
