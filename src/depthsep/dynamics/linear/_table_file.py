"""Regressions from files of strangers: CSV or npz, bounded, never unpickled."""

import hashlib
import io
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import one_line, quoted, read_bounded
from depthsep.dynamics.linear._regression import Regression, scaled

LARGEST = 1 << 28  # bytes of the arrays
KINDS = (".csv", ".npz")


def regression_from_file(path: str | Path) -> Regression:
    """A regression from a CSV, its last column the values, or from x and y of an npz.

    A first line of the CSV that is not of numbers is taken for names. Columns and
    values are centred and scaled to unit variance, as those of diabetes are; columns
    that are constant become 0.

    Raises:
        HypothesisError: no such file, or another kind.
        FileFormatError: not numbers, too few of them, not finite, too large.
    """
    file = Path(path)
    if file.suffix not in KINDS or not file.is_file():
        raise HypothesisError(
            f"{quoted(str(path))} cannot be read: give a .csv or .npz file that exists"
        )
    written = read_bounded(file)
    try:
        x, y = (_of_csv if file.suffix == ".csv" else _of_npz)(written)
    except (ValueError, KeyError, OSError, EOFError, BadZipFile) as error:
        words = one_line(str(error))[:100]
        raise FileFormatError(f"{quoted(file.name)} cannot be read: {words}") from None
    if x.ndim != 2 or y.shape != (len(x),) or len(x) < 2 or not x.shape[1]:
        raise FileFormatError(
            f"{quoted(file.name)} has inputs of shape {x.shape} for values of shape "
            f"{y.shape}; give (n, d) and (n,), with n at least 2 and d at least 1"
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise FileFormatError(f"{quoted(file.name)} has numbers that are not finite")
    digest = hashlib.sha256(written).hexdigest()
    return scaled(Regression(x, y, file.name, digest))


def _of_csv(written: bytes) -> tuple[np.ndarray, np.ndarray]:
    lines = written.decode("utf-8").splitlines()
    skip = int(bool(lines) and not _is_numbers(lines[0]))
    if not any(line.strip() for line in lines[skip:]):
        raise ValueError("it has no rows of numbers")
    table = np.loadtxt(lines[skip:], delimiter=",", ndmin=2, comments=None)
    return table[:, :-1], table[:, -1]


def _is_numbers(line: str) -> bool:
    try:
        return bool([float(cell) for cell in line.split(",")])
    except ValueError:
        return False


def _of_npz(written: bytes) -> tuple[np.ndarray, np.ndarray]:
    with np.load(io.BytesIO(written), allow_pickle=False) as archive:
        sizes = [entry.file_size for entry in archive.zip.infolist()]
        if sum(sizes) > LARGEST:
            raise ValueError(
                f"its arrays have {sum(sizes)} bytes, above the limit of {LARGEST}"
            )
        x, y = (np.asarray(archive[n], dtype=np.float64) for n in ("x", "y"))
    return x, y
