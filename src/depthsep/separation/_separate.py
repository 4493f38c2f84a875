"""`separate`: the table people came for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from flint import arb, ctx, fmpq

from depthsep._errors import CertificationError, HypothesisError, TooLargeError
from depthsep.analysis import check_bounded, linearise
from depthsep.claims import (
    AbstractConstruction,
    AbstractLowerBound,
    Learned,
    Lower,
    TrainingPlan,
    Upper,
)
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Inapplicable, Rigour
from depthsep.exact import ball_upper
from depthsep.laws import Box, Uniform
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import Problem
from depthsep.separation._table import Row, Separation
from depthsep.separation._upper import Asked, best_lower, best_upper
from depthsep.targets import (
    AbstractTarget,
    Formula,
    FormulaPiece,
    InnerProduct,
    Polynomial,
    Radial,
)

MAX_DEPTH = 200
LARGEST_EXPONENT = 100
MAX_ROUGH_KNOTS = 1 << 16


def separate(
    problem: Problem,
    *,
    depths: Iterable[int] = range(2, 9),
    constructions: Sequence[AbstractConstruction] = CONSTRUCTIONS,
    lower_bounds: Sequence[AbstractLowerBound] = LOWER_BOUNDS,
    learn: TrainingPlan | None = None,
    progress: Callable[[int], None] | None = None,
) -> Separation:
    """For every depth: a network that meets the accuracy, and how wide all must be.

    Args:
        problem: target, law, norm and accuracy.
        depths: numbers of affine layers; 2 is one hidden layer.
        constructions, lower_bounds: what to ask; pass your own tuples to extend.
        learn: also train networks of every depth, in this way.
        progress: called with each depth once its row is done.

    Raises:
        HypothesisError: a depth below 2 or above 200.
        CertificationError: a lower bound exceeds an upper bound, which is a bug.
    """
    check_target(problem)
    rows: list[Row] = []
    for depth in depths:
        if not 2 <= depth <= MAX_DEPTH:
            raise HypothesisError(f"depth {depth}: give depths from 2 to {MAX_DEPTH}")
        asked: Asked = []
        upper = best_upper(problem, depth, constructions, asked)
        lower = best_lower(problem, depth, lower_bounds, asked)
        learned = None if learn is None else _learned(problem, depth, upper, learn)
        row = Row(depth, upper, lower, learned, asked=tuple(asked))
        check_sandwich(row)
        rows.append(row)
        if progress is not None:
            progress(depth)
    if not rows:
        raise HypothesisError("no depths were given; use for example range(2, 9)")
    return Separation(problem, tuple(rows))


def _learned(
    problem: Problem, depth: int, upper: Upper | Inapplicable, plan: TrainingPlan
) -> Learned:
    """What training finds at a depth, at widths beside the certified one."""
    from depthsep.dynamics import learn_target  # loads JAX

    certified = upper.width if isinstance(upper, Upper) else None
    return learn_target(problem, depth, replace(plan, widths=plan.beside(certified)))


def check_target(problem: Problem) -> None:
    """Refuse formulas that are not finite (linf: that jump) on the interval."""
    target = problem.target
    _check_range(problem)
    if isinstance(target, Formula) and isinstance(problem.law, Box):
        check_bounded(target, problem.law)
    if isinstance(target, Radial):
        _check_profile(problem, target)
        return
    if isinstance(target, InnerProduct) and target.wave is None:
        line = Uniform(-1, 1)
        _check_on_interval(
            Problem(target.profile, line, problem.norm, problem.accuracy)
        )
    if not isinstance(problem.law, Uniform) or target.exact_form() is not None:
        return
    _check_on_interval(problem, parameter="law")


def _check_profile(problem: Problem, target: Radial) -> None:
    """Refuse formulas with a pole or a hole on their radii."""
    for piece in target.profile.pieces:
        if isinstance(piece, FormulaPiece):
            on = Uniform(piece.start, piece.stop)
            _check_on_interval(Problem(piece.formula, on, "linf", problem.accuracy))


def _check_on_interval(problem: Problem, *, parameter: str | None = None) -> None:
    """Refuse a formula with a pole or a hole, or one that varies too fast to follow.

    Args:
        parameter: which one sets the interval, if any does.
    """
    try:
        _check_followed(problem)
    except HypothesisError as error:
        error.parameter = parameter
        raise


def _check_followed(problem: Problem) -> None:
    target, on = problem.target, problem.interval
    with ctx.workprec(64):
        values = [target.jet(arb(x)).value for x in (on.start, on.stop)]
    for x, value in zip((on.start, on.stop), values, strict=True):
        if not value.is_finite():
            raise HypothesisError(
                f"{target} is not finite at x = {x}; it must be on the whole interval"
            )
    if problem.norm == "linf":
        size = max(ball_upper(abs(v)) for v in values)
        try:
            rough = max(problem.accuracy, (size + 1) / 8)
            linearise(target, on, rough, max_knots=MAX_ROUGH_KNOTS)
        except TooLargeError as refusal:
            raise HypothesisError(
                f"{refusal}: it has a pole or varies too fast for the interval"
            ) from None


def check_sandwich(row: Row) -> None:
    """A proven lower bound never exceeds a certified upper bound.

    Raises:
        CertificationError: it does; one of the two is wrong.
    """
    _check_learned(row)
    if not isinstance(row.upper, Upper) or not isinstance(row.lower, Lower):
        return
    for size in ("width", "units"):
        low, high = getattr(row.lower, size), getattr(row.upper, size)
        if low > high:
            raise CertificationError(
                f"depth {row.depth}: the proven {size} {low} ({row.lower.source}) "
                f"exceeds the certified {size} {high} ({row.upper.source}); "
                "please report this"
            )


def _check_learned(row: Row) -> None:
    """A learned network that provably meets the accuracy is no narrower than proven."""
    found, proven = row.learned, row.lower
    if found is None or not isinstance(proven, Lower) or found.rigour is Rigour.SAMPLED:
        return
    if found.met and found.width < proven.width:
        raise CertificationError(
            f"depth {row.depth}: training found width {found.width}, below the proven "
            f"{proven.width} ({proven.source}); please report this"
        )


def _check_range(problem: Problem) -> None:
    """Refuse sizes that float64 exploration or display could not hold."""
    sizes, huge = [problem.accuracy], fmpq(10) ** LARGEST_EXPONENT
    if isinstance(problem.law, Box):
        _check_sides(problem.law, problem.target, huge)
    if isinstance(problem.target, Polynomial):
        _check_coefficients(problem.target, huge)
    if isinstance(problem.law, Uniform):
        law = problem.law
        sizes += [law.length, *(abs(x) for x in (law.start, law.stop) if x != 0)]
    form = problem.target.exact_form() if problem.target.in_dim == 1 else None
    exact = form is not None and (form.alpha != 0 or form.amplitude != 0)
    farthest = max(sizes[2:], default=fmpq(0))
    small = len(sizes) > 1 and min(sizes[:2]) < 1 / huge
    if not exact and len(sizes) > 1 and sizes[1] < farthest / 10**9:
        raise HypothesisError(
            f"{problem.target}: the interval is shorter than 1e-9 of its distance from "
            "0, too short for float64 exploration; substitute x = start + t"
        )
    if max(sizes) > huge or (not exact and problem.target.in_dim == 1 and small):
        raise HypothesisError(
            f"{problem.target}: the interval or the accuracy lies outside "
            f"1e-{LARGEST_EXPONENT} to 1e{LARGEST_EXPONENT}; rescale the problem"
        )


def _check_sides(box: Box, target: AbstractTarget, huge: fmpq) -> None:
    for side in box.sides:
        far = max(abs(side.start), abs(side.stop))
        if far > huge or side.length < 1 / huge or side.length < far / 10**9:
            raise HypothesisError(
                f"{target}: a side of the box lies beyond 1e{LARGEST_EXPONENT}, or is "
                "shorter than 1e-9 of its distance from 0; rescale or shift the problem"
            )


def _check_coefficients(target: Polynomial, huge: fmpq) -> None:
    sizes = [abs(c) for c in target.terms.values()]
    if sizes and (max(sizes) > huge or min(sizes) < 1 / huge):
        raise HypothesisError(
            f"{target}: a coefficient lies outside 1e-{LARGEST_EXPONENT} to "
            f"1e{LARGEST_EXPONENT}; rescale the problem"
        )
