"""Glued Taylor polynomials: sizes, bounds, coefficients, the corrected theorem."""

import json
import re
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import sweep
from depthsep.cli import main
from depthsep.constructions import Shape, taylor_plan
from depthsep.constructions.box._glued_taylor import TaylorOnGrid, corrected_bound
from depthsep.constructions.box._partition import Glued
from depthsep.constructions.box._partition_bounds import glued_bound, hat_mean
from depthsep.evidence import Inapplicable
from depthsep.exact import rational
from depthsep.laws import Box, Segment, uniform_on
from depthsep.problems import Problem
from depthsep.targets import (
    Formula,
    exponents_of_degree,
    factorials,
    is_smooth_on,
    partial,
)

BUMP = "exp(-x1**2-x2**2)"
UNIT = Box.cube(Segment(0, 1), 2)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(1, 9),
)
def test_the_predicted_size_is_the_built_size(dim, steps, degree, levels, groups):
    shape = Shape(dim, steps if dim < 4 else 1, degree, levels, groups)
    flat = {a: fmpq(1, 9 + sum(a)) for a in shape.monomials}
    glued = Glued(
        shape,
        [(fmpq(0), fmpq(1))] * dim,
        dict.fromkeys(shape.nodes, flat),
        fmpq(0),
        fmpq(1),
    )
    assert list(glued.network().widths) == shape.widths()
    assert len(shape.monomials) == comb(dim + degree, degree)


@pytest.mark.parametrize("groups", [1, 2, 5])
def test_the_network_is_within_its_bound_of_the_glued_polynomials(groups):
    shape = Shape(2, 3, 3, 3, groups)
    rng = np.random.default_rng(0)
    polynomials = {
        v: {
            a: rational(int(n)) / 4096
            for a, n in zip(shape.monomials, rng.integers(0, 400, 10), strict=True)
        }
        for v in shape.nodes
    }
    glued = Glued(shape, [(fmpq(-1), fmpq(1))] * 2, polynomials, fmpq(-2), fmpq(3))
    x = uniform_on(UNIT).sample(4000, 1)
    ideal = np.zeros(len(x))
    for v, terms in polynomials.items():
        hat = np.prod(np.maximum(0, 1 - np.abs(3 * x - np.array(v))), axis=1)
        ideal += hat * sum(
            float(int(c.p) / int(c.q)) * np.prod(x ** np.array(a), axis=1)
            for a, c in terms.items()
        )
    found = glued.network().floats(2 * x - 1)[:, 0]
    off = np.abs(found - (-2 + 3 * ideal)).max()
    bound = glued_bound(glued)
    assert 0 < rational(off) <= bound <= 60 * rational(off)


def test_hat_means_bound_what_hats_average():
    known = [fmpq(1), fmpq(1, 2), fmpq(1, 4), fmpq(1, 8), fmpq(1, 12)]
    for power, value in enumerate(known):
        assert value <= hat_mean(power) <= value * fmpq(102, 100)
    for power in range(1, 12):
        t = np.linspace(0, 1, 5001)
        most = ((1 - t) * t**power + t * (1 - t) ** power).max()
        assert most <= float(arb(hat_mean(power)).mid()) <= 1.02 * most


@pytest.mark.parametrize(
    ("formula", "dim", "on", "accuracy"),
    [
        (BUMP, 2, (0, 1), "1/100"),
        ("sin(2*x1)*x2", 2, (-1, 1), "1/20"),
        ("1/(2+x1+x2)", 2, (0, 1), "1/1000"),
        ("x1*x2*x3", 3, (0, 1), "1/20"),
        ("cos(x1+x2+x3+x4)", 4, (0, 1), "1/2"),
        ("x1 - x2/3", 2, (0, 3), "1/50"),
        ("0*x1 + 7", 2, (0, 1), "1/50"),
    ],
)
def test_the_proved_error_holds_at_points(formula, dim, on, accuracy):
    target, box = Formula(formula, dim), Box.cube(Segment(*on), dim)
    plan = taylor_plan(target, box, rational(accuracy))
    assert plan.error <= rational(accuracy)
    network = plan.glued.network()
    assert list(network.widths) == plan.glued.shape.widths()
    x = uniform_on(box).sample(3000, 3)
    off = np.abs(network.floats(x)[:, 0] - target.floats(x)).max()
    assert rational(off) <= plan.error


