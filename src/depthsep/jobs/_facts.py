"""`facts`: what is true of a network on a box, a trial for each file."""

from math import isfinite

from depthsep.analysis import Apart, Lipschitz, Range, Shape, facts
from depthsep.evidence import Rigour
from depthsep.exact import float_above
from depthsep.interop import read_network
from depthsep.jobs._fields import REAL, REQUIRED, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.problems import domain_from_text

PARAMETERS = (
    Parameter("network", TEXT, REQUIRED, "an .onnx, .npz or certificate file"),
    Parameter("on", TEXT, "-1,1", "interval of all inputs, or A,B;C,D of each"),
    Parameter("output", WHOLE, 1, "the number of the output", 1, 10**6),
    Parameter("against", TEXT, None, "another network: the distance to it, alone"),
    Parameter("seconds", REAL, 60.0, "for all facts of a network", 0, 86400),
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
            metrics["least"] = -float_above(-fact.least.value.lower)
            metrics["largest"] = float_above(fact.largest.value.upper)
        elif isinstance(fact, Lipschitz):
            metrics["slope_l2"] = float_above(fact.values["l2"].upper)
        elif isinstance(fact, Shape):
            metrics["shape"] = fact.kind
        elif isinstance(fact, Apart):
            metrics["distance"] = float_above(fact.value.upper)
    known = {k: v for k, v in metrics.items() if isinstance(v, str) or isfinite(v or 0)}
    rigours = {name: Rigour.ENCLOSED for name in known}
    return Result(known, rigours, documents={"facts": document})


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
