"""Radial laws: CDFs, quantiles, moments, samples in NumPy and JAX."""

import warnings

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from scipy import stats

from depthsep import HypothesisError, Problem
from depthsep.analysis import examine
from depthsep.constructions import RadialBySquares
from depthsep.laws import RadialLaw, SquaredTransform, law_from_text, sample_jax
from depthsep.targets import Radial
from support.slow import mostly_slow

LAWS = {
    "sphere:3": None,
    "ball:4": lambda r: np.clip(r, 0, 1) ** 4,
    "gaussian:5": lambda r: stats.chi(5).cdf(r),
    "chi:3:7": lambda r: stats.chi(7).cdf(r),
    "radius:2:1/2,2": lambda r: np.clip((r - 0.5) / 1.5, 0, 1),
    "shells:3:1/2,1,3": lambda r: (r >= 0.5) / 3 + (r >= 1) / 3 + (r >= 3) / 3,
}
LEVEL = 2.225  # sqrt(n) KS at the level 1e-4


@pytest.mark.parametrize("written", LAWS)
def test_samples_follow_their_cdf(written):
    law = law_from_text(written)
    assert isinstance(law, RadialLaw) and law_from_text(law.text) == law
    x = law.sample(20_000, 1)
    assert x.shape == (20_000, law.dim) and np.isfinite(x).all()
    assert abs(x.mean(axis=0)).max() < 0.1
    radii = np.sort(np.linalg.norm(x, axis=1))
    places = np.linspace(0.1, 2.5, 13)
    for r in places:
        mass = law.cdf(fmpq(round(r * 64), 64))
        exact = round(r * 64) / 64
        share = (radii <= exact + 1e-9).mean()
        assert abs(float(mass.mid()) - share) < LEVEL / np.sqrt(20_000)
        if LAWS[written] is not None:
            assert abs(float(mass.mid()) - LAWS[written](exact)) < 1e-12


@pytest.mark.parametrize("written", LAWS)
@pytest.mark.parametrize("power", [fmpq(1), fmpq(1, 2), fmpq(-1, 3), fmpq(2)])
def test_moments_are_those_of_samples(written, power):
    law = law_from_text(written)
    radii = np.linalg.norm(law.sample(200_000, 2), axis=1)
    guess = (radii ** float(arb(power))).mean()
    assert abs(float(law.moment(power).mid()) / guess - 1) < 0.02


@pytest.mark.parametrize(
    "written", ["gaussian:5", "ball:4", "radius:2:1/2,2", "phi2:4"]
)
def test_quantiles_invert_the_cdf(written):
    law = law_from_text(written)
    for level in (fmpq(1, 10), fmpq(1, 2), fmpq(3, 4)):
        r = law.quantile(level)
        with ctx.workprec(64):
            near = fmpq(*float(r.mid()).as_integer_ratio())
        assert abs(law.cdf(near) - level) < 1e-6


@pytest.mark.parametrize("dim", [1, 2, 3, 10, 100])
def test_moments_of_phi2_end_below_the_mean(dim):
    law = SquaredTransform(dim)
    radii = law.sample_radii(50_000, np.random.default_rng(0))
    with ctx.workprec(64):
        phase = float(law.phase().mid())
    power = fmpq(1, 4)
    guess = ((radii / phase) ** 0.25).mean()
    assert abs(float(law.moment(power).mid()) / guess - 1) < 0.01
    with pytest.warns(UserWarning, match="no mean"):
        assert not law.moment(fmpq(1)).is_finite()


def test_densities_integrate_to_the_cdf():
    law = SquaredTransform(3, fmpq(2))
    r = np.linspace(0.5, 1.5, 201)
    values = [float(law.density(fmpq(round(x * 200), 200)).mid()) for x in r]
    mass = law.cdf(fmpq(3, 2)) - law.cdf(fmpq(1, 2))
    assert abs(np.trapezoid(values, r) - float(mass.mid())) < 1e-4