def test_another_order_of_the_same_function_is_within_its_bound_too():
    # the corrected theorem, for a function with values and derivatives at most 1
    for order, steps, levels in ((1, 4, 3), (2, 3, 2), (3, 2, 3), (4, 2, 4)):
        shape = Shape(2, steps, order - 1, levels)
        target = Formula("(2 + sin(x1) + cos(x2))/4")
        from depthsep.constructions.box._glued_taylor import (
            _normalised,
            taylor_coefficients,
        )

        glued = _normalised(taylor_coefficients(target, UNIT, shape), UNIT, shape)
        x = uniform_on(UNIT).sample(3000, 4)
        off = np.abs(glued.network().floats(x)[:, 0] - target.floats(x)).max()
        assert rational(off) <= corrected_bound(2, order, steps, levels, fmpq(1))


def test_the_corrected_bound_is_the_ledgers():
    # d = 2, r = 3, s = 2, i = 1: e = 1/64, D = 4 e
    e = fmpq(1, 64)
    expected = (1 + 4 * e) * (fmpq(8, 48) + e * fmpq(4, 2)) + 4 * e + 4 * e
    assert corrected_bound(2, 3, 2, 1, fmpq(1)) == expected


def interpolated_square(k, t):
    """h_k: t^2 at the multiples of 2^-k, linear between."""
    n = 2**k
    low = (t * n).floor()
    rest, a = t * n - low, fmpq(low) / n
    return a * a + rest * (2 * a / n + fmpq(1, n * n))


def printed_product(k, x, y):
    """Lemma 5.3 as printed: squares of two scales, not 0 on the axes."""

    def h(t):
        return interpolated_square(k, t)

    return (4 * h((x + y) / 2) - h(x) - h(y)) / 2


def partition_error(product, dim_steps, at):
    hats = [
        [max(fmpq(0), 1 - abs(dim_steps * x - j)) for j in range(dim_steps + 1)]
        for x in at
    ]
    return abs(sum(product(a, b) for a in hats[0] for b in hats[1]) - 1)


def test_the_partition_fails_with_the_printed_product_and_holds_with_ours():
    # d = 2, k = 2, s = 8: 14 * 4^-k where 8 * 4^-k is claimed, from far grid points
    points = [fmpq(i, 128) for i in range(0, 17)]
    printed = max(
        partition_error(lambda a, b: printed_product(2, a, b), 8, (x, y))
        for x in points
        for y in points
    )
    assert printed == 14 * fmpq(1, 4**2) > 8 * fmpq(1, 4**2)
    shape = Shape(2, 8, 0, 2)
    ones = {a: fmpq(1) for a in shape.monomials}
    glued = Glued(
        shape,
        [(fmpq(0), fmpq(1))] * 2,
        dict.fromkeys(shape.nodes, ones),
        fmpq(0),
        fmpq(1),
    )
    network = glued.network()
    grid = np.array([[x, y] for x in range(17) for y in range(17)]) / 128
    ours = np.abs(network.floats(grid)[:, 0] - 1).max()
    # parts and the products with the values 1
    assert ours <= 2**2 * 2 / 4**4


def test_degree_r_loses_a_factor_two_where_only_order_r_is_bounded():
    # f = x |x| / 2 has |f''| <= 1; Taylor of degree 2 at 0+ is x^2 / 2
    s = 4
    x = fmpq(-1, s)
    f, q1, q2 = x * abs(x) / 2, fmpq(0), x * x / 2
    bound = fmpq(1, 2 * s**2)
    assert abs(f - q1) == bound and abs(f - q2) == 2 * bound


def test_taylor_polynomials_leave_the_unit_interval_and_are_clipped():
    # sin(pi x)-like: the degree-1 polynomial at v = 1/2 - 1/s exceeds 1 next door
    g, slope, s = fmpq(9, 10), fmpq(3), 4
    value = g + slope * fmpq(1, s)
    assert value > 1
    shape = Shape(1, s, 1, 3)
    steep = {(0,): g - slope * fmpq(1, 4), (1,): slope}
    glued = Glued(
        shape, [(fmpq(0), fmpq(1))], dict.fromkeys(shape.nodes, steep), fmpq(0), fmpq(1)
    )
    assert glued.network()([fmpq(1, 2)]) == (1,)


