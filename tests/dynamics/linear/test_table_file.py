"""Regressions from CSV and npz files, and what is refused."""

import hashlib

import numpy as np
import pytest

from depthsep import FileFormatError, HypothesisError
from depthsep.dynamics import AccelerationPlan as Plan
from depthsep.dynamics import accelerate, regression, regression_from_file
from support.commands import document, refusal

ROWS = "1,2,3\n4,5,6.5\n7,1,9\n2,2,2\n"


@pytest.mark.parametrize("head", ["", "a,b,value\n"])
def test_the_last_column_of_a_csv_is_learned(tmp_path, head):
    (tmp_path / "t.csv").write_text(head + ROWS)
    found = regression_from_file(tmp_path / "t.csv")
    table = np.array([[1, 2, 3], [4, 5, 6.5], [7, 1, 9], [2, 2, 2]])
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    assert np.allclose(np.column_stack([found.inputs, found.values]), table)
    assert found.digest == hashlib.sha256((head + ROWS).encode()).hexdigest()


@pytest.mark.slow
def test_the_same_data_from_a_file_give_the_same_losses(tmp_path):
    pytest.importorskip("sklearn")
    data, plan = regression("diabetes"), Plan(depths=(1, 2), steps=100, rates=3)
    np.savez(tmp_path / "d.npz", x=data.inputs, y=data.values)
    again = regression_from_file(tmp_path / "d.npz")
    one, other = accelerate(data, plan), accelerate(again, plan)
    assert other.best_loss == pytest.approx(one.best_loss, rel=1e-9)
    for a, b in zip(one.methods[:2], other.methods[:2], strict=True):  # not chaotic
        assert np.allclose(a.losses, b.losses, rtol=1e-6)
    assert other.digest and not one.digest


def test_constant_columns_become_zero(tmp_path):
    np.savez(tmp_path / "c.npz", x=[[1, 5], [2, 5], [4, 5]], y=[1, 2, 3])
    assert (regression_from_file(tmp_path / "c.npz").inputs[:, 1] == 0).all()


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"1,2\n",
        b"1,2\n3\n",
        b"1,x\n2,y\n",
        b"1,nan\n2,3\n",
        b"\xff\xfe1,2",
        b"1\n2\n",
    ],
)
def test_tables_that_cannot_be_used_are_refused(tmp_path, written):
    (tmp_path / "t.csv").write_bytes(written)
    with pytest.raises((FileFormatError, HypothesisError)) as caught:
        regression_from_file(tmp_path / "t.csv")
    assert "\n" not in str(caught.value)


def test_archives_that_cannot_be_used_are_refused(tmp_path):
    place = tmp_path / "t.npz"
    for written in (b"PK not", b""):
        place.write_bytes(written)
        with pytest.raises(FileFormatError):
            regression_from_file(place)
    np.savez(place, x=np.ones((3, 2)))
    with pytest.raises(FileFormatError, match="y"):
        regression_from_file(place)
    np.savez(place, x=np.array([{}, {}], dtype=object), y=[1, 2])
    with pytest.raises(FileFormatError, match="cannot be read"):
        regression_from_file(place)
    with pytest.raises(HypothesisError, match=r"\.csv or \.npz"):
        regression_from_file(tmp_path / "none.csv")


@pytest.mark.slow
def test_the_command_takes_a_file_and_several_starts(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(ROWS)
    given = ("learn", "linear", "--file", tmp_path / "t.csv", "--steps", 100)
    found = document(*given, "--starts", 2, "--depths", "1", "--run", tmp_path / "run")
    assert len(found["data_sha256"]) == 64 and found["data"] == "t.csv"
    assert [start["seed"] for start in found["starts"]] == [0, 1]
    steps = found["methods"][0]["steps_to"]
    assert found["starts"][0]["steps_to"]["1 layer"] == list(steps.values())
    said = refusal(capsys, *given, "--data", "synthetic")
    assert "--data or --file" in said
