"""Options that several commands share, made from the parameters of jobs."""

import json
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path

import click

from depthsep._errors import HypothesisError
from depthsep.claims import TrainingPlan
from depthsep.cli._completions import files, targets
from depthsep.cli._echo import echo
from depthsep.cli._types import Declared, Dims, dims_option
from depthsep.jobs import (
    DEPTH,
    PROBLEM,
    REQUIRED,
    SEED,
    TRAINING,
    Parameter,
    Values,
)
from depthsep.problems import problem_from_text

Command = Callable[..., object]
METAVARS = {
    "on": "A,B[;C,D...]",
    "law": "LAW",
    "scale": "S",
    "weight_bound": "B",
    "accuracy": "E",
    "widths": "M1,M2,...",
    "subspace": "K|FILE",
    "activation": "UNITS",
}
PLANNED = (*(p for p in TRAINING if p.name not in ("batch", "rate")), SEED)
paper_option = click.option(
    "--paper",
    "kit",
    metavar="DIR",
    help="Write files for a paper: a figure (PDF, PGF), a LaTeX table, "
    "BibTeX entries and a text on the methods.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document instead."
)


def _not_nan(context: object, parameter: object, seconds: float) -> float:
    if seconds != seconds:
        raise click.BadParameter("give a number")
    return seconds


seconds_option = click.option(
    "--seconds",
    callback=_not_nan,
    type=click.FloatRange(0, 86_400),
    default=60.0,
    show_default=True,
    help="Time limit in seconds for examining or counting; what is not done "
    "by then is reported.",
)


def file_option(*names: str, help: str) -> Callable[[Command], Command]:
    """An option that takes a file, which shells complete."""
    return click.option(*names, metavar="FILE", shell_complete=files, help=help)


logits_option = click.option(
    "--logits",
    is_flag=True,
    help="Leave out a softmax or a sigmoid at the end of an .onnx file.",
)
batch_option = click.option(
    "--no-batch",
    "batch",
    flag_value=False,
    default=True,
    help="Read all input axes of an .onnx file as one input; none is a batch axis.",
)
WHICH_OUTPUT = (
    "Output to use: its number, counted from 1; or, for an .onnx file, "
    "its name, or y:2 (the second number of output y)."
)


def option(
    parameter: Parameter, name: str = "", *, help: str = ""
) -> Callable[[Command], Command]:
    """The option of a parameter: type, limits, default and help are its own.

    Args:
        name: such as ``--learn-steps``; from the parameter's if not given.
    """
    flag = name or "--" + parameter.name.replace("_", "-")
    words = help or parameter.meaning[0].upper() + parameter.meaning[1:] + "."
    if isinstance(parameter.default, bool):
        return click.option(flag, is_flag=True, help=words)
    required, choices = parameter.default is REQUIRED, parameter.choices
    return click.option(
        flag,
        type=click.Choice(choices) if choices else Declared(parameter),
        default=None if required else parameter.default,
        required=required,
        show_default=True,
        metavar=METAVARS.get(parameter.name),
        help=words,
    )


def options(parameters: Sequence[Parameter]) -> Callable[[Command], Command]:
    """The options of parameters, in their order."""

    def decorate(command: Command) -> Command:
        for parameter in reversed(parameters):
            command = option(parameter)(command)
        return command

    return decorate


def problem_options(
    command: Command,
    *,
    without: Sequence[str] = (),
    skips: str = "none",
    every: Callable[[Values, Values], object] | None = None,
) -> Command:
    """TARGET, --on, --accuracy and so on, given to the command as its `problem`.

    Args:
        without: parameters that say nothing to the command.
        skips: the default of --skips.
        every: what `--dim all` calls instead, with the problem's parameters and the
            others.
    """
    chosen = [
        replace(p, default=skips) if p.name == "skips" else p
        for p in PROBLEM
        if p.name not in without
    ]

    @wraps(command)
    def with_problem(**given: object) -> object:
        values: Values = {p.name: given.pop(p.name) for p in chosen}
        if every is not None and isinstance(values["dim"], Dims):
            return every(values, given)
        return command(problem=problem_from_text(**values), **given)

    decorated: Command = with_problem
    for parameter in reversed(chosen[1:]):
        is_dim = every is not None and parameter.name == "dim"
        decorated = (dims_option if is_dim else option(parameter))(decorated)
    return click.argument("target", shell_complete=targets)(decorated)


