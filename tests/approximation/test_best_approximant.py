"""The best continuous approximants in l1 and l2, against sums over a fine grid."""

import numpy as np
import pytest

from depthsep import HypothesisError, Problem, Segment, build
from depthsep.approximation import best_approximant
from depthsep.exact import nearest_float
from depthsep.targets import target_from_text

ON = Segment(-8, 8)
SIGMOID = target_from_text("expr:1/(1+exp(-x))")


def on_a_grid(function, norm):
    x = np.linspace(-8, 8, 400_001)
    knots, values = (
        np.array([nearest_float(v) for v in part.tolist()])
        for part in (function.knots, function.values)
    )
    r = np.abs(np.interp(x, knots, values) - SIGMOID.floats(x))
    return float(r.mean()) if norm == "l1" else float((r * r).mean() ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_one_piece_more_is_never_worse(norm):
    found = [best_approximant(SIGMOID, n, norm, ON) for n in range(1, 6)]
    errors = [a.error.upper for a in found]
    assert errors == sorted(errors, reverse=True)
    for n, approximant in enumerate(found, start=1):
        assert approximant.function.pieces <= n
        seen = on_a_grid(approximant.function, norm)
        low, high = (nearest_float(getattr(approximant.error, k)) for k in ENDS)
        assert low * (1 - 1e-4) <= seen <= high * (1 + 1e-4)


ENDS = ("lower", "upper")


@pytest.mark.slow
def test_eight_units_are_enough_for_a_sigmoid():
    problem = Problem(SIGMOID, ON, norm="l2", accuracy="3e-3")
    built = build(problem, depth=2)
    assert built.network.width <= 8
    assert built.error <= problem.accuracy


def test_no_pieces_and_other_norms_are_refused():
    with pytest.raises(
        HypothesisError, match="were asked for; give 1 or more pieces, and"
    ):
        best_approximant(SIGMOID, 0, "l2", ON)
    with pytest.raises(
        HypothesisError, match="were asked for; give 1 or more pieces, and"
    ):
        best_approximant(SIGMOID, 3, "linf", ON)
