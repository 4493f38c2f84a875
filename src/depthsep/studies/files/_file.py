"""Study files: TOML, checked whole before anything runs."""

import contextlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from depthsep._errors import DepthsepError, FileFormatError, HypothesisError
from depthsep._inputs import whole
from depthsep.jobs import Job, Parameter, job_named, nearest
from depthsep.studies.files._figure import figure_of
from depthsep.studies.files._lines_of import Lines
from depthsep.studies.files._study import LARGEST_SEED, Figure, Study

MAX_TEXT = 1 << 20
MOST_DOTS, MOST_BITS = 5000, 200
TOP = (
    *("name", "title", "job", "seeds", "time_limit", "retries", "gpus", "keep_files"),
    *("fixed", "grid", "zip", "figure"),
)
MOST_SEEDS = LARGEST_SEED + 1


def read_study(path: str | Path) -> Study:
    """The study of a file.

    Raises:
        FileFormatError: no TOML, unknown names, wrong types, empty grids; names the
            file, the line and the remedy.
    """
    place = Path(path)
    try:
        if place.stat().st_size > MAX_TEXT:
            raise FileFormatError(f"{place}: above {MAX_TEXT} bytes; no study file")
        text = place.read_text("utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileFormatError(f"{place}: {reason}; give a study file (TOML)") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{place}: no UTF-8 text; give a study file") from None
    return study_from_text(text, place)


def study_from_text(text: str, place: Path) -> Study:
    """The same from the text of a file that would lie at `place`."""
    try:
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ValueError(f"a line of more than {MOST_DOTS} dots")
        document = tomllib.loads(text)
        _check_size(document)
    except (ValueError, RecursionError) as error:  # also: integers of 5000 digits
        said = str(error).splitlines()[0] if str(error) else "nested too deeply"
        at = re.search(r"\(at line (\d+)", said)
        where = f"{place}:{at[1]}" if at else str(place)
        said = re.sub(r"\s*\(at [^)]*\)", "", said)
        raise FileFormatError(f"{where}: no TOML ({said}); mend the line") from None
    return _Reader(document, Lines(text), place, text).study()


