"""A polynomial of R near f, whose parts of each degree one hidden layer meets."""

import numpy as np
from flint import fmpq

from depthsep.approximation import chebyshev_series, monomials
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float, text
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, InnerProduct, Radial
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._cuts import cuts_of_difference
from depthsep.witnesses._numbers import rounded
from depthsep.witnesses._proof import Entry
from depthsep.witnesses._squares import interval_of

SHARES = (1000, 100, 10, 3)  # of the accuracy: what a polynomial may be off
PLACES = 8193


def ridge_ranks(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """A polynomial of R near f; whose parts of each degree one hidden layer meets."""
    if problem.norm == "l1":
        return Inapplicable(
            "the bound by ranks of matrices is only for l2 and linf errors"
        )
    checker = checker_module()
    function = checker.Problem(problem.to_json()).function
    on, target = interval_of(problem), _on_minus_1_to_1(problem)
    for share in SHARES:
        error = problem.accuracy / share
        kept = chebyshev_series(target, Segment(-1, 1), error)
        if kept is None or not _is_near(target, kept, nearest_float(error)):
            continue
        powers = [rounded(c) for c in monomials(kept, on)]
        cuts = cuts_of_difference(function, powers, on, error)
        evidence = {"polynomial": [text(c) for c in powers], "cuts": cuts}
        return "ranks", evidence
    return Inapplicable(
        "no polynomial in |x|^2, or in <x, x'>, was found that is near "
        "enough to the target"
    )


def _is_near(target: AbstractLineTarget, kept: tuple[fmpq, ...], error: float) -> bool:
    """Whether a series is near at many places: it was found from few."""
    t = np.linspace(-1, 1, PLACES)
    series = np.polynomial.chebyshev.chebval(t, [nearest_float(c) for c in kept])
    return bool(np.abs(series - target.floats(t)).max() <= 2 * error)


def _on_minus_1_to_1(problem: Problem) -> AbstractLineTarget:
    target = problem.target
    if isinstance(target, InnerProduct):
        return target.profile
    return problem.target_as(Radial).on_ball
