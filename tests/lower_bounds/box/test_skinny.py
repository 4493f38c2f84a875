"""Networks with few units a layer: blind directions and peaks, against samples."""

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable, Rigour
from depthsep.laws import Segment
from depthsep.lower_bounds.box.skinny._blind import distance_from_blind
from depthsep.lower_bounds.box.skinny._blind_direction import BlindDirection
from depthsep.lower_bounds.box.skinny._cones import cones
from depthsep.lower_bounds.box.skinny._inner_peak import InnerPeak, peak_above_boundary
from depthsep.problems import Problem
from depthsep.separation import bound, separate

U = Segment(-1, 1)


def known(formula: str, on: Segment | None, norm: str) -> float:
    problem = Problem(f"expr:{formula}", on, norm=norm)
    return float(arb(distance_from_blind(problem.target, problem.law.box, norm)))


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_bound_that_is_enough_decides_as_the_best_one_does(norm: str) -> None:
    problem = Problem("expr:x1/(1+x2)", norm=norm)
    given = problem.target, problem.law.box, norm
    best = distance_from_blind(*given)
    for accuracy in (best / 2, best * 2):
        found = distance_from_blind(*given, accuracy)
        assert found <= best and (found > accuracy) == (best > accuracy)


@pytest.mark.parametrize("dim", [2, 3])
def test_cones_hold_every_direction(dim: int) -> None:
    rng = np.random.default_rng(0)
    found = list(cones(dim))
    for v in rng.normal(size=(200, dim)):
        axis = int(np.abs(v).argmax())
        v = v / v[axis]
        held = [
            cone
            for cone in found
            if cone.axis == axis
            and all(
                float(arb(a)) <= x <= float(arb(b))
                for x, (a, b) in zip(v, cone.spans, strict=True)
            )
        ]
        assert held


def test_lines_stay_in_the_box_and_their_parts_hold_them() -> None:
    """Whatever foot of a cell and direction of a cone is taken."""
    rng = np.random.default_rng(1)
    for cone in list(cones(2))[::5] + list(cones(3))[::41]:
        for feet in list(cone.feet(4, thick=True))[::3]:
            on = cone.inside(feet)
            if on is None:
                continue
            part = cone.part(feet, on)
            for share in rng.uniform(size=8):
                y, v = (
                    [a + (b - a) * fmpq(int(99 * share), 99) for a, b in spans]
                    for spans in (feet, cone.spans)
                )
                for t in on:
                    u = [a + t * b for a, b in zip(y, v, strict=True)]
                    assert all(0 <= x <= 1 for x in u)
                    assert all(a <= x <= b for x, (a, b) in zip(u, part, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "on", "least"),
    [
        ("x1*x2", None, {"linf": 0.12}),
        ("exp(-x1**2-x2**2)", U, {"linf": 0.3}),
        ("x1/(1+x2)", None, {"linf": 0.07, "l1": 0.011, "l2": 0.017}),
        ("sqrt(1+x1**2+x2**2)", U, {"linf": 0.2}),
    ],
)
def test_no_function_that_is_blind_is_nearer(formula, on, least) -> None:
    """Against the best one for each of many directions: medians, means, middles."""
    problem = Problem(f"expr:{formula}", on)
    side = problem.law.box.sides[0]
    low, high = float(side.start.p / side.start.q), float(side.stop.p / side.stop.q)
    rng = np.random.default_rng(0)
    x = rng.uniform(low, high, (40_000, 2))
    f = problem.target.floats(x)
    best = dict.fromkeys(("linf", "l1", "l2"), np.inf)
    for angle in np.linspace(0, np.pi, 37):
        across = x @ [-np.sin(angle), np.cos(angle)]
        order = np.argsort(across)
        strips = f[order].reshape(200, -1)
        best["linf"] = min(best["linf"], np.ptp(strips, axis=1).max() / 2)
        off = strips - np.median(strips, axis=1, keepdims=True)
        best["l1"] = min(best["l1"], np.abs(off).mean())
        best["l2"] = min(best["l2"], strips.var(axis=1).mean() ** 0.5)
    for norm, bound_below in least.items():
        found = known(formula, on, norm)
        assert bound_below <= found <= best[norm] * 1.02


@pytest.mark.slow
def test_functions_of_one_form_are_blind_somewhere() -> None:
    for formula in ("x1+2*x2", "exp(x1-x2)", "abs(x1)+0*x2"):
        for norm in ("linf", "l1", "l2"):
            assert known(formula, None, norm) == 0
            problem = Problem(f"expr:{formula}", norm=norm)
            assert isinstance(BlindDirection().prove(problem, 3), Inapplicable)


def test_inputs_are_as_many_as_units() -> None:
    found = BlindDirection().prove(Problem("expr:x1*x2*x3", accuracy="1/20"), 4)
    assert isinstance(found, Lower) and (found.width, found.units) == (3, 5)
    assert not found.networks.skips
    assert (
        bound("blind-direction", inputs=3, distance="1/9", accuracy="1/10").value == 3
    )


@pytest.mark.parametrize(
    ("formula", "peak"),
    [
        ("exp(-x1**2-x2**2)", 1 - np.exp(-1)),
        ("sqrt(1+x1**2+x2**2)", 2**0.5 - 1),
        ("x1**2+x2**2", 1),
        ("cos(3*x1)*cos(3*x2)", 1 - np.cos(3) ** 2),
    ],
)
def test_peaks_are_above_the_boundary(formula: str, peak: float) -> None:
    problem = Problem(f"expr:{formula}", U)
    found = float(arb(peak_above_boundary(problem.target, problem.law.box)))
    assert 0 < found <= peak + 1e-9 and (found > 0.9 * peak or peak < 0.1)


@pytest.mark.slow
def test_a_peak_asks_for_a_unit_more_than_inputs_at_every_depth() -> None:
    problem = Problem("expr:exp(-x1**2-x2**2)", U, accuracy="3e-2")
    for row in separate(problem, depths=(4, 5)):
        assert isinstance(row.lower, Lower) and isinstance(row.upper, Upper)
        assert row.lower.width == 3 and row.lower.rigour is Rigour.CITED
        assert row.lower.width <= row.upper.width
        assert not row.lower.networks.skips
    for formula in ("x1*x2", "exp(x1+x2)"):
        other = Problem(f"expr:{formula}", accuracy="1e-2")
        assert isinstance(InnerPeak().prove(other, 3), Inapplicable)