def test_monomials_are_more_than_the_printed_count():
    for d, r in ((1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)):
        count = len(Shape(d, 1, r, 0).monomials)
        assert d**r < count == comb(d + r, r) <= (d + 1) ** r


def test_taylor_coefficients_are_the_derivatives():
    target = Formula("x1**3*x2 + 2*x2**2", 2)
    assert [
        partial(target, a, [arb(2), arb(3)]) for a in exponents_of_degree(2, 2)
    ] == [36, 12, 4]
    assert factorials((3, 2)) == 12
    assert is_smooth_on(target, [arb(0, 1), arb(0, 1)])
    assert not is_smooth_on(Formula("log(x1) + x2"), [arb(0, 1), arb(0, 1)])


@pytest.mark.parametrize("formula", ["abs(x1)+x2", "max(x1, x2)", "sqrt(x1) + x2"])
def test_functions_without_derivatives_are_not_served(formula):
    found = TaylorOnGrid().prove(Problem(f"expr:{formula}", accuracy="1/10"), 40)
    assert isinstance(found, Inapplicable)


def test_a_depth_too_small_says_what_is_needed():
    problem = Problem(f"expr:{BUMP}", accuracy="1/100")
    natural = TaylorOnGrid().natural_depth(problem)
    for depth, word in ((3, "need depth 6"), (natural - 1, f"need depth {natural}")):
        assert word in TaylorOnGrid().prove(problem, depth).reason
    for depth in (natural, natural + 1, natural + 30):
        claim = TaylorOnGrid().prove(problem, depth)
        assert claim.network.depth == depth and claim.network.widths == claim.widths
        assert claim.units == claim.network.units
    assert claim.width < TaylorOnGrid().prove(problem, natural).width


def test_a_million_units_are_refused_with_their_number():
    problem = Problem("expr:sin(60*x1)*cos(50*x2)*exp(x3)*cos(9*x4)", accuracy="1e-4")
    found = TaylorOnGrid().prove(problem, 100)
    assert re.search(r"need about \d+ units, and at most 1000000", found.reason)


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return stop.value.code


@pytest.mark.slow
def test_built_and_verified_from_the_command_line(tmp_path, capsys):
    net, cert = tmp_path / "t.onnx", tmp_path / "t.json"
    common = [f"expr:{BUMP}", "--accuracy", "1/2", "--by", "telgarsky-5.4"]
    assert run("build", *common, "-o", net, "--certificate", cert) == 0
    assert "Theorem 5.4" in capsys.readouterr().out
    assert run("verify", cert) == 0
    document = json.loads(cert.read_text())
    problem = Problem(f"expr:{BUMP}", accuracy="1/2")
    claim = TaylorOnGrid().prove(problem, 8)
    assert document["claim"]["widths"] == list(claim.widths)
    capsys.readouterr()
    assert run("build", *common[:-1], "nonsense") == 2
    assert "there is no construction 'nonsense'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_whole_network_is_confirmed_by_branch_and_bound():
    target = Formula(BUMP)
    plan = taylor_plan(target, UNIT, fmpq(1, 10))
    found = sweep(plan.glued.network(), target, UNIT, limit="1/10", seconds=300)
    assert found.complete and found.boxes > 100


def test_one_wrong_coefficient_is_found():
    target = Formula(BUMP)
    plan = taylor_plan(target, UNIT, fmpq(1, 10))
    glued = plan.glued
    polynomials = {v: dict(c) for v, c in glued.polynomials.items()}
    polynomials[(0, 0)][(0, 0)] -= fmpq(1, 2)
    wrong = replace(glued, polynomials=polynomials).network()
    found = sweep(wrong, target, UNIT, limit="1/10", seconds=0.5)
    assert not found.complete


def test_five_inputs_are_refused():
    found = TaylorOnGrid().prove(Problem("expr:x1*x5", accuracy="1/10"), 50)
    assert isinstance(found, Inapplicable) and "at most 4" in found.reason
    with pytest.raises(HypothesisError, match="is not supported; use a smooth formula"):
        partial(Formula("abs(x1)+x2"), (2, 0), [arb(0), arb(0)])
