"""Options that several commands share, and what they mean."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError

if TYPE_CHECKING:
    from flint import fmpq

    from depthsep.dynamics import TrainingPlan
    from depthsep.laws import AbstractLaw, Uniform
    from depthsep.problems import Problem
    from depthsep.targets import Radial

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
    from depthsep.dynamics import TrainingPlan

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


def read_problem(
    target: str,
    on: str | None,
    norm: str,
    accuracy: str,
    dim: int | None = None,
    law: str | None = None,
    scale: str | None = None,
    weight_bound: str | None = None,
) -> "Problem":
    """The problem that the options describe."""
    from depthsep.problems import Problem
    from depthsep.targets import Radial, target_from_text

    if on is not None and target.startswith("radial:"):
        target, on = f"{target} on {on.strip().strip('[]')}", None
    function = target_from_text(target, dim)
    if dim is not None and getattr(function, "dim", function.in_dim) != dim:
        raise HypothesisError(
            f"{function} has {function.in_dim} inputs, not --dim {dim}"
        )
    chosen = read_interval(on)
    if law is not None or scale is not None:
        if on is not None:
            raise HypothesisError("give --on or --law, not both")
        if isinstance(function, Radial):
            chosen = read_radial_law(function, law, scale)
        elif law is None or scale is not None:
            raise HypothesisError("--scale is for radial: targets, under phi2")
        else:
            from depthsep.laws import law_from_text

            chosen = law_from_text(law)
    inputs = getattr(function, "dim", function.in_dim)
    bound = None if weight_bound is None else read_bound(weight_bound, inputs)
    return Problem(function, chosen, norm, accuracy, bound)


def read_bound(written: str, dim: int) -> "fmpq":
    """A positive number, or the value of a formula in the dimension d."""
    from depthsep.targets import value_in_dimension

    return value_in_dimension(written.replace("^", "**"), dim, name="--weight-bound")


def read_radial_law(
    target: "Radial", law: str | None, scale: str | None
) -> "AbstractLaw":
    """The law of a radial target, scaled.

    ``--scale S``: the law of S x. ``t=T``: |x| = 1 lies at the phase t = T. ``median``:
    half of the mass within |x| <= 1; ``target``: within the target's support.
    """
    from depthsep.laws import law_from_text
    from depthsep.problems import normalised_law

    if scale is None:
        return law_from_text(law or f"phi2:{target.dim}")
    if law is not None:
        raise HypothesisError("give --scale or --law phi2:D:SCALE, not both")
    if scale in ("median", "target"):
        return normalised_law(target, scale)
    return law_from_text(f"phi2:{target.dim}:{scale}")


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
