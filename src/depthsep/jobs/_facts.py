"""`facts`: what is true of a network on a box, a trial for each file."""

from math import isfinite

from flint import fmpq

from depthsep.analysis import Distance, Lipschitz, Range, Shape, facts
from depthsep.evidence import Rigour
from depthsep.exact import float_above
from depthsep.interop import read_network
from depthsep.jobs._fields import REAL, REQUIRED, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.problems import domain_from_text

OPEN = "not decided"
PARAMETERS = (
    Parameter("network", TEXT, REQUIRED, "an .onnx, .npz or certificate file"),
    Parameter(
        "on",
        TEXT,
        "-1,1",
        "interval A,B for all inputs, or one interval for each input, as in A,B;C,D",
    ),
    Parameter(
        "output",
        WHOLE,
        1,
        "which output of the network to examine, counted from 1",
        1,
        10**6,
    ),
    Parameter(
        "against",
        TEXT,
        None,
        "file of another network; with it, only the distance to that "
        "network is measured",
    ),
    Parameter(
        "seconds",
        REAL,
        60.0,
        "time limit in seconds for all facts of a network",
        0,
        86400,
    ),
)


def _run(values: Values, seed: int) -> Result:
    other = values["against"]
    found = facts(
        read_network(values["network"]),
        domain_from_text(values["on"]),
        output=values["output"] - 1,
        against=None if other is None else read_network(other),
        seconds=values["seconds"],
        seed=seed,
    )
    document = found.to_json()
    metrics: dict[str, Scalar] = {}
    for fact in found.facts:
        if isinstance(fact, Range):
            low, high = fact.least.value.lower, fact.largest.value.upper
            metrics["least"] = None if low is None else -float_above(-low)
            metrics["largest"] = _end(high)
        elif isinstance(fact, Lipschitz):
            metrics["slope_l2"] = _end(fact.values["l2"].upper)
        elif isinstance(fact, Shape):
            metrics["shape"] = fact.kind
        elif isinstance(fact, Distance):
            metrics["distance"] = _end(fact.value.upper)
    known = {k: v for k, v in metrics.items() if v is not None and v != OPEN}
    rigours = {name: Rigour.ENCLOSED for name in known}
    return Result(known, rigours, documents={"facts": document})


def _end(value: fmpq | None) -> float | None:
    """A proved upper end as a float; None where there is none."""
    found = None if value is None else float_above(value)
    return found if found is not None and isfinite(found) else None


def _check(values: Values) -> None:
    domain_from_text(values["on"])


JOB = Job(
    "facts",
    "1",
    PARAMETERS,
    _run,
    "range, slopes and shape of networks, or their distance to another",
    _check,
    lambda values: float(values["seconds"]),
    ("least", "largest", "slope_l2", "shape", "distance"),
)
