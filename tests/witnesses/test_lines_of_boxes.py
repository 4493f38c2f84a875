"""Proofs on boxes in l1 and l2: what pieces leave on parallel lines."""

import copy
from pathlib import Path

import depthsep_check as checker
import numpy as np
import pytest

from depthsep import Problem, Segment
from depthsep.laws import Box
from depthsep.lower_bounds import OnAllLines
from depthsep.separation import best_lower
from depthsep.witnesses import prove_lower
from support.slow import in_turn

BOX = Box((Segment(0, 2), Segment(-1, "1/2")))
CASES = [
    ("product", BOX, (1, 1)),
    ("product", BOX, (1, -1)),
    ("expr:exp(x1-x2**2)", BOX, (0, 1)),
    ("expr:x1**3+x1*x2**2", BOX, (1, 0)),
    ("poly:x1*x2*x3", None, (1, 1, -1)),
]


def entry(target, law, norm, accuracy="1/100"):
    return checker.Problem(Problem(target, law, norm=norm, accuracy=accuracy).to_json())


def along(problem, steps, start, count):
    """Values of f on the line through a point of [0, 1]^d, at equal steps of t."""
    sides = np.array([[float(a), float(b)] for a, b in problem.box])
    steps = np.array(steps)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(steps == 0, np.inf, ((steps > 0) - start) / steps)
        begins = np.where(steps == 0, -np.inf, ((steps < 0) - start) / steps)
    t = np.linspace(begins.max(), ends.min(), count)
    points = sides[:, 0] + (sides[:, 1] - sides[:, 0]) * (start + np.outer(t, steps))
    return t, points


def left_by_fits(values, length, pieces, power):
    """What least squares on equal pieces leave in the mean on a line."""
    total = 0.0
    for part in np.array_split(values, pieces):
        x = np.linspace(-1, 1, len(part))
        off = part - np.polyval(np.polyfit(x, part, 1), x)
        total += np.sum(np.abs(off) ** power)
    return total / len(values) * length


@pytest.mark.parametrize(
    ("target", "law", "steps", "ask"),
    in_turn(CASES, [("l1", 1), ("l2", 3), ("l1", 3), ("l2", 1)]),
    ids=str,
)
def test_lines_leave_less_than_fits_do(target, law, steps, ask):
    """The mean over random lines of what equal pieces leave, by least squares."""
    norm, pieces = ask
    problem = entry(target, law, norm)
    left = checker.left_on(
        checker.bundles_of(problem, steps, 12, 8), pieces, problem.power
    )
    f, rng, found = Problem(target, law).target, np.random.default_rng(3), []
    for start in rng.uniform(0, 1, (400, len(steps))):
        t, points = along(problem, steps, start, 600)
        # a random point is on a line as often as the line is long
        found.append(left_by_fits(f.floats(points), 1.0, pieces, problem.power))
        assert 0 < t[-1] - t[0] <= 1
    mean, spread = np.mean(found), np.std(found) / 20
    assert 0 < float(left) <= mean + 4 * spread


def test_the_product_leaves_what_the_integral_says():
    """Along a diagonal of [0, 1]^2 p pieces leave 1 / (32 p^2) in l1."""
    problem = entry("product", Segment(0, 1), "l1")
    for pieces in (1, 2, 5):
        found = checker.left_on(
            checker.bundles_of(problem, (1, 1), 100, 1), pieces, problem.power
        )
        # int (1 - |y|)^3 dy = 1/2, and f'' = 2
        assert 0.9 / (32 * pieces**2) < float(found) <= 1 / (32 * pieces**2)


@pytest.mark.slow
def test_the_width_is_that_of_the_table():
    problem = Problem("product", norm="l1", accuracy="4e-3")
    for depth in (2, 3):
        proof = prove_lower(problem, depth)
        assert proof.kind == "lines" or depth == 3
        row = best_lower(problem, depth)
        assert proof.claim["width"] <= row.width <= 1.5 * proof.claim["width"] + 1


@pytest.mark.slow
def test_stronger_claims_are_refused():
    problem = Problem("expr:(x1+x2)**2", norm="l2", accuracy="1e-2")
    good = prove_lower(problem, 3).document
    assert good["kind"] == "lines"
    assert good["claim"]["width"] == best_lower(problem, 3, [OnAllLines()]).width
    checker.check(good, Path())

    def refused(change, says):
        document = copy.deepcopy(good)
        change(document, document["evidence"])
        with pytest.raises((checker.Refused, checker.Unreadable), match=says):
            checker.check(document, Path())

    refused(lambda d, e: e.update(pieces=e["pieces"] + 1), "fewer pieces")
    refused(lambda d, e: e.update(pieces=1), "whole number from 2")
    refused(lambda d, e: e.update(parts=0), "whole number from 1")
    refused(lambda d, e: e.update(cells=10**4), "too many cells")
    refused(lambda d, e: e.update(direction=[0, 0]), "direction")
    refused(lambda d, e: e.update(direction=[-1, 1]), "grows")
    refused(lambda d, e: e.update(direction=[1]), "direction")
    refused(lambda d, e: e.update(direction=[1, 2]), "whole number")
    refused(lambda d, e: d["claim"].update(width=d["claim"]["width"] + 1), "excluded")
    refused(lambda d, e: d["problem"].update(target="expr:x1+x2"), "fewer pieces")
    refused(lambda d, e: d["problem"].update(norm="linf"), "l1 and l2")
    refused(lambda d, e: d["problem"].update(law="box:0,1/2;0,1/2"), "fewer pieces")
    refused(lambda d, e: d["problem"].update(target="expr:log(x1)"), "defined")


def test_where_f_bends_both_ways_nothing_is_counted():
    problem = entry("expr:abs(x1)+x2", None, "l2")
    assert checker.left_on(checker.bundles_of(problem, (1, 0), 4, 8), 1, 2) == 0


def test_a_line_of_very_many_parts_takes_no_more_memory() -> None:
    """Cuts are placed one by one on few parts only; a file may ask for 20,000."""
    problem = entry("product", Segment(0, 1), "l1")
    for pieces in (1, 2):
        few, many = (
            checker.left_on(checker.bundles_of(problem, (1, 1), 2, n), pieces, 1)
            for n in (64, 4096)
        )
        assert 0 < float(many) <= 1.01 * float(few)
