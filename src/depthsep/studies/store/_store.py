"""The store of a study: a row a trial in SQLite, files beside it; nothing twice.

Rows are committed with a full sync before they are acknowledged, so that a kill at any
moment leaves every acknowledged row and no half of one.
"""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import write_atomically
from depthsep.studies.files._study import Study, Trial
from depthsep.studies.store import _schema as schema
from depthsep.studies.store._connection import connected, locked, make, refusals
from depthsep.studies.store._row import JSON, Row, row_from

UPSERT = """INSERT INTO trials ({names}) VALUES ({holes})
ON CONFLICT (key) DO UPDATE SET {sets}
WHERE trials.status = 'failed'"""
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
                    f"{place} has several names (hard links); copy it "
                    "to a file of its own"
                )
        self._lock: sqlite3.Connection | None = None
        if not writing and not self.place.is_file():
            raise HypothesisError(
                f"there is no {self.place}; `depthsep study run` makes it"
            )
        if writing:
            self._lock = locked(self.place)
        try:
            self._connection = self._opened(writing)
        except BaseException:
            self._unlock()
            raise

    def _opened(self, writing: bool) -> sqlite3.Connection:
        with refusals(self.place):
            if writing and not (self.place.exists() and self.place.stat().st_size):
                make(self.place)
            connection = connected(self.place, writing)
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
        with refusals(self.place):
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

    def _select(self, clause: str, values: tuple[object, ...]) -> Iterator[Row]:
        names = schema.COLUMNS[self._number]
        with refusals(self.place):
            query = f"SELECT {', '.join(names)} FROM trials {clause}"
            for found in self._connection.execute(query, values):
                yield row_from(dict(zip(names, found, strict=True)), self.place)

    def set_study(self, study: Study) -> None:
        """Keep the study file as it was last run."""
        facts = {"name": study.name, "text": study.text, "job": study.job.name}
        with refusals(self.place):
            for name, value in facts.items():
                self._connection.execute(
                    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET "
                    "value = excluded.value",
                    (name, value),
                )

    def meta(self) -> dict[str, str]:
        """The name, text and job of the study, which are kept beside the rows."""
        with refusals(self.place):
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
            raise FileFormatError(
                f"{place}: {error.strerror}; run its trial again"
            ) from None
        if hashlib.sha256(data).hexdigest() != row.files[name]:
            raise FileFormatError(
                f"{place} has changed since it was written; run its trial again"
            )
        return data


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
