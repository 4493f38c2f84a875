"""Integrals of analytic functions in balls."""

from collections.abc import Callable

from flint import acb, arb

from depthsep._errors import UndecidedError

PRECISION = 128


def integral(function: Callable[[acb], acb], start: arb, stop: arb) -> arb:
    """An enclosure of a real integral of a function that is analytic near [a, b].

    Raises:
        UndecidedError: the quadrature found no finite enclosure.
    """
    value = acb.integral(lambda z, _: function(z), acb(start), acb(stop)).real
    if not value.is_finite():
        raise UndecidedError("no finite bounds of an integral were found")
    return value
