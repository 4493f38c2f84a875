"""Polynomials and formulas on boxes as sums of ridges: built, certified, refused."""

import json

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, Problem, Segment, build, separate, verify
from depthsep.claims import Lower
from depthsep.constructions.box._ridge_forms import as_ridges
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.constructions.box._smooth_ridges import SmoothRidges
from depthsep.evidence import Inapplicable
from depthsep.interop import write_certificate
from depthsep.laws import Box, law_from_text, uniform_on
from depthsep.reports import network_figure
from depthsep.targets import (
    Polynomial,
    homogeneous_part,
    power_coefficients,
    target_from_text,
)
from support.commands import command
from support.slow import mostly_slow

POLYNOMIALS = [
    "product",
    "poly:x1**2*x2 - 3*x2",
    "poly:x1*x2 + x2*x3/2 - x1 + 1",
    "poly:x1**2 + x2**2 - x1/3",
    "poly:2*x1 - x2/7 + 1/3",
    "poly:3",
]
small = st.integers(-4, 4)
FORMULAS = ["exp(-x1**2-x2**2)", "cos(x1+2*x2)/3", "1/(3+x1*x2)"]


def float_of(value):
    return int(value.p) / int(value.q)


@pytest.mark.slow
@pytest.mark.parametrize("text", POLYNOMIALS)
def test_every_depth_has_a_network_and_errors_hold_on_samples(text):
    problem = Problem(text, accuracy="1/10")
    points = problem.law.sample(20_000, seed=1)
    truth = problem.target.floats(points)
    for row in separate(problem, depths=range(2, 5)):
        assert row.upper.checked and row.upper.error <= problem.accuracy
        off = np.abs(row.upper.network.floats(points)[:, 0] - truth).max()
        assert off <= float_of(row.upper.error) + 1e-12
        if isinstance(row.lower, Lower):
            assert row.lower.width <= row.upper.width


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_means_are_bounded_by_the_sup(norm):
    (row,) = separate(Problem("product", norm=norm, accuracy="1/100"), depths=[3])
    assert row.upper.checked and row.lower.width <= row.upper.width
    assert row.lower.statement.id == "plane-cells"


def test_product_at_depth_two_takes_two_squares():
    (row,) = separate(Problem("product", accuracy="1e-6"), depths=[2])
    assert (row.lower.width, row.upper.width) == (1414, 1999)
    assert "2 segments" in row.lower.source.place


def test_a_built_product_is_certified_and_a_changed_one_refused(tmp_path):
    built = build(Problem("product", accuracy="1e-4"), depth=4)
    write_certificate(built.certificate(), tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid
    document = json.loads((tmp_path / "c.json").read_text())
    document["problem"]["target"] = "poly:x1*x2 + x1/100"
    (tmp_path / "d.json").write_text(json.dumps(document))
    assert not verify(tmp_path / "d.json").valid


def test_problems_on_boxes_survive_json():
    for text in POLYNOMIALS:
        problem = Problem(text, Segment(-1, "3/2"), accuracy="1/7")
        assert Problem.from_json(problem.to_json()) == problem
    wide = Problem(Polynomial("x1*x2", 5), accuracy=1)
    assert Problem.from_json(wide.to_json()).target.in_dim == 5
    mixed = Problem(Polynomial("x1*x2"), law_from_text("box:0,1;-2,3"), accuracy=1)
    assert Problem.from_json(mixed.to_json()) == mixed


def test_boxes_have_corners_and_ranges():
    box = Box([Segment(0, 1), Segment(-2, 3)])
    assert box.starts == [0, -2] and box.stops == [1, 3]
    assert box.range_of([fmpq(1), fmpq(-1)]) == (-3, 3)
    assert str(box) == "[0, 1] x [-2, 3]"
    assert str(Box.cube(Segment(0, 1), 3)) == "[0, 1]^3"
    x = uniform_on(box).sample(500, seed=3)
    assert x.shape == (500, 2) and (x[:, 1] > -2).all() and (x[:, 1] < 3).all()
    with pytest.raises(HypothesisError, match="two sides"):
        Box([Segment(0, 1)])


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), small
    )
)
def test_every_polynomial_is_a_sum_of_ridges(terms):
    written = " + ".join(
        f"({c})*x1**{a}*x2**{b}*x3**{e}" for (a, b, e), c in terms.items()
    )
    p = Polynomial(written or "0", 3)
    shapes = as_ridges(p)
    assert shapes is not None
    x = [fmpq(2, 3), fmpq(-5, 7), fmpq(3)]
    total = p.terms.get((0, 0, 0), fmpq(0))
    for shape in shapes:
        t = sum((w * v for w, v in zip(shape.direction, x, strict=True)), fmpq(0))
        total += sum((c * t**k for k, c in enumerate(shape.coefficients)), fmpq(0))
    assert total == p.exact(x)


