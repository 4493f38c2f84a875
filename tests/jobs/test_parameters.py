"""Python, study files and the command line agree on every parameter they share."""

import inspect
from dataclasses import MISSING, fields
from pathlib import Path

import click
import pytest

from depthsep import (
    HypothesisError,
    analysis,
    dynamics,
    infinite_width,
    interop,
    near_init,
    separation,
)
from depthsep.claims import TrainingPlan
from depthsep.cli._main import depthsep
from depthsep.cli._options import Declared
from depthsep.interop import vnnlib
from depthsep.jobs import (
    COMPARISON,
    DEPTH,
    LINEAR,
    OF_NETWORKS,
    PROBLEM,
    RADIAL,
    REQUIRED,
    SEED,
    TRAINING,
    job_named,
    named,
)
from depthsep.problems import NORMS
from depthsep.studies import JOBS

# the options of a command to their parameters
COMMANDS = {
    "separate": (*PROBLEM, *TRAINING, SEED),
    "build": (*PROBLEM, DEPTH),
    "learn target": (*PROBLEM, *TRAINING, SEED),
    "learn radial": (*RADIAL, *COMPARISON, SEED),
    "learn linear": (*LINEAR, SEED),
}
# options that take a list of values, one run each, or a file
OTHERWISE = {("learn radial", name) for name in ("dim", "width", "subspace")}
OTHERWISE |= {("separate", "dim")}  # it takes all dimensions, too
# parameters that an option names in another way, or leaves to the job
UNSAID = {
    "separate": {"batch", "rate"},
    "learn target": {"batch", "rate", *OF_NETWORKS},
    "build": {"skips"},  # how the file is written
    "learn radial": set(),
    "learn linear": set(),
}
# Python's records and functions, and the parameters that they take
PYTHON = [
    (TrainingPlan, (*TRAINING, SEED), {}),
    (dynamics.RadialTask, (*RADIAL, SEED), {"first_rate": "rates", "second_rate": 0}),
    (dynamics.TwoLayerBudget, COMPARISON[1:3], {"compare_steps": "steps"}),
    (dynamics.AccelerationPlan, job_named("learn linear", Path()).parameters, {}),
    (dynamics.regression, job_named("learn linear", Path()).parameters, {}),
    (near_init.TangentKernel, job_named("kernel convergence", Path()).parameters, {}),
]
RENAMED = {"compare_steps": "steps", "compare_seeds": "seeds"}


def command(name):
    found = depthsep
    for part in name.split():
        found = found.get_command(click.Context(found), part)
    return found


def declared(name):
    """The options of a command by the name of the parameter that they stand for."""
    return {
        option.name.removeprefix("learn_"): option
        for option in command(name).params
        if option.name != "learn"
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_their_parameters(name):
    found = declared(name)
    for parameter in COMMANDS[name]:
        if parameter.name in UNSAID[name]:
            continue
        option = found[parameter.name]
        if parameter.name == "target" or (name, parameter.name) in OTHERWISE:
            continue
        if name == "build" and parameter is DEPTH:
            assert option.default is None  # the smallest of several depths
            continue
        required = parameter.default is REQUIRED
        assert option.required == required
        context = click.Context(command(name))
        given = option.get_default(context)
        assert given in (None, parameter.default) if required else True
        if not required and parameter.default is not None:
            assert given == parameter.default
        if isinstance(option.type, click.Choice):
            assert tuple(option.type.choices) == parameter.choices
        elif not option.is_flag:
            assert isinstance(option.type, Declared)
            assert option.type.parameter is parameter
            assert option.help.lower() == f"{parameter.meaning}.".lower()


@pytest.mark.parametrize("name", sorted({j.name for j in JOBS} & set(COMMANDS)))
def test_jobs_are_made_of_the_same_parameters(name):
    job = job_named(name, Path())
    shared = [p for p in COMMANDS[name] if p is not SEED]
    own = {"learn target": {"widths", *OF_NETWORKS}}.get(name, set())
    for parameter in shared:
        if parameter.name not in own:
            assert parameter in job.parameters


def python_defaults(function):
    if inspect.isclass(function):
        return {f.name: f.default for f in fields(function) if f.default is not MISSING}
    given = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in given if p.default is not p.empty}


