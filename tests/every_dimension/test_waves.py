"""Radial waves under phi^2 in every dimension: masses, tubes and networks."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.every_dimension import Leak, bounds_for
from depthsep.every_dimension._waves import WAVES, left_behind, wave_bounds, widths
from depthsep.papers import every_dimension_row
from depthsep.special import tube_fraction
from support.slow import mostly_slow

ODD_LOWER, EVEN_LOWER, WAVE_UPPER = wave_bounds(WAVES)
ERRORS = ["1/10", "3/10", "1/2", "3/5"]
TARGET = "radial:cos(2*pi*3*R*r)"


def lower(dim):
    return ODD_LOWER if dim % 2 else EVEN_LOWER


@pytest.mark.parametrize("accuracy", ERRORS)
@pytest.mark.parametrize("dim", range(3, 31))
def test_no_bound_for_all_is_above_that_of_one_dimension(dim, accuracy) -> None:
    row = every_dimension_row(bounds_for(TARGET), dim, fmpq(accuracy))
    least, most = row.alone
    assert least is not None and most is not None and row.upper is not None
    assert row.lower <= least and most <= row.upper


@pytest.mark.parametrize("kappa", [2, 4])
@pytest.mark.parametrize("dim", [*range(3, 31), 100, 101])
def test_half_an_error_needs_a_quarter_of_the_power(kappa, dim) -> None:
    """cos(2 pi (kappa + 1) R |x|) for odd d; for even d kappa + 2 waves."""
    odd, even, _ = wave_bounds(fmpq(kappa + 2 - dim % 2))
    bound = odd if dim % 2 else even
    assert 4 * bound.at(dim, "1/2").value >= kappa ** (dim - 1)


@pytest.mark.parametrize("kappa", ["3/2", "7/4", "2", "4"])
@pytest.mark.parametrize("dim", [3, 4, 5, 10, 31, 100, 1000])
def test_the_share_of_a_tube_is_below_its_elementary_bound(kappa, dim) -> None:
    k = fmpq(kappa)
    with ctx.workprec(4000):
        inside = arb.pi() * arb((dim - 1) * (k * k - 1) / 2)
        assert 1 / tube_fraction(dim, k) >= arb(k) ** (dim - 2) * inside.sqrt()


def inner_wave(dim, waves, r):
    """|u| at radius r behind the front, by the integral of the page, in float64."""
    from scipy.integrate import dblquad
    from scipy.special import factorial2, gamma

    around = gamma(dim / 2) / (np.sqrt(np.pi) * gamma((dim - 1) / 2))
    ball = np.pi ** (dim / 2) / gamma(dim / 2 + 1)

    def inside(s, rho):
        far = waves**2 - r**2 - rho**2 + 2 * r * rho * s
        shell = dim * ball * rho ** (dim - 1) * around * (1 - s * s) ** ((dim - 3) / 2)
        return shell * far ** (-(dim + 1) / 2)

    found = dblquad(inside, 0, 1, -1, 1, epsabs=1e-12, epsrel=1e-8)[0]
    return factorial2(dim - 1) / (2 * np.pi) ** (dim / 2) * waves * found


@pytest.mark.parametrize(
    ("waves", "mass"), [(3.5, 7.85e-4), (5.0, 1.26e-5), (7.0, 5.63e-7)]
)
def test_the_mass_left_behind_in_four_dimensions(waves, mass) -> None:
    """The values that Bessel series gave: 8e-4, 1e-5, 6e-7."""
    x, w = np.polynomial.legendre.leggauss(24)
    radii = 1 + x
    found = sum(
        b * 4 * r**3 * inner_wave(4, waves, r) ** 2
        for r, b in zip(radii, w, strict=True)
    )
    assert found == pytest.approx(mass, rel=0.01)


@pytest.mark.parametrize("dim", mostly_slow((4,), (4, 6, 8, 12)))
@pytest.mark.parametrize(("waves", "kappa"), [("3", "7/4"), ("3", "3/2"), ("5", "7/2")])
def test_the_bound_of_what_is_left_behind_is_above_it(dim, waves, kappa) -> None:
    a, k = fmpq(waves), fmpq(kappa)
    x, w = np.polynomial.legendre.leggauss(16)
    far = float(arb(k)) / 2
    radii = far * (1 + x)
    found = sum(
        far * b * dim * r ** (dim - 1) * inner_wave(dim, float(arb(a)), r) ** 2
        for r, b in zip(radii, w, strict=True)
    )
    assert found < float(Leak(a, k).in_dimension(dim))


def on_a_grid(dim, waves, cells=1200):
    """Shares of (f phi)^2 by radius: the radial wave equation by finite volumes."""
    step = (waves + 2) / (cells * 2)
    edges = np.arange(cells * 2 + 1) * step
    area, volume = edges ** (dim - 1), np.diff(edges**dim) / dim
    middle = (edges[:-1] + edges[1:]) / 2
    u = np.clip((1 - edges[:-1]) / step, 0, 1)
    dt = step / 2

    def pushed(v):
        flow = np.zeros_like(edges)
        flow[1:-1] = area[1:-1] * np.diff(v) / step
        return np.diff(flow) / volume

    before, now = u, u + dt**2 / 2 * pushed(u)
    for _ in range(round(waves / dt) - 1):
        before, now = now, 2 * now - before + dt**2 * pushed(now)
    return middle, now**2 * volume * dim


@pytest.mark.parametrize("dim", [3, 4, 5])
def test_the_wave_equation_on_a_grid(dim) -> None:
    """All of half the mass, and hardly any within kappa R."""
    radius, mass = on_a_grid(dim, 4.0)
    assert mass.sum() == pytest.approx(0.5, rel=0.04)
    assert mass[radius < 2.75].sum() < (0.01 if dim % 2 else 0.03)


def test_even_dimensions_have_the_mass_that_is_claimed() -> None:
    for dim in (4, 6, 8, 100):
        kept = fmpq(1, 2) - Leak(fmpq(3), fmpq(7, 4)).in_dimension(dim)
        assert kept > fmpq(2, 5)


@pytest.mark.parametrize(
    ("kappa", "mass"),
    [("7/4", "407/1000"), ("15/8", "2/5"), ("31/16", "2/5")],
)
def test_what_claims_too_much_does_not_hold(kappa, mass) -> None:
    found = left_behind(fmpq(3), fmpq(kappa), fmpq(mass))
    assert not all(o.holds for o in found)


def test_widths_hold_from_three_dimensions_on() -> None:
    assert all(o.holds for o in widths(fmpq(5, 2)))
    assert not all(o.holds for o in widths(fmpq(4, 10)))


def drawn(dim, count, rng):
    """z = 2 pi R |x| under phi^2 by rejection below arcsine tails; then points."""
    from scipy.special import jv

    nu, top = dim / 2, 4_000.0
    grid = np.linspace(1e-6, top, 2_000_001)
    density = dim * jv(nu, grid) ** 2 / grid
    weights = np.cumsum(density) * (grid[1] - grid[0])
    z = np.interp(rng.random(count) * weights[-1], weights, grid)
    x = rng.normal(size=(count, dim))
    return z, x / np.linalg.norm(x, axis=1, keepdims=True)


@pytest.mark.parametrize("dim", [3, 6])
def test_tails_of_the_law_are_below_the_arcsine(dim) -> None:
    from depthsep.special import squared_transform_cdf

    for ratio in (2, 3, 10, 40):
        z = fmpq(dim, 2) * ratio
        tail = 1 - squared_transform_cdf(dim, z)
        assert tail < fmpq(4, 3) / ratio


@pytest.mark.parametrize(("dim", "accuracy"), [(3, 0.6), (4, 0.5), (6, 0.6)])
def test_the_network_of_the_proof_is_within(dim, accuracy) -> None:
    """In float64 at points of the law; lengths are z = 2 pi R |x|, so alpha is A."""
    waves = 3.0
    far = 32 / 9 * dim / accuracy**2  # 2 pi R T
    cells = int(np.ceil(waves * far * np.sqrt(dim / accuracy)))
    last = int(np.ceil(1.5 * waves * far / np.sqrt(accuracy)))
    z, u = drawn(dim, 40_000, np.random.default_rng(1))
    nodes = np.linspace(-far, far, cells + 1)
    total = np.interp(u * z[:, None], nodes, nodes**2).sum(1)
    total -= dim * (far / cells) ** 2 / 2
    knots = (np.arange(last + 1) * far / last) ** 2
    found = np.interp(total, knots, np.cos(waves * np.sqrt(knots)))
    error = found - np.cos(waves * z)
    assert np.sqrt((error**2).mean()) <= accuracy
    assert np.abs(error[z <= far]).max() <= accuracy / 2
    assert max(dim * (cells + 1), last + 1) <= WAVE_UPPER.at(dim, str(accuracy)).value


@pytest.mark.parametrize("dim", [3, 5])
def test_networks_that_are_fitted_stay_above(dim) -> None:
    """Sums of ridge functions at points of the law, by least squares: none below."""
    rng = np.random.default_rng(2)
    z, u = drawn(dim, 3_000, rng)
    x, f = u * z[:, None], np.cos(3 * z)
    for units in range(1, min(ODD_LOWER.at(dim, "3/5").value, 8)):
        for _ in range(10):
            v = rng.normal(size=(units, dim))
            forms = x @ (v / np.linalg.norm(v, axis=1, keepdims=True)).T
            knots = np.quantile(forms, np.linspace(0.05, 0.95, 12))
            basis = np.maximum(forms[:, :, None] - knots, 0).reshape(len(x), -1)
            basis = np.concatenate([np.ones((len(x), 1)), forms, basis], axis=1)
            left = f - basis @ np.linalg.lstsq(basis, f, rcond=None)[0]
            assert np.sqrt((left**2).mean()) > 0.6


@pytest.mark.parametrize("accuracy", ERRORS)
def test_all_dimensions_have_both_sides(accuracy) -> None:
    for dims in (range(3, 100, 2), range(4, 100, 2)):
        gaps = []
        for dim in (*dims, 900 + dims[0]):
            least = lower(dim).at(dim, accuracy).log2
            most = WAVE_UPPER.at(dim, accuracy).log2
            assert least is not None and most is not None
            gaps.append(least - most)
        assert gaps[-1] > gaps[-2] > gaps[10] > gaps[5]
        assert gaps[-1] > 0


def test_refusals() -> None:
    for bound, dim, accuracy in (
        (ODD_LOWER, 4, "1/2"),
        (EVEN_LOWER, 5, "1/2"),
        (ODD_LOWER, 3, "71/100"),
        (EVEN_LOWER, 2, "1/2"),
        (WAVE_UPPER, 2, "1/2"),
    ):
        with pytest.raises(HypothesisError):
            bound.at(dim, accuracy)
    for waves in ("249/100", "101"):
        with pytest.raises(HypothesisError, match="give 5/2 to 100"):
            wave_bounds(fmpq(waves))
    for kappa in (1, 2):
        with pytest.raises(
            HypothesisError, match="it must lie between 1 and waves - 1"
        ):
            Leak(fmpq(3), fmpq(kappa))


@pytest.mark.parametrize("twentieths", mostly_slow((50, 57, 106), range(50, 400, 7)))
def test_every_number_of_waves_has_bounds(twentieths) -> None:
    odd, even, upper = wave_bounds(fmpq(twentieths, 20))
    assert odd.at(3, "1/2").value >= 1 and even.at(4, "1/2").value >= 1
    assert upper.at(3, "1/2").value > odd.at(3, "1/2").value
