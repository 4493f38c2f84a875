"""The store: rows once, files whole, forms old and new, other people's databases."""

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from depthsep import FileFormatError, HypothesisError
from depthsep.studies import Row, Store
from depthsep.studies.store import _schema as schema

ROW = Row(
    key="a" * 64,
    job="maurey",
    parameters={"dim": 2, "width": 4},
    seed=0,
    code="depthsep 0, job 0",
    status="done",
    metrics={"error": 0.1, "none": None, "big": 2**70, "word": "ü"},
    rigours={"big": "exact"},
    seconds=0.5,
    versions={"numpy": "1"},
)


@pytest.fixture
def place(tmp_path):
    return tmp_path / "study.sqlite"


def test_a_row_comes_back_as_it_was(place):
    with Store(place, writing=True) as store:
        kept = store.put(ROW, {"network.json": b"{}"})
        assert kept.metrics == ROW.metrics and kept.finished
    with Store(place) as store:
        (found,) = store.rows()
        assert found == kept and store.read_file(found, "network.json") == b"{}"
        assert found.identity == kept.identity and "seconds" not in found.identity
    assert [p.name for p in place.parent.glob("study.sqlite*")] == ["study.sqlite"]


def test_a_trial_that_ran_twice_counts_once_and_results_are_never_replaced(place):
    failed = replace(ROW, status="failed", metrics={}, failure="no", attempts=1)
    with Store(place, writing=True) as store:
        assert store.put(failed).failure == "no"
        assert store.put(replace(failed, attempts=2)).attempts == 2
        assert store.put(ROW).is_done
        assert store.put(failed).is_done
        assert store.put(replace(ROW, metrics={"error": 9.0})).metrics == ROW.metrics
        assert len(store.rows()) == 1


def test_a_second_writer_is_refused_and_readers_are_not(place):
    with Store(place, writing=True) as store:
        with pytest.raises(HypothesisError, match="another `study run` is writing"):
            Store(place, writing=True)
        store.put(ROW)
        with Store(place) as reader:
            assert len(reader.rows()) == 1
    Store(place, writing=True).close()


def test_a_store_of_the_first_form_is_lifted_with_its_rows(place):
    with sqlite3.connect(place) as old:
        old.execute(schema.META)
        old.execute(schema.TRIALS_1)
        old.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        old.execute("PRAGMA user_version = 1")
        values = [getattr(ROW, name) for name in schema.COLUMNS[1]]
        values = [json.dumps(v) if isinstance(v, dict) else v for v in values]
        holes = ",".join("?" * len(values))
        old.execute(f"INSERT INTO trials VALUES ({holes})", values)
    old.close()
    with Store(place) as reader:  # reading changes nothing
        (row,) = reader.rows()
        assert row.metrics == ROW.metrics and row.worker == ""
    assert _number(place) == 1
    with Store(place, writing=True) as store:
        (row,) = store.rows()
        assert replace(row, versions=ROW.versions) == ROW
        store.put(replace(ROW, key="b" * 64, worker="here"))
    assert _number(place) == schema.FORMAT


def _number(place):
    with sqlite3.connect(place) as connection:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def test_an_interrupted_migration_leaves_the_old_form(place, monkeypatch):
    test_a_store_of_the_first_form_is_lifted_with_its_rows(place)
    with sqlite3.connect(place) as connection:
        connection.execute("ALTER TABLE trials DROP COLUMN versions")
        connection.execute("ALTER TABLE trials DROP COLUMN worker")
        connection.execute("PRAGMA user_version = 1")
    connection.close()

    def half(connection):
        connection.execute(f"ALTER TABLE trials ADD COLUMN {schema.WORKER}")
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setitem(schema.MIGRATIONS, 1, half)
    with pytest.raises(FileFormatError, match="disk full"):
        Store(place, writing=True)
    monkeypatch.undo()
    with Store(place, writing=True) as store:
        assert len(store.rows()) == 2


