"""Both sides of tables under laws with densities."""

import numpy as np
import pytest
from flint import arb
from scipy import stats

from depthsep._errors import HypothesisError
from depthsep.analysis import Examination, examine
from depthsep.claims import Lower, Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Rigour
from depthsep.laws import Uniform, law_from_text
from depthsep.lower_bounds.box.planes._plane_cells import PlaneCells
from depthsep.networks import Network
from depthsep.problems import Problem, plain_above, plain_below
from depthsep.separation import Separation, separate
from depthsep.witnesses import prove_lower
from support.pieces import absolute_error, best_knots, midpoints, square_costs, weighed
from support.slow import mostly_slow

BETA = "beta:2,5"


def table(formula: str, law: str, norm: str, accuracy: str) -> Separation:
    problem = Problem(f"expr:{formula}", law_from_text(law), norm, accuracy)
    return separate(problem, depths=range(2, 6))


def sizes(found: Separation) -> list[tuple[int, int]]:
    out = []
    for row in found:
        assert isinstance(row.lower, Lower) and isinstance(row.upper, Upper)
        assert row.upper.checked
        out.append((row.lower.width, row.upper.width))
    return out


@pytest.mark.parametrize(
    ("norm", "accuracy", "widest"),
    [("l1", "4e-4", (4, 4, 3)), ("l2", "1e-4", (6, 5, 4))],
)
def test_exp_under_a_beta_law_has_both_sides(
    norm: str, accuracy: str, widest: tuple[int, ...]
) -> None:
    found = sizes(table("exp(x)", BETA, norm, accuracy))
    assert all(low <= high for low, high in found)
    # the fewest pieces that a plain programme finds within the accuracy
    at = weighed(midpoints(np.exp, 0.0, 1.0, 600), stats.beta(2, 5).pdf)
    costs, pieces = square_costs(at), 1
    while True:
        square, knots = best_knots(costs, pieces)
        reached = square**0.5 if norm == "l2" else absolute_error(at, knots)
        if reached <= float(accuracy):
            break
        pieces += 1
    low, high = found[0]
    assert (pieces - 1) / 1.2 <= low <= pieces - 1 <= high <= pieces + 2
    assert all(high <= w for (_, high), w in zip(found[1:], widest, strict=True))


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_constant_density_gives_the_rows_of_the_uniform_law(norm: str) -> None:
    uniform = Problem("expr:exp(x)", Uniform(0, 1), norm, "1e-3")
    expected = sizes(separate(uniform, depths=range(2, 6)))
    assert sizes(table("exp(x)", "beta:1,1", norm, "1e-3")) == expected


def test_a_nearly_constant_density_gives_nearly_these_rows() -> None:
    """It goes through the weighted programme."""
    uniform = Problem("expr:exp(x)", Uniform(0, 1), "l2", "1e-3")
    (expected,) = sizes(separate(uniform, depths=[2]))
    problem = Problem(
        "expr:exp(x)", law_from_text("density:1+x/10**9 on 0,1"), "l2", "1e-3"
    )
    assert problem.is_weighted
    (found,) = sizes(separate(problem, depths=[2]))
    assert found[0] == expected[0] and abs(found[1] - expected[1]) <= 1


CASES = [
    ("x**2", BETA, "l2", "1e-3"),
    ("exp(x)", "normal:0,1", "l2", "3e-2"),
    ("abs(x-1/3)", "triangular", "l2", "1e-3"),
    ("sin(20*x)", "normal:1/2,1/5,0,1", "l1", "5e-2"),
    ("exp(x)", "exponential:3", "l1", "3e-4"),
]


@pytest.mark.parametrize(
    ("formula", "law", "norm", "accuracy"), mostly_slow(CASES[:3], CASES)
)
def test_other_targets_and_laws_have_both_sides(formula, law, norm, accuracy) -> None:
    found = sizes(table(formula, law, norm, accuracy))
    assert all(low <= high for low, high in found)
    assert found[0][1] <= 1.25 * found[0][0] + 2


def test_proofs_are_not_written_about_densities() -> None:
    problem = Problem("expr:exp(x)", law_from_text(BETA), "l2", "1e-2")
    assert "uniform laws" in str(prove_lower(problem, 2))


def test_few_pieces_over_a_whole_line_are_proven() -> None:
    """Its slopes are known near by, where the formula is small and likely."""
    (row, *_) = sizes(table("exp(x)", "exponential:3", "l1", "1e-2"))
    assert row[0] >= 4 and row[1] <= 5


def test_boxes_with_open_ends_are_refused() -> None:
    for norm in ("linf", "l2"):
        with pytest.raises(HypothesisError, match="bounded"):
            Problem("expr:x1*x2", law_from_text("box:normal:0,1;0,1"), norm)


@pytest.mark.slow
def test_a_box_with_a_law_that_is_cut_off_is_served() -> None:
    law = law_from_text("box:normal:0,1,-1,1;0,1")
    cut = Problem("expr:x1*x2", law, "l2", "1/100")
    (found,) = separate(cut, depths=[3], lower_bounds=[PlaneCells()])
    assert isinstance(found.lower, Lower) and isinstance(found.upper, Upper)
    assert found.upper.checked and 2 <= found.lower.width <= found.upper.width


def test_no_theorem_about_an_interval_is_said_to_hold_beyond_it() -> None:
    problem = Problem("expr:x/3-1/7", law_from_text("normal:0,1"), "l2", "1e-9")
    for construction in CONSTRUCTIONS:
        claim = construction.prove(problem, 2)
        assert not isinstance(claim, Upper) or claim.rigour is Rigour.SAMPLED
    (row,) = separate(problem, depths=[2])
    assert isinstance(row.upper, Upper) and row.upper.checked


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_plain_problems_say_something_of_weighted_ones(norm: str) -> None:
    """Errors of random networks, under the law and in the plain means."""
    law = law_from_text("density:1/2+x+sin(9*x)**2/4 on 0,1")
    problem = Problem("expr:exp(x)", law, norm, "1/10")
    above = plain_above(problem)
    assert above is not None and not above.is_weighted
    for seed in range(5):
        rng = np.random.default_rng(seed)
        rows = [rng.integers(-3, 4, n).tolist() for n in (4, 4, 4)]
        network = Network.from_arrays([[w] for w in rows[0]], rows[1], [rows[2]], [1])
        found = share_of(network, problem)
        assert found <= share_of(network, above) * 1.001
        for below in plain_below(problem):
            assert share_of(network, below) <= found * 1.001


def share_of(network: Network, problem: Problem) -> float:
    """The error over the accuracy."""
    found = examine(network, problem)
    assert isinstance(found, Examination)
    return float(arb((found.error.lower + found.error.upper) / 2 / problem.accuracy))
