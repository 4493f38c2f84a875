"""The store of a study: a row a trial in SQLite, files beside it; nothing twice.

Rows are committed with a full sync before they are acknowledged, so that a kill at any
moment leaves every acknowledged row and no half of one.
"""

import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from depthsep._errors import DepthsepError, FileFormatError, HypothesisError
from depthsep._files import first_line, write_atomically
from depthsep.studies import _schema as schema
from depthsep.studies._study import Study, Trial

BUSY_SECONDS = 30.0  # to wait for another's short transaction
LONGEST = 1 << 22  # bytes of one value that is read
UPSERT = """INSERT INTO trials ({names}) VALUES ({holes})
ON CONFLICT (key) DO UPDATE SET {sets}
WHERE trials.status = 'failed'"""


@dataclass(frozen=True)
class Row:
    """One trial as it is stored.

    Attributes:
        metrics, rigours: of a trial that is done; metrics not named in `rigours` are
            sampled.
        files: name to SHA-256, in the folder `Store.files_of` gives.
        failure: why it failed, with the traceback; empty if it did not.
        attempts: how often it was tried.
    """

    key: str
    job: str
    parameters: Mapping[str, Any]
    seed: int
    code: str
    status: str
    metrics: Mapping[str, Any] = field(default_factory=dict)
    rigours: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    attempts: int = 1
    seconds: float = 0.0
    finished: str = ""
    worker: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        """Whether it has results."""
        return self.status == "done"

    @property
    def identity(self) -> dict[str, Any]:
        """What deterministic jobs repeat exactly: everything but time and place."""
        names = ("key", "job", "parameters", "seed", "code", "status", "metrics")
        found = {name: getattr(self, name) for name in names}
        return found | {"rigours": self.rigours, "files": self.files}


JSON = ("parameters", "metrics", "rigours", "files", "versions")
TYPES: dict[str, type] = {
    **dict.fromkeys(JSON, dict),
    **{"seed": int, "attempts": int, "seconds": float},
}
NAMES = schema.COLUMNS[schema.FORMAT]


