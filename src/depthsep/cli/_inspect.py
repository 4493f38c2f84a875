"""`depthsep inspect`."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from depthsep._errors import HypothesisError
from depthsep.analysis import Plan, survey
from depthsep.analysis import inspect as examine
from depthsep.cli._inspect_show import (
    line_document,
    print_line,
    print_survey,
    survey_document,
)
from depthsep.cli._options import json_option, print_json
from depthsep.interop import read_network
from depthsep.laws import Box, Uniform
from depthsep.networks import Network
from depthsep.problems import NORMS, interval_from_text
from depthsep.reports import write_survey
from depthsep.targets import target_from_text

if TYPE_CHECKING:
    from depthsep.analysis import Inspection, Plan, Survey
    from depthsep.laws import Box
    from depthsep.networks import Network
    from depthsep.targets import AbstractTarget

ON_A_LINE = ("on", "line", "float64")
ON_A_BOX = ("box", "slice_", "lines", "slices", "seed", "most", "seconds")


@click.command()
@click.argument("net", metavar="NET")
@click.option("--on", metavar="A,B", help="Interval, for one input; all of R if none.")
@click.option("--line", metavar='"X0;X1"', help='Two points, such as "0,0;1,1".')
@click.option(
    "--box",
    metavar='"A,B[;C,D...]"',
    help="Sides of all inputs, or one for each; -1,1 if not given.",
)
@click.option(
    "--slice",
    "slice_",
    metavar='"X0;X1;X2"',
    help="Only the parallelogram from X0 to X1 and X2.",
)
@click.option("--lines", default=100, show_default=True, help="Random lines.")
@click.option("--slices", type=int, help="Random slices; 3 beyond two inputs.")
@click.option("--seed", default=0, show_default=True, help="Of lines and slices.")
@click.option(
    "--most",
    default=200_000,
    show_default=True,
    help="Do not count beyond so many regions.",
)
@click.option("--target", metavar="TARGET", help="Also measure the distance to it.")
@click.option("--against", metavar="NET", help="Or to another network.")
@click.option("--norm", help="Of the distance: linf (if not given), l1 or l2.")
@click.option(
    "--seconds", default=60.0, show_default=True, help="For a distance on a box."
)
@click.option(
    "--level", default="1/2", show_default=True, help="For crossings and parts."
)
@click.option(
    "--output", default=1, show_default=True, help="Which output, counted from 1."
)
@click.option("--float64", is_flag=True, help="Faster, rounded; proves nothing.")
@click.option(
    "--report", metavar="FOLDER", help="Also a page with a map of the regions."
)
@json_option
def inspect(
    net: str,
    on: str | None,
    line: str | None,
    box: str | None,
    slice_: str | None,
    lines: int,
    slices: int | None,
    seed: int,
    most: int,
    target: str | None,
    against: str | None,
    norm: str | None,
    seconds: float,
    level: str,
    output: int,
    float64: bool,
    report: str | None,
    as_json: bool,
) -> None:
    """Examine a network: an .onnx, .npz (W1, b1, W2, ...) or certificate file.

    Of one input, or along --line, all affine pieces; of several inputs regions on a box
    or in slices, pieces along random lines, and units that do nothing.

    \b
    depthsep inspect net.onnx --on 0,1 --target square
    depthsep inspect net.npz --box -1,1 --report page
    depthsep inspect net.npz --line "0,0;1,1"
    """
    _check_distance(target, against, norm)
    network = read_network(net)
    other = _other(target, against, network)
    refused = ON_A_BOX
    if network.in_dim == 1 and on is None and line is None:
        on, refused = box, ON_A_BOX[1:]  # a box of one input is an interval
    on_a_line = network.in_dim == 1 or on is not None or line is not None
    _refuse(refused if on_a_line else ON_A_LINE, on_a_line)
    if on_a_line:
        found = _along(
            network, on, line, other, norm or "linf", level, output - 1, not float64
        )
        document = line_document(found)
    else:
        plan = _plan(
            slice_, lines, slices, seed, most, other, norm, seconds, level, output
        )
        found = _survey(network, box, plan, shown=not as_json)
        document = survey_document(found)
    if report is not None:
        write_survey(found, report, net, document)
    if as_json:
        print_json(document)
        return
    (print_line if on_a_line else print_survey)(net, found)  # type: ignore[operator]
    if report is not None:
        click.echo(f"  report written to {report}/index.html")


def _check_distance(target: str | None, against: str | None, norm: str | None) -> None:
    if target is not None and against is not None:
        raise HypothesisError("give --target or --against, not both")
    if norm is not None and target is None and against is None:
        raise HypothesisError("--norm needs a --target to measure the distance to")
    if norm is not None and norm not in NORMS:
        raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")


def _other(
    target: str | None, against: str | None, network: "Network"
) -> "Network | AbstractTarget | None":
    if against is not None:
        return read_network(against)
    if target is None:
        return None
    dim = network.in_dim if network.in_dim > 1 else None
    return target_from_text(target, dim)


def _refuse(names: tuple[str, ...], on_a_line: bool) -> None:
    """Refuse options that do nothing here."""
    context = click.get_current_context()
    for name in names:
        source = context.get_parameter_source(name)
        if source == click.core.ParameterSource.COMMANDLINE:
            option = "--" + name.rstrip("_")
            where = (
                "on an interval or a line; leave it out"
                if on_a_line
                else "of several inputs without --line; leave it out"
            )
            raise HypothesisError(f"{option} says nothing {where}")


def _along(
    network: "Network",
    on: str | None,
    line: str | None,
    other: "Network | AbstractTarget | None",
    norm: str,
    level: str,
    output: int,
    exact: bool,
) -> "Inspection":
    if on is not None and line is not None:
        raise HypothesisError("give --on or --line, not both")
    is_network = isinstance(other, Network)
    return examine(
        network,
        on=interval_from_text(on),
        line=None if line is None else _points(line, 2, "--line"),  # type: ignore[arg-type]
        target=None if is_network else other,  # type: ignore[arg-type]
        against=other if is_network else None,  # type: ignore[arg-type]
        norm=norm,
        level=level,
        output=output,
        exact=exact,
    )


def _plan(
    slice_: str | None,
    lines: int,
    slices: int | None,
    seed: int,
    most: int,
    other: "Network | AbstractTarget | None",
    norm: str | None,
    seconds: float,
    level: str,
    output: int,
) -> "Plan":
    given = () if slice_ is None else (_points(slice_, 3, "--slice"),)
    if slice_ is not None and slices is not None:
        raise HypothesisError("give --slice or --slices, not both")
    if seed < 0 or most < 1:
        raise HypothesisError("--seed is 0 or more, --most 1 or more")
    return Plan(
        lines,
        slices,
        given,
        seed,
        level,
        output - 1,
        most,
        other,
        norm or "linf",
        seconds,
    )


def _survey(
    network: "Network", box: str | None, plan: "Plan", *, shown: bool
) -> "Survey":
    with _saying(shown) as say:
        return survey(network, _box(box, network.in_dim), plan, progress=say)


def _box(written: str | None, dim: int) -> "Box | None":
    if written is None:
        return None
    sides = []
    for part in written.split(";"):
        ends = part.strip().strip("[]").split(",")
        if len(ends) != 2:
            raise HypothesisError(
                f'--box is {written[:40]!r}; give -1,1 or "0,1;-2,2", a side an input'
            )
        sides.append(Uniform(*ends))
    if len(sides) == 1:
        sides *= dim
    if len(sides) != dim:
        raise HypothesisError(
            f"--box has {len(sides)} sides, the network {dim} inputs; give one or {dim}"
        )
    return Box(sides)


@contextlib.contextmanager
def _saying(shown: bool) -> Iterator[Callable[[str], None]]:
    """What is being done, on the terminal while it takes long."""
    from rich.console import Console

    console = Console(stderr=True)
    if not shown or not console.is_terminal:
        yield lambda _: None
        return
    with console.status("looking") as status:
        yield status.update


def _points(written: str, count: int, option: str) -> tuple[list[str], ...]:
    points = tuple(point.split(",") for point in written.split(";"))
    if len(points) != count:
        words, example = {
            2: ("two", "0,0;1,1"),
            3: ("three", "0,0,0;1,0,0;0,1,0"),
        }[count]
        raise HypothesisError(
            f'{option} is {written[:40]!r}; give {words} points, such as "{example}"'
        )
    return points
