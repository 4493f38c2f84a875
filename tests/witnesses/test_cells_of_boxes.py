"""Proofs by convex cells of a plane: found, checked, altered, refused."""

import copy
import importlib.util
from fractions import Fraction
from itertools import product as cartesian
from math import inf
from pathlib import Path

import numpy as np
import pytest

from depthsep.formulas import degree_in
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_lower
from depthsep.witnesses import prove_lower

FILE = Path(__file__).parents[2] / "checker" / "depthsep_check.py"
SPEC = importlib.util.spec_from_file_location("alone_on_cells", FILE)
checker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checker)
AXES = "two axes|longer"
NORMS = ("linf", "l1", "l2")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "norm", "depth"),
    [("expr:x1/(2+x2)", "linf", 3), ("product", "l1", 4), ("product", "l2", 4)],
)
def test_deeper_networks_are_bound_as_in_the_table(target, norm, depth) -> None:
    problem = Problem(target, norm=norm, accuracy="1e-4")
    proof, row = prove_lower(problem, depth), best_lower(problem, depth)
    assert proof.kind == "cells"
    assert proof.claim["width"] == row.width
    words = checker.check(proof.document, Path())
    assert words.startswith(f"at depth {depth} width {row.width} or more")


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["l2"])
def test_planes_of_more_variables_are_followed(norm) -> None:
    problem = Problem("expr:x1*x2+x3**4", norm=norm, accuracy="1e-5")
    proof = prove_lower(problem, 4)
    assert proof.kind == "cells"
    assert proof.claim["width"] == best_lower(problem, 4).width
    checker.check(proof.document, Path())


def test_second_derivatives_are_enclosed() -> None:
    """By differences at random points of each tile."""
    text, h = "expr:exp(x1*x2)/(2+x2)+sqrt(1+x1)*log(2+x2)", 1e-4
    problem = Problem(text, accuracy="1e-3")
    entry, f = checker.Problem(problem.to_json()), problem.target.floats
    found = checker.hessians(entry, (0, 1), 4, [[0, 4], [0, 4]], (4, 4), [])
    steps = h * np.array([[1, 0], [0, 1], [1, 1], [1, -1]])
    for cell, (bounds,) in zip(cartesian(range(4), repeat=2), found, strict=True):
        x = (np.array(cell) + np.random.default_rng(1).uniform(0.01, 0.99, (50, 2))) / 4
        along = [(f(x + s) - 2 * f(x) + f(x - s)) / h**2 for s in steps]
        mixed = (along[2] - along[3]) / 4
        for ends, values in zip(bounds, [*along[:2], mixed], strict=True):
            low, high = ends.low / checker.UNIT, ends.high / checker.UNIT
            assert low - 1e-6 <= values.min() <= values.max() <= high + 1e-6
            assert high - low < 1.5


DEGREES = {
    "x1*x2*exp(x3)": 2,
    "3-x1/2+(x1-x2)**2": 2,
    "-(x1*x2)**2/sin(x3)": 4,
    "x3/(1+x1)": inf,
    "abs(x1)*x2": inf,
    "x1**(1/2)": inf,
    "x1**(-1)": inf,
    "exp(x3)+pi": 0,
    "x1**(4/2)": 2,
}


@pytest.mark.parametrize(("formula", "degree"), DEGREES.items())
def test_quadratic_saddles_are_recognised(formula, degree) -> None:
    """The better constants hold for polynomials of degree 2 only."""
    inputs = Problem(f"expr:{formula}+0*x3", Segment(1, 2)).target.as_formula()
    found = checker.Formula(formula).degree([1, 1, 0])
    assert found == degree_in(inputs.syntax, ["x1", "x2"]) == degree


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
def test_what_is_altered_is_refused(norm) -> None:
    accuracy = Fraction(1, 1000 if norm == "linf" else 10_000)
    problem = Problem("product", norm=norm, accuracy=str(accuracy))
    good = prove_lower(problem, 3).document
    checker.check(good, Path())

    def refused(change, says) -> None:
        document = copy.deepcopy(good)
        change(document, document["evidence"])
        with pytest.raises((checker.Refused, checker.Unreadable), match=says):
            checker.check(document, Path())

    excluded = "are not excluded"
    refused(lambda d, e: d["claim"].update(width=d["claim"]["width"] + 1), excluded)
    refused(lambda d, e: d["problem"].update(accuracy=str(2 * accuracy)), excluded)
    refused(lambda d, e: d["problem"].update(target="expr:x1+x2"), excluded)
    refused(lambda d, e: d["problem"].update(target="expr:abs(x1-x2)"), excluded)
    refused(lambda d, e: d["problem"].update(target="expr:log(x1)*x2"), "defined")
    refused(lambda d, e: d["claim"].update(depth=4), excluded)
    refused(lambda d, e: e.update(tiles=[3, 1]), "not made of cells")
    refused(lambda d, e: e.update(tiles=[0, 1]), "whole number")
    refused(lambda d, e: e.update(tiles=[16, 16]), excluded)
    refused(lambda d, e: e.update(rectangle=[[0, 2], [0, 2]], tiles=[1, 1]), excluded)
    refused(lambda d, e: e.update(rectangle=[[0, 17], [0, 16]]), "whole number")
    refused(lambda d, e: e.update(rectangle=[[4, 4], [0, 16]]), "not made of cells")
    refused(lambda d, e: e.update(axes=[0, 0]), AXES)
    refused(lambda d, e: e.update(axes=[1, 0]), AXES)
    refused(lambda d, e: e.update(grid=1000, rectangle=[[0, 1000]] * 2), "too many")
    foot, says = (["1/2"], "shorter") if norm == "linf" else (0, "whole number")
    refused(lambda d, e: e.update(feet=foot), says)


@pytest.mark.slow
def test_a_foot_lies_in_the_box() -> None:
    good = prove_lower(Problem("poly:x1*x2*x3", accuracy="1e-3"), 3).document
    assert good["evidence"]["feet"] == ["1"]
    good["evidence"]["feet"] = ["2"]
    with pytest.raises(checker.Refused, match="foot"):
        checker.check(good, Path())
