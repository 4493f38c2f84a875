"""Requests to `learn radial`, from studies and from the command line."""

from dataclasses import dataclass

from depthsep._errors import HypothesisError
from depthsep.dynamics import (
    WIDEST_TWO_LAYER,
    RadialTask,
    TwoLayerBudget,
    check_two_layer,
    equal_compute,
    equal_parameters,
)
from depthsep.exact import nearest_float
from depthsep.jobs._job import Values
from depthsep.jobs._parameters import RADIAL
from depthsep.targets import value_in_dimension


@dataclass(frozen=True)
class RadialRequest:
    """One run: what is learned, with what it is compared, what it is judged by.

    Attributes:
        compare: none, or what two layers have as much of: parameters or compute.
        goal: an L2 error; None if nothing is judged.
        two_layer_width: of the network it is compared with; None if there is none.
        measure: another law that the end is measured under; None if there is none.
    """

    task: RadialTask
    compare: str
    budget: TwoLayerBudget
    goal: float | None
    two_layer_width: int | None
    measure: str | None = None

    @staticmethod
    def of(values: Values, seed: int = 0) -> "RadialRequest":
        """The request that parameters describe.

        Raises:
            HypothesisError: they do not fit together.
        """
        task = task_of(values, seed)
        compare, accuracy = values["compare"], values["accuracy"]
        steps, seeds = values["compare_steps"], values["compare_seeds"]
        budget = TwoLayerBudget(steps=steps, seeds=seeds)
        goal = None if accuracy is None else _goal(accuracy, task.dim)
        width = None if compare == "none" else _width(task, compare, budget)
        other = values["measure"]
        if other is not None:
            task.read_law(other)
        return RadialRequest(task, compare, budget, goal, width, other)


def task_of(values: Values, seed: int) -> RadialTask:
    """The task that parameters describe."""
    given = {p.name: values[p.name] for p in RADIAL}
    given["weights"] = values.get("weights")  # of a file: studies draw theirs
    given["rates"] = (given.pop("first_rate"), given.pop("second_rate"))
    return RadialTask(seed=seed, **given)


def _goal(written: str, dim: int) -> float:
    value = value_in_dimension(written.replace("^", "**"), dim, name="accuracy")
    if value <= 0:
        raise HypothesisError(
            f"accuracy is {value} for d = {dim}; it must be positive",
            parameter="accuracy",
        )
    return nearest_float(value)


def _width(task: RadialTask, compare: str, budget: TwoLayerBudget) -> int:
    check_two_layer(task)
    by_parameters = compare == "parameters"
    width = equal_parameters(task) if by_parameters else equal_compute(task, budget)
    if width > WIDEST_TWO_LAYER:
        raise HypothesisError(
            f"with compare = {compare}, the two-layer network would have {width} "
            f"neurons, above the limit of {WIDEST_TWO_LAYER}; give a smaller task or, "
            "with compare = compute, more compare_steps",
            parameter="compare_steps",
        )
    return width
