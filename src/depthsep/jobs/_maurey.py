"""`maurey`: the error of k sampled or chosen features of an infinite network."""

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.infinite_width import (
    FiniteLaw,
    Gaussian,
    Representation,
    ball_points,
    barron_relus,
    barron_thresholds,
    error_against_width,
)
from depthsep.jobs._fields import NUMBER, REQUIRED, TEXT, TRUTH, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Values

UNITS = ("threshold", "relu")
CHOICES = ("network", "sampled", "greedy")

PARAMETERS = (
    Parameter("dim", WHOLE, REQUIRED, "number of inputs of the Gaussian", 1, 10**4),
    Parameter("sigma", NUMBER, "1", "sigma of the Gaussian exp(-|x|^2 / (2 sigma^2))"),
    Parameter(
        "radius", NUMBER, "1", "radius of the ball on which the Gaussian is represented"
    ),
    Parameter("units", TEXT, "threshold", "kind of the features", choices=UNITS),
    Parameter(
        "centred",
        TRUTH,
        False,
        "use thresholds with the values -1/2 and 1/2 instead of 0 and 1",
    ),
    Parameter("width", WHOLE, REQUIRED, "number k of features", 1, 1 << 20),
    Parameter(
        "choice",
        TEXT,
        "network",
        "how the features are chosen: network draws them from the "
        "representation, sampled and greedy choose from a pool",
        choices=CHOICES,
    ),
    Parameter(
        "pool",
        WHOLE,
        1000,
        "number of features to choose from (not for choice = network)",
        2,
        10**5,
    ),
    Parameter(
        "points",
        WHOLE,
        1000,
        "number of points of the ball at which the error is measured",
        1,
        10**6,
    ),
)


def _representation(values: Values) -> Representation:
    gaussian = Gaussian(values["dim"], values["sigma"])
    relus = values["units"] == "relu"
    if values["centred"] and (relus or values["choice"] != "network"):
        raise HypothesisError(
            "centred = true needs units = threshold and choice = network"
        )
    make = barron_relus if relus else barron_thresholds
    return make(gaussian, values["radius"])


def _check(values: Values) -> None:
    _representation(values)


def _run(values: Values, seed: int) -> Result:
    p, representation = values, _representation(values)
    x = ball_points(representation, p["points"], seed=0)
    if p["choice"] == "network":
        gaussian = Gaussian(p["dim"], p["sigma"])
        (found,) = error_against_width(
            representation,
            gaussian.floats,
            [p["width"]],
            seeds=[seed],
            points=x,
            centred=p["centred"],
        )
        square, bound = found.mean_squared_error, found.bound
    else:
        law = _pool(representation, p["pool"], x, seed)
        greedy = p["choice"] == "greedy"
        chosen = law.greedy(p["width"]) if greedy else law.sample(p["width"], seed)
        square, bound = law.squared_error(chosen), law.variance / p["width"]
    found_square, known = float(square), float(bound)  # type: ignore[arg-type]
    return Result(
        {
            "squared_error": found_square,
            "error": found_square**0.5,
            "expected_at_most": known**0.5,
            "share_of_bound": found_square / known,
        }
    )


def _pool(
    representation: Representation, count: int, x: np.ndarray, seed: int
) -> FiniteLaw:
    """A law of as many equally likely features, as functions on the points."""
    features = representation.draw(count, np.random.default_rng([seed, 3]))
    at = x @ features.directions.T - features.offsets
    active = representation.activation.floats(at)
    values = (features.weights * active).T
    return FiniteLaw(values, np.full(count, 1 / count), np.full(len(x), 1 / len(x)))


def _seconds(values: Values) -> float:
    p = values
    size = p["width"] * p["points"]
    if p["choice"] == "greedy":
        size *= p["pool"]
    return 0.05 + size * 2e-10 * p["dim"]


JOB = Job(
    "maurey",
    "1",
    PARAMETERS,
    _run,
    "approximation of a Gaussian by k features of Barron's representation",
    _check,
    _seconds,
    ("squared_error", "error", "expected_at_most", "share_of_bound"),
)
