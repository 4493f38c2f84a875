"""The checker's own interval arithmetic, against mpmath; its size; what it refuses."""

import ast
import json
import random
import subprocess
import sys
from fractions import Fraction

import depthsep_check as checker
import mpmath
import pytest

from support.places import ROOT

FILE = ROOT / "checker" / "depthsep_check.py"
FORMULAS = [
    *("exp(x)", "sin(20*x)", "sqrt(x)", "1/(1+25*x**2)", "log(1+x)*atan(3*x)"),
    *("cos(pi*x)-e", "x**(1/3)", "tanh(2*x)-x**1.5", "abs(x-1/3)", "exp(-5*x)/(x+2)"),
    *("sin(100*x)*cos(30*x)", "x**7-3*x**-2"),
]


@pytest.mark.parametrize("written", FORMULAS)
def test_values_and_derivatives_are_enclosed(written):
    rng, formula = random.Random(1), checker.Formula(written)
    names = {
        n: getattr(mpmath, n) for n in ("exp", "sin", "cos", "sqrt", "log", "atan")
    }
    names |= {"tanh": mpmath.tanh, "abs": abs, "pi": mpmath.pi, "e": mpmath.e}
    reference = eval(f"lambda x, third: {written.replace('1/3', 'third')}", names)
    with mpmath.workdps(80):
        for _ in range(20):
            x = Fraction(rng.randrange(1, 10**6), 10**6)
            found, third = formula.value([x]), mpmath.mpf(1) / 3
            y = reference(mpmath.mpf(x.numerator) / x.denominator, third)
            low, high = (mpmath.mpf(v) / checker.UNIT for v in (found.low, found.high))
            assert low - mpmath.mpf(10) ** -60 <= y <= high + mpmath.mpf(10) ** -60
            assert high - low < mpmath.mpf(10) ** -40
            try:
                on = formula.jet(x, x + Fraction(rng.randrange(1, 1000), 10**4))
            except checker.Refused:  # a kink
                continue
            at = formula.jet(x, x)
            for name in ("value", "first", "second"):
                wide, narrow = getattr(on, name), getattr(at, name)
                assert wide.low <= narrow.high and narrow.low <= wide.high


def test_the_derivatives_are_those_of_differences():
    step = Fraction(1, 10**8)
    for written in FORMULAS:
        f, x = checker.Formula(written), Fraction(7, 9)
        low, here, high = (f.value([x + k * step]).low for k in (-1, 0, 1))
        first = Fraction(high - low, 2 * checker.UNIT) / step
        second = Fraction(high - 2 * here + low, checker.UNIT) / step**2
        jet = f.jet(x, x)
        for found, wanted in ((jet.first, first), (jet.second, second)):
            assert abs(Fraction(found.low, checker.UNIT) - wanted) < 1e-6


def test_the_checker_needs_the_standard_library_alone():
    names = {
        (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        for node in ast.walk(ast.parse(FILE.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert names <= set(sys.stdlib_module_names)
    lines = [line.strip() for line in FILE.read_text().splitlines()]
    code = [line for line in lines if line and not line.startswith("#")]
    assert len(code) < 1630  # it is read in one sitting


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("__import__('os')", "not known"),
        ("x.real", "not known"),
        ("exp(x", "not a formula"),
        ("erf(x)", "knows"),
        ("y+1", "not known"),
        ("x**x", "exponent"),
        ("x if x else 1", "not known"),
        ("(" * 300 + "x" + ")" * 300, "not"),
        ("sin(x, x)", "not known"),
    ],
)
def test_formulas_are_read_and_never_run(written, says):
    with pytest.raises(checker.Unreadable, match=says):
        checker.Formula(written).value([Fraction(1, 3)])


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"[]",
        b"{}",
        b'{"a": 1, "a": 2}',
        b"\xff",
        b'{"format": "depthsep proof 1"}',
    ],
)
def test_damaged_files_are_said_to_be_damaged(written, tmp_path):
    (tmp_path / "p.json").write_bytes(written)
    done = subprocess.run(
        [sys.executable, FILE, tmp_path / "p.json"], capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stderr.startswith("cannot check: ")
    assert "Traceback" not in done.stderr


def test_every_part_of_a_proof_may_be_missing(tmp_path):
    """Without any one field, at any depth, it is refused without a traceback."""
    from depthsep import Problem, build
    from depthsep.witnesses import prove_lower, prove_upper

    problem = Problem("expr:exp(x)", accuracy="1e-2")
    network = build(problem, depth=3).network
    mean = Problem("expr:exp(x)", norm="l2", accuracy="1e-2")
    for proof in (
        prove_lower(problem, 2),
        prove_lower(mean, 2),
        prove_upper(network, problem),
    ):
        for path in _paths(proof.document):
            if path == ("sha256",):  # `main` looks at it
                continue
            for change in ("delete", None, "text", -1, [], {}):
                altered = json.loads(proof.to_json())
                part = altered
                for name in path[:-1]:
                    part = part[name]
                part[path[-1]] = change
                if change == "delete":
                    del part[path[-1]]
                with pytest.raises((checker.Refused, checker.Unreadable)):
                    checker.check(altered, tmp_path)


def _paths(part, above=()):
    for name, value in part.items():
        yield (*above, name)
        if isinstance(value, dict):
            yield from _paths(value, (*above, name))


def test_a_law_of_very_many_sides_is_not_read():
    with pytest.raises(checker.Unreadable, match="does not know the law"):
        checker.box_of("box:" + "0,1;" * 6000 + "0,1")


def test_what_is_refused_is_said_in_ascii(tmp_path, capsys, monkeypatch):
    def refuse(document, folder):
        raise checker.Refused("no network \u00e9\ud800")

    monkeypatch.setattr(checker, "check", refuse)
    (place := tmp_path / "proof.json").write_text("{}")
    assert checker.main([str(place)]) == 1
    assert capsys.readouterr().out == "refused: no network \\xe9\\ud800\n"
