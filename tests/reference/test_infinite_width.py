"""Independent values for infinite width, each computed by other means."""

import pytest
from flint import arb, ctx, fmpq

from depthsep.approximation import total_variation
from depthsep.exact import rational
from depthsep.infinite_width import Gaussian, sampling_variance, threshold_mass
from depthsep.laws import Segment
from depthsep.targets import target_from_text
from support.places import TESTS, reference

ENTRIES = reference("approximation")
TARGETS = {
    "x": "expr:x",
    "x^2": "square",
    "x-x^2": "expr:x - x**2",
    "sin(2 pi x)": "expr:sin(2*pi*x)",
}
EXACT = {"x", "x^2", "x-x^2"}
ONE_LAST_DIGIT = fmpq(1, 10**29)


def entries(name):
    found = [e for e in ENTRIES if e["name"] == name]
    assert found
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["inputs"]))


def holds(enclosure, written, digits=28):
    """Whether the enclosure is this sharp and meets the printed digits."""
    value = rational(written)
    slack = abs(value) / 10**digits
    assert enclosure.upper - enclosure.lower <= slack
    assert enclosure.lower - slack <= value <= enclosure.upper + slack


@entries("barron_integral_gaussian_density")
def test_the_barron_integral_of_a_density(entry):
    g = Gaussian(entry["inputs"]["d"], entry["inputs"]["sigma"], density=True)
    holds(g.moment(1), entry["value"])


@entries("barron_doc_bound_gaussian_density")
def test_hoelder_bounds_the_barron_integral_with_the_corrected_prefactor(entry):
    d, sigma = entry["inputs"]["d"], rational(entry["inputs"]["sigma"])
    exact = Gaussian(d, sigma, density=True).moment(1).upper
    assert exact <= rational(entry["value"]) * (1 + ONE_LAST_DIGIT)
    with ctx.workprec(128):
        two_pi = 2 * arb.pi()
        bound = arb(d).sqrt() / (
            two_pi.sqrt() * (two_pi * sigma**2) ** (arb(d + 1) / 2)
        )
        assert abs(bound - arb(rational(entry["value"]))) < abs(bound) * 1e-29


@entries("barron_gradient_norm_unit_peak")
def test_the_gradient_norm_of_a_unit_peak(entry):
    moment = Gaussian(entry["inputs"]["d"], entry["inputs"]["sigma"]).moment(1)
    with ctx.workprec(128):
        ball = 2 * arb.pi() * arb(moment.lower).union(arb(moment.upper))
        value = arb(rational(entry["value"]))
        assert abs(ball - value) < value * 1e-28


@entries("exact_threshold_mass_unit_peak_gaussian")
def test_the_exact_mass_of_thresholds(entry):
    g = Gaussian(entry["inputs"]["d"], entry["inputs"]["sigma"])
    holds(threshold_mass(g), entry["value"], digits=18)


@entries("maurey_exact_expected_sq_error")
def test_the_exact_variance_of_sampled_thresholds(entry):
    variance_is(entry, centred=False)


@entries("maurey_exact_half_sign_centred")
def test_the_exact_variance_of_centred_thresholds(entry):
    variance_is(entry, centred=True)


def variance_is(entry, centred):
    name, k = entry["inputs"]["f"], entry["inputs"]["k"]
    found = sampling_variance(
        target_from_text(TARGETS[name]), Segment(0, 1), centred=centred
    )
    value = rational(entry["value"]) * k
    if name in EXACT:
        assert found.is_point and found.lower == value
    else:
        assert found.lower <= value <= found.upper
        assert found.upper - found.lower < fmpq(1, 10**6)


@entries("maurey_bound_sq_error")
def test_the_bound_of_the_squared_error_is_the_mass_squared(entry):
    name, k = entry["inputs"]["f"], entry["inputs"]["k"]
    mass = total_variation(target_from_text(TARGETS[name]), Segment(0, 1))
    value = rational(entry["value"])
    assert mass.lower**2 / k <= value <= mass.upper**2 / k
    assert mass.upper - mass.lower < fmpq(1, 10**15)


def test_every_value_of_this_part_is_tested():
    # the other names belong to networks near initialisation
    mine = ("barron", "maurey", "exact_threshold", "prop2.1", "thm2.3")
    more = ("fejer", "bernstein")
    names = {e["name"] for e in ENTRIES if e["name"].startswith((*mine, *more))}
    tested = "".join(p.read_text() for p in TESTS.rglob("test_*.py"))
    assert all(f'entries("{name}")' in tested for name in names)
