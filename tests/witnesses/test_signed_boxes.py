"""Proofs on boxes by the signs of units: found, checked, altered, refused."""

import copy
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from depthsep.claims import Lower
from depthsep.laws import Segment
from depthsep.lower_bounds.box.segments._packing import most_crossed
from depthsep.problems import Problem
from depthsep.separation import best_lower
from depthsep.witnesses import prove_lower

FILE = Path(__file__).parents[2] / "checker" / "depthsep_check.py"
SPEC = importlib.util.spec_from_file_location("alone", FILE)
checker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checker)
U = Segment(-1, 1)

PROOFS = [
    ("x1*x2", None, "linf", "1e-3", 22),
    ("exp(-x1**2-x2**2)", U, "linf", "1e-2", 9),
    ("x1*x2*x3", None, "linf", "1e-2", 9),
    ("x1*x2", None, "l1", "1e-3", 10),
    ("x1*x2", None, "l2", "1e-3", 12),
]


def document(formula, on, norm, accuracy):
    problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
    return prove_lower(problem, 2).document


@pytest.mark.parametrize(("formula", "on", "norm", "accuracy", "width"), PROOFS)
def test_the_width_is_that_of_the_table(formula, on, norm, accuracy, width) -> None:
    proof = document(formula, on, norm, accuracy)
    assert proof["claim"]["width"] == width
    words = checker.check(proof, Path())
    assert words.startswith(f"at depth 2 width {width} or more")
    problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
    row = best_lower(problem, 2)
    assert isinstance(row, Lower) and row.width == width


def altered(proof):
    """Each with one thing that is not so any more."""
    segments = proof["evidence"]["segments"]
    for k in range(len(segments)):
        for change in (heavier, longer, moved_point, twice, none_left, unknown):
            other = copy.deepcopy(proof)
            change(other["evidence"]["segments"], k)
            yield change.__name__, other
    wider = copy.deepcopy(proof)
    wider["claim"]["width"] += 1
    yield "wider", wider
    deeper = copy.deepcopy(proof)
    deeper["claim"]["depth"] = 3
    yield "deeper", deeper


def heavier(segments, k):
    weight = checker.rational(segments[k]["weight"])
    segments[k]["weight"] = str(weight + weight / 10**9)


def longer(segments, k):
    segments[k]["ends"][1] = ["2"] * len(segments[k]["ends"][1])


def moved_point(segments, k):
    segments[k]["points"][0][1] = segments[k]["points"][0][2]


def twice(segments, k):
    segments.append(copy.deepcopy(segments[k]))


def none_left(segments, k):
    del segments[k]["points"][:]


def unknown(segments, k):
    segments[k]["note"] = "trust me"


@pytest.mark.parametrize(
    ("formula", "on", "accuracy"),
    [("x1*x2", None, "1e-3"), ("exp(-x1**2-x2**2)", U, "1e-2")],
)
def test_altered_segments_are_refused(formula, on, accuracy) -> None:
    proof = document(formula, on, "linf", accuracy)
    checker.check(proof, Path())
    for name, other in altered(proof):
        if name == "none_left" and on is not None:
            continue  # one of many may have been superfluous
        with pytest.raises((checker.Refused, checker.Unreadable)):
            checker.check(other, Path())


def test_altered_lines_are_refused() -> None:
    proof = document("x1*x2", None, "l2", "1e-3")
    for way in ("up", "down"):
        for name, value in (("pieces", 8), ("direction", [1, 0]), ("cells", 2)):
            other = copy.deepcopy(proof)
            other["evidence"][way][name] = value
            with pytest.raises((checker.Refused, checker.Unreadable)):
                checker.check(other, Path())
        other = copy.deepcopy(proof)
        other["evidence"][way] = None
        with pytest.raises(checker.Refused):
            checker.check(other, Path())
    swapped = copy.deepcopy(proof)
    evidence = swapped["evidence"]
    evidence["up"], evidence["down"] = evidence["down"], evidence["up"]
    with pytest.raises(checker.Refused):
        checker.check(swapped, Path())


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_checker_crosses_as_the_library_does(dim: int, seed: int) -> None:
    """Two programs that share nothing, on grids where many points lie on planes."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, 4, (7, 2, dim)).tolist()
    weights = [fmpq(int(v), 7) for v in rng.integers(1, 9, 7)]
    ours = [tuple(tuple(fmpq(v) for v in end) for end in pair) for pair in places]
    theirs = [
        (*(tuple(checker.Fraction(v) for v in end) for end in pair),
         checker.Fraction(int(w.p), int(w.q)), 1)
        for pair, w in zip(places, weights, strict=True)
    ]  # fmt: skip
    found = checker.most_crossed(theirs)
    assert fmpq(found.numerator, found.denominator) == most_crossed(ours, weights)
