"""Jobs about a problem: the table's row at a depth, and what training finds there."""

from collections.abc import Mapping
from math import log2
from typing import TYPE_CHECKING, Any

from depthsep._errors import HypothesisError
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable, Rigour, weakest
from depthsep.exact import float_above
from depthsep.jobs import _base as b
from depthsep.jobs._base import Job, Parameter, Result
from depthsep.networks import network_to_json

if TYPE_CHECKING:
    from depthsep.claims import Learned, TrainingPlan
    from depthsep.problems import Problem

PROBLEM = (
    Parameter("target", b.TEXT, b.REQUIRED, 'such as "sawtooth:4" or "square"'),
    Parameter("on", b.MAYBE_TEXT, None, 'interval "A,B" of every input'),
    Parameter("dim", b.MAYBE_WHOLE, None, "inputs", 1, 1000),
    Parameter("law", b.MAYBE_TEXT, None, "law of the input"),
    Parameter("scale", b.MAYBE_NUMBER, None, "of the law phi2"),
    Parameter("norm", b.TEXT, "linf", "of the error", choices=("linf", "l1", "l2")),
    Parameter("accuracy", b.NUMBER, b.REQUIRED, "error allowed, never squared"),
    Parameter("depth", b.WHOLE, b.REQUIRED, "affine layers", 2, 200),
)
TRAINING = (
    Parameter("steps", b.WHOLE, 3000, "of Adam", 1, 10**8),
    Parameter("restarts", b.WHOLE, 8, "random starts of every width", 1, 4096),
    Parameter("batch", b.WHOLE, 512, "of Adam", 1, 10**6),
    Parameter("rate", b.REAL, 1e-2, "at the start", 1e-12),
)
WIDTHS = Parameter(
    "widths",
    b.MAYBE_WHOLES,
    None,
    "widths to train; beside the certified one if not given",
    1,
    4096,
)


def _problem(parameters: Mapping[str, Any]) -> "Problem":
    from depthsep.problems import problem_from_text

    names = ("target", "on", "norm", "accuracy", "dim", "law", "scale")
    given = {name: parameters[name] for name in names}
    return problem_from_text(**given, weight_bound=parameters.get("weight_bound"))


def _check(parameters: Mapping[str, Any]) -> None:
    if parameters["learn"]:
        _check_sampled(parameters)
    else:
        _problem(parameters)


def _check_sampled(parameters: Mapping[str, Any]) -> None:
    law = _problem(parameters).law
    if not law.has_mean:
        raise HypothesisError(
            f"under {law} |x| has no mean, so samples never settle; choose another law"
        )


def _plan(
    parameters: Mapping[str, Any], widths: tuple[int, ...] | None, seed: int
) -> "TrainingPlan":
    from depthsep.claims import TrainingPlan

    names = ("restarts", "steps", "batch", "rate")
    # restarts of one trial use consecutive seeds; those of the next begin after them
    first = seed * parameters["restarts"]
    return TrainingPlan(widths, seed=first, **{n: parameters[n] for n in names})


def _learned(found: "Learned") -> tuple[dict[str, Any], dict[str, Rigour]]:
    metrics = {
        "learned_width": found.width if found.met else None,
        "learned_error": found.error,
        "learned_met": found.met,
        "learned_tried": ", ".join(str(a.width) for a in found.tried),
    }
    return metrics, {
        "learned_error": _rounded(found.rigour),
        "learned_met": found.rigour,
    }


def _rounded(rigour: Rigour) -> Rigour:
    """Of a bound rounded up to a float: no longer exact."""
    return weakest(rigour, Rigour.ENCLOSED)


def _run_separate(parameters: Mapping[str, Any], seed: int) -> Result:
    from depthsep.separation import json_integer, separate

    given, plan = parameters["widths"], None
    if parameters["learn"]:
        plan = _plan(parameters, None if given is None else tuple(given), seed)
    depth = parameters["depth"]
    table = separate(_problem(parameters), depths=[depth], learn=plan)
    row, document = table[depth], table.to_json()
    metrics: dict[str, Any] = {}
    rigours: dict[str, Rigour] = {}
    if isinstance(row.lower, Lower):
        metrics |= {
            "proven_width": json_integer(row.lower.width),
            "proven_log2_width": row.lower.log2_width if row.lower.width else None,
            "proven_source": str(row.lower.source),
        }
        rigours["proven_width"] = row.lower.rigour
    else:
        metrics["no_proof"] = row.lower.reason
    if isinstance(row.upper, Inapplicable):
        metrics["no_network"] = row.upper.reason
    else:
        metrics |= {
            "certified_width": json_integer(row.upper.width),
            "certified_units": json_integer(row.upper.units),
            "certified_error": float_above(row.upper.error),
            "certified_source": str(row.upper.source),
            "certified_checked": row.upper.checked,
        }
        sizes = ("certified_width", "certified_units")
        rigours |= dict.fromkeys(sizes, row.upper.rigour)
        rigours["certified_error"] = _rounded(row.upper.rigour)
    if row.learned is not None:
        found, sure = _learned(row.learned)
        metrics, rigours = metrics | found, rigours | sure
    document.pop("versions")
    return Result(metrics, rigours, documents={"separation": document})


def _run_target(parameters: Mapping[str, Any], seed: int) -> Result:
    from depthsep.analysis import inspect
    from depthsep.dynamics import learn_target
    from depthsep.laws import Uniform

    problem = _problem(parameters)
    plan = _plan(parameters, (parameters["width"],), seed)
    found = learn_target(problem, parameters["depth"], plan)
    assert found.network is not None
    metrics: dict[str, Any] = {"error": found.error, "met": found.met}
    rigours = {"error": _rounded(found.rigour), "met": found.rigour}
    if isinstance(problem.law, Uniform):
        seen = inspect(found.network, on=problem.law)
        metrics |= {"pieces": seen.pieces, "log2_most_pieces": log2(seen.most_pieces)}
        rigours |= {"pieces": Rigour.EXACT}
    written = network_to_json(found.network)
    return Result(metrics, rigours, documents={"network": written})


def _training_seconds(parameters: Mapping[str, Any], widths: int) -> float:
    p = parameters
    work = p["steps"] * p["restarts"] * p["batch"] * (p["depth"] - 1)
    return 3 + widths * (2 + work * 2e-8)


SEPARATE = Job(
    "separate",
    "1",
    (
        *PROBLEM,
        Parameter("weight_bound", b.MAYBE_NUMBER, None, "largest weight allowed"),
        Parameter("learn", b.TRUTH, False, "also train networks"),
        WIDTHS,
        *TRAINING,
    ),
    _run_separate,
    "certified, proven and learned width of one depth",
    _check,
    lambda p: (
        1 + (_training_seconds(p, len(p["widths"] or "123")) if p["learn"] else 0)
    ),
    (
        *("proven_width", "proven_log2_width", "proven_source", "no_proof"),
        *("certified_width", "certified_units", "certified_error"),
        *("certified_source", "certified_checked", "no_network"),
        *("learned_width", "learned_error", "learned_met", "learned_tried"),
    ),
)
TARGET = Job(
    "learn target",
    "1",
    (
        *PROBLEM,
        Parameter("width", b.WHOLE, b.REQUIRED, "of every layer", 1, 4096),
        *TRAINING,
    ),
    _run_target,
    "ReLU networks of one depth and width, trained",
    _check_sampled,
    lambda p: _training_seconds(p, 1),
    ("error", "met", "pieces", "log2_most_pieces"),
)
