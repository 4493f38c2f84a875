"""Options of `depthsep learn`, and what they mean."""

from pathlib import Path

import click
import numpy as np

from depthsep._errors import HypothesisError
from depthsep.cli._options import Command, options
from depthsep.jobs import COMPARISON, RADIAL, SEED, named

LARGEST_MATRIX = 1 << 28
SEVERAL = (("--dim", "D1,D2,..."), ("--width", "M1,M2,..."))

run_option = click.option(
    "--run",
    metavar="DIR",
    help="Folder for the run's files; under runs/, named after the task, if not given.",
)
checkpoint_option = click.option(
    "--checkpoint",
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="Between checkpoints; 0 makes one at every record.",
)


def radial_options(command: Command) -> Command:
    """The parameters of a radial run; dimensions, widths and a subspace as text."""
    own = ("dim", "width", "subspace")
    command = options([p for p in (*RADIAL, SEED, *COMPARISON) if p.name not in own])(
        command
    )
    words = "Learn g(|A^T x|): K coordinates, or A from an .npy file."
    command = click.option("--subspace", metavar="K|FILE", help=words)(command)
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
    place = Path(written)
    if place.suffix != ".npy" or not place.is_file():
        missing = "; there is no such file" if not place.is_file() else ""
        raise HypothesisError(
            f"subspace is {written[:40]!r}{missing}; give a rank, or A in .npy",
            parameter="subspace",
        )
    if place.stat().st_size > LARGEST_MATRIX:
        raise HypothesisError(f"{written}: above {LARGEST_MATRIX} bytes")
    try:
        return np.load(place, allow_pickle=False)
    except Exception:  # numpy raises many kinds on damaged files
        raise HypothesisError(
            f"{written}: not a matrix of numbers; write it by numpy.save"
        ) from None
