"""Caps, feasible plants and the widths that they need."""

import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.near_init import feasibility, smallest_width
from depthsep.near_init.bounds._caps import cap_chance, width_chernoff
from depthsep.separation import bound


def test_a_width_by_chernoff_has_at_least_one_row_a_unit():
    for d in (1, 2, 3, 6):
        for tau in (fmpq(1), fmpq(2, 5), fmpq(1, 20)):
            for delta in (fmpq(999, 1000), fmpq(9, 10), fmpq(39, 50), fmpq(1, 100)):
                for units in (1, 2, 100) if d > 2 and tau < fmpq(1, 10) else (1, 2):
                    width = width_chernoff(d, tau, delta, units)
                    assert feasibility(width, d, tau, units).below >= 1 - delta


def test_the_least_width_is_least_for_tiny_delta_too():
    assert smallest_width(2, fmpq(1), fmpq(3, 10**16), 1) == 638
    assert smallest_width(2, fmpq(3, 4), fmpq(5, 10**16), 2) == 937
    assert smallest_width(2, fmpq(1, 2), fmpq(1, 10**45), 1) == 4728
    assert smallest_width(2, fmpq(1, 2), fmpq(1, 10**300), 1) == 32731


def test_planting_statements_refuse_caps_that_are_too_large():
    for name, given in (
        ("telgarsky-3.10", {"tau": "10"}),
        ("planting-width", {"tau": "5"}),
        ("planting-distance", {"width": 500, "tau": 9}),
        ("planting-feasibility", {"width": 500, "tau": "11/10"}),
    ):
        with pytest.raises(HypothesisError, match="needs 0 < tau <= 1"):
            bound(name, **given)
    with pytest.raises(HypothesisError, match="dimension 1"):
        bound("planting-width", dim=1, tau="1/2", units=3)


def test_caps_next_to_a_hemisphere_of_directions_are_enclosed():
    near = fmpq(141421356237309504880168872420969807, 10**35)  # sqrt 2, to 36 digits
    for d in (2, 3, 10):
        assert abs(cap_chance(d, near) - arb(1) / 2) < 1e-30
    # in R^3 a cap has the chance tau^2 / 4
    for tau in (fmpq(1, 10**6), fmpq(1, 3), fmpq(1), fmpq(7, 5), fmpq(19, 10)):
        with ctx.workprec(128):
            exact = arb(tau**2 / 4)
            assert abs(cap_chance(3, tau) - exact) < exact * 1e-30
