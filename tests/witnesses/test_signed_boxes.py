"""Proofs on boxes by the signs of units: found, checked, altered, refused."""

import copy
import importlib.util
from functools import cache
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
    ("x1*x2", None, "l2", "1e-3", 12),
]


def document(*case, **options):
    """A copy, which a test may alter."""
    return copy.deepcopy(proved(*case, **options))


@cache
def proved(formula, on, norm, accuracy, depth=2, skips=True):
    """Once for all tests of a proof."""
    problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
    return prove_lower(problem, depth, skips=skips).document


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "norm", "accuracy", "width"), PROOFS)
def test_the_width_is_that_of_the_table(formula, on, norm, accuracy, width) -> None:
    proof = document(formula, on, norm, accuracy)
    assert proof["claim"]["width"] == width
    words = checker.check(proof, Path())
    assert words.startswith(f"at depth 2 width {width} or more")
    problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
    row = best_lower(problem, 2)
    assert isinstance(row, Lower) and row.width == width


def some_of(entries):
    """The places of the first, one in the middle and the last."""
    return sorted({0, len(entries) // 2, len(entries) - 1})


def altered(proof):
    """Each with one thing that is not so any more."""
    segments = proof["evidence"]["segments"]
    for k in some_of(segments):
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


@pytest.mark.slow
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


@pytest.mark.slow
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


DEEP = [
    ("sin(3*x1)*x2", None, "1e-2", 3, 3),
    ("sin(3*x1)*x2", None, "1e-2", 4, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "accuracy", "depth", "width"), DEEP)
def test_packings_prove_what_the_table_says(
    formula, on, accuracy, depth, width
) -> None:
    proof = document(formula, on, "linf", accuracy, depth)
    assert (proof["kind"], proof["claim"]["width"]) == ("packings", width)
    checker.check(proof, Path())
    row = best_lower(Problem(f"expr:{formula}", on, accuracy=accuracy), depth)
    assert row.width == width


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "accuracy", "depth", "width"), DEEP)
def test_altered_packings_are_refused(formula, on, accuracy, depth, width) -> None:
    proof = document(formula, on, "linf", accuracy, depth)
    changes = (heavier, longer, moved_point, twice, unknown)
    for k, packing in enumerate(proof["evidence"]["packings"]):
        for j in some_of(packing):
            for change in changes:
                other = copy.deepcopy(proof)
                change(other["evidence"]["packings"][k], j)
                with pytest.raises((checker.Refused, checker.Unreadable)):
                    checker.check(other, Path())
    for claim in ({"depth": depth + 1}, {"width": width + 1}, {"depth": 2}):
        other = copy.deepcopy(proof)
        other["claim"].update(claim)
        with pytest.raises(checker.Refused):
            checker.check(other, Path())
    none = copy.deepcopy(proof)
    none["evidence"]["packings"] = []
    with pytest.raises(checker.Refused):
        checker.check(none, Path())


@pytest.mark.parametrize("layers", [2, 3])
def test_packings_are_counted_as_theorem_j_says(layers: int) -> None:
    """Against the sum written out, for every way to sign the last layer."""
    rng = np.random.default_rng(layers)
    for _ in range(60):
        packings = [
            [
                (None, None, checker.Fraction(int(rng.integers(1, 5)), 4),
                 int(rng.choice([1, -1])), int(rng.integers(1, 30)))
                for _ in range(3)
            ]
            for _ in range(2)
        ]  # fmt: skip
        for width in range(4):
            out = True
            for up in range(width + 1):
                sums = []
                for packing in packings:
                    total = checker.Fraction(0)
                    for _, _, weight, sign, count in packing:
                        m = up if sign == 1 else width - up
                        cells = (width + 1) ** (layers - 2) * (m + 1)
                        total += weight * (-(-(count + 1) // cells) - 1)
                    sums.append(total > width)
                out = out and any(sums)
            assert bool(checker.Packings(packings).are_more(width, layers)) == out


BLIND = [
    ("x1*x2", None, "linf", "5e-2"),
    ("x1*x2", None, "l1", "5e-3"),
    ("sqrt(1+x1**2+x2**2)", U, "l2", "2e-2"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "norm", "accuracy"), BLIND)
def test_blind_directions_are_checked(formula, on, norm, accuracy) -> None:
    proof = document(formula, on, norm, accuracy, depth=6, skips=False)
    assert (proof["kind"], proof["claim"]["width"]) == ("blind", 2)
    assert "(no skip connections)" in checker.check(proof, Path())
    for field, change in (
        ("claim", {"skips": True}),
        ("claim", {"width": 3}),
        ("evidence", {"turns": 1}),
        ("evidence", {"cells": 0}),
        ("evidence", {"cells": 10**6}),
        ("problem", {"accuracy": "1/2"}),
        ("problem", {"target": "expr:exp(x1-x2)"}),
    ):
        other = copy.deepcopy(proof)
        other[field].update(change)
        with pytest.raises((checker.Refused, checker.Unreadable)):
            checker.check(other, Path())
