"""A jump and a kink in the ball, and Gaussian waves: masses, shares, networks."""

from math import comb

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import HypothesisError
from depthsep.every_dimension import bounds_for
from depthsep.every_dimension._gauss import GAUSS_LOWER, GAUSS_UPPER, MASS, mass_left
from depthsep.every_dimension._kinks import (
    JUMP_LOWER,
    JUMP_UPPER,
    KINK_LOWER,
    KINK_UPPER,
)
from depthsep.papers import every_dimension_row
from depthsep.separation import bound
from depthsep.special import harmonic_dimension
from support.slow import mostly_slow

JUMP = "radial:1 on 0,1-1/(2*d)"
KINK = "radial:max(1-1/(2*d)-r,0)"


def accuracy(theorem, dim):
    """Half the largest one, nearly."""
    return theorem.best / 2 / dim ** ((theorem.falls + 1) // 2)


@pytest.mark.parametrize("dim", [2, 3, 4, 5])
@pytest.mark.parametrize("target", [JUMP, KINK])
def test_no_bound_for_all_is_above_that_of_one_dimension(target, dim) -> None:
    lower, upper = bounds_for(target)
    row = every_dimension_row((lower, upper), dim, accuracy(lower, dim))
    assert row.alone[0] is not None and row.lower <= row.alone[0]


def rule(low, high, count):
    x, w = np.polynomial.legendre.leggauss(count)
    return low + (high - low) * (1 + x) / 2, w * (high - low) / 2


@pytest.mark.parametrize("kind", ["jump", "kink"])
@pytest.mark.parametrize("dim", [2, 3, 5, 8, 13])
def test_distances_from_polynomials_are_above(kind, dim) -> None:
    """Least squares of degree d in |x|^2 under the law, by two Gauss rules."""
    end = 1 - 1 / (2 * dim)
    r, w = (
        np.concatenate(p) for p in zip(rule(0, end, 80), rule(end, 1, 80), strict=True)
    )
    w = w * dim * r ** (dim - 1)
    f = (r < end) * 1.0 if kind == "jump" else np.maximum(end - r, 0)
    basis = np.polynomial.chebyshev.chebvander(2 * r * r - 1, dim)
    q = np.linalg.qr(basis * np.sqrt(w)[:, None])[0]
    left = f * np.sqrt(w)
    left = left - q @ (q.T @ left)
    if kind == "jump":
        assert (left**2).sum() > 1 / (34.2 * (dim + 0.75))
    else:
        assert (left**2).sum() > 1 / (1640 * dim**2 * (dim + 1.5) ** 3)


@pytest.mark.parametrize("j", range(1, 12))
def test_legendre_coefficients_of_a_jump_and_a_kink(j) -> None:
    x, w = rule(0, 1, 60)
    a = [comb(2 * k, k) / 4**k for k in range(j + 2)]
    odd = np.polynomial.legendre.Legendre.basis(2 * j + 1)(x)
    even = np.polynomial.legendre.Legendre.basis(2 * j)(x)
    assert abs((w * odd).sum()) == pytest.approx((a[j] + a[j + 1]) / (4 * j + 3))
    assert abs((w * x * even).sum()) == pytest.approx(a[j - 1] / (4 * j * (j + 1)))
    assert a[j] ** 2 >= 1 / (np.pi * (j + 0.5))


def in_ball(dim, count):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(count, dim))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x * rng.random((count, 1)) ** (1 / dim)


@pytest.mark.parametrize("dim", [2, 3, 7, 20])
def test_the_networks_of_the_ball_are_within(dim) -> None:
    x, end = in_ball(dim, 20_000), 1 - 1 / (2 * dim)
    r = np.linalg.norm(x, axis=1)

    def squares(cells):
        nodes = np.linspace(-1, 1, cells + 1)
        return np.interp(x, nodes, nodes**2).sum(1) - dim / (2 * cells**2)

    error = 0.3
    cells = int(np.ceil(dim / error))
    half = error**2 / dim / 2
    ramp = np.interp(squares(cells), [end**2 - half, end**2 + half], [1, 0])
    assert np.sqrt(((ramp - (r < end)) ** 2).mean()) <= error
    assert dim * cells <= JUMP_UPPER.at(dim, "3/10").value
    error = 0.02
    cells = int(np.ceil(np.sqrt(2 * dim) / error))
    knots = np.append(np.arange(0, end, 2 * error), end) ** 2
    broken = np.interp(squares(cells), knots, np.maximum(end - np.sqrt(knots), 0))
    assert np.abs(broken - np.maximum(end - r, 0)).max() <= error
    assert max(dim * cells, len(knots)) <= KINK_UPPER.at(dim, "1/50").value


