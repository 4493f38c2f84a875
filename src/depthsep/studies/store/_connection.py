"""Connections to a store: made whole, locked for one writer, refused in one line."""

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Generator
from pathlib import Path

from depthsep._errors import DepthsepError, FileFormatError, HypothesisError
from depthsep._files import first_line
from depthsep.studies.store import _schema as schema

BUSY_SECONDS = 30.0  # to wait for another's short transaction
LONGEST = 1 << 22  # bytes of one value that is read


def make(place: Path) -> None:
    """Make an empty store, which gets its name when it is complete."""
    part = place.with_name(f".{place.name}.{secrets.token_hex(8)}.part")
    try:
        connection = connected(part, writing=True)
        try:
            schema.create(connection)
        finally:
            connection.close()
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def connected(place: Path, writing: bool) -> sqlite3.Connection:
    """A connection that runs nothing a file brings along, to read or to write."""
    mode = "rwc" if writing else "ro"
    address = place.absolute().as_uri() + f"?mode={mode}"
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    return connection


def locked(place: Path) -> sqlite3.Connection:
    """Hold the store for one driver: a lock of SQLite's, gone with the process."""
    beside = place.with_name(f".{place.name}.lock")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(
            beside, timeout=0.2, isolation_level=None, check_same_thread=False
        )
        lock.execute("PRAGMA journal_mode = MEMORY")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise HypothesisError(
                f"another `study run` is writing {place}; wait until it ends, "
                "or stop it"
            ) from None
        raise HypothesisError(
            f"cannot write beside {place} ({error}); choose a folder you may write to"
        ) from None
    except OSError as error:
        raise HypothesisError(
            f"cannot make {place.parent}: {error.strerror}; choose another folder"
        ) from None
    return lock


@contextlib.contextmanager
def refusals(place: Path) -> Generator[None, None, None]:
    """Turn SQLite's errors into one line that names the store."""
    try:
        yield
    except DepthsepError:
        raise
    except sqlite3.Error as error:
        raise FileFormatError(
            f"{place}: {first_line(error)}; if it is damaged, delete it and run the "
            "study again"
        ) from error
