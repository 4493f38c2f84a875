"""Means of a radial function times a relu: enclosed, against integrals and samples."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln

from depthsep import HypothesisError, bound
from depthsep.dynamics import radial_means, sample_radial_means
from depthsep.laws import law_from_text

CASES = (
    ("relu", "radius:4:0,2", lambda r: max(1 - r, 0) * r / 2, 1),
    ("1-r**2", "ball:3", lambda r: (1 - r**2) * r * 3 * r**2, 1),
    ("ball", "gaussian:2", lambda r: r * r * np.exp(-r * r / 2), 1),
    ("exp(-r) on 0,3", "radius:5:1,2", lambda r: np.exp(-r) * r * (1 <= r <= 2), 2),
)


def c_d(dim):
    return np.exp(gammaln(dim / 2) - gammaln((dim + 1) / 2)) / (2 * np.pi**0.5)


@pytest.mark.parametrize(("written", "law", "density", "stop"), CASES)
def test_the_means_are_those_of_integrals_and_samples(written, law, density, stop):
    law = law_from_text(law)
    v = np.linspace(-1, 2, law.dim)
    found = radial_means(f"radial:{written}", law, v)
    moment = quad(density, 0, stop, limit=200, points=[1])[0]
    size = np.linalg.norm(v)
    for ends, value in (
        (found.moment, moment),
        (found.value, c_d(law.dim) * size * moment),
        (found.size, c_d(law.dim) * moment),
    ):
        low, high = (float(x.p) / float(x.q) for x in (ends.lower, ends.upper))
        assert low <= value + 1e-9 and value <= high + 1e-9
        assert high - low < 5e-3 * size
    sampled = sample_radial_means(written, law, v, samples=400_000)
    middle = c_d(law.dim) * moment
    assert abs(sampled.value - middle * size) < 5 * sampled.value_error
    apart = np.abs(sampled.gradient - middle * found.direction)
    assert (apart < 5 * sampled.gradient_error).all()
    assert np.allclose(found.direction, v / size)


def test_more_cells_enclose_more_closely():
    law, v = law_from_text("phi2:3:t=4"), [1.0, 0, 0]
    few, many = (radial_means("relu", law, v, cells=n).moment for n in (64, 1024))
    assert few.lower <= many.lower < many.upper <= few.upper
    assert many.upper - many.lower < (few.upper - few.lower) / 10


def test_the_catalogue_says_the_same():
    law = law_from_text("shells:7:1/2")
    found = radial_means("relu", law, [3.0, 4, 0, 0, 0, 0, 0]).value
    value = bound("radial-relu-mean", dim=7, length=5, moment="1/4").value
    assert found.lower <= value.upper and value.lower <= found.upper


@pytest.mark.parametrize(
    ("target", "law", "v", "words"),
    [
        ("relu", "ball:3", [0, 0, 0], "of v is 3; it must be 3, and the largest"),
        ("relu", "ball:3", [1, 0], "it must be 3"),
        ("relu", "uniform:0,1", [1], "not a radial law"),
        ("relu", "ball:3", [1e200, 0, 0], "1e100"),
        (3, "ball:3", [1, 0, 0], "not a radial function"),
    ],
)
def test_what_does_not_fit_is_refused(target, law, v, words):
    with pytest.raises(HypothesisError, match=words):
        radial_means(target, law_from_text(law), v)
