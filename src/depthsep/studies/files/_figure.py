"""Figures as study files and the command line ask for them."""

from collections.abc import Mapping
from dataclasses import fields

import msgspec

from depthsep._errors import HypothesisError
from depthsep.jobs import nearest
from depthsep.studies.files._study import Figure, Study
from depthsep.studies.tables._summary import LOGS

FIGURE = tuple(field.name for field in fields(Figure))
AXES = ("x", "by", "facet")


def figure_of(study: Study, given: Mapping[str, object]) -> Figure:
    """The figure that names describe.

    Raises:
        HypothesisError: x, by or facet is not a parameter; a type that does not fit.
    """
    y = given.get("y")
    if isinstance(y, str):
        given = {**given, "y": [y]}
    elif not y:
        raise HypothesisError(
            "a figure needs y: a metric in quotes, or a list of metrics"
        )
    _check_axes(study, given)
    try:
        figure = msgspec.convert(dict(given), Figure)
    except msgspec.ValidationError as error:
        raise HypothesisError(
            f'a figure cannot be read ({error}); `log` must be "none", '
            '"x", "y" or "xy", and `fit` true or false'
        ) from None
    if figure.log not in LOGS:
        raise HypothesisError(f"`log` is {figure.log!r}; choose {', '.join(LOGS)}")
    for name in figure.y:
        if study.job.metrics and name not in study.job.metrics:
            raise HypothesisError(
                f"{study.job.name} has no metric {name[:40]!r}; "
                f"{nearest(name, study.job.metrics)}"
            )
    return figure


def _check_axes(study: Study, given: Mapping[str, object]) -> None:
    known = [p.name for p in study.job.parameters]
    axes = [given[name] for name in AXES if given.get(name) is not None]
    if len(set(map(str, axes))) < len(axes):
        raise HypothesisError(
            "`x`, `by` and `facet` of a figure must be different parameters; change "
            "one of them, or leave out `by` or `facet`"
        )
    for name in AXES:
        value = given.get(name)
        if value not in known and (value is not None or name == "x"):
            raise HypothesisError(
                f"`{name}` is {str(value)[:40]!r}, not a parameter of "
                f"{study.job.name}; {nearest(str(value), known)}"
            )
