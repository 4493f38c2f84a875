"""Laws with densities, against scipy's distributions and plain sums."""

import numpy as np
import pytest
from flint import arb, fmpq
from scipy import stats

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational
from depthsep.laws import AbstractDensityLaw, Segment, law_from_text

KNOWN = [
    ("beta:2,5", stats.beta(2, 5)),
    ("beta:1/2,3/2", stats.beta(0.5, 1.5)),
    ("beta:3,1", stats.beta(3, 1)),
    ("normal:1/2,1/4,0,1", stats.truncnorm(-2, 2, loc=0.5, scale=0.25)),
    ("normal:0,1,3,9", stats.truncnorm(3, 9)),
    ("normal:-1,2", stats.norm(-1, 2)),
    ("exponential:3", stats.expon(scale=1 / 3)),
    ("exponential:2,5", stats.truncexpon(10, scale=1 / 2)),
    ("triangular", stats.triang(0.5)),
    ("triangular:-1,-1,3", stats.triang(0, loc=-1, scale=4)),
    ("triangular:0,3,4", stats.triang(0.75, loc=0, scale=4)),
]
FORMULA = "density:1+sin(3*x) on 0,2"


def law_of(text: str) -> AbstractDensityLaw:
    law = law_from_text(text)
    assert isinstance(law, AbstractDensityLaw)
    return law


@pytest.mark.parametrize(("text", "known"), KNOWN)
def test_masses_and_densities_are_those_of_scipy(text: str, known) -> None:
    law, rng = law_of(text), np.random.default_rng(1)
    on = law.interval
    start, length = nearest_float(on.start), nearest_float(on.length)
    for u, v in np.sort(rng.random((20, 2)), axis=1) * [0.98, 0.98] + [0.01, 0.01]:
        a, b = (on.start + on.length * rational(t) for t in (u, v))
        mass = known.cdf(nearest_float(b)) - known.cdf(nearest_float(a))
        assert float(law.mass(a, b)) == pytest.approx(mass, rel=1e-9, abs=1e-12)
        value = known.pdf(start + length * u) * length
        assert float(law.density(arb(a)).value) == pytest.approx(value, rel=1e-9)
        assert law.density_floats(np.array([start + length * u]))[0] == pytest.approx(
            value, rel=1e-9
        )
    whole = law.mass(on.start, on.stop)
    assert abs(float(whole) - 1) < 1e-12
    shares = rng.random(50)
    assert law.quantiles(shares) == pytest.approx(known.ppf(shares), rel=1e-7)


@pytest.mark.parametrize("text", [*(text for text, _ in KNOWN), FORMULA])
def test_jets_and_cells_enclose_the_density(text: str) -> None:
    law, rng = law_of(text), np.random.default_rng(2)
    on = law.interval
    for _ in range(40):
        u, v = np.sort(rng.random(2))
        a, b = (on.start + on.length * rational(t) for t in (u, v))
        jet, least = law.density(arb(a).union(arb(b))), law.least_density(a, b)
        points = [a + (b - a) * fmpq(k, 7) for k in range(8)]
        inside = [law.density(arb(x)) for x in points]
        assert all(jet.value.contains(here.value.mid()) for here in inside)
        assert all(here.value.upper() >= least for here in inside)
        h = on.length / 10**6
        for x in points[1:-1]:
            near = [law.density(arb(x + k * h)).value for k in (-1, 0, 1)]
            slope = float((near[2] - near[0]) / (2 * h))
            bend = float((near[2] - 2 * near[1] + near[0]) / (h * h))
            here = law.density(arb(x))
            scale = abs(slope) + abs(bend) / 10**3 + 1e-6
            if here.second.is_finite():
                assert float(here.first) == pytest.approx(slope, abs=1e-3 * scale)
                off = 1e-2 * scale + 1e-3 * abs(bend)
                assert float(here.second) == pytest.approx(bend, abs=off)


def test_the_formula_is_normalised() -> None:
    law = law_of(FORMULA)
    integral = 2 + (1 - np.cos(6)) / 3
    assert float(law.mass(fmpq(0), fmpq(1))) == pytest.approx(
        (1 + (1 - np.cos(3)) / 3) / integral, rel=1e-12
    )
    assert law.mass(fmpq(0), fmpq(1)).rad() < 1e-15
    x = law.sample(20_000, seed=1)[:, 0]
    mean = (2 + np.sin(6) / 9 - 2 * np.cos(6) / 3) / integral
    assert x.mean() == pytest.approx(mean, abs=0.02) and x.min() >= 0 and x.max() <= 2


@pytest.mark.parametrize("text", [*(text for text, _ in KNOWN), FORMULA])
def test_texts_read_back(text: str) -> None:
    law = law_of(text)
    assert law_from_text(law.text) == law and law.is_weighted
    assert law.has_open_ends == (text in ("normal:-1,2", "exponential:3"))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("beta:2,5", 0, 2.4576),
        ("triangular", 0, 2),
        ("density:1+x", 2 / 3, 4 / 3),
        ("normal:0,1,0,1", 0.70883, 1.16864),
        ("beta:1/2,1", 0.5, None),
    ],
)
def test_the_range_of_the_density(text: str, least: float, most: float | None) -> None:
    low, high = law_of(text).range_of_density
    assert least * 0.97 - 1e-9 <= float(arb(low)) <= least + 1e-4
    assert (high is None) == (most is None)
    if high is not None and most is not None:
        assert most - 1e-4 <= float(arb(high)) <= most * 1.03


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("beta:0,1", "positive"),
        ("beta:2", "beta:a,b"),
        ("normal:0,-1", "positive"),
        ("normal:0,1,2", "normal:m,s,A,B"),
        ("normal:0,1,50,60", "less than 1e-30"),
        ("exponential:-1", "positive"),
        ("triangular:0,2,1", "mode"),
        ("density:x-1/2", "nonnegative"),
        ("density:0*x", "to have a positive integral"),
        ("density:1/x", "defined"),
        ("density:y", "x"),
        ("density:x on 1", "on"),
        ("box:0,1;signs:3", "box"),
    ],
)
def test_what_is_no_law_is_refused(text: str, said: str) -> None:
    with pytest.raises(HypothesisError, match=said):
        law_from_text(text)


def test_a_constant_density_is_the_uniform_law() -> None:
    assert not law_from_text("beta:1,1").is_weighted
    assert law_from_text("beta:1,1").interval == Segment(0, 1)


def test_moments_beyond_the_interval() -> None:
    normal, exponential = law_of("normal:-1,2"), law_of("exponential:3")
    # P(Z > 16) and e^-80
    found = normal.moment_beyond(1, fmpq(0))
    assert found is not None and float(found) == pytest.approx(6.38875e-58, rel=1e-4)
    found = exponential.moment_beyond(1, fmpq(1))
    assert found is not None and float(found) == pytest.approx(
        np.exp(-80) * 3 / 2, rel=1e-9
    )
    assert exponential.moment_beyond(1, fmpq(3)) is None
    assert law_of("beta:2,5").moment_beyond(1, fmpq(5)) == 0
