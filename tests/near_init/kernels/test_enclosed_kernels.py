"""Kernels and their coefficients in balls."""

import pytest
from flint import arb, fmpq, fmpz

from depthsep import HypothesisError
from depthsep.near_init import enclosed_kernel
from depthsep.near_init.kernels._universality import maclaurin
from depthsep.separation import bound


def test_two_thousand_coefficients_take_no_time_and_agree_with_series():
    long = maclaurin(2000)
    assert all(c > 0 for c in long)
    assert long[1999].rad() < long[1999] * 1e-30
    assert abs(float(long[10]) - 1.63228235341812232) < 1e-14
    for some in (1, 2, 3):
        assert len(maclaurin(some)) == some


def test_nearly_parallel_points_and_deep_kernels_are_enclosed():
    tiny = fmpq(1, fmpz(10) ** 100)
    ball = enclosed_kernel([fmpq(1), tiny], [fmpq(1), fmpq(0)], trained=(1,))
    assert abs(ball - arb(1) / 2) < 1e-15
    small = fmpq(1, fmpz(10) ** 300)
    ball = enclosed_kernel([fmpq(1), fmpq(0)], [fmpq(-1), small], trained=(1,))
    assert ball < 0 and ball.rad() < abs(ball) * 1e-20  # about -1e-300 / (2 pi)
    deep = enclosed_kernel([fmpq(1), fmpq(2)], [fmpq(2), fmpq(1)], depth=200)
    assert deep > 0 and deep.rad() < deep * 1e-20
    with pytest.raises(HypothesisError, match="is not supported; the slope must lie"):
        bound("tangent-kernel", x="1,2", z="2,1", activation="leaky-relu:1e300")


def test_the_enclosed_kernel_checks_what_the_floats_check():
    x = [fmpq(1), fmpq(2)]
    for change in (
        {"depth": 0},
        {"trained": (5,)},
        {"weight_variance": fmpq(-1)},
        {"bias_variance": fmpq(-1)},
    ):
        with pytest.raises(HypothesisError):
            enclosed_kernel(x, x, **change)
