"""`separate`: the table's row at one depth."""

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable, Rigour
from depthsep.exact import float_above, json_integer
from depthsep.jobs._fields import TRUTH, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.jobs._parameters import DEPTH, PROBLEM, TRAINING
from depthsep.jobs.learning._training import (
    learned_metrics,
    plan_of,
    problem_of,
    rounded,
    sampled_problem_of,
    training_seconds,
)
from depthsep.separation import separate

Found = tuple[dict[str, Scalar], dict[str, Rigour]]


def _check(values: Values) -> None:
    (sampled_problem_of if values["learn"] else problem_of)(values)


def _run(values: Values, seed: int) -> Result:
    plan = plan_of(values, values["widths"], seed) if values["learn"] else None
    depth = values["depth"]
    table = separate(problem_of(values), depths=[depth], learn=plan)
    row, document = table[depth], table.to_json()
    metrics, rigours = _proven(row.lower)
    parts = [_certified(row.upper)]
    if row.learned is not None:
        parts.append(learned_metrics(row.learned))
    for more, sure in parts:
        metrics, rigours = metrics | more, rigours | sure
    document.pop("versions")
    return Result(metrics, rigours, documents={"separation": document})


def _proven(lower: Lower | Inapplicable) -> Found:
    if isinstance(lower, Inapplicable):
        return {"no_proof": lower.reason}, {}
    metrics: dict[str, Scalar] = {
        "proven_width": json_integer(lower.width),
        "proven_log2_width": lower.log2_width if lower.width else None,
        "proven_source": str(lower.source),
    }
    return metrics, {
        "proven_width": lower.rigour,
        "proven_log2_width": rounded(lower.rigour),
    }


def _certified(upper: Upper | Inapplicable) -> Found:
    if isinstance(upper, Inapplicable):
        return {"no_network": upper.reason}, {}
    metrics: dict[str, Scalar] = {
        "certified_width": json_integer(upper.width),
        "certified_units": json_integer(upper.units),
        "certified_error": float_above(upper.error),
        "certified_source": str(upper.source),
        "certified_checked": upper.checked,
    }
    rigours = dict.fromkeys(("certified_width", "certified_units"), upper.rigour)
    rigours |= {"certified_error": rounded(upper.rigour)}
    return metrics, rigours | {"certified_checked": Rigour.EXACT}


def _seconds(values: Values) -> float:
    widths = 3 if values["widths"] is None else len(values["widths"])
    return 1 + (training_seconds(values, widths) if values["learn"] else 0)


SEEDLESS = (
    *("proven_width", "proven_log2_width", "proven_source", "no_proof"),
    *("certified_width", "certified_units", "certified_error"),
    *("certified_source", "certified_checked", "no_network"),
)
JOB = Job(
    "separate",
    "1",
    (
        *PROBLEM,
        DEPTH,
        Parameter("learn", TRUTH, False, "also train networks"),
        *TRAINING,
    ),
    _run,
    "certified, proven and learned widths at one depth",
    _check,
    _seconds,
    (*SEEDLESS, "learned_width", "learned_error", "learned_met", "learned_tried"),
    SEEDLESS,
)