class Store:
    """The rows of one study. A context manager: closing leaves one plain file.

    Args:
        place: of the SQLite file; made if it is missing and `writing`.
        writing: for one driver at a time; readers need no lock.

    Raises:
        FileFormatError: no store, a damaged one, or one from a newer depthsep.
        HypothesisError: another driver holds it, or it cannot be made.
    """

    def __init__(self, place: str | Path, *, writing: bool = False) -> None:
        self.place = Path(place)
        if writing:
            # one store, one lock: by the file itself, whatever links lead to it
            self.place = self.place.resolve()
            if self.place.is_file() and self.place.stat().st_nlink > 1:
                raise HypothesisError(
                    f"{place} has several names (hard links); copy it to one of its own"
                )
        self._lock: sqlite3.Connection | None = None
        if not writing and not self.place.is_file():
            raise HypothesisError(
                f"there is no {self.place}; `depthsep study run` makes it"
            )
        if writing:
            self._lock = _locked(self.place)
        try:
            self._connection = self._opened(writing)
        except BaseException:
            self._unlock()
            raise

    def _opened(self, writing: bool) -> sqlite3.Connection:
        with _refusals(self.place):
            if writing and not (self.place.exists() and self.place.stat().st_size):
                _make(self.place)
            connection = _connected(self.place, writing)
            try:
                number = schema.check(connection, self.place)
                if writing:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = FULL")
                    if number < schema.FORMAT:
                        schema.migrate(connection)
                self._number = schema.version_of(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close; a writer leaves one file without a log beside it."""
        with contextlib.suppress(sqlite3.Error):
            if self._lock is not None:
                # readers elsewhere may hold the log open: then it stays, and is right
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def files_of(self, key: str) -> Path:
        """The folder of a trial's files, beside the store."""
        return self.place.with_suffix(".files") / key[:24]

    def put(self, row: Row, files: Mapping[str, bytes] | None = None) -> Row:
        """Keep a row, replacing a failure but never a result; files come first.

        When this returns, the row survives a kill.
        """
        known = self.row(row.key)
        if known is not None and known.is_done:
            return known
        digests = {}
        folder = self.files_of(row.key)
        for name, data in (files or {}).items():
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, data)
            digests[name] = hashlib.sha256(data).hexdigest()
        values = {name: getattr(row, name) for name in NAMES}
        values["files"] = digests
        values["finished"] = row.finished or _now()
        for name in JSON:
            values[name] = json.dumps(values[name], sort_keys=True, allow_nan=False)
        sets = ", ".join(f"{n} = excluded.{n}" for n in NAMES if n != "key")
        holes = ", ".join(f":{n}" for n in NAMES)
        text = UPSERT.format(names=", ".join(NAMES), holes=holes, sets=sets)
        with _refusals(self.place):
            self._connection.execute(text, values)
        found = self.row(row.key)
        assert found is not None
        return found

    def row(self, key: str) -> Row | None:
        """The row of a key."""
        return next(self._select("WHERE key = ?", (key,)), None)

    def rows(self) -> list[Row]:
        """All of them, by key."""
        return list(self._select("ORDER BY key", ()))

    def of(self, trials: Iterable[Trial]) -> dict[str, Row]:
        """The rows of trials, by key, in the trials' order; missing ones left out."""
        found = {row.key: row for row in self.rows()}
        return {t.key: found[t.key] for t in trials if t.key in found}

    def _select(self, clause: str, values: tuple[Any, ...]) -> Iterator[Row]:
        names = schema.COLUMNS[self._number]
        with _refusals(self.place):
            query = f"SELECT {', '.join(names)} FROM trials {clause}"
            for found in self._connection.execute(query, values):
                yield _row(dict(zip(names, found, strict=True)), self.place)

    def set_study(self, study: Study) -> None:
        """Keep the study file as it was last run."""
        facts = {"name": study.name, "text": study.text, "job": study.job.name}
        with _refusals(self.place):
            for name, value in facts.items():
                self._connection.execute(
                    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET "
                    "value = excluded.value",
                    (name, value),
                )

    def meta(self) -> dict[str, str]:
        """What is kept beside the rows: name, text and job of the study."""
        with _refusals(self.place):
            found = self._connection.execute("SELECT name, value FROM meta").fetchall()
        return {str(name): str(value) for name, value in found}

    def read_file(self, row: Row, name: str) -> bytes:
        """A file of a trial.

        Raises:
            FileFormatError: it is missing, or is not what was written.
        """
        if name not in row.files or Path(name).name != name:
            raise HypothesisError(
                f"trial {row.key[:12]} has no file {name[:40]!r}; it has "
                f"{', '.join(row.files) or 'none'}"
            )
        place = self.files_of(row.key) / name
        try:
            data = place.read_bytes()
        except OSError as error:
            raise FileFormatError(f"{place}: {error.strerror}; run it again") from None
        if hashlib.sha256(data).hexdigest() != row.files[name]:
            raise FileFormatError(f"{place}: not what was written; run it again")
        return data


def _row(values: dict[str, Any], place: Path) -> Row:
    try:
        for name in JSON:
            if name in values:
                values[name] = json.loads(values[name])
                if not isinstance(values[name], dict):
                    raise ValueError(f"{name} is no object")
        _check_types(values)
        return Row(**values)
    except (ValueError, TypeError, RecursionError) as error:
        raise FileFormatError(
            f"{place}: trial {str(values.get('key'))[:12]} is damaged ({error}); "
            "delete the file and run the study again"
        ) from None


def _check_types(values: Mapping[str, Any]) -> None:
    """Refuse columns that hold what no row has."""
    for name, value in values.items():
        if not isinstance(value, TYPES.get(name, str)):
            raise ValueError(f"{name} is no {TYPES.get(name, str).__name__}")
    if values["status"] not in ("done", "failed"):
        raise ValueError("an unknown status")
    for value in values["metrics"].values():
        if not isinstance(value, bool | int | float | str | None):
            raise ValueError("a metric that is no number, text or truth")
    for name in ("rigours", "files", "versions"):
        if not all(isinstance(v, str) for v in values.get(name, {}).values()):
            raise ValueError(f"{name} that are no texts")


def _make(place: Path) -> None:
    """An empty store: it takes its name whole, so that no reader meets half of one."""
    part = place.with_name(f".{place.name}.{secrets.token_hex(8)}.part")
    try:
        connection = _connected(part, writing=True)
        try:
            schema.create(connection)
        finally:
            connection.close()
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def _connected(place: Path, writing: bool) -> sqlite3.Connection:
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


def _locked(place: Path) -> sqlite3.Connection:
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
        if "locked" in str(error):
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
def _refusals(place: Path) -> Iterator[None]:
    try:
        yield
    except DepthsepError:
        raise
    except sqlite3.Error as error:
        raise FileFormatError(
            f"{place}: {first_line(error)}; if it is damaged, delete it and run the "
            "study again"
        ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
