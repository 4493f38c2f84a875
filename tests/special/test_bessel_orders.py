"""Bessel functions of many orders at once, with those that are too small to matter."""

import pytest
from flint import arb, ctx, fmpq

from depthsep.special._bessel import BITS_A_STEP, bessel_orders


@pytest.mark.parametrize(
    ("x", "order", "count"),
    [("150.3", fmpq(11, 2), 920), ("0.01", fmpq(1, 2), 60), ("40", fmpq(101, 2), 300)],
)
def test_small_ones_are_balls_that_hold_them(x, order, count):
    with ctx.workprec(240 + int(BITS_A_STEP * (count + 8))):
        tiny, at = arb(2) ** -174, arb(x)
        every = bessel_orders(at, order, count)
        found = bessel_orders(at, order, count, tiny=tiny)
        assert len(found) == count
        assert all(small.overlaps(j) for small, j in zip(found, every, strict=True))
        assert all(j.rad() < 2 * tiny for j in found)
        followed = [j for j in found if j.mid() != 0]
        assert 0 < len(followed) < count and abs(every[len(followed)]) < tiny
        with ctx.workprec(200):
            assert every[0].overlaps(at.bessel_j(arb(order)))
