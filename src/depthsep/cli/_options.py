"""Options that several commands share, and what they mean."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError

if TYPE_CHECKING:
    from depthsep.laws import Uniform
    from depthsep.problems import Problem

Command = Callable[..., Any]


def problem_options(command: Command) -> Command:
    """TARGET, --on, --norm and --accuracy."""
    decorators = (
        click.argument("target"),
        click.option(
            "--on", metavar="A,B", help="Interval, of every input; [0, 1] if not given."
        ),
        click.option(
            "--dim",
            type=click.IntRange(1, 1000),
            help="Inputs of a formula, or the dimension of inner:.",
        ),
        click.option(
            "--norm",
            default="linf",
            show_default=True,
            metavar="NORM",
            help="linf, l1 or l2; l1 and l2 are means over the interval.",
        ),
        click.option(
            "--accuracy",
            required=True,
            metavar="E",
            help="Error allowed, such as 1e-6 or 1/20; never a squared error.",
        ),
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document instead."
)


def read_problem(
    target: str, on: str | None, norm: str, accuracy: str, dim: int | None = None
) -> "Problem":
    """The problem that the options describe."""
    from depthsep.problems import Problem
    from depthsep.targets import target_from_text

    function = target_from_text(target, dim)
    if dim is not None and getattr(function, "dim", function.in_dim) != dim:
        raise HypothesisError(
            f"{function} has {function.in_dim} inputs, not --dim {dim}"
        )
    return Problem(function, read_interval(on), norm, accuracy)


def read_interval(written: str | None) -> "Uniform | None":
    """The interval ``A,B``; None if there is none."""
    from depthsep.laws import Uniform

    if written is None:
        return None
    parts = written.strip().strip("[]").split(",")
    if len(parts) != 2:
        raise HypothesisError(
            f"--on is {written[:40]!r}; give two numbers, such as 0,1"
        )
    return Uniform(*parts)


def read_depths(written: str) -> range:
    """Depths such as ``4`` or ``2:8``, both ends included."""
    first, _, last = written.partition(":")
    try:
        a, b = int(first), int(last or first)
    except ValueError:
        a, b = 1, 0
    if not 2 <= a <= b <= 200:
        raise HypothesisError(
            f"--depths is {written[:40]!r}; give a range such as 2:8, from 2 to 200"
        )
    return range(a, b + 1)


def print_json(document: object) -> None:
    """One JSON document on stdout, nothing else."""
    click.echo(json.dumps(document, indent=1))
