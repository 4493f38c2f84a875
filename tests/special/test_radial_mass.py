"""Fourier masses and norms of radial functions."""

import math

import pytest
from flint import arb, ctx, fmpq

from depthsep.laws import SquaredTransform
from depthsep.special import RadialEstimate, RadialMass, RadialPiece, tube_fraction
from support.places import reference

VALUES = {e["id"]: e["value"] for e in reference("sphere")}


def one() -> arb:
    return arb(1)


def ball(dim: int, far: int) -> RadialMass:
    return RadialMass(dim, [RadialPiece(fmpq(0), fmpq(far), (fmpq(1),))], one)


def wave(dim: int, omega: int) -> RadialMass:
    piece = RadialPiece(fmpq(9 * dim, 20), fmpq(2 * dim), (fmpq(1),), fmpq(omega))
    return RadialMass(dim, [piece], one)


def contains(value: arb, written: str, digits: int = 17) -> bool:
    with ctx.workprec(200):
        truth = arb(written)
        return value.rad() < abs(truth) * arb(10) ** -digits and bool(
            abs(value - truth) < abs(truth) * arb(10) ** -digits
        )


MASSES = [
    (ball(4, 3), "ball4", "2"),
    (ball(10, 7), "ball10", "1"),
    (ball(10, 7), "ball10", "2"),
    (ball(20, 14), "ball20", "2"),
    (wave(4, 4), "cos4", "2"),
    (wave(10, 4), "cos10", "2"),
    (wave(6, 4), "cos6", "4.4"),
    (wave(4, 6), "cos4", "6"),
    (wave(10, 4), "cos10", "4.4"),
    (wave(20, 4), "cos20", "4.4"),
]


@pytest.mark.parametrize(("mass", "name", "kappa"), MASSES, ids=lambda x: str(x)[:7])
def test_masses_are_those_of_the_reference(mass, name, kappa):
    ratio = fmpq(22, 5) if kappa == "4.4" else fmpq(int(kappa))
    outside = mass.outside(ratio)
    assert contains(mass.inside(ratio), VALUES[f"es_{name}_k{kappa}_inside"])
    assert contains(outside, VALUES[f"es_{name}_k{kappa}_outside"])
    least = VALUES.get(f"es_{name}_k{kappa}_m_lower_eps2_quarter_total")
    if least is not None:
        with ctx.workprec(200):
            m = (1 - mass.total / 4 / outside) / tube_fraction(mass.dim, ratio)
            assert contains(m, least)


@pytest.mark.parametrize(
    ("mass", "name"),
    [
        (ball(4, 3), "ball_4"),
        (ball(10, 7), "ball_10"),
        (ball(20, 14), "ball_20"),
        (wave(4, 4), "cos_4"),
        (wave(6, 4), "cos_6"),
        (wave(10, 4), "cos_10"),
        (wave(20, 4), "cos_20"),
    ],
    ids=lambda x: str(x)[:7],
)
def test_norms_are_those_of_the_reference(mass, name):
    assert contains(mass.total, VALUES[f"es_{name}_total"])


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_masses_agree_with_estimates_and_fall(dim):
    mass = wave(dim, 3)
    estimate = RadialEstimate(mass)
    before = math.inf
    for kappa in (fmpq(1, 2), fmpq(3, 2), fmpq(5, 2), fmpq(9, 2), fmpq(8)):
        outside = mass.outside(kappa)
        guess = estimate.outside(float(kappa.p) / float(kappa.q))
        assert abs(float(outside.mid()) - guess) < 1e-11
        assert float(outside.mid()) <= before + 1e-20
        before = float(outside.mid())


def test_a_long_ball_holds_the_closed_form():
    """G = 1: M(kappa) = kappa^d for kappa <= 1; a long ball is near that."""
    mass = ball(3, 400)
    inside = float(mass.inside(fmpq(1, 2)).mid())
    assert abs(inside - 0.5**3) < 0.02
    assert 0.99 < float(mass.total.mid()) < 1


def test_norms_keep_their_digits_in_many_dimensions():
    for dim in (200, 700):
        piece = RadialPiece(fmpq(45 * dim, 100), fmpq(60 * dim, 100), (fmpq(1),))
        mass = RadialMass(
            dim, [piece], lambda: SquaredTransform(1, edge=fmpq(1)).phase()
        )
        assert mass.total.rel_accuracy_bits() > 40


def test_tiny_pieces_keep_their_digits():
    piece = RadialPiece(fmpq(1, 10**8), fmpq(1, 10**6), (fmpq(1),))
    law = SquaredTransform(1, edge=fmpq(10) ** 9)
    mass = RadialMass(3, [piece], law.phase)
    assert mass.total.rel_accuracy_bits() > 40 and mass.total < 1
