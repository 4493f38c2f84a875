"""Problems and training plans from the parameters of jobs."""

from depthsep._errors import HypothesisError
from depthsep.claims import Learned, TrainingPlan
from depthsep.evidence import Rigour, weakest
from depthsep.jobs._job import Scalar, Values
from depthsep.jobs._parameters import PROBLEM
from depthsep.problems import Problem, problem_from_text


def problem_of(values: Values) -> Problem:
    """The problem that parameters describe."""
    return problem_from_text(
        **{p.name: values[p.name] for p in PROBLEM if p.name in values}
    )


def sampled_problem_of(values: Values) -> Problem:
    """The problem, refused where samples of its law never settle."""
    problem = problem_of(values)
    if not problem.law.has_mean:
        raise HypothesisError(
            f"|x| has no mean under {problem.law}, so sample means do "
            "not converge; choose another law",
            parameter="law",
        )
    return problem


def plan_of(values: Values, widths: list[int] | None, seed: int) -> TrainingPlan:
    """Make a plan for training.

    Restarts of one trial use consecutive seeds; those of the next begin after them.
    """
    names = ("restarts", "steps", "batch", "rate")
    chosen = None if widths is None else tuple(widths)
    first = seed * values["restarts"]
    return TrainingPlan(chosen, seed=first, **{name: values[name] for name in names})


def learned_metrics(found: Learned) -> tuple[dict[str, Scalar], dict[str, Rigour]]:
    """The metrics of trained networks, and how surely each is known."""
    metrics: dict[str, Scalar] = {
        "learned_width": found.width if found.met else None,
        "learned_error": found.error,
        "learned_met": found.met,
        "learned_tried": ", ".join(str(a.width) for a in found.tried),
    }
    rigours = {"learned_error": rounded(found.rigour), "learned_met": found.rigour}
    return metrics, rigours


def rounded(rigour: Rigour) -> Rigour:
    """The rigour of a bound that was rounded up to a float: not exact any more."""
    return weakest(rigour, Rigour.ENCLOSED)


def training_seconds(values: Values, widths: int) -> float:
    """A rough model of the time it takes to train some widths."""
    work = values["steps"] * values["restarts"] * values["batch"]
    return 3 + widths * (2 + work * (values["depth"] - 1) * 2e-8)
