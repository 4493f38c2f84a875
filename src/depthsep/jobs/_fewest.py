"""`fewest pieces`: the shortest table of a curve, a trial for each curve."""

from depthsep._errors import HypothesisError
from depthsep.evidence import Rigour
from depthsep.exact import float_above
from depthsep.jobs._fields import REQUIRED, TEXT, TRUTH, Parameter
from depthsep.jobs._job import Job, Result, Values
from depthsep.laws import Segment
from depthsep.tables import pieces

PARAMETERS = (
    Parameter(
        "target",
        TEXT,
        REQUIRED,
        "the curve: a formula, data:FILE, points:FILE or band:FILE",
    ),
    Parameter(
        "on",
        TEXT,
        None,
        "interval A,B; without it, the interval on which the target is given",
    ),
    Parameter("accuracy", TEXT, REQUIRED, "the largest error that is allowed"),
    Parameter(
        "side",
        TEXT,
        "both",
        "side of the target on which the pieces may lie",
        choices=("both", "above", "below"),
    ),
    Parameter("jumps", TRUTH, False, "allow pieces that do not meet"),
    Parameter(
        "relative",
        TRUTH,
        False,
        "errors are relative to the absolute value of the target",
    ),
)


def _on(values: Values) -> Segment | None:
    if values["on"] is None:
        return None
    ends = values["on"].split(",")
    if len(ends) != 2:
        raise HypothesisError(
            f"`on` is {values['on'][:40]}; give two ends, such as 0,1"
        )
    return Segment(*ends)


def _run(values: Values, seed: int) -> Result:
    table = pieces(
        values["target"],
        _on(values),
        accuracy=values["accuracy"],
        side=values["side"],
        jumps=values["jumps"],
        relative=values["relative"],
    )
    metrics = {
        "pieces": len(table.pieces),
        "needed": table.needed,
        "error": float_above(table.error.upper),
    }
    rigours = {
        "pieces": Rigour.EXACT,
        "needed": Rigour.ENCLOSED,
        "error": Rigour.ENCLOSED,
    }
    return Result(metrics, rigours, documents={"table": table.to_json()})


def _check(values: Values) -> None:
    _on(values)


JOB = Job(
    "fewest pieces",
    "1",
    PARAMETERS,
    _run,
    "tables of few straight pieces for curves, with proofs of how many "
    "pieces are needed",
    _check,
    lambda values: 5.0,
    ("pieces", "needed", "error"),
)
