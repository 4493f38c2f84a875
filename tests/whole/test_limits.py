"""Sizes and numbers at the edge: answered or refused at once, never a traceback."""

import itertools
import json
import sqlite3
import tracemalloc

import pytest
from flint import fmpq

from depthsep import DepthsepError, FileFormatError, HypothesisError, Problem, separate
from depthsep.constructions import Shape
from depthsep.constructions.box._ridge_forms import _fewest, _spanning, _spans
from depthsep.constructions.line._folds import balanced_bases
from depthsep.laws import Segment
from depthsep.lower_bounds import parity_width
from depthsep.studies.store._row import row_from
from depthsep.targets import Polynomial, homogeneous_part
from support.slow import mostly_slow


def test_a_grid_in_many_dimensions_is_counted_not_listed():
    small = Shape(3, 2, 1, 1, groups=4)
    assert small.points == len(small.nodes)
    groups = len(list(small.parts))
    last = small.first_clip + (groups - 1) * small.period
    assert small.hidden_layers == last + Shape(1, 1, 0, 1).levels + 2
    assert Shape(500, 3, 0, 0).hidden_layers > 0


@pytest.mark.parametrize("dim", mostly_slow([32], [23, 32]))
def test_inputs_that_do_not_occur_cost_no_memory(dim):
    tracemalloc.start()
    problem = Problem(Polynomial("(x1+x2)**4", dim), accuracy=1)
    assert separate(problem, depths=[2])[2].upper.checked
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * 2**20


BOXES = ("poly:x1**2*x2", "product", "expr:x1+sin(x2)")
TARGETS = [
    *(*BOXES, "expr:sin(x)", "square"),
    *("inner:sin(t)", "inner:abs(t)", "inner:t**2", "inner:exp(t)"),
    *("radial:relu", "radial:ball", "radial:cos:1", "radial:sin(3*r)"),
    *("sawtooth:4", "parity:4"),
]
TINY = ["1e-330", "1e-400", "1e-170"]
TURNS = [(t, TINY[k % 3]) for k, t in enumerate(TARGETS)]


@pytest.mark.parametrize(
    ("target", "accuracy"),
    mostly_slow([(t, a) for t, a in TURNS[1::2] if t != "product"], TURNS),
)
def test_accuracies_below_the_least_float_are_served_or_refused(target, accuracy):
    from depthsep.targets import target_from_text

    dim = 3 if target[:5] in ("inner", "radia") else None
    for norm in ("linf", "l1", "l2"):
        # tubes and means on boxes take their time
        long = target.startswith("radial") or (target in BOXES and norm != "linf")
        depths = [3] if long else [2, 3]
        try:
            made = target_from_text(target, dim)
            table = separate(Problem(made, norm=norm, accuracy=accuracy), depths=depths)
        except DepthsepError as refusal:
            assert str(refusal)
        else:
            assert len(table.rows) == len(depths)


def test_a_claim_that_is_not_built_is_rounded_no_further_than_the_accuracy():
    row = separate(Problem("square", norm="l2", accuracy="1e-330"), depths=[3])[3]
    assert row.upper.error <= fmpq(10) ** -330


def test_a_mass_of_too_many_periods_is_refused():
    from depthsep import bound

    with pytest.raises(DepthsepError, match="half periods"):
        bound("telgarsky-2.12", dim=2, sigma="1e-330", radius=1)


def test_balanced_bases_for_thousands_of_layers():
    assert balanced_bases(3, 9999)[:3] == (2, 2, 1)
    for pieces, layers in itertools.product((1, 2, 7, 100, 1025), (1, 2, 3, 9)):
        bases = balanced_bases(pieces, layers)
        whole = 1
        for b in bases:
            whole *= b
        assert whole >= pieces
        assert max(bases) == least_base(pieces, layers)


def least_base(pieces, layers):
    base = 1
    while base**layers < pieces:
        base += 1
    return base


def test_parities_of_millions_of_signs():
    assert parity_width(3_000_000, fmpq(1, 2), "linf") == 1086


@pytest.mark.parametrize(
    "formula", ["x1*x2*x3", "x1**2*x2**2+x1*x2*x3", "(x1+x2)**4", "x1**3*x2 - x1*x2"]
)
def test_directions_are_dropped_as_one_at_a_time_in_rationals(formula):
    p = Polynomial(formula)
    powers = [k for k in range(2, p.degree + 1) if homogeneous_part(p, k)]
    candidates = _spanning(p, powers)
    found = []
    for order in (candidates, candidates[::-1]):
        kept = list(candidates)
        for direction in order:
            fewer = [w for w in kept if w != direction]
            kept = fewer if _spans(p, fewer, powers) else kept
        found.append(kept)
    assert _fewest(p, candidates, powers) == min(found, key=len)


def test_a_store_with_an_unknown_rigour_is_refused_in_one_line(tmp_path):
    values = {
        "key": "k", "job": "j", "parameters": "{}", "seed": 1, "code": "",
        "status": "done", "metrics": '{"a": 1}', "rigours": '{"a": "surely"}',
        "files": "{}", "failure": "", "attempts": 1, "seconds": 0.0, "finished": "",
    }  # fmt: skip
    with pytest.raises(FileFormatError, match="rigour"):
        row_from(values, tmp_path)


def test_study_show_and_report_refuse_such_a_store(tmp_path, capsys, monkeypatch):
    from depthsep.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(
        'job = "maurey"\n[fixed]\ndim = 2\n[grid]\nwidth = [4]\n'
    )
    for arguments, code in (
        (["study", "run", "s.toml", "--workers", "1"], 0),
        (["study", "show", "s.toml"], 2),
        (["study", "report", "s.toml"], 2),
    ):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        said = capsys.readouterr().err
        assert (stop.value.code or 0) == code, said
        if code == 0:
            (store,) = tmp_path.glob("**/*.sqlite")
            with sqlite3.connect(store) as connection:
                wrong = json.dumps({"error": "surely"})
                connection.execute("UPDATE trials SET rigours = ?", (wrong,))
        else:
            assert "rigour" in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("target", "on"),
    [
        ("expr:exp(-exp(20*x1+20*x2))", (0, 1)),
        ("expr:exp(-x1**2-x2**2)", (10**6, 10**6 + 1)),
        ("expr:exp(-exp(30*x))", (0, 1)),
        ("expr:tan(x1/3+pi/2-1)+x2", (0, 1)),
    ],
)
def test_extreme_formulas_get_a_table_or_one_line(target, on):
    try:
        table = separate(Problem(target, Segment(*on), accuracy="1e-2"), depths=[2])
        assert len(table) == 1
    except HypothesisError as refusal:
        assert "\n" not in str(refusal)


@pytest.mark.parametrize(
    ("target", "on"),
    [
        ("poly:x1*x2/10**400", (0, 1)),
        ("poly:10**400*x1*x2", (0, 1)),
        ("poly:x1**3*x2", (1, 1 + fmpq(1, 10**25))),
        ("expr:x1*x2", (1, 1 + fmpq(1, 10**25))),
        ("expr:cos(x1+x2)", (0, fmpq(10) ** 400)),
    ],
)
def test_sizes_beyond_floats_are_refused(target, on):
    with pytest.raises(HypothesisError, match="rescale"):
        separate(Problem(target, Segment(*on), accuracy="1e-2"), depths=[2])
