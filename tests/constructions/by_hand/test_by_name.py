"""Constructions asked by name: certified, on boxes of every kind, refused in words."""

from functools import cache

import numpy as np
import pytest
from flint import fmpq

from depthsep import CertificationError, HypothesisError, Problem
from depthsep.analysis import certify
from depthsep.cli import main
from depthsep.constructions import (
    BY_NAME,
    CONSTRUCTIONS,
    rational_function_network,
    reciprocal_network,
)
from depthsep.exact import nearest_float
from depthsep.interop import verify, write_certificate
from depthsep.laws import Box, Segment
from depthsep.networks import THRESHOLD, Network
from depthsep.separation import bound, build
from depthsep.targets import Polynomial
from support.slow import mostly_slow

NAMED = [(c.statement.id, p) for c in BY_NAME for p in c.examples()]
WIDE = Box([Segment(-1, fmpq(1, 2)), Segment(fmpq(1, 3), 2)])
ELSEWHERE = [
    ("telgarsky-2.1", Problem("expr:exp(x)-x", Segment(-1, 2), "l2", "1/9")),
    ("telgarsky-2.3", Problem("expr:x1*x1-x2", WIDE, "l1", 1)),
    ("kuhn-interpolant", Problem("expr:cos(2*x1)+x2", WIDE, "l2", "1/2")),
    ("kuhn-interpolant", Problem("poly:x1*x2", Box.cube(Segment(-1, 1), 2), "linf", 1)),
    ("telgarsky-2.5", Problem("expr:x1+x2/2", WIDE, "linf", 2)),
    ("reciprocal", Problem("expr:-2/(3-x)", Segment(-1, 2), "linf", "1/20")),
    ("quotient", Problem("expr:x2/(x1-3) + 1", WIDE, "linf", "1/5")),
]

EVERY = [*NAMED, *ELSEWHERE]
# their problems elsewhere are quicker
SLOW = ("telgarsky-2.1", "telgarsky-2.3", "telgarsky-2.5", "quotient")
LONG = [x for x in NAMED if x[0] in SLOW]


@cache
def built(k):
    name, problem = EVERY[k]
    return build(problem, by=name)


def off(problem, network):
    """The error at many points, by numpy alone."""
    target, law = problem.target, problem.law
    if law.setting == "line":
        ends = nearest_float(law.interval.start), nearest_float(law.interval.stop)
        x = np.linspace(*ends, 20_001)
        values, points = target.floats(x), x[:, None]
    else:
        points = law.sample(20_000, seed=5)
        values = target.floats(points)
    far = np.abs(network.floats(points)[:, 0] - values)
    if problem.norm == "linf":
        return far.max()
    return far.mean() if problem.norm == "l1" else np.sqrt((far**2).mean())


SOON = [k for k, x in enumerate(EVERY) if x not in LONG]


def named(k):
    return "-".join(map(str, EVERY[k]))


@pytest.mark.parametrize("k", mostly_slow(SOON, range(len(EVERY))), ids=named)
def test_what_is_built_is_certified_and_keeps_its_promise(k):
    (name, problem), found = EVERY[k], built(k)
    assert found.upper.statement.id == name and found.upper.checked
    assert off(problem, found.network) <= 1.02 * nearest_float(found.error)
    assert found.error <= problem.accuracy


@pytest.mark.parametrize("k", SOON, ids=named)
def test_certificates_of_every_name_are_verified(k, tmp_path):
    write_certificate(built(k).certificate(), tmp_path / "c.json")
    found = verify(tmp_path / "c.json")
    assert found.valid, found


def test_thresholds_are_the_fewest():
    """The fewest intervals on which a function moves by at most 2 E, greedily."""
    accuracy, pieces = 0.999 / 50, 1
    y = np.sin(20 * np.linspace(0, 1, 200_001)).tolist()
    low = high = y[0]
    for value in y:
        low, high = min(low, value), max(high, value)
        if high - low > 2 * accuracy:
            pieces, low, high = pieces + 1, value, value
    problem = Problem("expr:sin(20*x)", accuracy=fmpq(1, 50))
    built = build(problem, by="telgarsky-2.1").network
    assert set(built.activations) == {THRESHOLD} and built.depth == 2
    assert pieces <= built.units <= pieces + 1


def test_by_name_only():
    assert not {c.statement.id for c in BY_NAME} & {
        c.statement.id for c in CONSTRUCTIONS
    }


@pytest.mark.parametrize(
    ("name", "problem", "message"),
    [
        (
            "telgarsky-2.1",
            Problem("expr:x1+x2", accuracy=1),
            "only for functions on an interval",
        ),
        (
            "telgarsky-2.3",
            Problem("expr:x1+x2", accuracy=1),
            "only for functions on a box, with the error",
        ),
        (
            "kuhn-interpolant",
            Problem("square", accuracy=1),
            "only for functions on a box",
        ),
        ("kuhn-interpolant", Problem("expr:abs(x1-x2)", accuracy=1), "derivatives"),
        ("kuhn-interpolant", Problem("expr:x1*x2*x3", accuracy="1e-9"), "grid points"),
        (
            "telgarsky-2.5",
            Problem("expr:cos(x1)*x2", accuracy="1e-5"),
            "mean of",
        ),
        ("reciprocal", Problem("expr:1/(x*x+1)", accuracy="1/9"), r"not c / \(a x"),
        (
            "quotient",
            Problem("expr:sin(x)", accuracy="1/9"),
            "polynomial",
        ),
        ("quotient", Problem("square", accuracy="1/9"), "not given as a formula"),
    ],
    ids=str,
)
def test_refusals_in_words(name, problem, message):
    with pytest.raises(HypothesisError, match=message):
        build(problem, by=name)


def test_another_depth_is_refused():
    problem = Problem("square", accuracy="1/9")
    with pytest.raises(HypothesisError, match="depth"):
        build(problem, depth=3, by="telgarsky-2.1")


def test_a_changed_network_is_not_confirmed():
    name, problem = ELSEWHERE[1]
    built = build(problem, by=name).network
    *inner, last = built.layers
    bent = Network([*inner, last.__class__(3 * last.weight, last.bias)])
    with pytest.raises(CertificationError):
        certify(bent, problem)


def test_the_bound_of_quotients_is_the_networks():
    p, q = Polynomial("x1 - x2*x2"), Polynomial("2 + x1*x2")
    made = rational_function_network(p, q, 2, "1/10")
    levels = next(k for k in range(1, 20) if _bound(k) == made.bound)
    assert levels >= 1 and made.bound <= fmpq(1, 10)


def _bound(levels):
    # P = 2, Q = max(3, 2 delta) = 4, share 1/2, P / delta = 1
    inverse = reciprocal_network(fmpq(1, 2), fmpq(1, 10) / (4 * fmpq(1, 2)))
    given = {"delta": 2, "top": 2, "bottom": 4, "lost_top": 1, "lost_bottom": 1}
    found = bound("quotient", **given, levels=levels, reciprocal=inverse.bound)
    return found.value


def row_of(out, name):
    return next(row for row in out.splitlines() if row.startswith(name + " "))


def test_the_list_names_all_with_their_settings(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["build", "--constructions"])
    out = capsys.readouterr().out
    assert stopped.value.code == 0
    for c in (*CONSTRUCTIONS, *BY_NAME):
        line = row_of(out, c.statement.id)
        assert c.statement.title in line
    row = row_of(out, "quotient")
    assert "box, line" in row