def test_a_store_of_a_newer_form_is_refused(place):
    Store(place, writing=True).close()
    with sqlite3.connect(place) as connection:
        connection.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
    connection.close()
    for writing in (True, False):
        with pytest.raises(FileFormatError, match="reads only formats up to"):
            Store(place, writing=writing)
    assert _number(place) == schema.FORMAT + 1


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE other (x)",
        "CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
        "CREATE VIEW v AS SELECT 1",
        "ALTER TABLE trials ADD COLUMN more TEXT",
        "CREATE INDEX i ON trials (seed)",
        "ALTER TABLE trials ADD COLUMN bomb TEXT AS (hex(zeroblob(2000000)))",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 0",
    ],
)
def test_databases_that_are_no_stores_are_refused_and_left_alone(place, statement):
    with Store(place, writing=True) as store:
        store.put(ROW)
    with sqlite3.connect(place) as connection:
        connection.execute(statement)
    connection.close()
    before = place.read_bytes()
    for writing in (True, False):
        with pytest.raises(FileFormatError, match="choose another file"):
            Store(place, writing=writing)
    assert place.read_bytes()[100:] == before[100:]


@pytest.mark.parametrize("seed", range(8))
def test_damaged_stores_are_refused_in_one_line(place, seed):
    with Store(place, writing=True) as store:
        for k in range(40):
            store.put(replace(ROW, key=f"{k:064d}"))
    data = bytearray(place.read_bytes())
    rng = np.random.default_rng(seed)
    if seed % 2:
        del data[int(rng.integers(20, len(data))) :]
    for at in rng.integers(0, len(data), 60):
        data[at] = int(rng.integers(256))
    place.write_bytes(data)
    try:
        with Store(place) as store:
            store.rows()
    except FileFormatError as error:
        assert "\n" not in str(error) and str(place) in str(error)


def test_rows_whose_json_is_damaged_are_named(place):
    with Store(place, writing=True) as store:
        store.put(ROW)
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE trials SET metrics = '[1'")
    connection.close()
    with Store(place) as store, pytest.raises(FileFormatError, match="damaged"):
        store.rows()


def test_files_that_were_changed_are_refused(place):
    with Store(place, writing=True) as store:
        row = store.put(ROW, {"network.json": b"{}"})
        (store.files_of(row.key) / "network.json").write_bytes(b"[]")
        with pytest.raises(FileFormatError, match="has changed since it was written"):
            store.read_file(row, "network.json")
        (store.files_of(row.key) / "network.json").unlink()
        with pytest.raises(FileFormatError, match="No such file"):
            store.read_file(row, "network.json")
        with pytest.raises(HypothesisError, match="has no file"):
            store.read_file(row, "../other")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seconds", "'long'"),
        ("failure", "x'ff'"),
        ("attempts", "'two'"),
        ("code", "x'01'"),
        ("worker", "x'00'"),
        ("versions", "'[]'"),
        ("metrics", "'{\"a\": [1]}'"),
    ],
)
def test_columns_of_other_types_are_refused(place, column, value):
    with Store(place, writing=True) as store:
        store.put(ROW)
    with sqlite3.connect(place) as connection:
        connection.execute(f"UPDATE trials SET {column} = {value}")
    connection.close()
    with Store(place) as store, pytest.raises(FileFormatError, match="is damaged"):
        store.rows()


def test_links_lead_to_one_store_with_one_lock(place, tmp_path):
    Store(place, writing=True).close()
    symbolic, hard = tmp_path / "symbolic.sqlite", tmp_path / "hard.sqlite"
    symbolic.symlink_to(place)
    with (
        Store(place, writing=True),
        pytest.raises(HypothesisError, match="is writing"),
    ):
        Store(symbolic, writing=True)
    hard.hardlink_to(place)
    with pytest.raises(HypothesisError, match="hard links"):
        Store(hard, writing=True)


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(HypothesisError, match="there is no"):
        Store(tmp_path / "none.sqlite")
    (tmp_path / "file").write_text("x")
    with pytest.raises(HypothesisError, match="cannot make"):
        Store(tmp_path / "file" / "study.sqlite", writing=True)
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but long enough to be looked at" * 20)
    with pytest.raises(FileFormatError, match="not a database"):
        Store(text, writing=True)
