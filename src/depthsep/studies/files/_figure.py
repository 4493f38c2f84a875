"""Figures as study files and the command line ask for them."""

from collections.abc import Mapping
from typing import Any

from depthsep._errors import HypothesisError
from depthsep.jobs import nearest
from depthsep.studies.files._study import Figure, Study
from depthsep.studies.tables._summary import LOGS


def figure_of(study: Study, given: Mapping[str, Any]) -> Figure:
    """The figure that names describe.

    Raises:
        HypothesisError: x, by or facet is no parameter; a type that does not fit.
    """
    y = given.get("y")
    metrics = [y] if isinstance(y, str) else y
    if (
        not isinstance(metrics, list | tuple)
        or not metrics
        or not all(isinstance(m, str) for m in metrics)
    ):
        raise HypothesisError("a figure needs y, a metric in quotes or a list of them")
    for name in metrics:
        if study.job.metrics and name not in study.job.metrics:
            raise HypothesisError(
                f"{study.job.name} has no metric {name[:40]!r}; "
                f"{nearest(name, list(study.job.metrics))}"
            )
    known = [p.name for p in study.job.parameters]
    axes = [given[name] for name in ("x", "by", "facet") if given.get(name) is not None]
    if len(set(map(str, axes))) < len(axes):
        raise HypothesisError("x, by and facet of a figure differ; leave one out")
    for name in ("x", "by", "facet"):
        value = given.get(name)
        if value is None and name != "x":
            continue
        if value not in known:
            raise HypothesisError(
                f"{name} is {str(value)[:40]!r}, no parameter of {study.job.name}; "
                f"{nearest(str(value), known)}"
            )
    log, fit, title = (
        given.get("log", "none"),
        given.get("fit", False),
        given.get("title", ""),
    )
    if log not in LOGS or not isinstance(fit, bool) or not isinstance(title, str):
        raise HypothesisError('log is "none", "x", "y" or "xy"; fit true or false')
    return Figure(
        tuple(metrics), given["x"], given.get("by"), given.get("facet"), log, fit, title
    )
