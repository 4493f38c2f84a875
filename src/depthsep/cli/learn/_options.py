"""Options of `depthsep learn`, and what they mean."""

from pathlib import Path
from typing import Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._options import Command

LARGEST_MATRIX = 1 << 28


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
    """The fields of a radial task."""
    for decorator in reversed(RADIAL):
        command = decorator(command)
    return command


def _choice(name: str, *values: str, **more: Any) -> Any:
    return click.option(
        name, type=click.Choice(values), default=values[0], show_default=True, **more
    )


def _number(name: str, default: Any, text: str) -> Any:
    return click.option(name, default=default, show_default=True, help=text)


RADIAL = (
    click.option("--dim", required=True, metavar="D1,D2,...", help="Inputs."),
    click.option(
        "--width", required=True, metavar="M1,M2,...", help="First-layer neurons."
    ),
    click.option(
        "--law",
        metavar="LAW",
        help="radius:D:0,2 if not given; ball:D, gaussian:D, chi:D:K, shells:D:R1,R2, "
        "phi2:D:SCALE. The letter D stands for the dimension.",
    ),
    click.option(
        "--target",
        default="radial:relu",
        show_default=True,
        help="Continuous and piecewise affine in |x|.",
    ),
    click.option(
        "--subspace",
        metavar="K|FILE",
        help="Learn g(|A^T x|): K coordinates, or A from an .npy file.",
    ),
    _number("--second", 4, "Second-layer units."),
    _number("--slope", "-0.5", "Where they start: one number, or one each."),
    _number("--offset", "0.5", "Where they start: one number, or one each."),
    _number("--alpha", 1.0, "c_d E|w|^2 at the start."),
    _choice(
        "--start",
        "sphere",
        "gaussian",
        "orthogonal",
        help="Of the first layer; orthogonal (with antipodes) is the most radial.",
    ),
    _number("--bottleneck", 1, "D: channels between the layers."),
    _choice("--outputs", "channels", "gaussian", help="Of neurons, if D > 1."),
    click.option("--train-outputs", is_flag=True),
    click.option("--train-scales", is_flag=True, help="Move output weights too."),
    _number("--pairs", 2048, "Directions u, -u."),
    _choice("--directions", "orthogonal", "independent", "equispaced"),
    click.option("--fresh", is_flag=True, help="New directions at every step."),
    _choice("--solver", "euler", "heun", "adaptive"),
    _number("--step", 0.5, "Longest step of the solver."),
    _number("--time", 100.0, "Of the mean-field flow."),
    _number("--first-rate", 1.0, "How fast the first layer moves."),
    _number("--second-rate", 1.0, "How fast the second layer moves."),
    _number("--records", 100, "How often the trajectory is recorded."),
    _choice("--precision", "float32", "float64"),
    _number("--seed", 0, "Of the start, the directions and the samples."),
    click.option(
        "--compare",
        type=click.Choice(["parameters", "compute"]),
        help="Also train two layers with as many parameters, or as many flops.",
    ),
    _number("--compare-steps", 4000, "Of every two-layer optimiser."),
    _number("--compare-seeds", 3, "Starts of every two-layer optimiser."),
    click.option(
        "--accuracy",
        metavar="E",
        help="L2 error to judge by; a formula in d, such as 1/d.",
    ),
)


def read_each(written: str, name: str) -> tuple[float, ...]:
    """Numbers between commas."""
    try:
        return tuple(float(p) for p in written.split(","))
    except ValueError:
        raise HypothesisError(
            f"{name} is {written[:40]!r}; give a number, or one for each unit"
        ) from None


def read_subspace(written: str | None) -> Any:
    """None, a rank, or the matrix in an .npy file (never unpickled)."""
    if written is None or (written.isascii() and written.isdigit()):
        return None if written is None else int(written)
    import numpy as np

    place = Path(written)
    if place.suffix != ".npy" or not place.is_file():
        missing = "; there is no such file" if not place.is_file() else ""
        raise HypothesisError(
            f"--subspace is {written[:40]!r}{missing}; give a rank, or A in .npy"
        )
    if place.stat().st_size > LARGEST_MATRIX:
        raise HypothesisError(f"{written}: above {LARGEST_MATRIX} bytes")
    try:
        return np.load(place, allow_pickle=False)
    except Exception:  # numpy raises many kinds on damaged files
        raise HypothesisError(
            f"{written}: no matrix of numbers; write it by numpy.save"
        ) from None
