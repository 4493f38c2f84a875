"""Proofs for every dimension: each induction again, and none with too much in it."""

import copy
import importlib.util
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from depthsep.every_dimension import bounds_for
from depthsep.every_dimension._waves import wave_bounds
from depthsep.witnesses import every_dimension_document

FILE = Path(__file__).parents[2] / "checker" / "depthsep_check.py"
SPEC = importlib.util.spec_from_file_location("alone", FILE)
checker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checker)

TARGETS = (
    "inner:sin(pi*d**3*t)",
    "radial:sin(4*pi*d**2*r**2)",
    "radial:cos(2*pi*3*R*r)",
    "radial:cos(9*pi*R*r)",
    "radial:1 on 0,1-1/(2*d)",
    "radial:max(1-1/(2*d)-r,0)",
    "radial:cos(8*sqrt(d)*r)",
    "radial:shells:50",
)
KNOWN = [every_dimension_document(bounds_for(target)) for target in TARGETS]
EACH = [(k, i) for k, d in enumerate(KNOWN) for i in range(len(d["theorems"]))]


def refused(document):
    with pytest.raises((checker.Refused, checker.Unreadable)) as error:
        checker.check(document, Path())
    return str(error.value)


@pytest.mark.parametrize("document", KNOWN, ids=TARGETS)
def test_what_is_proved_is_valid(document, tmp_path) -> None:
    words = checker.check(document, Path())
    assert all(t["formula"] in words for t in document["theorems"])
    path = tmp_path / "p.json"
    path.write_text(json.dumps(document))
    run = [sys.executable, "-I", "-S", str(FILE), str(path)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("valid: widths for")


@pytest.mark.parametrize("waves", ["5/2", "13/4", "7", "100"])
def test_any_number_of_waves_is_known(waves) -> None:
    document = every_dimension_document(wave_bounds(fmpq(waves)))
    assert checker.check(document, Path()).count("for every") == 3


@pytest.mark.parametrize(("k", "i"), EACH)
def test_a_base_case_left_out_is_refused(k, i) -> None:
    for j, cases in enumerate(KNOWN[k]["theorems"][i]["base_cases"]):
        for n in range(len(cases)):
            document = copy.deepcopy(KNOWN[k])
            del document["theorems"][i]["base_cases"][j][n]
            assert "base cases" in refused(document)
        document = copy.deepcopy(KNOWN[k])
        del document["theorems"][i]["base_cases"][j]
        assert "base cases" in refused(document)


def remade(k, i, constants=None, start=None):
    """A document whose formula and base cases are those of other constants."""
    document = copy.deepcopy(KNOWN[k])
    entry = document["theorems"][i]
    entry["constants"].update(constants or {})
    entry["from_dim"] = start or entry["from_dim"]
    given = {name: Fraction(value) for name, value in entry["constants"].items()}
    theorem = checker.THEOREMS[entry["statement"]](**given)
    entry["formula"] = theorem.formula
    entry["base_cases"] = [
        [str(c) for c in checker.base_cases(*one, entry["from_dim"], entry["step"])]
        for one in theorem.conditions
    ]
    return document


@pytest.mark.parametrize(
    ("k", "i", "constants"),
    [
        (0, 0, {"mass": str(Fraction(101, 100) * Fraction(23, 50))}),
        (1, 0, {"mass": str(Fraction(101, 100) * Fraction(379, 10000))}),
        (2, 0, {"mass": "101/200"}),
        (2, 0, {"kappa": "101/50"}),
        (2, 1, {"mass": "102/250"}),
        (2, 1, {"kappa": str(Fraction(102, 100) * Fraction(7, 4))}),
        (2, 1, {"kappa": "2"}),
        (2, 2, {"waves": "1"}),
        (4, 0, {"share": "1694/50"}),
        (5, 0, {"share": "1624"}),
        (7, 0, {"mass": "105/420"}),
        (7, 0, {"mass": "1/5"}),
        (6, 0, {"mass": str(Fraction(101, 100) * Fraction(19, 48))}),
    ],
)
def test_a_constant_too_good_is_refused_with_its_own_base_cases(k, i, constants):
    try:
        document = remade(k, i, constants)
    except (checker.Refused, ZeroDivisionError):
        document = copy.deepcopy(KNOWN[k])
        document["theorems"][i]["constants"].update(constants)
    assert refused(document)


@pytest.mark.parametrize(("k", "i"), EACH)
def test_a_range_begun_too_early_is_refused(k, i) -> None:
    entry = KNOWN[k]["theorems"][i]
    for earlier in range(1, entry["step"] + 1):
        if entry["from_dim"] > earlier:
            document = remade(k, i, start=entry["from_dim"] - earlier)
            assert "begins at" in refused(document) or entry["step"] == 2


@pytest.mark.parametrize(("k", "i"), EACH)
def test_what_is_said_is_all_compared(k, i) -> None:
    changes = {
        "formula": KNOWN[k]["theorems"][i]["formula"].replace("d", "d + 1", 1),
        "statement": "daniely-every-e",
        "depth": float(KNOWN[k]["theorems"][i]["depth"]),
        "law": "phi2" if KNOWN[k]["theorems"][i]["law"] == "ball" else "ball",
        "accuracy_falls": 7,
        "side": "at least at least",
        "norm": "L1",
        "step": 3 - KNOWN[k]["theorems"][i]["step"],
        "best_accuracy": "99/100",
        "constants": {"mass": "1/3", "other": "1"},
        "more": 1,
    }
    for name, value in changes.items():
        document = copy.deepcopy(KNOWN[k])
        document["theorems"][i][name] = value
        assert refused(document)


def test_other_targets_and_empty_claims_are_refused() -> None:
    for k, other in ((0, 1), (1, 2), (2, 3)):
        refused(KNOWN[k] | {"target": TARGETS[other]})
        refused(KNOWN[k] | {"theorems": []})
        refused({**KNOWN[k], "side": "lower"})
    assert "constant" in refused(remade(2, 0) | {"theorems": [zero(KNOWN[2])]})


def zero(document):
    entry = copy.deepcopy(document["theorems"][0])
    entry["constants"]["kappa"] = "0"
    return entry


def test_the_digest_is_compared(tmp_path) -> None:
    document = copy.deepcopy(KNOWN[0])
    document["sha256"] = "0" * 64
    path = tmp_path / "p.json"
    path.write_text(json.dumps(document))
    assert checker.main([str(path)]) == 1
