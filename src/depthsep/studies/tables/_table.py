"""Rows as a table: for people, for pandas and xarray, for CSV and Parquet."""

import csv
import io
import math
import operator
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep._files import write_atomically
from depthsep.jobs import nearest
from depthsep.studies.files._study import Study
from depthsep.studies.store._row import Row

if TYPE_CHECKING:
    import pandas
    import xarray

SAFE = 1 << 53
LAST = (
    *("status", "attempts", "seconds", "worker", "finished", "failure"),
    *("rigours", "code", "key"),
)
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {  # of values of one kind
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Table:
    """Trials as rows: parameters, seed, metrics, and how it went.

    Attributes:
        columns: name to values, all of one length; None where there is no value.
        parameters, metrics: which columns are which.
    """

    columns: Mapping[str, Sequence[object]]
    parameters: tuple[str, ...]
    metrics: tuple[str, ...]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def records(self) -> list[dict[str, object]]:
        """A dictionary a row."""
        names = list(self.columns)
        return [
            dict(zip(names, values, strict=True))
            for values in zip(*self.columns.values(), strict=True)
        ]

    def where(self, conditions: Sequence[str]) -> "Table":
        """The rows that meet all conditions, such as ``dim >= 8``.

        Raises:
            HypothesisError: a condition that cannot be read, or an unknown column.
        """
        tests = [_condition(text, list(self.columns)) for text in conditions]
        kept = [k for k, r in enumerate(self.records()) if all(t(r) for t in tests)]
        columns = {n: [v[k] for k in kept] for n, v in self.columns.items()}
        return Table(columns, self.parameters, self.metrics)

    def to_pandas(self) -> "pandas.DataFrame":
        """Make a DataFrame of it.

        Raises:
            HypothesisError: pandas is not installed.
        """
        return needed("pandas", "tables").DataFrame(
            {name: _safe(values) for name, values in self.columns.items()}
        )


def table_of(rows: Sequence[Row], parameters: Sequence[str] | None = None) -> Table:
    """The table of rows.

    Args:
        parameters: the columns of these; if not given those that differ between rows.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.parameters))
    chosen = tuple(parameters) if parameters is not None else _varied(rows, names)
    metrics = tuple(dict.fromkeys(name for row in rows for name in row.metrics))
    columns: dict[str, list[object]] = {
        name: [row.parameters.get(name) for row in rows] for name in chosen
    }
    columns["seed"] = [row.seed for row in rows]
    columns |= {name: [row.metrics.get(name) for row in rows] for name in metrics}
    columns |= {name: [getattr(row, name) for row in rows] for name in LAST}
    columns["rigours"] = [_said(row.rigours) for row in rows]
    return Table(columns, chosen, metrics)


def _said(rigours: Mapping[str, str]) -> str:
    """The rigours that are not sampled, in one cell."""
    return "; ".join(f"{name} {rigour}" for name, rigour in rigours.items())


def _varied(rows: Sequence[Row], names: Sequence[str]) -> tuple[str, ...]:
    def differs(name: str) -> bool:
        first = rows[0].parameters.get(name)
        return any(row.parameters.get(name) != first for row in rows)

    return tuple(name for name in names if differs(name))


def _condition(text: str, known: list[str]) -> Callable[[Mapping[str, object]], bool]:
    found = re.fullmatch(r"\s*([^\s<>=!]+)\s*(<=|>=|!=|==|=|<|>)\s*(.*?)\s*", text)
    if found is None:
        raise HypothesisError(
            f"the condition {text[:40]!r} is not valid; write for example 'dim >= 8'"
        )
    name, symbol, written = found[1], found[2], found[3].strip("\"'")
    if name not in known:
        raise HypothesisError(f"there is no column {name!r}; {nearest(name, known)}")
    compare = OPERATORS[symbol]

    def test(row: Mapping[str, object]) -> bool:
        value = row[name]
        wanted: object = written
        if isinstance(value, bool):
            wanted = {"true": True, "false": False}.get(written.lower(), written)
        elif isinstance(value, int | float) and written.lower() == "none":
            return symbol == "!="
        elif isinstance(value, int | float):
            try:
                wanted = float(written)
            except ValueError:
                raise HypothesisError(
                    f"{name} is a number, but {written[:30]!r} is not; write for "
                    f"example '{name} {symbol} {value}', one condition at a time",
                    parameter="where",
                ) from None
        elif value is None:
            return (symbol == "!=") != (written.lower() == "none")
        try:
            return compare(value, wanted)
        except TypeError:
            return symbol == "!="

    return test


def _safe(values: Sequence[object]) -> list[object]:
    """Integers that 53 bits do not hold as text, in all of the column."""
    found = [v if not isinstance(v, list | dict) else repr(v) for v in values]
    if any(isinstance(v, int) and abs(v) > SAFE for v in found):
        return [None if v is None else str(v) for v in found]
    kinds = {type(v) for v in found if v is not None}
    if kinds == {int, float}:
        return [float(v) if isinstance(v, int | float) else None for v in found]
    return found if len(kinds) <= 1 else [None if v is None else str(v) for v in found]


def write_table(table: Table, place: str | Path) -> Path:
    """Write a .csv or .parquet file, whole or not at all.

    Raises:
        HypothesisError: another ending, or pyarrow is missing.
    """
    path = Path(place)
    writers = {".csv": _csv_bytes, ".parquet": _parquet_bytes}
    if path.suffix not in writers:
        raise HypothesisError(f"{path.name} must end in .csv or .parquet")
    write_atomically(path, writers[path.suffix](table))
    return path


def _csv_bytes(table: Table) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_cell(name) for name in table.columns])
    for row in zip(*table.columns.values(), strict=True):
        writer.writerow(["" if v is None else _cell(v) for v in row])
    return stream.getvalue().encode()


def _cell(value: object) -> str:
    """Numbers to the last digit; text that a spreadsheet would run stays text."""
    written = repr(value) if isinstance(value, float) else str(value)
    risky = isinstance(value, str) and written[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{written}" if risky else written


def _parquet_bytes(table: Table) -> bytes:
    arrow = needed("pyarrow", "tables")
    parquet = needed("pyarrow.parquet", "tables")
    found = arrow.table({name: _safe(values) for name, values in table.columns.items()})
    stream = io.BytesIO()
    parquet.write_table(found, stream)
    return stream.getvalue()


def to_xarray(study: Study, rows: Sequence[Row]) -> "xarray.Dataset":
    """The numeric metrics over the axes of a study: one a grid list, seeds last.

    Lists that are zipped share an axis, named after the first of them. NaN where there
    is no result.

    Raises:
        HypothesisError: xarray is not installed.
    """
    xarray = needed("xarray", "tables")
    groups = [{name: values} for name, values in study.grid.items()]
    groups += [*study.zipped, {"seed": study.seeds}]
    dims = [next(iter(group)) for group in groups]
    shape = [len(group[name]) for group, name in zip(groups, dims, strict=True)]
    known = {row.key: row.metrics for row in rows}
    found = [known.get(trial.key, {}) for trial in study.trials()]  # in this order
    names = dict.fromkeys(n for metrics in found for n in metrics if _fits(metrics[n]))
    arrays = {
        name: np.array([m[name] if _fits(m.get(name)) else math.nan for m in found])
        for name in names
    }
    return xarray.Dataset(
        {n: (dims, a.astype(float).reshape(shape)) for n, a in arrays.items()},
        coords={
            name: (dim, [_label(value) for value in values])
            for dim, group in zip(dims, groups, strict=True)
            for name, values in group.items()
        },
        attrs={"study": study.name, "job": study.job.name},
    )


def _fits(value: object) -> bool:
    """Whether a value is a number that a float holds, or nearly."""
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def _label(value: object) -> object:
    return value if isinstance(value, int | float | str) else repr(value)
