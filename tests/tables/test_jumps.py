"""Formulas that jump: a knot at every jump, and no piece less than is needed."""

import json
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from depthsep import pieces
from depthsep._errors import HypothesisError
from depthsep.export import export_table
from depthsep.tables import read_table
from support.fewest import fewest
from support.slow import in_turn


def real(value: fmpq) -> float:
    return float(value.p) / float(value.q)


def off(table, f, x):
    """At places that are no jumps, from the pieces alone."""
    found = np.zeros(len(x))
    for p in table.pieces:
        a, b, v, w = (real(z) for z in (p.start, p.stop, p.left, p.right))
        here = (x >= a) & (x <= b)
        found[here] = v + (w - v) * (x[here] - a) / (b - a)
    return np.abs(found - f(x)).max()


CASES = [
    ("where(x<1, x**2, 3*x)", lambda x: np.where(x < 1, x**2, 3 * x), (0, 1, 2)),
    ("sign(x)*exp(x)", lambda x: np.sign(x) * np.exp(x), (-1, 0, 1)),
    ("where(x<0, -1, where(x<1, x, 5+x))",
     lambda x: np.where(x < 0, -1, np.where(x < 1, x, 5 + x)), (-1, 0, 1, 2)),
    ("exp(x)+sign(2*x-1)", lambda x: np.exp(x) + np.sign(2 * x - 1), (0, 0.5, 1)),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "f", "ends", "accuracy"), in_turn(CASES, ["0.1", "0.01"])
)
def test_tables_with_a_knot_at_every_jump(formula, f, ends, accuracy) -> None:
    """As few as a plain programme has on the parts between jumps."""
    on, error = (ends[0], ends[-1]), float(accuracy)
    table = pieces(formula, on, accuracy=accuracy, jumps=True)
    assert len(table.pieces) == table.needed
    x = np.linspace(*map(float, on), 40_001)[1:-1] + 1e-7
    assert off(table, f, x) <= error + 1e-9
    parts = (np.linspace(a + 1e-9, b - 1e-9, 300) for a, b in pairwise(ends))
    own = sum(fewest(x, f(x) - error, f(x) + error, jumps=True) for x in parts)
    assert table.needed == own


def test_small_jumps_may_be_crossed() -> None:
    """A jump of a tenth within a tenth: one piece may serve, and is not excluded."""
    table = pieces("where(x<1, x, x+1/10)", (0, 2), accuracy="0.1", jumps=True)
    assert table.needed == 1 and len(table.pieces) == 2
    tight = pieces("where(x<1, x, x+1/10)", (0, 2), accuracy="0.04", jumps=True)
    assert tight.needed == 2
    above = pieces("where(x<1, x, x+1/10)", (0, 2), accuracy="0.09", jumps=True,
                   side="above")  # fmt: skip
    assert above.needed == 2


def test_a_formula_that_is_continuous_is_not_cut() -> None:
    """Where both sides meet no knot is asked for."""
    table = pieces("where(x<1, x, 1+(x-1)*1)", (0, 2), accuracy="0.01", jumps=True)
    assert len(table.pieces) == table.needed == 1


def test_they_are_exported_and_read_back(tmp_path) -> None:
    table = pieces("sign(x)*exp(x)", (-1, 1), accuracy="0.1", jumps=True)
    code = export_table(table, tmp_path / "f.c")
    assert code.error <= fmpq(1, 10)
    file = tmp_path / "t.json"
    file.write_text(json.dumps(table.to_json()))
    assert read_table(file).error.upper == table.error.upper


@pytest.mark.parametrize("given", [
    {"accuracy": "0.1"}, {"count": 3, "jumps": True},
    {"accuracy": "0.1", "jumps": True, "relative": True},
    {"accuracy": "0.1", "interpolate": True}, {"accuracy": "0.1", "norm": "l2"},
])  # fmt: skip
def test_what_is_refused_at_a_jump(given) -> None:
    with pytest.raises(HypothesisError, match="jump"):
        pieces("where(x<1, x+1, 3*x)", (0, 2), **given)


@pytest.mark.parametrize(("formula", "on", "count"), [
    ("sign(x)*x+sign(x-1/3)", (-1, 1), 3), ("where(x<0,1,2)", (0, 1), 1),
    ("where(x<0,1,2)", (-1, 0), 1), ("x*sign(2*x-1)", ("1/2", 1), 1),
    ("where(x<1/2,where(x<0,1,3),where(x<1/4,9,7))", (-1, 1), 3),
    ("exp(x)+sign(x)*x+sign(x-1/2)", (-1, 1), None),
])  # fmt: skip
def test_places_where_signs_change_without_a_jump(formula, on, count) -> None:
    """Before a jump, or at an end of the interval."""
    table = pieces(formula, on, accuracy="0.01", jumps=True)
    assert len(table.pieces) == table.needed
    assert count is None or table.needed == count


@pytest.mark.parametrize(("formula", "f", "on"), [
    ("sign(max(x,pi)-4)", lambda x: np.sign(np.maximum(x, np.pi) - 4), (-1, 5)),
    ("sign(max(x,0,3-x)-2)",
     lambda x: np.sign(np.max([x, 0 * x, 3 - x], axis=0) - 2), (-1, 3)),
    ("sign(min(x,3,2-x)-1/2)",
     lambda x: np.sign(np.min([x, 3 + 0 * x, 2 - x], axis=0) - 0.5), (-1, 3)),
    ("sign(max(min(x,2),0)-1)",
     lambda x: np.sign(np.clip(x, 0, 2) - 1), (-1, 3)),
])  # fmt: skip
def test_signs_of_what_is_cut_off(formula, f, on) -> None:
    """Of irrational or of several ends: right, or refused."""
    try:
        table = pieces(formula, on, accuracy="0.1", jumps=True)
    except HypothesisError as refusal:
        assert "jump" in str(refusal)
        return
    x = np.linspace(*map(float, on), 40_001)[1:-1] + 1e-7
    assert off(table, f, x) <= 0.1
