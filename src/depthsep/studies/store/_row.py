"""One trial as it is stored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from depthsep._errors import FileFormatError
from depthsep.evidence import Rigour
from depthsep.jobs import Scalar


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
    parameters: Mapping[str, object]
    seed: int
    code: str
    status: Literal["done", "failed"]
    metrics: Mapping[str, Scalar] = field(default_factory=dict)
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
    def identity(self) -> dict[str, object]:
        """The part that deterministic jobs repeat: everything but time and place."""
        names = ("key", "job", "parameters", "seed", "code", "status", "metrics")
        return {name: getattr(self, name) for name in (*names, "rigours", "files")}


RIGOURS = tuple(str(rigour) for rigour in Rigour)
JSON = ("parameters", "metrics", "rigours", "files", "versions")


def row_from(values: Mapping[str, object], place: Path) -> Row:
    """The row of columns by name, every one of its type.

    Raises:
        FileFormatError: a column holds what no row has; names the store and the trial.
    """
    try:
        row = msgspec.convert({n: _value(n, v) for n, v in values.items()}, Row)
        if not set(row.rigours.values()) <= set(RIGOURS):
            raise ValueError(f"a rigour is not one of {', '.join(RIGOURS)}")
        return row
    except (ValueError, TypeError, RecursionError) as error:
        raise FileFormatError(
            f"{place}: trial {str(values.get('key'))[:12]} is damaged ({error}); "
            "delete the file and run the study again"
        ) from None


def _value(name: str, value: object) -> object:
    return json.loads(value) if name in JSON and isinstance(value, str) else value
