"""Theorem R: oracles, the shares by brute force, ridge sums fitted by least squares."""

from math import comb

import numpy as np
import pytest
from flint import arb, fmpq
from scipy.special import eval_gegenbauer, gamma

from depthsep.evidence import Inapplicable
from depthsep.laws import RadialLaw
from depthsep.lower_bounds import BallDirections, GaussDirections
from depthsep.lower_bounds.symmetric.radial._directions import directions_needed
from depthsep.lower_bounds.symmetric.radial._expansion import radial_expansion
from depthsep.lower_bounds.symmetric.radial._shares import (
    ball_share,
    gauss_share,
    singular_values,
)
from depthsep.problems import Problem
from depthsep.separation import best_lower
from depthsep.targets import Radial

TENTH = fmpq(1, 10)


def least_directions(written: str, kind: str, dim: int) -> int:
    return directions_needed(Radial(written, dim), RadialLaw(kind, dim), TENTH)


@pytest.mark.parametrize(
    ("frequency", "dim", "least"),
    [
        (20, 10, 3116.6299087803),
        (40, 10, 235577.74829714),
        (40, 20, 646689.06265668),
    ],
)
def test_the_radial_cosine_on_the_ball(frequency: int, dim: int, least: float) -> None:
    written = f"cos({frequency}*r)"
    assert least_directions(written, "ball", dim) == int(least) + 1
    found = radial_expansion(Radial(written, dim), RadialLaw("ball", dim), 40, TENTH)
    norm, masses = float(found.norm_squared), [float(m) for m in found.masses]
    spaces = [comb(n + dim - 1, dim - 1) for n in range(len(masses))]
    best = 0.0
    for first in range(1, len(masses)):
        shared = sum(m / s for m, s in zip(masses[first:], spaces[first:], strict=True))
        best = max(best, (norm - sum(masses[:first]) - 0.01) / shared)
    assert best == pytest.approx(least, rel=1e-10)


def test_the_norm_and_the_first_coefficient() -> None:
    found = radial_expansion(Radial("cos(20*r)", 10), RadialLaw("ball", 10), 8, TENTH)
    assert float(found.norm_squared) == pytest.approx(0.57094320055496, abs=1e-13)
    assert float(found.masses[1].sqrt()) == pytest.approx(0.3989241441317, abs=1e-12)


@pytest.mark.parametrize(("dim", "least"), [(5, 176), (10, 7656)])
def test_the_radial_cosine_under_the_gaussian(dim: int, least: int) -> None:
    assert least_directions("cos(4*r) on 0,20", "gaussian", dim) == least


@pytest.mark.parametrize("kind", ["ball", "gaussian"])
@pytest.mark.parametrize(
    "written", ["cos(3*r)", "relu", "1 on 1/4,1/2", "sqrt(r) on 0,2", "r**3-r"]
)
def test_coefficients_against_quadrature(kind: str, written: str) -> None:
    """a_l by a rule of 20,000 points and scipy's polynomials."""
    from scipy.special import eval_genlaguerre, eval_jacobi, gammaln

    dim, half = 3, 1.5
    target = Radial(written, dim)
    found = radial_expansion(target, RadialLaw(kind, dim), 6, TENTH)
    far = 1.0 if kind == "ball" else 2.0
    r = (np.arange(200_000) + 0.5) / 200_000 * far
    f = target.floats(r[:, None] * np.eye(dim)[0])
    weight = dim * r ** (dim - 1)
    if kind == "gaussian":
        weight = r ** (dim - 1) * np.exp(-r * r / 2) / (2 ** (half - 1) * gamma(half))
    for n in range(6):
        if kind == "ball":
            basis = np.sqrt((4 * n + dim) / dim) * eval_jacobi(
                n, 0, half - 1, 2 * r * r - 1
            )
        else:
            size = gammaln(n + half) - gammaln(n + 1) - gammaln(half)
            basis = eval_genlaguerre(n, half - 1, r * r / 2) * np.exp(-size / 2)
        a = np.mean(f * basis * weight) * far
        assert a * a == pytest.approx(float(found.masses[n]), abs=2e-5)
    whole = np.mean(f * f * weight) * far
    assert whole == pytest.approx(float(found.norm_squared), abs=2e-5)


def unit_vectors(dim: int, count: int, rng: np.random.Generator) -> np.ndarray:
    z = rng.standard_normal((count, dim))
    return z / np.linalg.norm(z, axis=1, keepdims=True)


def distance(gram: np.ndarray, inner: float) -> float:
    """The squared distance of a unit element from the span."""
    row = np.full(len(gram), inner)
    return 1 - float(row @ np.linalg.lstsq(gram, row, rcond=1e-10)[0])


