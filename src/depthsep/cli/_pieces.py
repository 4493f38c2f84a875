"""`depthsep pieces`."""

from typing import Any

import click

from depthsep._deadline import deadline
from depthsep._errors import HypothesisError
from depthsep.cli._completions import targets
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    file_option,
    given_options,
    json_option,
    print_json,
    refuse_unused,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.cli._written import FORM_HELP, save_table, written
from depthsep.cli.certificates._outputs import check_folders
from depthsep.export import Fixed, Format, form_of, format_of
from depthsep.laws import Box, Segment
from depthsep.problems import NORMS, domain_from_text
from depthsep.reports import check_picture, save_figure, table_figure
from depthsep.surfaces import TriangleTable, triangles
from depthsep.tables import PieceTable
from depthsep.tables import pieces as fewest
from depthsep.targets import AbstractBoxTarget, target_from_text

OF_ONE_INPUT = (
    *("norm", "above", "below", "relative", "jumps", "interpolate"),
    *("knots_on", "power_of_two"),
)


@click.command()
@click.argument("target", shell_complete=targets)
@click.option(
    "--on",
    metavar="A,B",
    help='Interval, such as -8,8 or 0,pi; for two inputs "0,1;0,2", or one '
    "interval for both.",
)
@click.option("--accuracy", metavar="E", help="The largest error that is allowed.")
@click.option(
    "--pieces",
    "count",
    type=int,
    metavar="N",
    help="Use this many pieces, with the least error; in place of --accuracy.",
)
@click.option(
    "--norm",
    type=click.Choice(NORMS),
    default="linf",
    show_default=True,
    help="Norm of the error: linf is the largest, l1 the mean, l2 the root "
    "mean square.",
)
@click.option("--above", is_flag=True, help="The table is nowhere below the target.")
@click.option("--below", is_flag=True, help="The table is nowhere above the target.")
@click.option(
    "--relative", is_flag=True, help="Measure errors as a share of the target."
)
@click.option("--jumps", is_flag=True, help="Let the table jump: pieces need not meet.")
@click.option(
    "--interpolate", is_flag=True, help="Require that the knots lie on the curve."
)
@click.option(
    "--knots-on", metavar="STEP", help="Require that the knots are multiples of STEP."
)
@click.option(
    "--uniform", is_flag=True, help="Require that all pieces have the same length."
)
@click.option(
    "--power-of-two",
    type=click.Choice(["slopes", "cells"]),
    help="slopes: every slope is 0 or plus or minus a power of 2; cells: "
    "the knots come from repeated halving of the interval.",
)
@click.option(
    "--arithmetic",
    metavar="FORMAT",
    help="Number format of the code that is written: double, float32 or "
    "fixed:16.12 (16 bits, 12 of them after the point); double if not "
    "given.",
)
@file_option(
    "-o", "--output", help="File for the table: .json, or the form that --to names."
)
@click.option("--to", metavar="FORM", help=FORM_HELP)
@file_option("--picture", help="Also draw a picture into a .svg or .png file.")
@seconds_option
@json_option
def pieces(
    target: str,
    on: str | None,
    above: bool,
    below: bool,
    arithmetic: str | None,
    output: str | None,
    to: str | None,
    picture: str | None,
    seconds: float,
    as_json: bool,
    **given: Any,
) -> None:
    """Make a table of few straight pieces for a curve, and prove how many are needed.

    For a function of x1 and x2, the table is a grid of triangles, and the command
    proves how many triangles every continuous table needs at least.

    \b
    depthsep pieces "sigmoid(x)" --on=-8,8 --accuracy 1e-3
    depthsep pieces "sin(x)" --on=0,pi --pieces 7
    depthsep pieces data:curve.csv --accuracy 0.5 --jumps
    depthsep pieces "tanh(x)" --on=-4,4 --accuracy 1e-3 --arithmetic fixed:16.12 -o t.c
    depthsep pieces "x1*x2" --on "0,1;0,2" --accuracy 1e-2
    """
    if above and below:
        raise HypothesisError("give --above or --below, not both")
    side = "above" if above else "below" if below else "both"
    form = format_of(arithmetic or "double")
    check_folders(output, picture)
    if picture is not None:
        check_picture(picture)
    if output is None:
        refuse_unused("--output", "to")
    elif not output.endswith(".json") or to is not None:
        form_of(output, to)
    found, where = target_from_text(target), domain_from_text(on)
    with waiting("counting pieces"), deadline(seconds):
        table: PieceTable | TriangleTable
        if isinstance(found, AbstractBoxTarget):
            table = _in_two(found, where, form, given)
        else:
            fixed = (form.width, form.fraction) if isinstance(form, Fixed) else None
            table = fewest(found, _segment(where), side=side, fixed=fixed, **given)
    if as_json:
        print_json(table.to_json())
    else:
        echo(str(table))
    if picture is not None:
        save_figure(table_figure(table), picture)
    with waiting("examining the code"), deadline(seconds):
        code = None if output is None else save_table(table, output, to, form)
    if not as_json:
        if output is not None:
            echo(written(output, code))
        if picture is not None:
            echo(f"picture: {picture}")


def _segment(where: Segment | Box | None) -> Segment | None:
    if isinstance(where, Box):
        raise HypothesisError("the target has one variable; give one interval as --on")
    return where


def _in_two(
    target: AbstractBoxTarget,
    where: Segment | Box | None,
    form: Format,
    given: dict[str, Any],
) -> TriangleTable:
    """Of two variables: triangles, which have few options."""
    flags = given_options(*OF_ONE_INPUT)
    if flags or isinstance(form, Fixed):
        flag = flags[0] if flags else "--arithmetic fixed"
        raise HypothesisError(f"{flag} is for functions of one variable; leave it out")
    return triangles(
        target,
        where,
        accuracy=given["accuracy"],
        count=given["count"],
        uniform=given["uniform"],
    )
