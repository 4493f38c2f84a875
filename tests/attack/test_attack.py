"""The referee against known answers, and a few rounds of every strategy."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from ._cells import cells, counts
from ._evaluate import value
from ._functions import Undefined
from ._graphs import evaluate
from ._lines import against_square, pieces, segments
from ._measure import error_at_least
from ._networks import Layer, Net
from ._problems import judged_certificate
from ._referee import Report, play
from ._skip_networks import SkipNet, Unit, excluded
from ._splines import best_knots, best_spline, error
from ._strategies import STRATEGIES
from ._undefined import undefined_at

ROUNDS = {
    "onnx": 100,
    "networks": 75,
    "bounds": 40,
    "formulas": 4,
    "problems": 2,
    "pieces": 3,
    "certificates": 3,
    "skips": 1,
    "deadlines": 5,
}

SKIPPED = {"problems": 2, "skips": 1}  # the first rounds take many seconds

ZERO, ONE = Fraction(0), Fraction(1)
TENT = Net(
    [
        Layer([[ONE], [ONE]], [ZERO, Fraction(-1, 2)], "relu"),
        Layer([[Fraction(2), Fraction(-4)]], [ZERO], None),
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
def test_nothing_is_found(strategy):
    rng, report = random.Random(strategy.name), Report()
    skipped = SKIPPED.get(strategy.name, 0)
    for turn in range(skipped + ROUNDS[strategy.name]):
        this = rng.getrandbits(48)
        if turn >= skipped:
            play(strategy, this, report)
    assert not report.findings, "\n".join(map(str, report.findings))


@pytest.mark.parametrize(
    ("written", "start", "stop"),
    [
        ("sqrt(x)**2", -2, -1),
        ("exp(log(x))", -2, -1),
        ("cosh(acosh(x))", -1, 0),
        ("sin(asin(x))", 2, 3),
        ("(x**(1/3))**3", -2, -1),
        ("log(x)-log(x)", -2, -1),
        ("x/x", -2, 2),
        ("0*log(x)", 0, 1),
        ("sqrt((x-1/3)**2-1e-82)", -2, 2),
        ("max(x,log(-x**2-1))", 0, 1),
        ("1/(x-sqrt(2))", 0, 2),
        ("tan(x)", 0, 3),
        ("sqrt(x**2-2*x/7+1/49-1e-9)", 0, 1),
    ],
)
def test_the_referee_sees_where_a_formula_is_undefined(written, start, stop):
    assert undefined_at(written, Fraction(start), Fraction(stop))


@pytest.mark.parametrize(
    ("written", "start", "stop"),
    [
        ("sqrt(x**2)", -2, 2),
        ("sqrt(x)", 0, 1),
        ("log(x**2+1e-82)", -1, 1),
        ("1/(x**2+1e-6)", -1, 1),
        ("asin(sin(x))", -9, 9),
        ("max(0,sin(1)**2+cos(1)**2-1)+x", 0, 1),
        ("sqrt(sin(1)**2+cos(1)**2-1)", 0, 1),
    ],
)
def test_the_referee_does_not_call_others_undefined(written, start, stop):
    assert undefined_at(written, Fraction(start), Fraction(stop)) is None


def test_values_of_formulas_by_hand():
    x = Fraction(1, 3)
    assert value("x**2 - 2*x/3 + 1e-3", x=x) == Fraction(-1, 9) + Fraction(1, 1000)
    assert value("max(x, 1/2) + sign(-x)*sqrt(4/9)", x=x) == Fraction(-1, 6)
    assert abs(value("exp(x)*exp(-x)", x=x) - 1) < 1e-14
    with pytest.raises(Undefined):
        value("x**(1/3)", x=-x)


def test_pieces_and_errors_of_the_tent_by_hand():
    found = pieces(segments(TENT, [ZERO], [ONE], -ONE, ONE))
    assert [s.start for s in found] == [-1, 0, Fraction(1, 2)]
    chord = next(s for s in found if s.start == 0)
    sup, square = against_square([chord])
    assert (sup, square) == (
        Fraction(3, 4),
        Fraction(1, 80) - Fraction(1, 8) + Fraction(1, 3),
    )
    assert TENT.exact([Fraction(3, 4)]) == [Fraction(1, 2)]


@pytest.mark.parametrize(
    ("norm", "true"), [("linf", 1.0), ("l1", 0.4283), ("l2", 0.4916)]
)
def test_the_referee_measures_the_tent_against_the_square(norm, true, tmp_path):
    problem = {"target": "square", "law": "uniform:0,1", "norm": norm, "accuracy": "1"}
    least = error_at_least(problem, TENT, random.Random(0))
    assert 0.97 * true < least <= true
    claim = {"error": str(Fraction(true) * Fraction(9, 10)), "widths": [2]}
    document = {"problem": problem, "claim": claim, "network": TENT.document()}
    (tmp_path / "c.json").write_text(json.dumps(document))
    (found,) = judged_certificate(tmp_path / "c.json", random.Random(0), "")
    assert found.what == "a certified error is too small"


def test_regions_of_two_crossing_units_by_hand():
    units = Layer([[ONE, ZERO], [ZERO, ONE]], [ZERO, ZERO], "relu")
    net = Net([units, Layer([[ONE, ONE]], [ZERO], None)])
    corners = [
        (Fraction(a), Fraction(b)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    found = counts(cells(net, [(ONE, ZERO, ZERO), (ZERO, ONE, ZERO)], corners))
    assert (found.regions, found.affine_regions) == (4, 4)
    assert (found.vertices, found.edges, found.integral) == (9, 12, 2)


def test_the_programme_finds_the_optimum_for_squares():
    x = np.linspace(0, 1, 121)
    assert best_knots(x, x**2, 3) == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    y = np.linspace(-1, 1, 121)
    spline = best_spline(y, y**2, 2, "linf", random.Random(0))
    # three pieces of length 2/3, the middle one flat: 4 / (8 * 9)
    assert error(y, y**2, spline, "linf") == pytest.approx(1 / 18, rel=0.1)
    at = spline.net().exact([Fraction(1, 3)])[0]
    assert float(at) == pytest.approx(spline.floats(np.array([1 / 3]))[0])


def test_the_interpreter_of_graphs_by_hand():
    weights = {"c": [[-1e17]], "d": [[1e15]], "w": [[3.0], [0.5]]}
    made = helper.make_node
    nodes = [
        made("LeakyRelu", ["c"], ["l"], alpha=0.01),
        made("Add", ["l", "d"], ["s"]),
        made("MatMul", ["x", "w"], ["m"]),
        made("Relu", ["m"], ["r"]),
        made("Sub", ["r", "s"], ["y"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.DOUBLE, [1, n])
        for name, n in (("x", 2), ("y", 1))
    ]
    tensors = [numpy_helper.from_array(np.array(v), k) for k, v in weights.items()]
    model = helper.make_model(
        helper.make_graph(nodes, "g", ends[:1], ends[1:], tensors)
    )
    slope = Fraction(float(np.float32(0.01)))
    want = Fraction(7, 2) - (10**15 - slope * 10**17)
    assert evaluate(model, [ONE, ONE]) == [want]


def test_a_bound_above_a_network_with_skips_is_found():
    """max(x1, x2, x3) = x1 + max(0, x2 - x1 + max(0, x3 - x2)): widths 1, 1."""
    first = Unit({1: -ONE, 2: ONE}, ZERO)
    second = Unit({0: -ONE, 1: ONE, 3: ONE}, ZERO)
    net = SkipNet(3, [[first], [second]], Unit({0: ONE, 4: ONE}, ZERO))
    assert net.widths == [1, 1] and net.carried() == 5
    any_skips = {
        "width": 3,
        "class": "ReLU networks, any weights, any skip connections",
    }
    plain = any_skips | {"class": "ReLU networks, any weights, no skip connections"}
    found = [
        len(list(excluded(net, {"depth": 3, **row}, "")))
        for row in (
            {"lower": any_skips},
            {"lower": plain},
            {"lower": plain | {"width": 6}},
            {"lower": plain, "lower_with_skips": plain | {"width": 2}},
            {"lower": plain, "lower_with_skips": plain | {"width": 1}},
        )
    ]
    assert found == [1, 0, 1, 1, 0]