def test_power_coefficients_are_exact_or_absent():
    part = homogeneous_part(Polynomial("x1*x2"), 2)
    assert power_coefficients([(1, 1), (1, -1)], part, 2) == [fmpq(1, 4), fmpq(-1, 4)]
    assert power_coefficients([(1, 0), (0, 1)], part, 2) is None
    three = [(1, 0), (0, 1), (1, 1), (1, -1)]
    near = power_coefficients(three, part, 2, [fmpq(1)] * 4)
    assert near is not None and near != power_coefficients(three, part, 2)


def test_polynomials_in_too_many_directions_are_refused_kindly():
    text = "poly:" + "*".join(f"x{i}" for i in range(1, 10))
    answer = RidgeSums().prove(Problem(text, accuracy="1/10"), 3)
    assert isinstance(answer, Inapplicable) and "no way was found" in answer.reason


@pytest.mark.parametrize("text", ["product", "poly:x1*x2*x3"])
def test_networks_on_boxes_are_pictured(text):
    problem = Problem(text, accuracy="1/10")
    figure = network_figure(problem, build(problem, depth=3).network)
    assert len(figure.axes) == 4


def test_the_command_line_serves_boxes(capsys, tmp_path):
    code, out, _ = command(capsys, "separate", "poly:x1*x2", "--dim", "3", "--on=-1,1",
        "--accuracy", "0.1", "--depths", "2:3", "--json",
    )  # fmt: skip
    document = json.loads(out)
    assert code == 0 and document["problem"]["law"] == "box:-1,1;-1,1;-1,1"
    folder = tmp_path / "report"
    options = ["--accuracy", "0.1", "--depths", "2:3", "--report", folder]
    code, _, _ = command(capsys, "separate", "product", *options)
    assert code == 0 and (folder / "network.png").exists()
    for bad in (["product", "--dim", "3"], ["poly:x1*x3", "--dim", "2"]):
        code, _, err = command(capsys, "separate", *bad, "--accuracy", "0.1")
        assert code == 2 and len(err.splitlines()) == 1


@pytest.mark.parametrize("text", mostly_slow(FORMULAS[1:], FORMULAS))
def test_smooth_formulas_on_boxes_are_built_and_certified(text):
    problem = Problem(f"expr:{text}", accuracy="1/40")
    (row,) = separate(problem, depths=[3])
    assert row.upper.checked and row.upper.error <= problem.accuracy
    x = problem.law.sample(20_000, seed=4)
    off = np.abs(row.upper.network.floats(x)[:, 0] - problem.target.floats(x)).max()
    assert off <= float_of(row.upper.error)
    assert Problem.from_json(problem.to_json()) == problem


def test_formulas_are_enclosed_along_directions_and_restricted_to_lines():
    f = target_from_text("expr:exp(x1)*x2**2 + abs(x3)")
    assert f.in_dim == 3 and f.names == ["x1", "x2", "x3"]
    with ctx.workprec(64):
        jet = f.along([1, 0, 0], [arb(0), arb(3), arb(-1)])
        assert jet.value.contains(10) and jet.first.contains(9)
        assert jet.second.contains(9)
    line = f.on_line([fmpq(0), fmpq(1), fmpq(-1)], [fmpq(0), fmpq(3), fmpq(1)])
    t = np.linspace(0, 1, 9)
    points = np.stack([0 * t, 1 + 2 * t, 2 * t - 1], axis=1)
    assert line.floats(t) == pytest.approx(f.floats(points))


@pytest.mark.parametrize(
    "text", ["1/(x1+x2-1)", "1/(x1+x2)", "log(x1*x2)", "sqrt(x1-x2)", "tan(2*x1+x2)"]
)
def test_formulas_with_a_pole_in_the_box_are_refused(text):
    with pytest.raises(
        HypothesisError, match=r"not finite|not defined|proved to be defined"
    ):
        separate(Problem(f"expr:{text}", accuracy="1/10"), depths=[2])


def test_what_no_small_polynomial_follows_is_said():
    (row,) = separate(Problem("expr:sin(60*x1*x2)", accuracy="1/100"), depths=[2])
    assert isinstance(row.upper, Inapplicable) and "polynomial" in row.upper.reason


def test_formulas_in_many_variables_are_refused_or_unserved():
    with pytest.raises(HypothesisError, match="2 to 8"):
        target_from_text("expr:x1+x9")
    answer = SmoothRidges().prove(Problem("expr:exp(x1+x6)", accuracy=1), 2)
    assert isinstance(answer, Inapplicable) and "2 to 4" in answer.reason
