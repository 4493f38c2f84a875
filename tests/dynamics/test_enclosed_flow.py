"""The enclosed infinite-width flow beside an adaptive solver, and what it proves."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError, UndecidedError
from depthsep.dynamics import (
    RadialTask,
    _convergence,
    enclosed_flow,
    infinite_width,
)
from depthsep.dynamics.radial.learning import _enclosed
from depthsep.separation import bound


@pytest.mark.parametrize("dim", [2, 8, 32])
def test_the_solver_s_losses_lie_inside(dim) -> None:
    """An independent flow, by a rule of order 8 to 1e-12."""
    task = RadialTask(dim, 4, second=1, time=20.0, records=9, step=0.5)
    limit = infinite_width(task)
    flow = enclosed_flow(dim, time=20.0, step=0.05)
    assert flow.radius < 2e-4
    for time, loss in zip(limit.times, limit.loss, strict=True):
        (k,) = np.flatnonzero(np.abs(np.array(flow.times) - time) < 1e-9)
        found = flow.losses[k]
        assert float(found.lower) - 1e-9 <= loss <= float(found.upper) + 1e-9


def test_a_finer_step_lies_inside_a_coarser_one() -> None:
    coarse = enclosed_flow(8, time=10.0, step=0.2)
    fine = enclosed_flow(8, time=10.0, step=0.05)
    assert fine.radius < coarse.radius
    for k, loss in enumerate(coarse.losses):
        inner = fine.losses[4 * k]
        assert loss.lower <= inner.upper and inner.lower <= loss.upper


def test_other_starts_and_lengths() -> None:
    flow = enclosed_flow(5, alpha="1/3", slope="-2", offset="1/5", length=3, time=5.0)
    assert flow.losses[0].lower > 0 and flow.losses[-1].upper < flow.losses[0].lower
    for given in ({"slope": 1}, {"offset": 0}, {"alpha": -1}, {"time": 0}, {"step": 2}):
        with pytest.raises(HypothesisError):
            enclosed_flow(5, **given)
    with pytest.raises(HypothesisError, match="length must be above 1"):
        enclosed_flow(5, length=1)


def test_a_tube_that_is_too_wide_is_no_proof() -> None:
    with pytest.raises(UndecidedError):
        enclosed_flow(8, time=40.0, step=1.0, offset=30, slope=-40)


@pytest.mark.parametrize(
    "given",
    [
        {"alpha": "1/100", "slope": -1, "offset": 1, "length": 1000, "step": 1.0},
        {"alpha": 10**200, "slope": -1, "offset": 1},
    ],
)
def test_what_floats_cannot_follow_is_not_decided(given) -> None:
    with pytest.raises(UndecidedError):
        enclosed_flow(3, **given)


def test_losses_are_not_negative_and_times_not_early() -> None:
    flow = enclosed_flow(2, slope=-1, offset=1, time=1.0)
    assert all(loss.lower >= 0 for loss in flow.losses)
    flow = enclosed_flow(8, time=3.0)
    step = fmpq(*(3.0 / 60).as_integer_ratio())
    for k, time in enumerate(flow.times):
        assert fmpq(*time.as_integer_ratio()) >= k * step


def test_the_derivative_is_that_of_the_velocity() -> None:
    """Differences on both sides of the kink at s = 1, in balls."""
    with ctx.workprec(200):
        law, _, _ = _enclosed._law(6, fmpq(2), fmpq(1), fmpq(-1, 2), fmpq(1, 2))
        for q, b in (("0.7", "0.6"), ("0.6", "0.7"), ("1.1", "0.9")):
            q, b, h = arb(q), arb(b), arb(2) ** -12
            rows = law.derivative(q, b)
            for column, (dq, db) in enumerate(((h, arb(0)), (arb(0), h))):
                up, down = law.velocity(q + dq, b + db), law.velocity(q - dq, b - db)
                for row in range(2):
                    slope = (up[row] - down[row]) / (2 * h)
                    assert abs(slope - rows[row][column]) < 1e-5


def test_the_conserved_quantity_makes_alpha() -> None:
    with ctx.workprec(100):
        law, q, _ = _enclosed._law(8, fmpq(2), fmpq(1), fmpq(-1, 2), fmpq(1, 2))
        assert law.alpha(arb(q)).overlaps(arb(1))
        end = law.alpha(arb(1))
    assert (
        end.overlaps(arb(bound("mean-field-limit", dim=8).value.lower))
        or abs(float(end.mid()) - 1.148049453747925) < 1e-9
    )


@pytest.mark.slow
def test_times_are_reached_and_kept(monkeypatch) -> None:
    early, late = (
        float(bound("mean-field-time", accuracy=e).value) for e in ("1/5", "1/30")
    )
    assert 0 < early < late < 40
    assert bound("mean-field-converges", length=2).value == fmpq(5, 96)
    assert bound("mean-field-converges", length=1).value == fmpq(1, 24)
    for length in (2, 3, 7):  # the default start has half the target
        assert bound("mean-field-converges", length=length).value > fmpq(1, 24 * length)
    monkeypatch.setattr(_convergence, "LAST", 20.0)
    with pytest.raises(UndecidedError, match="by t = 20;"):
        bound("mean-field-time", accuracy="1/30")
