"""Tails and quantiles of the binomial law, enclosed."""

import math

import pytest
from flint import arb, ctx, fmpq, fmpz

from depthsep.near_init.bounds._linear_bounds import near_kink_quantile
from depthsep.special import binomial_quantile, binomial_tail


def exact_tail(n, p, k):
    """P(Bin(n, p) >= k) as a rational."""
    terms = (
        fmpq(fmpz(math.comb(n, j))) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)
    )
    return sum(terms, fmpq(0))


@pytest.mark.parametrize("n", [1, 2, 9, 40])
@pytest.mark.parametrize(
    "p", [fmpq(1, 2), fmpq(1, 10**60), fmpq(999, 1000), 1 - fmpq(1, 10**40)]
)
def test_binomial_tails_enclose_the_exact_sum(n, p):
    for k in (0, 1, n // 2, n - 1, n, n + 1):
        with ctx.workprec(512):
            tail = binomial_tail(n, p, k)
            exact = arb(exact_tail(n, p, max(k, 0)))
            assert tail.overlaps(exact) and (tail >= 0) is not False
            assert tail.rad() <= abs(exact) * 1e-30 + arb(10) ** -45


def test_tails_of_wide_balls_are_chances():
    wide = binomial_tail(1000, arb(0.5, 0.01), 500)
    assert wide.lower() >= -1e-9 and wide.upper() <= 1 + 1e-9


def test_quantiles_far_out_and_near_one_are_least_and_quick():
    assert near_kink_quantile(10**7, fmpq(1, 2), fmpq(1, 10**17)) == 3842309
    assert near_kink_quantile(17, fmpq(5), 1 - fmpq(1, 10**40)) == 10
    for delta in (fmpq(1, 10**400), fmpq(1, 3), 1 - fmpq(1, 10**30)):
        for n, p in ((30, fmpq(1, 7)), (200, fmpq(99, 100)), (5, fmpq(1, 10**300))):
            k = binomial_quantile(n, p, delta)
            assert exact_tail(n, p, k + 1) <= delta
            assert k == 0 or exact_tail(n, p, k) > delta
