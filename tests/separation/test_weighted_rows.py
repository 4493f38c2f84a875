"""Both sides of tables under laws with densities."""

import numpy as np
import pytest
from scipy import stats

from depthsep.claims import Lower, Upper
from depthsep.laws import Uniform, law_from_text
from depthsep.problems import Problem
from depthsep.separation import Separation, separate
from depthsep.witnesses import prove_lower
from support.pieces import absolute_error, best_knots, midpoints, square_costs, weighed

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


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_exp_under_a_beta_law_has_both_sides(norm: str) -> None:
    found = sizes(table("exp(x)", BETA, norm, "1e-4"))
    assert all(low <= high for low, high in found)
    # the fewest pieces that a plain programme finds within the accuracy
    at = weighed(midpoints(np.exp, 0.0, 1.0, 600), stats.beta(2, 5).pdf)
    costs, pieces = square_costs(at), 1
    while True:
        square, knots = best_knots(costs, pieces)
        reached = square**0.5 if norm == "l2" else absolute_error(at, knots)
        if reached <= 1e-4:
            break
        pieces += 1
    low, high = found[0]
    assert (pieces - 1) / 1.2 <= low <= pieces - 1 <= high <= pieces + 2
    assert found[1] <= (4, 6) and found[2][1] <= 5 and found[3][1] <= 4


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


@pytest.mark.parametrize(
    ("formula", "law", "norm", "accuracy"),
    [
        ("x**2", BETA, "l2", "1e-3"),
        ("sin(20*x)", "normal:1/2,1/5,0,1", "l1", "1e-2"),
        ("exp(x)", "normal:0,1", "l2", "1e-2"),
        ("exp(x)", "exponential:3", "l1", "1e-4"),
        ("abs(x-1/3)", "triangular", "l2", "1e-3"),
    ],
)
def test_other_targets_and_laws_have_both_sides(formula, law, norm, accuracy) -> None:
    found = sizes(table(formula, law, norm, accuracy))
    assert all(low <= high for low, high in found)
    assert found[0][1] <= 1.25 * found[0][0] + 2


def test_proofs_are_not_written_about_densities() -> None:
    problem = Problem("expr:exp(x)", law_from_text(BETA), "l2", "1e-2")
    assert "uniform laws" in str(prove_lower(problem, 2))