def training_options(command: Command) -> Command:
    """--learn-widths and so on, given to the command as its `plan`."""

    @wraps(command)
    def with_plan(**given: object) -> object:
        values: Values = {p.name: given.pop(f"learn_{p.name}") for p in PLANNED}
        return command(plan=TrainingPlan(**values), **given)

    decorated: Command = with_plan
    for parameter in reversed(PLANNED):
        decorated = option(parameter, f"--learn-{parameter.name}")(decorated)
    return decorated


def read_depths(written: str) -> range:
    """Depths such as ``4`` or ``2:8``, both ends included."""
    return read_range(written, "--depths", int(DEPTH.least), int(DEPTH.most))


def given_options(*names: str) -> list[str]:
    """The flags of those options that stand on the command line."""
    context = click.get_current_context()
    given = click.core.ParameterSource.COMMANDLINE
    found = [name for name in names if context.get_parameter_source(name) == given]
    return ["--" + name.replace("_", "-") for name in found]


def refuse_unused(needed: str, *names: str) -> None:
    """Refuse options that do nothing without another one."""
    for flag in given_options(*names):
        raise HypothesisError(f"{flag} does nothing without {needed}; give both")


def read_integers(written: str, name: str, least: int, most: int) -> tuple[int, ...]:
    """Whole numbers between commas, in order, without repeats."""
    parts = [p.strip() for p in written.split(",")]
    if not all(p.isascii() and p.isdigit() and len(p) < 16 for p in parts):
        raise HypothesisError(f"{name} is {written[:40]!r}; give numbers such as 4,16")
    found = sorted({int(p) for p in parts})
    if not least <= found[0] <= found[-1] <= most:
        raise HypothesisError(
            f"{name} is {written[:40]!r}; give numbers from {least} to {most}"
        )
    return tuple(found)


def read_several(parameter: Parameter, written: str) -> tuple[int, ...]:
    """Several values of one parameter, between commas: a run for each."""
    flag = "--" + parameter.name
    return read_integers(written, flag, int(parameter.least), int(parameter.most))


def read_range(written: str, name: str, least: int, most: int) -> range:
    """Whole numbers such as ``4`` or ``2:8``, both ends included."""
    first, _, last = written.partition(":")
    try:
        a, b = int(first), int(last or first)
    except ValueError:
        a, b = 1, 0
    if not least <= a <= b <= most:
        raise HypothesisError(
            f"{name} is {written[:40]!r}; give a range such as {least}:{min(8, most)}, "
            f"from {least} to {most}"
        )
    return range(a, b + 1)


def print_json(document: object) -> None:
    """One JSON document on stdout, nothing else."""
    echo(json.dumps(document, indent=1))


def check_folder(report: str | None) -> None:
    """Refuse a report folder that cannot be made, before any work is done."""
    if report is None:
        return
    if not report.strip():
        raise HypothesisError(
            "the name of the folder is empty; give a name, or leave out the option"
        )
    place = Path(report).absolute()
    existing = next(p for p in (place, *place.parents) if p.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise HypothesisError(
            f"cannot write into {report}: {existing} is not a folder, "
            "or you may not write there"
        )


def check_kit_folder(kit: str | None) -> None:
    """The same for a paper's kit, which overwrites no files of others."""
    from depthsep.reports import check_kit

    check_folder(kit)
    check_kit(kit)


def command_line() -> str:
    """The command as it was typed, for those who repeat it."""
    typed = click.get_current_context().find_root().obj or ()
    return shlex.join(["depthsep", *typed])
