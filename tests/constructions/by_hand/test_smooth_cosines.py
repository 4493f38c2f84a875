"""Universal approximation by smooth activations: errors against the cosines."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.constructions import smooth_universal_network
from depthsep.constructions.by_hand.cubes import _smooth_cosines
from depthsep.constructions.by_hand.cubes._fejer_korovkin import (
    cosine_coefficients,
    fejer_korovkin_bound,
    ridge_cosines,
)
from depthsep.exact import rational
from depthsep.networks import (
    COS,
    ERF,
    EXP,
    GELU,
    RELU,
    SIGMOID,
    SIN,
    SOFTPLUS,
    TANH,
    derivatives,
)
from support.slow import in_turn

SMOOTH = (SIGMOID, TANH, ERF, EXP, SOFTPLUS, GELU, SIN, COS)


def tent(x):
    return np.abs(x - 0.4).min(axis=1)


@pytest.mark.parametrize(
    ("activation", "dim"), in_turn(zip(SMOOTH, strict=True), [1, 2]), ids=str
)
def test_cosines_are_replaced_within_the_bound(activation, dim):
    made = smooth_universal_network(tent, dim, 2, 1, "1/20", activation)
    assert made.cosine_error <= fmpq(1, 20)
    assert made.bound == made.cosine_error + fejer_korovkin_bound(2, dim, 1).upper
    directions, weights = ridge_cosines(cosine_coefficients(tent, dim, 2))
    with ctx.workprec(2500):
        for x in np.random.default_rng(0).random((10, dim)):
            value = made.network.balls([arb(float(v)) for v in x])[0]
            truth = float((weights * np.cos(np.pi * directions @ x)).sum())
            assert value.rad() < 1e-12
            off = abs(float(value.mid()) - truth)
            assert rational(off) <= made.cosine_error + fmpq(1, 10**12)


def test_the_units_are_shared():
    # degree N by 2 N + 1 units for each direction, less where weights are 0
    made = smooth_universal_network(tent, 1, 1, 1, "1/50", EXP)
    assert made.network.activations == (EXP,) and made.network.units <= 2 * 12 + 1


@pytest.mark.parametrize("activation", SMOOTH, ids=str)
def test_derivatives_are_enclosed(activation):
    x, h = arb("0.3"), 1e-4
    found = derivatives(activation, x, 12)
    f = activation.floats(np.array([0.3 - h, 0.3, 0.3 + h]))
    assert abs(float(found[0].mid()) - f[1]) < 1e-12
    assert abs(float(found[1].mid()) - (f[2] - f[0]) / (2 * h)) < 1e-6
    assert abs(float(found[2].mid()) - (f[2] - 2 * f[1] + f[0]) / h**2) < 1e-5
    assert len(found) == 13 and all(v.is_finite() for v in found)
    assert ctx.cap == 10  # as python-flint has it


def test_constants_need_no_unit():
    made = smooth_universal_network(lambda x: np.zeros(len(x)), 2, 1, 1, 1, TANH)
    assert made.network.depth == 1 and made.cosine_error == 0


@pytest.mark.parametrize("activation", [TANH, EXP])
def test_units_are_built_up_to_a_most(activation, monkeypatch):
    made = smooth_universal_network(tent, 2, 2, 1, "1/20", activation)
    most = made.network.units
    monkeypatch.setattr(_smooth_cosines, "MAX_UNITS", most)
    again = smooth_universal_network(tent, 2, 2, 1, "1/20", activation)
    assert again.network.units == most
    monkeypatch.setattr(_smooth_cosines, "MAX_UNITS", most - 1)
    with pytest.raises(TooLargeError, match=f"at least {most} units"):
        smooth_universal_network(tent, 2, 2, 1, "1/20", activation)


def test_refusals():
    with pytest.raises(HypothesisError, match="is known; use one of"):
        smooth_universal_network(tent, 1, 2, 1, "1/10", RELU)
    with pytest.raises(HypothesisError, match="must be positive"):
        smooth_universal_network(tent, 1, 2, 1, 0, TANH)
    for tolerance in ("1e-4", "1e-9"):
        with pytest.raises(TooLargeError, match="units"):
            smooth_universal_network(tent, 2, 8, 1, tolerance, TANH)
    with pytest.raises(TooLargeError, match="degree"):
        smooth_universal_network(tent, 1, 40, 1, "1e-2", EXP)
