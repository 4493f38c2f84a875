"""Options of `depthsep learn`, and what they mean."""

from pathlib import Path

import click
import numpy as np
from numpy.lib.npyio import NpzFile

from depthsep._errors import HypothesisError
from depthsep.cli._options import Command, options
from depthsep.jobs import COMPARISON, RADIAL, SEED, named

LARGEST_MATRIX = 1 << 28
START = "start_weights"
SEVERAL = (("--dim", "D1,D2,..."), ("--width", "M1,M2,..."))

run_option = click.option(
    "--run",
    metavar="DIR",
    help="Folder for the run's files; if not given, one in runs/ named after the task.",
)
checkpoint_option = click.option(
    "--checkpoint",
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds between checkpoints; 0 makes one at every record of the trajectory.",
)


def radial_options(command: Command) -> Command:
    """The parameters of a radial run; dimensions, widths and a subspace as text."""
    own = ("dim", "width", "subspace")
    command = options([p for p in (*RADIAL, SEED, *COMPARISON) if p.name not in own])(
        command
    )
    words = (
        "Learn g(|A^T x|) in place of g(|x|), where A keeps K "
        "coordinates or is read from an .npy file."
    )
    command = click.option("--subspace", metavar="K|FILE", help=words)(command)
    words = "First layer to start from: an .npy, or the trajectory.npz of another run."
    command = click.option("--weights", metavar="FILE", help=words)(command)
    for flag, metavar in reversed(SEVERAL):
        words = named(RADIAL, flag[2:]).meaning.capitalize() + "."
        command = click.option(flag, required=True, metavar=metavar, help=words)(
            command
        )
    return command


def read_subspace(written: str | None) -> int | np.ndarray | None:
    """None, a rank, or the matrix in an .npy file (never unpickled)."""
    if written is None or (written.isascii() and written.isdigit()):
        return None if written is None else int(written)
    return _matrix(
        written, "subspace", "give a rank, or an .npy file with the matrix A", (".npy",)
    )


def read_weights(written: str | None) -> np.ndarray | None:
    """None, or a first layer in an .npy or a trajectory.npz file (never unpickled)."""
    if written is None:
        return None
    words = "give an .npy, or the trajectory.npz of a run"
    return _matrix(written, "weights", words, (".npy", ".npz"))


def _matrix(written: str, name: str, words: str, kinds: tuple[str, ...]) -> np.ndarray:
    place = Path(written)
    if place.suffix not in kinds or not place.is_file():
        missing = "; there is no such file" if not place.is_file() else ""
        raise HypothesisError(
            f"{name} is {written[:40]!r}{missing}; {words}", parameter=name
        )
    if place.stat().st_size > LARGEST_MATRIX:
        raise HypothesisError(
            f"{written} has more than {LARGEST_MATRIX} bytes; at most "
            "this many are read"
        )
    try:
        read = np.load(place, allow_pickle=False, mmap_mode=None)
        if isinstance(read, np.ndarray):
            return read
        with read:
            return _start_of(read)
    except HypothesisError:
        raise
    except Exception:  # numpy raises many kinds on damaged files
        raise HypothesisError(
            f"{written} is not a matrix of numbers; write one with numpy.save"
        ) from None


def _start_of(archive: NpzFile) -> np.ndarray:
    """The start in a run's trajectory.npz, if it is no larger than may be read."""
    if START not in archive.files:
        raise HypothesisError(
            f"the file has no array {START}; a run saves its start only "
            "if that has at most 2^20 numbers"
        )
    size = archive.zip.getinfo(f"{START}.npy").file_size if archive.zip else 0
    if size > LARGEST_MATRIX:
        raise HypothesisError(
            f"{START} has {size} bytes, and the limit is {LARGEST_MATRIX}"
        )
    return archive[START]
