"""The ball in every dimension, beside one dimension and by quadrature."""

from math import comb

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.claims import Lower, Upper
from depthsep.every_dimension._ball import BALL_LOWER, BALL_UPPER, MASS
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import problem_from_text
from depthsep.separation import best_upper, bound
from support.slow import mostly_slow

DIRECTIONS = next(b for b in LOWER_BOUNDS if b.statement.id == "ball-directions")


def problem(dim, accuracy="1/8", norm="l2"):
    text = "radial:sin(4*pi*d**2*r**2)"
    return problem_from_text(text, None, norm, accuracy, dim, f"ball:{dim}")


@pytest.mark.parametrize("dim", mostly_slow((2, 3, 5), range(2, 6)))
def test_no_bound_for_all_is_above_that_of_one_dimension(dim) -> None:
    one = DIRECTIONS.prove(problem(dim), 2)
    assert isinstance(one, Lower)
    assert BALL_LOWER.at(dim, "1/8").value <= one.width


@pytest.mark.parametrize("dim", range(2, 13))
def test_the_distance_from_polynomials_by_quadrature(dim) -> None:
    """Least squares by orthogonal polynomials in s = |x|^2, whose law is a beta law."""
    from scipy.special import roots_jacobi

    x, weights = roots_jacobi(12 * dim * dim, 0, dim / 2 - 1)
    s, weights = (1 + x) / 2, weights / weights.sum()
    f = np.sin(4 * np.pi * dim**2 * s)
    basis = np.polynomial.chebyshev.chebvander(x, dim) * np.sqrt(weights)[:, None]
    q = np.linalg.qr(basis)[0]
    left = f * np.sqrt(weights)
    left = left - q @ (q.T @ left)
    assert (left**2).sum() > float(arb(MASS))


def test_the_mass_is_below_the_root_of_e() -> None:
    with ctx.workprec(100):
        assert arb(MASS) < arb(fmpq(-1, 2)).exp() / 16


@pytest.mark.parametrize("dim", [2, 3, 7, 30])
def test_the_network_of_the_proof_is_within(dim) -> None:
    accuracy, a = 0.125, 4 * np.pi * dim**2
    pieces = int(np.ceil(2 * dim**1.5 * np.sqrt(np.pi / accuracy)))
    last = int(np.ceil((a + accuracy) / (2 * np.sqrt(accuracy))))
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20_000, dim))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    x *= rng.random((len(x), 1)) ** (1 / dim)
    x[0], x[1], x[2] = 0.0, np.eye(dim)[0], -np.eye(dim)[0]
    nodes = np.linspace(-1, 1, pieces + 1)
    delta = dim / (2 * pieces**2)
    s = np.interp(x, nodes, nodes**2).sum(1) - delta
    outer = np.linspace(-delta, 1 + delta, last + 1)
    right = np.sin(a * (x * x).sum(1))
    assert np.abs(np.interp(s, outer, np.sin(a * outer)) - right).max() <= accuracy
    assert np.abs(s - (x * x).sum(1)).max() <= delta * (1 + 1e-9)
    assert max(dim * pieces, last) <= BALL_UPPER.at(dim, "1/8").value


@pytest.mark.parametrize("dim", [2, 4])
def test_what_is_built_for_one_dimension_is_no_wider(dim) -> None:
    upper = best_upper(problem(dim, norm="linf"), 3)
    assert isinstance(upper, Upper)
    assert upper.width <= BALL_UPPER.at(dim, "1/8").value


def test_both_sides_at_every_dimension() -> None:
    for dim in (*range(2, 40), 100, 1000):
        lower, upper = BALL_LOWER.at(dim, "1/8"), BALL_UPPER.at(dim, "1/8")
        share = 1 - fmpq(1, 64) / MASS
        assert lower.value == (share * comb(2 * dim, dim - 1)).ceil()
        assert lower.value * 6 * dim**0.5 >= 4**dim if dim < 40 else True
        assert upper.value == int(5 * dim**2.5 * 8**0.5)
    assert BALL_LOWER.at(8, "1/8").value > BALL_UPPER.at(8, "1/8").value
    assert all(o.holds for t in (BALL_LOWER, BALL_UPPER) for o in t.obligations)


def test_refusals_and_the_catalogue() -> None:
    assert bound("ball-every-d", dim=5, accuracy="1/8").value == 124
    for dim, accuracy in ((1, "1/8"), (2, "1/5")):
        with pytest.raises(HypothesisError):
            BALL_LOWER.at(dim, accuracy)
