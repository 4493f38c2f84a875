"""Proofs about spheres and balls: both sides, accepted by the checker alone."""

import copy
from fractions import Fraction
from math import comb, isclose
from pathlib import Path

import depthsep_check as checker
import numpy as np
import pytest
from scipy.special import eval_jacobi, eval_legendre

from depthsep import Problem, build
from depthsep.evidence import Inapplicable
from depthsep.laws import RadialLaw
from depthsep.networks import Network
from depthsep.separation import best_lower
from depthsep.targets import target_from_text
from depthsep.witnesses import prove_lower, prove_upper, run_checker, verify_proof
from support.slow import mostly_slow

# target, dimension, norm, accuracy, depth, proven width
ROWS = [
    ("inner:sin(4*t)", 3, "linf", "1/10", 5, 1),
    ("inner:sin(2*t)", 3, "linf", "1/10", 2, 5),
    ("inner:exp(t)", 4, "l2", "1/20", 2, 8),
    ("inner:sin(20*t)", 3, "l2", "1/5", 3, 2),
    ("radial:cos(4*r)", 3, "l2", "1/10", 2, 6),
    ("radial:relu", 3, "linf", "1/10", 4, 1),
    ("radial:cos(20*r)", 3, "l2", "1/20", 3, 2),
    ("radial:exp(-r**2) on 0,2", 4, "linf", "1/100", 2, 7),
]
QUICK = mostly_slow([ROWS[0], *ROWS[5:7]], ROWS)


def problem_of(target, dim, norm, accuracy):
    law = RadialLaw("ball", dim) if target.startswith("radial") else None
    return Problem(target_from_text(target, dim), law, norm=norm, accuracy=accuracy)


@pytest.mark.parametrize(
    ("target", "dim", "norm", "accuracy", "depth", "width"), QUICK, ids=str
)
def test_both_sides_are_proved_without_depthsep(
    target, dim, norm, accuracy, depth, width, tmp_path
):
    problem, place = problem_of(target, dim, norm, accuracy), tmp_path / "proof.json"
    lower = prove_lower(problem, depth)
    assert lower.claim["width"] == width
    assert width <= best_lower(problem, depth).width
    lower.write(place)
    assert verify_proof(place).valid
    upper = prove_upper(build(problem, depth=depth).network, problem)
    upper.write(place)
    answer = run_checker(place)
    assert answer.valid, answer.words
    document = upper.document
    document["claim"]["error"] = str(Fraction(upper.claim["error"]) * Fraction(99, 100))
    with pytest.raises(checker.Refused, match="more than is claimed"):
        checker.check(document, Path())


@pytest.mark.parametrize(("target", "dim"), [("inner:sin(4*t)", 3), ("radial:relu", 3)])
def test_altered_proofs_are_refused(target, dim):
    problem = problem_of(target, dim, "linf", "1/10")
    good = prove_upper(build(problem, depth=4).network, problem).document
    checker.check(good, Path())

    def refused(change):
        document = copy.deepcopy(good)
        change(document["evidence"], document)
        with pytest.raises((checker.Refused, checker.Unreadable)):
            checker.check(document, Path())

    refused(lambda e, d: e["ridges"].pop())
    refused(lambda e, d: e["ridges"].append(e["ridges"][0]))
    refused(lambda e, d: e["ridges"][0]["cuts"].pop(0))
    refused(lambda e, d: e["ridges"][0]["cuts"].pop(1))
    refused(lambda e, d: e["ridges"][0].update(powers=["0", "1", "1/2"]))
    refused(lambda e, d: e["ridges"][0].update(direction=["1"] * 6))
    refused(lambda e, d: e["cuts"].pop())
    refused(lambda e, d: e["cuts"].pop(0))
    refused(lambda e, d: e.update(layers=1 + e["layers"]))
    refused(lambda e, d: e.update(sum=["0", "0"]))
    refused(lambda e, d: e.update(sum=["0", "1", "0"]))
    refused(lambda e, d: e.update(sum=["0", "2"]))
    refused(lambda e, d: d["problem"].update(law="uniform:0,4"))
    refused(lambda e, d: d["problem"].update(law=d["problem"]["law"][:-1] + "4"))
    refused(lambda e, d: d["network"]["layers"][0]["bias"].__setitem__(0, "1/3"))


def test_a_shared_unit_has_to_be_active():
    """A carried sum that is cut off is not a sum."""
    problem = problem_of("inner:sin(4*t)", 3, "linf", "1/10")
    document = prove_upper(build(problem, depth=5).network, problem).document
    document["network"]["layers"][1]["bias"][-1] = "-3"
    with pytest.raises(checker.Refused, match=r"may be inactive|the error is"):
        checker.check(document, Path())


