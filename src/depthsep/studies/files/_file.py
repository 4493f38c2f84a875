"""Study files: TOML, checked whole before anything runs."""

import contextlib
import json
import re
import tomllib
from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from depthsep._errors import DepthsepError, FileFormatError, HypothesisError
from depthsep.jobs import Job, Parameter, job_named, nearest, shown
from depthsep.studies.files._figure import FIGURE, figure_of
from depthsep.studies.files._lines_of import Lines
from depthsep.studies.files._study import LARGEST_SEED, SETTINGS, Figure, Study

MAX_TEXT = 1 << 20
MOST_DOTS = 5000  # in a line: tomllib nests a table for each
MOST_BITS = 200  # of an integer: more than any parameter needs
TABLES = ("fixed", "grid", "zip", "figure")
TOP = ("job", "seeds", *(p.name for p in SETTINGS), *TABLES)
MOST_SEEDS = LARGEST_SEED + 1
Toml = Mapping[str, object]


def read_study(path: str | Path) -> Study:
    """The study of a file.

    Raises:
        FileFormatError: not TOML, unknown names, wrong types, empty grids; names the
            file, the line and the remedy.
    """
    place = Path(path)
    try:
        if place.stat().st_size > MAX_TEXT:
            raise FileFormatError(
                f"{place} has more than {MAX_TEXT} bytes, the limit for "
                "study files; give a smaller file"
            )
        text = place.read_text("utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileFormatError(f"{place}: {reason}; give a study file (TOML)") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{place} is not UTF-8 text; give a study file") from None
    return study_from_text(text, place)


def study_from_text(text: str, place: Path) -> Study:
    """The study of a text, as if it were a file at `place`."""
    try:
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ValueError(f"a line has more than {MOST_DOTS} dots")
        document = tomllib.loads(text)
        _check_size(document)
    except (ValueError, RecursionError) as error:  # also: integers of 5000 digits
        said = str(error).splitlines()[0] if str(error) else "it is nested too deeply"
        # Python 3.14 has `lineno`; before, tomllib says the line in its message only
        at = re.search(r"\(at line (\d+)", said)
        where = f"{place}:{at[1]}" if at else str(place)
        said = re.sub(r"\s*\(at [^)]*\)", "", said)
        raise FileFormatError(
            f"{where}: this cannot be read as TOML ({said}); correct it"
        ) from None
    return _Reader(document, Lines(text), place, text).study()


class _Reader:
    """One file, while it is read."""

    def __init__(self, document: Toml, lines: Lines, place: Path, text: str) -> None:
        self.document, self.lines, self.place, self.text = document, lines, place, text

    def study(self) -> Study:
        """The study, every part checked."""
        self._check_names(self.document, TOP)
        job, settings = self._job(), self._settings()
        fixed = self._values(job, "fixed", self._table("fixed"))
        grid = self._values(job, "grid", self._table("grid"))
        zipped = tuple(
            self._values(job, "zip", group, k)
            for k, group in enumerate(self._tables("zip"), start=1)
        )
        seeds = self._seeds()
        with self._at(""):
            study = Study(
                str(settings.pop("name") or self.place.stem),
                job,
                fixed,
                grid,
                zipped,
                seeds=seeds,
                folder=self.place.parent,
                text=self.text,
                **settings,
            )
        figures = tuple(
            self._figure(study, table, k)
            for k, table in enumerate(self._tables("figure"), start=1)
        )
        with self._at("grid" if "grid" in self.document else "fixed"):
            study.trials()
        return replace(study, figures=figures)

    def _job(self) -> Job:
        name = self.document.get("job")
        if name is None:
            self._refuse('there is no job; write for example job = "learn radial"', "")
        if not isinstance(name, str):
            self._refuse(
                f"`job` is {shown(name)}; give the name of a job in quotes", "", "job"
            )
        with self._at("", "job"):
            return job_named(name, self.place.parent)

    def _settings(self) -> dict[str, Any]:
        found = {}
        for parameter in SETTINGS:
            with self._at("", parameter.name):
                given = self.document.get(parameter.name, parameter.default)
                found[parameter.name] = parameter.read(given)
        return found

    def _table(self, name: str) -> Toml:
        values = self.document.get(name, {})
        if not isinstance(values, dict):
            self._refuse(f"{name} is not a table; write [{name}] above its lines", name)
        return values

    def _tables(self, name: str) -> list[Toml]:
        tables = self.document.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
            self._refuse(
                f"`{name}` is not a list of tables; write [[{name}]] above each table",
                name,
            )
        return tables

    def _values(
        self, job: Job, table: str, given: Toml, entry: int = 1
    ) -> dict[str, Any]:
        read, found = _one if table == "fixed" else _several, {}
        for name, value in given.items():
            with self._at(table, name, entry):
                found[name] = read(job.parameter(name), value)
                if table == "grid" and _has_repeats(found[name]):
                    raise HypothesisError(
                        f"{name} has the same value twice; give each value once"
                    )
        return found

    def _seeds(self) -> list[int]:
        given = self.document.get("seeds", 1)
        if isinstance(given, list):
            return given
        if type(given) is int and 1 <= given <= MOST_SEEDS:
            return list(range(given))
        said = (
            f"`seeds` is {shown(given)}; give the number of seeds, 1 to "
            f"{MOST_SEEDS}, or a list of seeds"
        )
        self._refuse(said, "", "seeds")

    def _figure(self, study: Study, table: Toml, entry: int) -> Figure:
        self._check_names(table, FIGURE, "figure", entry)
        with self._at("figure", "", entry):
            return figure_of(study, table)

    def _check_names(
        self, given: Toml, known: tuple[str, ...], table: str = "", entry: int = 1
    ) -> None:
        for name in given:
            if name not in known:
                said = f"unknown key {name[:40]!r}; {nearest(name[:40], known)}"
                self._refuse(said, table, name, entry)

    def _refuse(
        self, said: str, table: str, name: str = "", entry: int = 1
    ) -> NoReturn:
        line = self.lines.of(table, name, entry)
        raise FileFormatError(f"{self.place}:{line}: {said}")

    @contextlib.contextmanager
    def _at(
        self, table: str, name: str = "", entry: int = 1
    ) -> Generator[None, None, None]:
        """Put the file and the line before an error: of a key, or of its parameter."""
        try:
            yield
        except FileFormatError:
            raise
        except DepthsepError as error:
            line = self.lines.of(table, name, entry)
            if not table and not name:
                line = self.lines.of_any(error.parameter or "")
            said = "; ".join([str(error), *getattr(error, "__notes__", ())])
            raise FileFormatError(f"{self.place}:{line}: {said}") from error


def _one(parameter: Parameter, value: object) -> object:
    try:
        return parameter.read(value)
    except HypothesisError as error:
        if isinstance(value, list):
            error.add_note("lists of values belong in [grid] or [[zip]]")
        raise


def _several(parameter: Parameter, values: object) -> list[object]:
    name = parameter.name
    if not isinstance(values, list):
        raise HypothesisError(
            f"`{name}` is {shown(values)}; give a list of values, or "
            f"put `{name}` into [fixed]"
        )
    if not values:
        raise HypothesisError(f"`{name}` is an empty list; give values")
    return [parameter.read(value) for value in values]


def _has_repeats(values: list[object]) -> bool:
    return len({json.dumps(v) for v in values}) < len(values)


def _check_size(document: object) -> None:
    """Refuse integers that nothing holds.

    Raises:
        ValueError: says which.
    """
    left = [document]
    while left:
        value = left.pop()
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise ValueError(
                f"an integer of {value.bit_length()} bits; at most {MOST_BITS} are read"
            )
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
