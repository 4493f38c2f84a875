"""`learn target`: networks of one depth and width, trained on a problem."""

from math import inf, log2

from depthsep.analysis import inspect
from depthsep.dynamics import learn_target
from depthsep.evidence import Rigour
from depthsep.jobs._fields import REQUIRED, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.jobs._parameters import DEPTH, OF_NETWORKS, PROBLEM, TRAINING
from depthsep.jobs.learning._training import (
    plan_of,
    problem_of,
    rounded,
    sampled_problem_of,
    training_seconds,
)
from depthsep.networks import network_to_json


def _check(values: Values) -> None:
    sampled_problem_of(values)


def _run(values: Values, seed: int) -> Result:
    problem = problem_of(values)
    plan = plan_of(values, [values["width"]], seed)
    found = learn_target(problem, values["depth"], plan)
    assert found.network is not None
    metrics: dict[str, Scalar] = {"error": found.error, "met": found.met}
    rigours = {"error": rounded(found.rigour), "met": found.rigour}
    if problem.law.setting == "line":
        seen = inspect(found.network, problem.interval, seconds=inf)
        assert seen.pieces is not None and seen.most_pieces is not None  # of ReLUs
        metrics |= {"pieces": seen.pieces, "log2_most_pieces": log2(seen.most_pieces)}
        rigours |= {"pieces": Rigour.EXACT, "log2_most_pieces": Rigour.ENCLOSED}
    written = network_to_json(found.network)
    return Result(metrics, rigours, documents={"network": written})


JOB = Job(
    "learn target",
    "1",
    (
        *(p for p in PROBLEM if p.name not in OF_NETWORKS),
        DEPTH,
        Parameter(
            "width", WHOLE, REQUIRED, "number of units in every hidden layer", 1, 4096
        ),
        *(p for p in TRAINING if p.name != "widths"),
    ),
    _run,
    "training of ReLU networks of one depth and width",
    _check,
    lambda values: training_seconds(values, 1),
    ("error", "met", "pieces", "log2_most_pieces"),
    ("log2_most_pieces",),
)
