"""`learn linear`: one method on l_p regression, at the best of its rates."""

from collections.abc import Mapping
from typing import Any

from depthsep.jobs import _base as b
from depthsep.jobs._base import Job, Parameter, Result

METHODS = ("1 layer", "2 layers", "3 layers", "4 layers", "momentum", "adam", "adagrad")

PARAMETERS = (
    Parameter("method", b.TEXT, "1 layer", "layers or an optimiser", choices=METHODS),
    Parameter(
        "data", b.TEXT, "synthetic", "the data", choices=("synthetic", "diabetes")
    ),
    Parameter("condition", b.REAL, 100.0, "of the synthetic data", 1, 1e12),
    Parameter("power", b.WHOLE, 4, "p of the l_p loss", 2, 16),
    Parameter("steps", b.WHOLE, 4000, "of every rate", 100, 10**8),
    Parameter("rates", b.WHOLE, 41, "rates tried, from least to most", 2, 1000),
    Parameter("least", b.REAL, 1e-6, "least rate", 1e-300),
    Parameter("most", b.REAL, 10.0, "largest rate"),
    Parameter("start", b.REAL, 1e-2, "|w| at the start", 1e-300),
)


def _plan(parameters: Mapping[str, Any], seed: int) -> Any:
    from depthsep.dynamics import AccelerationPlan

    method = parameters["method"]
    names = ("power", "steps", "rates", "least", "most", "start")
    given: dict[str, Any] = {name: parameters[name] for name in names}
    if method[0].isdigit():
        given |= {"depths": (int(method[0]),), "optimisers": ()}
    else:
        given |= {"depths": (), "optimisers": (method,)}
    return AccelerationPlan(seed=seed, **given)


def _run(parameters: Mapping[str, Any], seed: int) -> Result:
    from depthsep.dynamics import accelerate, regression

    data = regression(parameters["data"], seed=seed, condition=parameters["condition"])
    plan = _plan(parameters, seed)
    found = accelerate(data, plan)
    (method,) = found.methods
    excess = float(method.losses[-1]) / found.best_loss - 1 if found.best_loss else None
    metrics: dict[str, Any] = {
        f"steps_to_{target:g}": steps if steps >= 0 else None
        for target, steps in zip(plan.targets, method.steps_to, strict=True)
    }
    metrics |= {
        "loss": float(method.losses[-1]),
        "excess": excess,
        "rate": method.rate,
        "rate_at_edge": method.at_edge,
        "best_loss": found.best_loss,
    }
    return Result(metrics, arrays={"steps": found.steps, "losses": method.losses})


LINEAR = Job(
    "learn linear",
    "1",
    PARAMETERS,
    _run,
    "linear regression by products of layers, and by optimisers",
    lambda parameters: _plan(parameters, 0) and None,
    lambda parameters: 0.3 + parameters["steps"] * parameters["rates"] * 5e-6,
    (
        *("steps_to_2", "steps_to_1.1", "steps_to_1.01"),
        *("loss", "excess", "rate", "rate_at_edge", "best_loss"),
    ),
)