@pytest.mark.parametrize("seed", range(30))
def test_no_directions_come_nearer_than_the_share(seed: int) -> None:
    """Gram matrices of ridge functions in one degree, for random and equal angles."""
    rng = np.random.default_rng(seed)
    dim, degree = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    m = int(rng.integers(1, 2 + comb(degree + dim - 1, dim - 1)))
    v = unit_vectors(dim, m, rng)
    if dim == 2:
        angle = np.pi * np.arange(m) / m
        v = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    cosines = np.clip(v @ v.T, -1, 1)
    ball = eval_gegenbauer(2 * degree, dim / 2, cosines)
    ball /= eval_gegenbauer(2 * degree, dim / 2, 1.0)
    whole = comb(2 * degree + dim - 1, dim - 1)
    assert distance(ball, whole**-0.5) >= float(ball_share(dim, degree, m)) - 1e-9
    moment = np.prod([(2 * i + 1) / (dim + 2 * i) for i in range(degree)])
    gauss = cosines ** (2 * degree)
    assert distance(gauss, moment**0.5) >= float(gauss_share(dim, degree, m)) - 1e-9


@pytest.mark.parametrize(("dim", "degree"), [(2, 1), (2, 4), (3, 2), (3, 3), (4, 2)])
def test_singular_values_of_flattened_tensors(dim: int, degree: int) -> None:
    """The symmetric tensor of |x|^(2 l), averaged over many directions, flattened."""
    from itertools import product

    v = unit_vectors(dim, 4000, np.random.default_rng(0))
    # on monomials: the matrix E v^a v^b over all words of length l
    words = list(product(range(dim), repeat=degree))
    if dim == 2:
        angle = np.pi * np.arange(64) / 64
        v = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    columns = np.stack([np.prod(v[:, list(w)], axis=1) for w in words], axis=1)
    values = np.linalg.svd(columns.T @ columns / len(v))[1] ** 2
    values /= values.sum()
    exact = [float(s) for s, n in singular_values(dim, degree) for _ in range(n)]
    assert sum(s * n for s, n in singular_values(dim, degree)) == 1
    close = 1e-9 if dim == 2 else 0.02
    assert np.allclose(values[: len(exact)], exact, atol=close)


@pytest.mark.parametrize("written", ["cos(9*r)", "1 on 0,1/2", "max(0,1-2*r) on 0,1"])
@pytest.mark.parametrize("kind", ["ball", "gaussian"])
def test_ridge_sums_of_one_direction_less(kind: str, written: str) -> None:
    """Polynomial ridges of degree 40 fitted in the plane: none is near enough."""
    target, law = Radial(written, 2), RadialLaw(kind, 2)
    error = fmpq(1, 20)
    least = directions_needed(target, law, error)
    assert least > 1
    r = np.sqrt((np.arange(100) + 0.5) / 100)
    if kind == "gaussian":
        r = np.sqrt(-2 * np.log(1 - r**2))
    angle = 2 * np.pi * np.arange(120) / 120
    x = np.stack([np.outer(r, np.cos(angle)), np.outer(r, np.sin(angle))], axis=2)
    x = x.reshape(-1, 2)
    far = float(np.abs(x).max())
    columns = [np.ones(len(x))]
    for k in range(least - 1):
        t = np.pi * k / (least - 1)
        s = (x @ [np.cos(t), np.sin(t)]) / far
        columns += list(np.polynomial.chebyshev.chebvander(s, 40).T[1:])
    matrix, f = np.stack(columns, axis=1), target.floats(x)
    left = f - matrix @ np.linalg.lstsq(matrix, f, rcond=1e-12)[0]
    assert np.sqrt(np.mean(left**2)) > 0.97 * float(error)


def test_what_it_does_not_bound() -> None:
    ball = Problem(Radial("cos(20*r)", 3), RadialLaw("ball", 3), "l1", "1/10")
    assert isinstance(BallDirections().prove(ball, 2), Inapplicable)
    shells = Problem(Radial("cos(20*r)", 3), RadialLaw("sphere", 3), "l2", "1/10")
    for theorem in (BallDirections(), GaussDirections()):
        assert isinstance(theorem.prove(shells, 2), Inapplicable)
    line = Problem(Radial("cos(20*r)", 1), RadialLaw("ball", 1), "l2", "1/10")
    assert isinstance(BallDirections().prove(line, 2), Inapplicable)


def test_a_constant_needs_nothing() -> None:
    problem = Problem(Radial("ball", 7), RadialLaw("ball", 7), "linf", "1/10")
    found = BallDirections().prove(problem, 2)
    assert isinstance(found, Inapplicable)
    assert "constant" in found.reason


def test_sup_errors_are_bounded_by_means() -> None:
    problem = Problem(Radial("cos(20*r)", 10), RadialLaw("ball", 10), "linf", "1/10")
    found = best_lower(problem, 2)
    assert found.width == 3117
    assert found.statement.id == "ball-directions"


def test_pieces_with_a_frequency_agree_with_their_formula() -> None:
    """radial:cos:W counts phases; the same function written out, by Taylor cells."""
    dim = 2
    target, law = Radial("cos:3", dim), RadialLaw("gaussian", dim)
    wave = radial_expansion(target, law, 6, TENTH)
    r = (np.arange(400_000) + 0.5) / 400_000 * 12
    f = target.floats(np.stack([r, 0 * r], axis=1))
    mean = np.mean(f * np.exp(-r * r / 2) * r) * 12
    assert mean**2 == pytest.approx(float(wave.masses[0]), abs=1e-5)
    assert all(m.rad() < arb(2) ** -60 for m in wave.masses)
