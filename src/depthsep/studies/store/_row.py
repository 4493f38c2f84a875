"""One trial as it is stored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from depthsep._errors import FileFormatError
from depthsep.evidence import Rigour


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


RIGOURS = tuple(str(rigour) for rigour in Rigour)
JSON = ("parameters", "metrics", "rigours", "files", "versions")
TYPES: dict[str, type] = {
    **dict.fromkeys(JSON, dict),
    **{"seed": int, "attempts": int, "seconds": float},
}


def row_from(values: dict[str, Any], place: Path) -> Row:
    """The row of columns by name, every one of its type.

    Raises:
        FileFormatError: a column holds what no row has; names the store and the trial.
    """
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
    rigours = values["rigours"].values()
    if not all(isinstance(v, str) and v in RIGOURS for v in rigours):
        raise ValueError(f"a rigour that is not one of {', '.join(RIGOURS)}")
    for value in values["metrics"].values():
        if not isinstance(value, bool | int | float | str | None):
            raise ValueError("a metric that is no number, text or truth")
    for name in ("files", "versions"):
        if not all(isinstance(v, str) for v in values.get(name, {}).values()):
            raise ValueError(f"{name} that are no texts")