def test_the_share_is_positive_up_to_the_largest_accuracy() -> None:
    for dim in (2, 3, 10, 400):
        for theorem in (JUMP_LOWER, KINK_LOWER):
            root = dim ** (theorem.falls // 2)
            most = theorem.best / root / fmpq(int(np.ceil(1000 * dim**0.5)), 1000)
            assert theorem.at(dim, most).value >= 1
            with pytest.raises(HypothesisError, match=r"0 < E <= 1/\("):
                theorem.at(dim, most * fmpq(101, 100))
    with pytest.raises(HypothesisError):
        JUMP_LOWER.at(1, "1/100")


def shares(dim, level):
    """mu_k^2 / Sigma, exactly, and how often each counts."""
    found = []
    for j in range(level // 2 + 1):
        degree, mu = level - 2 * j, fmpq(1)
        for i in range(j):
            mu *= (level + fmpq(dim, 2) - 1 - i) / (i + 1)
        found.append((mu**2, harmonic_dimension(dim, degree)))
    whole = sum(m * n for m, n in found)
    return [(m / whole, n) for m, n in found]


@pytest.mark.parametrize("dim", mostly_slow((3, 4, 9), range(3, 31)))
def test_the_largest_share_of_a_gaussian_is_below_its_bound(dim) -> None:
    degree = dim // 4 + 1
    most = fmpq(9 ** ((degree + 1) // 2), harmonic_dimension(dim, degree))
    for level in (*range(dim, 3 * dim), 5 * dim, 5 * dim + 1):
        found = shares(dim, level)
        assert sum(s * n for s, n in found) == 1
        assert max(s for s, _ in found) <= most


@pytest.mark.parametrize("dim", [3, 4, 6, 10])
def test_the_gaussian_mass_by_quadrature(dim) -> None:
    """Least squares of degree d - 1 in |x|^2 under the law of |x|."""
    from scipy.special import gammaln

    r, w = rule(0, np.sqrt(dim) + 12, 1200)
    w = w * np.exp(
        (dim - 1) * np.log(r) - r * r / 2 - gammaln(dim / 2) - (dim / 2 - 1) * np.log(2)
    )
    assert w.sum() == pytest.approx(1)
    f = np.cos(8 * np.sqrt(dim) * r)
    basis = [np.ones_like(r), 1 - 2 * (r * r / 2) / dim]
    basis = np.stack([(r * r / (dim + 20)) ** k for k in range(dim)], axis=1)
    q = np.linalg.qr(basis * np.sqrt(w)[:, None])[0]
    left = f * np.sqrt(w)
    left = left - q @ (q.T @ left)
    assert (left**2).sum() > float(arb(MASS))


@pytest.mark.parametrize(("dim", "error"), [(3, 0.5), (5, 0.4)])
def test_the_gaussian_network_is_within(dim, error) -> None:
    tail = np.log(16 / (3 * error**2))
    far, a = np.sqrt(2 * dim + 3 * tail), 8 * np.sqrt(dim)
    cells = int(np.ceil(a * far * np.sqrt(dim / error)))
    last = int(np.ceil(1.5 * a * far / np.sqrt(error)))
    x = np.random.default_rng(3).normal(size=(40_000, dim))
    nodes = np.linspace(-far, far, cells + 1)
    total = np.interp(x, nodes, nodes**2).sum(1) - dim * (far / cells) ** 2 / 2
    knots = (np.arange(last + 1) * far / last) ** 2
    found = np.interp(total, knots, np.cos(a * np.sqrt(knots)))
    wrong = found - np.cos(a * np.linalg.norm(x, axis=1))
    assert np.sqrt((wrong**2).mean()) <= error
    assert max(dim * (cells + 1), last + 1) <= GAUSS_UPPER.at(dim, str(error)).value


def test_gaussians_grow_and_refuse() -> None:
    values = [GAUSS_LOWER.at(d, "1/2").log2 for d in (40, 80, 160, 320)]
    assert values == sorted(values) and values[-1] > 150
    assert GAUSS_UPPER.at(80, "1/2").log2 < GAUSS_LOWER.at(80, "1/2").log2
    assert not mass_left(MASS + fmpq(1, 40)).holds and not mass_left(MASS, 2).holds
    for dim, error in ((2, "1/2"), (3, "61/100")):
        with pytest.raises(HypothesisError):
            GAUSS_LOWER.at(dim, error)


def test_the_catalogue() -> None:
    assert bound("gauss-every-d", dim=40, accuracy="1/2").value > 20_000
    assert bound("relu-every-d", dim=5, accuracy="1/20000").value == 205
    assert bound("ball-indicator-every-d", dim=5, accuracy="1/1000").value == 210
