"""Points from a file of numbers in columns: bounded, checked, sorted."""

import hashlib
import io
import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from depthsep._errors import HypothesisError, TooLargeError

LARGEST = 1 << 28  # bytes
MOST_ROWS = 5_000_000
DIGEST = 16  # characters of a digest that stand in a target's text
SEPARATORS = (",", ";", "\t", None)  # None: blanks
ROWS = r"[-+0-9.eE,;\s]*"  # numbers in place of a file
LOWER, UPPER = ("lo", "low", "lower", "min"), ("hi", "high", "upper", "max")
NAMES = {**dict.fromkeys(LOWER, "lower"), **dict.fromkeys(UPPER, "upper")}


@dataclass(frozen=True, eq=False)
class Columns:
    """Numbers of a file, row by row, sorted by the first column.

    Attributes:
        names: of the columns, "" where the file has no header.
        values: (rows, columns), float64.
        digest: of the file's bytes.
        was_sorted: whether the rows stood in order.
    """

    names: tuple[str, ...]
    values: np.ndarray
    digest: str
    was_sorted: bool


def read_columns(path: str | Path, least: int, most: int) -> Columns:
    """The columns of a file: x first. A header of names is allowed, and # comments.

    Args:
        least: columns at least.
        most: columns at most.

    Raises:
        HypothesisError: no such file; a bad row, with its line and the reason.
        TooLargeError: more than 256 MB, or 5 million rows.
    """
    return _columns(_bytes(Path(path)), path, least, most)


def _columns(data: bytes, path: str | Path, least: int, most: int) -> Columns:
    lines = data.decode("utf-8-sig", "replace").splitlines()
    first = next((k for k, line in enumerate(lines) if _is_row(line)), None)
    if first is None:
        raise HypothesisError(f"{path} contains no row of numbers")
    separator = next(s for s in SEPARATORS if s is None or s in lines[first])
    words = [w.strip().strip('"').lower() for w in lines[first].split(separator)]
    is_header = not any(_is_number(w) for w in words)
    names = tuple(NAMES.get(w, w) for w in words) if is_header else ("",) * len(words)
    if not least <= len(words) <= most:
        wanted = str(least) if least == most else f"from {least} to {most}"
        raise HypothesisError(
            f"{path}, line {first + 1}: the number of columns is "
            f"{len(words)}; it must be {wanted}"
        )
    start = first + is_header
    values = _numbers(path, lines, start, separator, len(words))
    order = np.argsort(values[:, 0], kind="stable")
    digest = hashlib.sha256(data).hexdigest()
    return Columns(names, values[order], digest, bool((np.diff(order) > 0).all()))


def read_digested(
    written: str, least: int, most: int | None = None
) -> tuple[str, Columns]:
    """`PATH`, or `PATH#DIGEST` with the start of the digest that the file had.

    Or the rows themselves, with semicolons between them: `0,1; 1,3; 2,2`; what they
    are then has no digest.

    Raises:
        HypothesisError: a bad row, or a file that has changed.
    """
    if ";" in written and re.fullmatch(ROWS, written):
        given = written.replace(";", "\n").encode()
        return written, replace(
            _columns(given, "rows", least, most or least), digest=""
        )
    found = re.fullmatch(rf"(.*)#([0-9a-f]{{{DIGEST}}})", written)
    path, digest = (written, "") if found is None else found.groups()
    read = read_columns(path, least, most or least)
    if not read.digest.startswith(digest):
        raise HypothesisError(f"{path} has changed since it was used before")
    return path, read


def _bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():  # a device may never end
            raise HypothesisError(f"{path} is not a file")
        if path.stat().st_size > LARGEST:
            raise TooLargeError(f"{path} is larger than {LARGEST >> 20} MB")
        return path.read_bytes()
    except OSError as error:
        raise HypothesisError(f"cannot read {path}: {error.strerror}") from None


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _numbers(
    path: str | Path, lines: list[str], start: int, separator: str | None, width: int
) -> np.ndarray:
    """All rows at once; row by row where that fails, to say which one is bad."""
    if len(lines) - start > MOST_ROWS:
        raise TooLargeError(f"{path} has more than {MOST_ROWS} rows")
    if len(list(islice(filter(_is_row, lines[start:]), 2))) < 2:
        raise HypothesisError(f"{path} has fewer than two rows of numbers")
    try:
        found = np.loadtxt(
            io.StringIO("\n".join(lines[start:])), delimiter=separator, ndmin=2
        )
    except ValueError:
        found = None
    if found is None or found.shape[1:] != (width,) or not np.isfinite(found).all():
        _refuse_bad_row(path, lines, start, separator, width)
    assert found is not None, "a bad row was named"
    return found


def _refuse_bad_row(
    path: str | Path, lines: list[str], start: int, separator: str | None, width: int
) -> None:
    for k, line in enumerate(lines[start:], start=start + 1):
        if not _is_row(line):
            continue
        words = line.split("#")[0].split(separator)
        if len(words) != width:
            raise HypothesisError(
                f"{path}, line {k}: the number of columns is {len(words)}, not {width}"
            )
        for word in words:
            if not _is_number(word):
                raise HypothesisError(
                    f"{path}, line {k}: {word.strip()[:40]!r} is not a number"
                )
            if not np.isfinite(float(word)):
                raise HypothesisError(
                    f"{path}, line {k}: {word.strip()[:40]} is not a finite number"
                )
    raise HypothesisError(f"the rows of {path} cannot be read as numbers")
