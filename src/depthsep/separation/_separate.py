"""`separate`: the table people came for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import depthsep.dynamics as dynamics
from depthsep._errors import CertificationError, HypothesisError
from depthsep._progress import followed
from depthsep.claims import (
    AbstractConstruction,
    AbstractLowerBound,
    Learned,
    Lower,
    SearchPlan,
    TrainingPlan,
    Upper,
)
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Inapplicable, Rigour
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import Problem
from depthsep.separation._finite import check_target
from depthsep.separation._in_units import in_class, of_relus, rewritten_from
from depthsep.separation._table import Row, Separation
from depthsep.separation._upper import (
    SECONDS,
    Asked,
    best_lowers,
    best_upper,
    with_search,
)

MAX_DEPTH = 200


def separate(
    problem: Problem,
    *,
    depths: Iterable[int] = range(2, 9),
    constructions: Sequence[AbstractConstruction] = CONSTRUCTIONS,
    lower_bounds: Sequence[AbstractLowerBound] = LOWER_BOUNDS,
    learn: TrainingPlan | None = None,
    search: SearchPlan | None = None,
    seconds: float = SECONDS,
) -> Separation:
    """For every depth: a network that meets the accuracy, and how wide all must be.

    Args:
        problem: target, law, norm and accuracy.
        depths: numbers of affine layers; 2 is one hidden layer.
        constructions: those to ask; pass your own tuple to extend.
        lower_bounds: likewise.
        learn: also train networks of every depth, in this way.
        search: also search for narrower networks of every depth, in this way.
        seconds: for the examiner's branch and bound, in each row. A slow machine may
            not confirm within them what a fast one does.

    Raises:
        HypothesisError: a depth below 2 or above 200.
        CertificationError: a lower bound exceeds an upper bound, which is a bug.
    """
    found = table_rows(
        problem,
        depths=depths,
        constructions=constructions,
        lower_bounds=lower_bounds,
        learn=learn,
        search=search,
        seconds=seconds,
    )
    rows = tuple(found)
    if not rows:
        raise HypothesisError("no depths were given; use for example range(2, 9)")
    return Separation(problem, rows)


def table_rows(
    problem: Problem,
    *,
    depths: Iterable[int] = range(2, 9),
    constructions: Sequence[AbstractConstruction] = CONSTRUCTIONS,
    lower_bounds: Sequence[AbstractLowerBound] = LOWER_BOUNDS,
    learn: TrainingPlan | None = None,
    search: SearchPlan | None = None,
    seconds: float = SECONDS,
) -> Iterator[Row]:
    """The rows of `separate`, each as soon as it is made.

    Raises:
        HypothesisError: a depth below 2 or above 200.
        CertificationError: a lower bound exceeds an upper bound, which is a bug.
    """
    check_target(problem)
    relus = of_relus(problem)
    if learn is not None and relus != problem:
        raise HypothesisError("only ReLU networks can be trained; leave out --learn")
    shallower: Upper | None = None
    if isinstance(depths, int):
        raise HypothesisError(f"`depths` is {depths}; give a list, such as [{depths}]")
    chosen = list(depths)
    for depth in followed(chosen, len(chosen), lambda depth: f"depth {depth}"):
        if not 2 <= depth <= MAX_DEPTH:
            raise HypothesisError(
                f"depth {depth} is out of range; give depths from 2 to {MAX_DEPTH}"
            )
        asked: Asked = []
        lower_asked: Asked = []
        lowers = best_lowers(problem, depth, lower_bounds, lower_asked)
        above = shallower if shallower and shallower.depth < depth else None
        makers = with_search(constructions, search, lowers.best, above)
        makers = rewritten_from(problem, makers)
        made = best_upper(relus, depth, makers, asked, seconds, shallower=above)
        upper = in_class(made, problem, depth, seconds)
        learned = None if learn is None else _learned(problem, depth, upper, learn)
        row = Row(
            depth,
            upper,
            lowers.best,
            learned,
            asked=(*asked, *lower_asked),
            lower_with_skips=lowers.with_skips,
        )
        check_sandwich(row)
        yield row
        if isinstance(made, Upper) and made.checked:
            shallower = made


def _learned(
    problem: Problem, depth: int, upper: Upper | Inapplicable, plan: TrainingPlan
) -> Learned:
    """What training finds at a depth, at widths beside the certified one."""
    certified = upper.width if isinstance(upper, Upper) else None
    return dynamics.learn_target(
        problem, depth, replace(plan, widths=plan.beside(certified))
    )


def check_sandwich(row: Row) -> None:
    """A proven lower bound never exceeds a certified upper bound.

    Both are about the networks of the problem; certified ones have no skip
    connections, so that every bound binds them.

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
            f"width {proven.width} ({proven.source}); please report this"
        )