def _ks(dim: int, t: np.ndarray, points: int = 25) -> float:
    """sqrt(n) times the distance of CDFs at quantiles of the sample, t up to 20 d."""
    from depthsep.special import squared_transform_cdf

    t, worst = np.sort(t), 0.0
    for i in np.linspace(0, len(t) - 1, points).astype(int):
        if 2**-20 < t[i] < 20 * dim:
            mass = squared_transform_cdf(dim, fmpq(round(t[i] * 2**20), 2**20), 30)
            worst = max(worst, abs(float(mass.mid()) - (i + 0.5) / len(t)))
    return worst * np.sqrt(len(t))


@pytest.mark.parametrize("dim", mostly_slow([10], (1, 2, 3, 10, 100)))
def test_jax_and_numpy_samples_follow_phi2(dim):
    import jax

    law = SquaredTransform(dim)
    plain = law.sample_radii(30_000, np.random.default_rng(dim))
    assert _ks(dim, plain) < LEVEL
    with jax.enable_x64():
        x = np.asarray(sample_jax(law, jax.random.key(dim), 30_000))
    assert x.shape == (30_000, dim) and np.isfinite(x).all()
    assert _ks(dim, np.linalg.norm(x, axis=1) * law.float_phase()) < LEVEL


@pytest.mark.parametrize("dim", (1, 2, 3, 5, 12, 40))
def test_bessel_functions_by_table_are_those_of_scipy(dim):
    import jax
    from scipy.special import jv

    from depthsep.laws._jax_samples import _bessel, _tables

    far = np.linspace(0.01, max(45 * dim, 400), 5001)
    t = np.append(np.geomspace(1e-9, 1, 500), far)
    with jax.enable_x64():
        table = jax.numpy.asarray(_tables(dim / 2)[2])
        found = _bessel(dim / 2, jax.numpy.asarray(t), table)
    assert np.abs(np.asarray(found) - jv(dim / 2, t)).max() < 1e-9


@pytest.mark.slow
def test_nothing_overflows_in_a_thousand_dimensions():
    import jax

    law = SquaredTransform(1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(law.sample(1000, 0)).all()
    assert np.isfinite(np.asarray(sample_jax(law, jax.random.key(0), 100))).all()


@pytest.mark.parametrize(
    "written",
    [
        "sphere:0",
        "ball:1001",
        "chi:3",
        "chi:3:-1",
        "radius:2:2,1",
        "shells:3:",
        "ball:x",
    ],
)
def test_bad_laws_are_refused(written):
    with pytest.raises(HypothesisError):
        law_from_text(written)


@pytest.mark.parametrize("written", ["gaussian:3", "radius:3:0,2", "shells:3:1/2,3/2"])
def test_networks_are_certified_under_other_laws(written):
    for name, accuracy in (("relu", "1/10"), ("ball", "1/4")):
        problem = Problem(Radial(name, 3), law_from_text(written), "l2", accuracy)
        network = RadialBySquares().prove(problem, 3).network
        found = examine(network, problem)
        assert found.error.upper <= problem.accuracy
        x = problem.law.sample(20_000, 0)
        off = network.floats(x)[:, 0] - problem.target.floats(x)
        assert np.sqrt((off**2).mean()) <= float(arb(found.error.upper)) + 1e-3


def test_gauss_is_short_for_gaussian() -> None:
    assert law_from_text("gauss:3") == law_from_text("gaussian:3")


def test_half_of_the_mass_of_a_median_law_lies_in_the_unit_ball():
    law = law_from_text("phi2:5:median")
    assert law_from_text(law.text) == law
    assert abs(float(law.cdf(fmpq(1)).mid()) - 0.5) < 1e-6
    with pytest.raises(HypothesisError, match="give --scale target instead"):
        law_from_text("phi2:5:target")


def test_a_law_of_many_shells_is_short_in_sentences():
    law = RadialLaw("shells", 3, tuple(fmpq(k, 7) for k in range(1, 3001)))
    assert str(law) == "shells:3:1/7,2/7,3/7,4/7,... (3000 numbers)"
    assert len(law.text) > 10_000 and law_from_text(law.text) == law