@pytest.mark.parametrize(
    ("function", "parameters"),
    [(f, p) for f, p, _ in PYTHON],
    ids=[f.__name__ for f, *_ in PYTHON],
)
def test_python_has_the_same_defaults(function, parameters):
    known, shared = python_defaults(function), 0
    for parameter in parameters:
        name = RENAMED.get(parameter.name, parameter.name)
        if name in known and parameter.default is not REQUIRED:
            assert known[name] == parameter.default, name
            shared += 1
    assert shared


def test_rates_of_a_radial_task_are_two_parameters():
    both = (named(RADIAL, "first_rate").default, named(RADIAL, "second_rate").default)
    assert python_defaults(dynamics.RadialTask)["rates"] == both


def test_python_has_the_same_limits():
    makers = {
        **{p.name: (p, lambda **g: TrainingPlan(**g)) for p in (*TRAINING, SEED)},
        **{
            f"task {p.name}": (p, radial)
            for p in RADIAL
            if p.kind.name.startswith("a ")
        },
        **{f"plan {p.name}": (p, acceleration) for p in LINEAR[1:]},
    }
    for parameter, make in makers.values():
        for beyond in (parameter.least - 1, parameter.most + 1):
            if abs(beyond) == float("inf") or parameter.name in (
                "rate",
                "slope",
                "offset",
            ):
                continue
            with pytest.raises(HypothesisError):
                parameter.read(beyond)
            with pytest.raises(HypothesisError):
                make(**{parameter.name: beyond})


def radial(**given):
    rates = (given.pop("first_rate", 1.0), given.pop("second_rate", 1.0))
    return dynamics.RadialTask(**{"dim": 4, "width": 8, "rates": rates, **given})


def acceleration(**given):
    return dynamics.AccelerationPlan(**given)


def test_choices_are_those_of_python():
    assert named(PROBLEM, "norm").choices == NORMS
    for name in ("start", "directions", "solver", "precision", "outputs"):
        parameter = named(RADIAL, name)
        with pytest.raises(HypothesisError) as error:
            radial(**{name: "none of them"})
        said = str(error.value).split("choose ")[1]
        assert said == ", ".join(parameter.choices)


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("build", separation.build, ("seconds",)),
        ("verify", interop.verify, ("seconds",)),
        ("inspect", analysis.Plan, ("lines", "seed", "most", "seconds")),
        ("export-vnnlib", vnnlib.export_vnnlib, ("timeout",)),
    ],
)
def test_other_options_have_the_defaults_of_python(name, function, options):
    known, context = python_defaults(function), click.Context(command(name))
    for option in command(name).params:
        if option.name in options:
            assert option.get_default(context) == known[option.name]


def test_text_is_read_as_a_parameter_reads_it():
    assert named(RADIAL, "slope").read_text("-0.5") == -0.5
    assert named(RADIAL, "slope").read_text("1, 2") == [1.0, 2.0]
    assert named(TRAINING, "widths").read_text("4") == [4]
    assert named(PROBLEM, "accuracy").read_text("1e-400") == "1e-400"
    for name, text in (
        ("pairs", "1.5"),
        ("pairs", "0"),
        ("alpha", "nan"),
        ("slope", ""),
    ):
        with pytest.raises(HypothesisError) as error:
            named(RADIAL, name).read_text(text)
        assert error.value.parameter == name


def test_functions_of_the_library_take_what_the_maurey_job_takes():
    parameters = {p.name: p for p in job_named("maurey", Path()).parameters}
    given = inspect.signature(infinite_width.error_against_width).parameters
    assert given["centred"].default == parameters["centred"].default
