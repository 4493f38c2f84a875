"""Options that several commands share, and what they mean."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.claims import TrainingPlan

if TYPE_CHECKING:
    from depthsep.claims import TrainingPlan

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
            "--law",
            metavar="LAW",
            help="Law of the input: phi2:D for radial:, which is also the default.",
        ),
        click.option(
            "--scale",
            metavar="S",
            help="Of phi2: the law of S x; or median, target, or t=T (see the docs).",
        ),
        click.option(
            "--weight-bound",
            metavar="B",
            help="Largest weight allowed; a number, or a formula in d such as 2^d.",
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


def training_options(command: Command) -> Command:
    """--learn-widths, --learn-steps, --learn-restarts and --learn-seed."""
    decorators = (
        click.option(
            "--learn-widths",
            metavar="M1,M2,...",
            help="Widths to train; if not given 4, 16, 64, or in a table the certified "
            "width, 4 and 16 times it, up to 64.",
        ),
        click.option(
            "--learn-steps", default=3000, show_default=True, help="Steps of Adam."
        ),
        click.option(
            "--learn-restarts",
            default=8,
            show_default=True,
            help="Random starts of every width.",
        ),
        click.option(
            "--learn-seed", default=0, show_default=True, help="Of the first start."
        ),
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def read_plan(
    widths: str | None, steps: int, restarts: int, seed: int
) -> "TrainingPlan":
    """How to train, from options."""
    chosen = None if widths is None else read_integers(widths, "the widths", 1, 4096)
    return TrainingPlan(chosen, restarts, steps, seed=seed)


def refuse_unused(needed: str, *names: str) -> None:
    """Refuse options that do nothing without another one."""
    context = click.get_current_context()
    for name in names:
        source = context.get_parameter_source(name)
        if source == click.core.ParameterSource.COMMANDLINE:
            option = "--" + name.replace("_", "-")
            raise HypothesisError(f"{option} does nothing without {needed}; add it")


def read_integers(written: str, name: str, least: int, most: int) -> tuple[int, ...]:
    """Whole numbers between commas, in order, without repeats."""
    parts = [p.strip() for p in written.split(",")]
    if not all(p.isascii() and p.isdigit() and len(p) < 16 for p in parts):
        raise HypothesisError(f"{name}: {written[:40]!r}; give numbers such as 4,16")
    found = sorted({int(p) for p in parts})
    if not least <= found[0] <= found[-1] <= most:
        raise HypothesisError(f"{name}: {written[:40]!r}; give {least} to {most}")
    return tuple(found)


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