def ranks(target, dim, polynomial, cuts, norm="l2", accuracy="1/10"):
    law = f"{'spheres' if target.startswith('inner') else 'ball'}:{dim}"
    entry = {"target": target, "law": law, "norm": norm, "accuracy": accuracy}
    evidence = {"polynomial": polynomial, "cuts": cuts}
    return int(checker.ranks_of(checker.Problem(entry), evidence))


def test_ranks_are_those_of_legendre_and_jacobi_polynomials():
    """Masses by quadrature, with scipy's polynomials."""
    x, w = np.polynomial.legendre.leggauss(60)
    f = x**4 + x**3 - x
    masses = [
        ((w * f * eval_legendre(k, x)).sum() / 2) ** 2 * (2 * k + 1) for k in range(5)
    ]

    def left(masses, sizes, m):
        pairs = zip(masses, sizes, strict=True)
        return sum(v * max(0, 1 - m / n) for v, n in pairs)

    t = ["-1", "1/2"]  # t = R / 2 - 1
    powers = [Fraction(0)] * 5
    for k, c in ((4, 1), (3, 1), (1, -1)):
        for j in range(k + 1):
            powers[j] += c * comb(k, j) * Fraction(t[1]) ** j * Fraction(-1) ** (k - j)
    cuts = [str(Fraction(k, 16)) for k in range(65)]
    found = ranks("inner:t**4+t**3-t", 3, [str(c) for c in powers], cuts)
    sizes = [2 * k + 1 for k in range(1, 5)]
    assert left(masses[1:], sizes, found - 1) > 0.01 >= left(masses[1:], sizes, found)
    # the ball of R^4: E over s = r^2 with density 2 s
    s, v = (x + 1) / 2, w * (x + 1) / 2
    g = s**3 - s
    parts = []
    for k in range(1, 4):
        p = eval_jacobi(k, 0, 1, 2 * s - 1)
        parts.append((v * g * p).sum() ** 2 / (v * p * p).sum())
    dims = [comb(k + 3, 3) for k in range(1, 4)]
    assert isclose(sum(parts), (v * g * g).sum() - (v * g).sum() ** 2, rel_tol=1e-9)
    cuts = ["0", *(str(Fraction(1, 2**k)) for k in range(40, 6, -1))]
    cuts += [str(Fraction(k, 64)) for k in range(1, 65)]
    powers = ["0", "-1", "0", "1"]
    found = ranks("radial:r**6-r**2", 4, powers, cuts, accuracy="1/50")
    assert left(parts, dims, found - 1) > 4e-4 >= left(parts, dims, found)


@pytest.mark.parametrize(
    ("target", "law", "says"),
    [
        ("inner:sin(4*x)", "spheres:3", "not known"),
        ("inner:sin(4*t)", "ball:3", "does not know the law"),
        ("inner:sin(4*t)", "spheres:1", "whole number from 2"),
        ("inner:sin(4*t)", "spheres:3.5", "damaged"),
        ("radial:relu", "spheres:3", "does not know the law"),
        ("radial:relu", "phi2:3", "does not know the law"),
        ("radial:cos(r) on 0,1/2", "ball:3", "0 on a part"),
        ("radial:shells:4", "ball:3", "not a formula"),
        ("radial:cos(4*r+t)", "ball:3", "not known"),
    ],
)
def test_symmetric_targets_are_what_they_seem(target, law, says):
    entry = {"target": target, "law": law, "norm": "linf", "accuracy": "1/10"}
    claim = {"depth": 2, "width": 1, "skips": True}
    document = {
        "format": checker.FORMAT, "side": "lower", "kind": "points", "problem": entry,
        "claim": claim, "evidence": {"points": [["-1", "0", "1"]]}, "sha256": "",
    }  # fmt: skip
    with pytest.raises((checker.Refused, checker.Unreadable), match=says):
        checker.check(document, Path())


def weight_on(target, law, cuts):
    """Of (f - 1/3)^2, as the checker finds it."""
    entry = {"target": target, "law": law, "norm": "l2", "accuracy": "1"}
    level = checker.Interval.of(Fraction(1, 3))
    sign, weight = checker.weight_of(checker.Problem(entry), cuts, level)
    assert sign == 1
    return float(weight)


@pytest.mark.parametrize("dim", range(3, 9))
def test_weights_of_intervals_are_below_those_by_quadrature(dim):
    """And near: half the integral of (f - c)^2 under the law of <x, x'>."""
    cuts = [Fraction(k, 64) for k in range(33, 200)]
    t = np.linspace(33 / 128 - 1, 199 / 128 - 1, 200_001)
    whole = np.linspace(-1, 1, 400_001)
    h = (dim - 3) / 2
    mass = np.trapezoid((1 - whole**2) ** h, whole)
    truth = np.trapezoid((t + 2 - 1 / 3) ** 2 * (1 - t * t) ** h, t) / mass / 2
    assert 0.95 * truth < weight_on("inner:t+2", f"spheres:{dim}", cuts) < truth


