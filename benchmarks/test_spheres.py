"""Bounds on spheres and the sampler of phi^2, beside what they are made of."""

import numpy as np
from flint import arb, fmpq
from scipy.special import jv

from depthsep.laws import SquaredTransform
from depthsep.lower_bounds import ZonalWave
from depthsep.special import BesselLadder

COUNT = 100_000


def test_a_tail_in_twenty_dimensions(benchmark):
    wave = ZonalWave(20, "sin", lambda: arb.pi() * 8000)
    assert benchmark(wave.tail, 25_081).mass > 0


def test_baseline_its_ladder(benchmark):
    ladder = BesselLadder(fmpq(9), lambda: arb.pi() * 8000)
    assert benchmark(lambda: sum(1 for _ in ladder.values(25_081))) == 25_081


def test_samples_of_the_squared_transform(benchmark):
    law, rng = SquaredTransform(100), np.random.default_rng(0)
    law.sample_radii(COUNT, rng)
    assert len(benchmark(law.sample_radii, COUNT, rng)) == COUNT


def test_baseline_as_many_bessel_functions(benchmark):
    t = 50 / np.cos(np.random.default_rng(0).random(COUNT) * np.pi / 2)
    assert np.isfinite(benchmark(jv, 50, t)).all()
