"""Refuse targets that are not finite, or vary too fast, before any theorem is asked."""

from collections.abc import Callable, Mapping

from flint import arb, ctx

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import check_bounded, linearise
from depthsep.exact import ball_upper
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, FormulaPiece, InnerProduct, Radial

MAX_ROUGH_KNOTS = 1 << 16


def check_target(problem: Problem) -> None:
    """Refuse sizes out of range, and targets that are not finite under the law.

    In linf, targets that jump are refused too.

    Raises:
        HypothesisError: names the place, and what to choose instead.
    """
    problem.target.check_range(problem.law, problem.accuracy)
    check = CHECKS.get(problem.law.setting)
    if check is not None:
        check(problem)


def _on_line(problem: Problem) -> None:
    if problem.exact_form is None:
        _on_interval(problem, parameter="law")


def _on_box(problem: Problem) -> None:
    target = problem.target_as(AbstractBoxTarget)
    if target.as_polynomial() is None and target.as_maximum() is None:
        check_bounded(target.as_formula(), problem.law.box)


def _on_spheres(problem: Problem) -> None:
    target = problem.target_as(InnerProduct)
    if target.wave is None:
        line = Segment(-1, 1)
        _on_interval(Problem(target.profile, line, problem.norm, problem.accuracy))


def _on_radii(problem: Problem) -> None:
    """Refuse formulas with a pole or a hole on their radii."""
    for piece in problem.target_as(Radial).profile.pieces:
        if isinstance(piece, FormulaPiece):
            on = Segment(piece.start, piece.stop)
            _on_interval(Problem(piece.formula, on, "linf", problem.accuracy))


CHECKS: Mapping[str, Callable[[Problem], None]] = {
    "line": _on_line,
    "box": _on_box,
    "spheres": _on_spheres,
    "radial": _on_radii,
}
"""By the setting of the law; targets of other settings are finite by construction."""


def _on_interval(problem: Problem, *, parameter: str | None = None) -> None:
    """Refuse a formula with a pole or a hole, or one that varies too fast to follow.

    Args:
        parameter: which one sets the interval, if any does.
    """
    target, on = problem.line_target, problem.interval
    with ctx.workprec(64):
        values = [target.jet(arb(x)).value for x in (on.start, on.stop)]
    for x, value in zip((on.start, on.stop), values, strict=True):
        if not value.is_finite():
            raise HypothesisError(
                f"{target} could not be proved to be finite at x = {x}; "
                "it must be finite on the whole interval",
                parameter=parameter,
            )
    if problem.norm == "linf":
        size = max(ball_upper(abs(v)) for v in values)
        try:
            rough = max(problem.accuracy, (size + 1) / 8)
            linearise(target, on, rough, max_knots=MAX_ROUGH_KNOTS)
        except TooLargeError as refusal:
            raise HypothesisError(
                f"{refusal}: the function may have a pole or vary too "
                "fast on the interval",
                parameter=parameter,
            ) from None
        except HypothesisError as refusal:
            refusal.parameter = parameter
            raise