@pytest.mark.parametrize("dim", [2, 3, 6])
def test_weights_in_the_ball_are_those_by_quadrature(dim):
    """Half the integral of (f - c)^2 over the law of r, with density d r^(d-1)."""
    cuts = [Fraction(k, 256) for k in range(20, 200)]
    r = np.sqrt(np.linspace(20 / 256, 199 / 256, 200_001))
    truth = np.trapezoid((r + 2 - 1 / 3) ** 2 * dim * r ** (dim - 1), r) / 2
    assert 0.97 * truth < weight_on("radial:r+2", f"ball:{dim}", cuts) < truth


def test_signs_in_the_ball_are_checked_interval_by_interval():
    problem = problem_of("radial:cos(20*r)", 3, "l2", "1/20")
    good = prove_lower(problem, 3).document
    assert good["kind"] == "arcs" and len(good["evidence"]["intervals"]) >= 5
    for change in (
        lambda d: d["claim"].update(width=d["claim"]["width"] + 1),
        lambda d: d["evidence"]["intervals"].pop(1),
        lambda d: d["evidence"]["intervals"].reverse(),
        lambda d: d["evidence"].update(level="3"),
        lambda d: d["evidence"]["intervals"][-1].append("5/4"),
        lambda d: d["problem"].update(norm="linf"),
        lambda d: d["problem"].update(accuracy="1/2"),
        lambda d: d["problem"].update(law="ball:50"),
    ):
        document = copy.deepcopy(good)
        change(document)
        with pytest.raises((checker.Refused, checker.Unreadable)):
            checker.check(document, Path())


@pytest.mark.parametrize(
    ("target", "law", "says"),
    [
        ("radial:relu", None, "the law ball:3, not for phi2:3"),
        ("radial:shells:2", RadialLaw("ball", 3), "radial:shells:2"),
        ("inner:t", None, "circles"),
    ],
)
def test_what_has_no_proofs_is_said(target, law, says):
    problem = Problem(target_from_text(target, 3), law, norm="l1", accuracy="0.1")
    answer = prove_lower(problem, 2)
    assert isinstance(answer, Inapplicable) and says in str(answer)


def test_a_network_has_as_many_inputs_as_its_law():
    entry = {
        "target": "radial:r",
        "law": "ball:3",
        "norm": "linf",
        "accuracy": "51/100",
    }
    layers = [
        {"weight": [["1", "0"]], "bias": ["0"]},
        {"weight": [["0"]], "bias": ["1/2"]},
    ]
    ridge = {"direction": ["1", "0"], "powers": ["1/2"], "cuts": ["-2", "0", "2"]}
    evidence = {
        "ridges": [ridge],
        "layers": 1,
        "sum": ["1/2"],
        "cuts": ["0", "1/2", "1"],
    }
    network = checker.network_of({"activations": ["relu"], "layers": layers}, Path())
    with pytest.raises(checker.Refused, match="number of inputs"):
        checker.check_upper(checker.Problem(entry), network, evidence)


@pytest.mark.parametrize(
    ("target", "says"),
    [("inner:tan(t)", "not tan"), ("radial:sqrt(1-r**2)", "a root of a negative")],
)
def test_formulas_beyond_the_checker_are_said(target, says):
    problem = problem_of(target, 3, "linf", "1/10")
    assert says in str(prove_lower(problem, 2))
    network = build(problem, depth=3).network
    assert says in str(prove_upper(network, problem))


@pytest.mark.parametrize(("target", "value"), [("inner:t", 0), ("radial:exp(r)", 1.86)])
def test_constants_are_proved_without_ridges(target, value):
    """max |<x, x'>| = 1, and max |exp(r) - 1.86| = 0.8600."""
    problem = problem_of(target, 3, "linf", "101/100")
    inputs = problem.target.in_dim
    for arrays in (
        ([[0] * inputs], [0], [[1]], [value]),
        ([[1] + [0] * (inputs - 1)], [0], [[0]], [value]),
    ):
        network = Network.from_arrays(*map(np.array, arrays))
        document = prove_upper(network, problem).document
        assert list(document["evidence"]) == ["cuts"]
        assert "within" in checker.check(document, Path())
        error = float(Fraction(document["claim"]["error"]))
        assert error == pytest.approx(0.86 if value else 1, abs=0.02)
        for change in (
            lambda d: d["claim"].update(error="4/5"),
            lambda d: d["evidence"]["cuts"].pop(),
            lambda d: d["network"]["layers"][-1].update(bias=["3"]),
            lambda d: (
                d["network"]["layers"][0].update(weight=[["1"] * inputs])
                or d["network"]["layers"][-1].update(weight=[["1"]])
            ),
            lambda d: d["network"]["layers"][0].update(weight=[["0"] * 7]),
        ):
            altered = copy.deepcopy(document)
            change(altered)
            with pytest.raises(checker.Refused):
                checker.check(altered, Path())
