"""`learn linear`: one method on l_p regression, at the best of its rates."""

from depthsep.dynamics import AccelerationPlan, accelerate, regression
from depthsep.jobs._fields import REAL, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Scalar, Values
from depthsep.jobs._parameters import LINEAR

LAYERS = ("1 layer", "2 layers", "3 layers", "4 layers")
OPTIMISERS = AccelerationPlan.optimisers
DEEP = tuple(f"{layers}, {name}" for layers in LAYERS[1:] for name in OPTIMISERS)
METHODS = (*LAYERS, *OPTIMISERS, *DEEP)

PARAMETERS = (
    Parameter(
        "method",
        TEXT,
        "1 layer",
        "number of layers, an optimiser, or both",
        choices=METHODS,
    ),
    *LINEAR,
    Parameter(
        "condition", REAL, 100.0, "condition number of the synthetic data", 1, 1e12
    ),
    Parameter(
        "rates",
        WHOLE,
        41,
        "number of learning rates to try, from `least` to `most`",
        2,
        1000,
    ),
    Parameter("least", REAL, 1e-6, "smallest learning rate", 1e-300),
    Parameter("most", REAL, 10.0, "largest learning rate"),
    Parameter(
        "start", REAL, 1e-2, "length |w| of the weight vector w at the start", 1e-300
    ),
)


def _plan(values: Values, seed: int) -> AccelerationPlan:
    method: str = values["method"]
    layers, _, optimiser = method.rpartition(", ")
    names = ("power", "steps", "rates", "least", "most", "start")
    return AccelerationPlan(
        depths=(int(method[0]),) if method in LAYERS else (),
        optimisers=(method,) if method in OPTIMISERS else (),
        deep=((int(layers[0]), optimiser),) if layers else (),
        seed=seed,
        **{name: values[name] for name in names},
    )


def _check(values: Values) -> None:
    _plan(values, 0)


def _run(values: Values, seed: int) -> Result:
    data = regression(values["data"], seed=seed, condition=values["condition"])
    plan = _plan(values, seed)
    found = accelerate(data, plan)
    (method,) = found.methods
    excess = float(method.losses[-1]) / found.best_loss - 1 if found.best_loss else None
    metrics: dict[str, Scalar] = {
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


JOB = Job(
    "learn linear",
    "1",
    PARAMETERS,
    _run,
    "linear regression by products of linear layers or by optimisers",
    _check,
    lambda values: 0.3 + values["steps"] * values["rates"] * 5e-6,
    (
        *("steps_to_2", "steps_to_1.1", "steps_to_1.01"),
        *("loss", "excess", "rate", "rate_at_edge", "best_loss"),
    ),
)
