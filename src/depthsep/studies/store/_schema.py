"""The form of a store: one SQLite file, versions of it, and how old ones are lifted."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from depthsep._errors import FileFormatError

APPLICATION = 0x64737031  # "dsp1", in the header of the file
FORMAT = 2

META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
TRIALS_1 = """CREATE TABLE trials (
  key TEXT PRIMARY KEY,
  job TEXT NOT NULL,
  parameters TEXT NOT NULL,
  seed INTEGER NOT NULL,
  code TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  metrics TEXT NOT NULL,
  rigours TEXT NOT NULL,
  files TEXT NOT NULL,
  failure TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  seconds REAL NOT NULL,
  finished TEXT NOT NULL
)"""
WORKER = "worker TEXT NOT NULL DEFAULT ''"
VERSIONS = "versions TEXT NOT NULL DEFAULT '{}'"


def _second(connection: sqlite3.Connection) -> None:
    """From format 1: where a trial ran, and with which versions of the libraries."""
    connection.execute(f"ALTER TABLE trials ADD COLUMN {WORKER}")
    connection.execute(f"ALTER TABLE trials ADD COLUMN {VERSIONS}")


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _second}
COLUMNS: dict[int, tuple[str, ...]] = {
    1: (
        *("key", "job", "parameters", "seed", "code", "status", "metrics", "rigours"),
        *("files", "failure", "attempts", "seconds", "finished"),
    ),
}
COLUMNS[2] = (*COLUMNS[1], "worker", "versions")


def create(connection: sqlite3.Connection) -> None:
    """The tables of a new store, by the way that old ones take."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(META)
    connection.execute(TRIALS_1)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute("PRAGMA user_version = 1")
    _lift(connection)
    connection.execute("COMMIT")


def migrate(connection: sqlite3.Connection) -> None:
    """Lift an older store to this form, all at once or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        _lift(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _lift(connection: sqlite3.Connection) -> None:
    for number in range(version_of(connection), FORMAT):
        MIGRATIONS[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1}")


def version_of(connection: sqlite3.Connection) -> int:
    """The form that a file says it has."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check(connection: sqlite3.Connection, place: Path) -> int:
    """The form of a store that depthsep wrote; refuse any other database.

    Raises:
        FileFormatError: another application's file, a newer form, tables, triggers or
            views that no store has.
    """
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    number = version_of(connection)
    if found != APPLICATION or number < 1:
        raise FileFormatError(
            f"{place} is not the store of a study; choose another file"
        )
    if number > FORMAT:
        raise FileFormatError(
            f"{place} has format {number}, but this depthsep reads only "
            f"formats up to {FORMAT}; use a newer depthsep"
        )
    if _written(connection) != _example(number):
        raise FileFormatError(
            f"{place} is not the store of a study: it has other tables; "
            "choose another file"
        )
    return number


def _written(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Every table, index, view and trigger as it was made, word by word."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return sorted(connection.execute(query).fetchall())


def _example(number: int) -> list[tuple[str, ...]]:
    """The contents of an empty store of a form."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(META)
        connection.execute(TRIALS_1)
        for old in range(1, number):
            MIGRATIONS[old](connection)
        return _written(connection)
