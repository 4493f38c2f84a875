"""The four parts of a risk."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, Problem, build
from depthsep.analysis import risk_parts
from depthsep.constructions import kink_network
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Box, Segment
from depthsep.networks import Network
from depthsep.separation import bound
from depthsep.targets import target_from_text

UNIT = Segment(0, 1)


def _sample(count, seed, spread=0.3):
    rng = np.random.default_rng(seed)
    inputs = np.sort(rng.uniform(0, 1, count)).round(6)
    inputs[0], inputs[-1] = 0.0, 1.0
    return inputs, inputs**2 + spread * rng.choice([-1.0, 1.0], count)


def test_an_interpolant_of_noise_has_no_seen_risk_and_a_true_one():
    inputs, labels = _sample(30, 0)
    found = kink_network(PiecewiseAffine.through(inputs, labels))
    ideal = build(Problem("square", accuracy="1e-3"), depth=3).network
    parts = risk_parts(
        found,
        ideal,
        target_from_text("square"),
        UNIT,
        inputs,
        labels,
        noise=rational("0.09"),
    )
    assert parts.seen == 0 < parts.ideal_seen
    assert parts.optimisation == -parts.ideal_seen
    x = (np.arange(400_000) + 0.5) / 400_000
    off = np.interp(x, inputs, labels) - x**2
    assert float(parts.risk) == pytest.approx(np.mean(off**2) + 0.09, rel=1e-6)
    assert parts.approximation.upper < rational("0.09") + fmpq(1, 10**6)
    assert parts.risk.lower > parts.ideal_risk.upper  # interpolation: Remark 1.5


def test_the_parts_add_up_to_the_risk():
    inputs, labels = _sample(12, 1)
    found = kink_network(PiecewiseAffine.through([0, "1/2", 1], [0, "1/5", 1]))
    ideal = kink_network(PiecewiseAffine.through([0, 1], [0, 1]))
    parts = risk_parts(found, ideal, target_from_text("square"), UNIT, inputs, labels)
    four = (parts.generalisation, parts.ideal_generalisation, parts.approximation)
    low = sum((p.lower for p in four), parts.optimisation)
    high = sum((p.upper for p in four), parts.optimisation)
    assert low <= parts.risk.lower <= parts.risk.upper <= high
    assert parts.ideal_risk.lower == fmpq(1, 30)  # the integral of (x - x^2)^2


def test_risks_on_a_box_are_enclosed():
    zero = Network.from_arrays([[0.0, 0.0]], [0.0])
    mean = Network.from_arrays([[0.5, 0.5]], [-0.25])
    parts = risk_parts(
        zero,
        mean,
        target_from_text("product", 2),
        Box.cube(UNIT, 2),
        [(0.5, 0.5), (1, "1/2")],
        ["1/4", "1/2"],
    )
    assert parts.risk.lower <= fmpq(1, 9) <= parts.risk.upper
    assert float(parts.risk) == pytest.approx(1 / 9, rel=0.05)
    assert parts.seen == (fmpq(1, 16) + fmpq(1, 4)) / 2
    assert parts.ideal_risk.lower <= fmpq(1, 144) <= parts.ideal_risk.upper


@pytest.mark.parametrize(
    ("inputs", "labels", "noise"),
    [
        ([], [], 0),
        ([0], [0, 1], 0),
        ([0], [0], -1),
        ("01", "01", 0),
        ([50], [0], 0),
        ([[0, 1]], [0], 0),
    ],
)
def test_samples_that_do_not_fit_are_refused(inputs, labels, noise):
    line = kink_network(PiecewiseAffine.through([0, 1], [0, 1]))
    with pytest.raises(HypothesisError, match=r"labels|does not lie"):
        risk_parts(
            line, line, target_from_text("square"), UNIT, inputs, labels, noise=noise
        )


def test_jumps_are_no_network_of_kinks():
    jump = PiecewiseAffine.through([0, "1/2", "1/2", "1/2", 1], [0, 0, 1, 1, 1])
    with pytest.raises(HypothesisError, match="continuous"):
        kink_network(jump)


def test_parts_are_printed_in_words():
    line = kink_network(PiecewiseAffine.through([0, 1], [0, 1]))
    parts = risk_parts(line, line, target_from_text("square"), UNIT, [0, 1], [0, 1])
    assert "approximation                        1/30" in str(parts)
    assert "risk (sum of the four parts)         1/30 (exact)" in str(parts)


def test_least_risks_differ_by_the_lipschitz_constant_times_the_distance():
    assert bound("least-risks", lipschitz=3, accuracy="1/10").value == fmpq(3, 10)
