"""Bounds for every d beside those of one d, exact masses, and networks."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpq_poly

from depthsep import CertificationError, HypothesisError
from depthsep.constructions import InnerBySquares
from depthsep.every_dimension import EVERY_DIMENSION, Obligation
from depthsep.every_dimension._inner import INNER_LOWER, INNER_UPPER, MASS, mass_left
from depthsep.lower_bounds import ZonalWave
from depthsep.papers._daniely import daniely_row
from depthsep.problems import Problem
from depthsep.separation import bound
from depthsep.special import harmonic_dimension
from depthsep.targets import InnerProduct
from support.slow import mostly_slow

QUICK = [("1/10", 6), *((a, d) for a in ("1/10", "1/2") for d in (7, 10))]
BESIDE = [*QUICK, *((a, d) for a in ("1/10", "1/2") for d in (8, 9, 13, 17, 30))]
ERRORS = ["1/10", "3/10", "1/2", "3/5"]


@pytest.mark.parametrize(("accuracy", "dim"), mostly_slow(QUICK, BESIDE))
def test_no_bound_for_all_is_above_that_of_one_dimension(accuracy, dim) -> None:
    one = daniely_row(dim, fmpq(accuracy))
    lower = INNER_LOWER.at(dim, accuracy)
    assert lower.log2 is not None and lower.log2 <= float(one.rank.lower())
    assert lower.log2 <= float(one.rank_full.lower())


@pytest.mark.parametrize("dim", [*range(6, 31), 100, 1000])
def test_half_an_error_needs_a_quarter_of_the_power(dim) -> None:
    assert 4 * INNER_LOWER.at(dim, "1/2").value >= dim ** (dim - 2)


@pytest.mark.parametrize("dim", range(6, 61))
def test_the_dimension_of_harmonics_is_above_its_elementary_bound(dim) -> None:
    first, k = dim**3 // 2 + 1, dim - 2
    whole = harmonic_dimension(dim, first)
    assert whole >= 2 * comb(first + dim - 3, k)
    with ctx.workprec(1000):
        base = arb(1).exp() * dim**3 / (2 * k)
        assert whole >= 2 * base**k / (arb(1).exp() * arb(k).sqrt())


@pytest.mark.parametrize("dim", mostly_slow((6, 8, 10), range(6, 16)))
def test_masses_by_bessel_functions_are_above_the_proved_one(dim) -> None:
    """The mass beyond degree d^3 / 2, from the exact coefficients."""
    first = dim**3 // 2 + 1
    wave = ZonalWave(dim, "sin", lambda: arb.pi() * dim**3)
    (tail,) = wave.tails([first + 1 - first % 2])  # only odd degrees have a part
    assert tail.mass > arb(MASS)


@pytest.mark.parametrize("dim", [6, 7, 9])
def test_masses_by_quadrature_are_above_the_proved_one(dim) -> None:
    """Gauss-Jacobi sums: the projection on degrees to d^3 / 2, in float64."""
    from scipy.special import eval_gegenbauer, roots_gegenbauer

    degree, half = dim**3 // 2, dim / 2 - 1
    count = 4 * dim**3
    t, weights = roots_gegenbauer(count, half)
    weights = weights / weights.sum()
    f = np.sin(np.pi * dim**3 * t)
    low = 0.0
    for n in range(1, degree + 1, 2):
        p = eval_gegenbauer(n, half, t)
        low += (weights * f * p).sum() ** 2 / (weights * p * p).sum()
    assert (weights * f * f).sum() - low > float(arb(MASS))


@pytest.mark.parametrize("dim", [2, 3, 5, 10, 20])
@pytest.mark.parametrize("accuracy", ERRORS)
def test_what_is_built_is_no_wider(dim, accuracy) -> None:
    target = InnerProduct("sin(pi*d**3*t)", dim)
    problem = Problem(target, norm="linf", accuracy=fmpq(accuracy))
    found = InnerBySquares().prove(problem, 3)
    assert found.width <= INNER_UPPER.at(dim, accuracy).value


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_the_network_of_the_proof_is_within(dim) -> None:
    """Broken lines through squares, then through the sine, in float64."""
    accuracy, a = 0.25, np.pi * dim**3
    pieces = int(np.ceil(dim**2 * np.sqrt(2 * np.pi / accuracy)))
    last = int(np.ceil((a + accuracy / 2) / np.sqrt(accuracy)))
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 20_000, dim))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    x[:100] = y[:100]
    nodes = np.linspace(-2, 2, pieces + 1)
    delta = dim / pieces**2
    t = np.interp(x + y, nodes, nodes**2 / 2).sum(1) - 1 - delta
    outer = np.linspace(-1 - delta, 1 + delta, last + 1)
    error = np.abs(np.interp(t, outer, np.sin(a * outer)) - np.sin(a * (x * y).sum(1)))
    assert np.abs(t - (x * y).sum(1)).max() <= delta * (1 + 1e-9)
    assert error.max() <= accuracy
    assert max(dim * pieces, last) <= INNER_UPPER.at(dim, "1/4").value


@pytest.mark.parametrize("theorem", EVERY_DIMENSION, ids=lambda t: t.statement.id)
def test_obligations_hold_at_every_number_that_is_tried(theorem) -> None:
    for obligation in theorem.obligations:
        assert obligation.holds
        p = fmpq_poly(list(obligation.coefficients))
        assert all(p(d) >= 0 for d in range(theorem.start, theorem.start + 200))


def test_the_obligation_is_the_inequality_of_the_page() -> None:
    """Computed again from roots and pi, in balls."""
    (obligation,) = INNER_LOWER.obligations
    p = fmpq_poly(list(obligation.coefficients))
    for d in (6, 7, 11, 40, 300):
        a, n = arb.pi() * d**3, d**3 // 2
        s = arb(fmpq((d - 2) * (d - 3), d - 5)).sqrt()
        waves = arb(fmpq(n * (n + d - 2) * (d - 2), d - 3)).sqrt()
        left = arb(0.5) - s / (4 * a) - ((waves + s) / a) ** 2 - arb(MASS)
        scaled = arb(p(d)) / (d**6 * (d - 3) * (d - 5))
        assert 0 <= scaled <= left


@pytest.mark.parametrize(
    ("mass", "start"), [(MASS * fmpq(101, 100), 6), (MASS, 5), (fmpq(1, 2), 6)]
)
def test_what_claims_too_much_does_not_hold(mass, start) -> None:
    assert not mass_left(mass, start).holds


def test_what_does_not_hold_is_no_theorem() -> None:
    with pytest.raises(CertificationError, match="the squared norm of the part of sin"):
        replace(INNER_LOWER, obligations=(mass_left(fmpq(1, 2)),))


def test_the_rational_bounds_of_roots_and_pi() -> None:
    pi = arb.pi()
    assert (2 * pi).sqrt() < fmpq(251, 100) and pi.sqrt() < fmpq(1773, 1000)
    assert pi < fmpq(22, 7) and pi**2 > fmpq(49, 5)


def test_a_negative_value_is_found_wherever_it_is() -> None:
    late = Obligation("", 0, (fmpq(1000), fmpq(0), fmpq(-1)))
    assert not late.holds
    assert Obligation("", 3, (fmpq(-9), fmpq(0), fmpq(1))).holds
    assert not replace(late, coefficients=(fmpq(-9), fmpq(0), fmpq(1)), start=2).holds


@pytest.mark.parametrize("accuracy", ERRORS)
def test_all_dimensions_have_both_sides(accuracy) -> None:
    gaps = []
    for dim in (*range(6, 60), 100, 300, 1000):
        lower, upper = INNER_LOWER.at(dim, accuracy), INNER_UPPER.at(dim, accuracy)
        assert lower.log2 is not None and upper.log2 is not None
        gaps.append(lower.log2 - upper.log2)
    assert gaps == sorted(gaps) and gaps[0] > 0


@pytest.mark.parametrize("dim", [6, 100, 300, 1000])
def test_whole_widths_are_right_to_the_last_digit(dim) -> None:
    with ctx.workprec(60_000):
        k, e = dim - 2, arb(1).exp()
        right = (1 - fmpq(1, 4) / MASS) * 2 * (e * dim**3 / (2 * k)) ** k
        right = (right / (e * arb(k).sqrt())).ceil()
        assert arb(INNER_LOWER.at(dim, "1/2").value) == right
    assert INNER_UPPER.at(dim, "1/4").value == 8 * dim**3


@pytest.mark.parametrize("dim", [2, 6, 30, 1000])
@pytest.mark.parametrize("accuracy", [1.0, 0.5, 0.01])
def test_both_layers_of_the_proof_are_within_the_formula(dim, accuracy) -> None:
    pieces = np.ceil(dim**2 * np.sqrt(2 * np.pi / accuracy))
    last = np.ceil((np.pi * dim**3 + accuracy / 2) / np.sqrt(accuracy))
    assert max(dim * pieces, last) <= INNER_UPPER.at(dim, str(accuracy)).value


def test_refusals_and_the_catalogue() -> None:
    by_hand = (1 - 50 / 92) / np.e * (27 * np.e) ** 4
    assert bound("daniely-every-d", dim=6, accuracy="1/2").value == np.ceil(by_hand)
    assert bound("inner-squares-every-d", dim=6, accuracy="1/4").value == 1728
    for theorem, dim, accuracy in (
        (INNER_LOWER, 5, "1/2"),
        (INNER_LOWER, 6, "7/10"),
        (INNER_LOWER, 6, "0"),
        (INNER_UPPER, 1, "1/2"),
    ):
        with pytest.raises(HypothesisError):
            theorem.at(dim, accuracy)