class _Reader:
    """One file, while it is read."""

    def __init__(
        self, document: dict[str, Any], lines: Lines, place: Path, text: str
    ) -> None:
        self.document, self.lines, self.place, self.text = document, lines, place, text

    def study(self) -> Study:
        """The study, every part checked."""
        for name in self.document:
            if name not in TOP:
                said = f"unknown key {name[:40]!r}; {nearest(name[:40], list(TOP))}"
                self._refuse(said, name)
        job = self._job()
        fixed = self._parameters(job, "fixed", as_list=False)
        grid = self._parameters(job, "grid", as_list=True)
        zipped = tuple(
            self._values(job, group, "zip", k, as_list=True)
            for k, group in enumerate(self._tables("zip"), start=1)
        )
        name = self._text("name", self.place.stem)
        with self._at(""):
            limit = self.document.get("time_limit")
            study = Study(
                name,
                job,
                fixed,
                grid,
                zipped,
                seeds=self._seeds(),
                time_limit=limit,
                retries=self.document.get("retries", 2),
                gpus=self.document.get("gpus", 0),
                keep_files=self._truth("keep_files", True),
                title=self._text("title", ""),
                folder=self.place.parent,
                text=self.text,
            )
        figures = tuple(
            self._figure(study, table, k)
            for k, table in enumerate(self._tables("figure"), start=1)
        )
        with self._at("grid" if "grid" in self.document else "fixed"):
            study.trials()
        return replace(study, figures=figures)

    def _job(self) -> Job:
        if "job" not in self.document:
            self._refuse('there is no job; write for example job = "learn radial"', "")
        with self._at("", "job"):
            return job_named(self._text("job", ""), self.place.parent)

    def _parameters(self, job: Job, table: str, *, as_list: bool) -> dict[str, Any]:
        values = self.document.get(table, {})
        if not isinstance(values, dict):
            self._refuse(f"{table} is no table; write [{table}] above its lines", table)
        return self._values(job, values, table, 1, as_list=as_list)

    def _values(
        self,
        job: Job,
        values: Mapping[str, Any],
        table: str,
        entry: int,
        *,
        as_list: bool,
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in values.items():
            with self._at(table, name, entry):
                parameter = job.parameter(name)
                if not as_list:
                    found[name] = _one(parameter, value)
                    continue
                if not isinstance(value, list):
                    raise HypothesisError(
                        f"{name} is {str(value)[:40]!r}; give a list of values, or put "
                        "it into [fixed]"
                    )
                if not value:
                    raise HypothesisError(f"{name} is an empty list; give values")
                found[name] = [parameter.read(v) for v in value]
                if table == "grid" and _has_repeats(found[name]):
                    raise HypothesisError(f"{name} has a value twice; give each once")
        return found

    def _tables(self, name: str) -> list[Any]:
        tables = self.document.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
            self._refuse(f"{name} is no list of tables; write [[{name}]]", name)
        return tables

    def _seeds(self) -> list[int]:
        given = self.document.get("seeds", 1)
        with self._at("", "seeds"):
            if isinstance(given, int) and not isinstance(given, bool):
                if not 1 <= given <= MOST_SEEDS:
                    raise HypothesisError(
                        f"seeds is {given}; give how many, up to {MOST_SEEDS}, or a "
                        "list of seeds"
                    )
                return list(range(given))
            if not isinstance(given, list):
                raise HypothesisError("seeds: give how many, or a list of seeds")
            return [whole(seed, "a seed", most=LARGEST_SEED) for seed in given]

    def _figure(self, study: Study, table: Mapping[str, Any], entry: int) -> Figure:
        known = ("x", "y", "by", "facet", "log", "fit", "title")
        for name in table:
            if name not in known:
                said = f"unknown key {name[:40]!r}; {nearest(name[:40], list(known))}"
                self._refuse(said, "figure", name, entry)
        with self._at("figure", "", entry):
            return figure_of(study, table)

    def _text(self, name: str, default: str) -> str:
        value = self.document.get(name, default)
        if not isinstance(value, str):
            self._refuse(f"{name} is {str(value)[:40]}; give text in quotes", name)
        return value

    def _truth(self, name: str, default: bool) -> bool:
        value = self.document.get(name, default)
        if not isinstance(value, bool):
            self._refuse(f"{name} is {str(value)[:40]!r}; give true or false", name)
        return value

    def _refuse(self, said: str, table: str, name: str = "", entry: int = 1) -> None:
        line = self.lines.of(table, name, entry)
        raise FileFormatError(f"{self.place}:{line}: {said}")

    @contextlib.contextmanager
    def _at(self, table: str, name: str = "", entry: int = 1) -> Iterator[None]:
        try:
            yield
        except FileFormatError:
            raise
        except DepthsepError as error:
            line = self.lines.of(table, name, entry)
            if not table and not name:
                line = self._line_of(str(error))
            raise FileFormatError(f"{self.place}:{line}: {error}") from error

    def _line_of(self, said: str) -> int:
        """Where what a message begins with, or the table it names, is defined."""
        first = re.split(r"\W", said, maxsplit=1)[0]
        tables = ("", "zip", "grid", "fixed")
        found = (self.lines.of(table, first) for table in tables if first)
        named = (self.lines.of(t) for t in ("zip",) if f"[[{t}]]" in said)
        return next((n for n in (*named, *found) if n > 1), 1)


def _one(parameter: Parameter, value: Any) -> Any:
    try:
        return parameter.read(value)
    except HypothesisError as error:
        if isinstance(value, list):
            raise HypothesisError(f"{error}; lists of values go into [grid]") from None
        raise


def _has_repeats(values: list[Any]) -> bool:
    return len({json.dumps(v) for v in values}) < len(values)


def _check_size(document: Any) -> None:
    """Refuse integers that nothing holds.

    Raises:
        ValueError: says which.
    """
    left = [document]
    while left:
        value = left.pop()
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise ValueError(f"an integer of {value.bit_length()} bits")
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
