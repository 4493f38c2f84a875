"""Evidence that a sum of ridges, or a function of one, is near its target."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import fmpq, fmpq_poly

from depthsep._errors import TooLargeError
from depthsep.analysis import sign_changes
from depthsep.exact import text
from depthsep.networks import Network, network_to_json
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Radial
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._cuts import Parts, cut_between, cuts_of_difference
from depthsep.witnesses._numbers import flint, python
from depthsep.witnesses._proof import Entry
from depthsep.witnesses._squares import interval_of
from depthsep.witnesses.upper._ridge_parts import (
    Part,
    as_network,
    last_of_ridges,
    parts_of,
)
from depthsep.witnesses.upper._ridge_polynomials import (
    Powers,
    even_polynomials,
    of_square,
    products,
    quadratics,
)

SHARE = 64  # of the slack: for the polynomials of each ridge
MOST_UNITS = 20_000


def is_by_ridges(problem: Problem) -> bool:
    """Whether the checker reads networks for it as sums of ridges."""
    return problem.target.text == "product" or isinstance(
        problem.target, InnerProduct | Radial
    )


def ridge_evidence(
    network: Network, problem: Problem, slack: fmpq, level: int
) -> Entry:
    """What the checker needs to bound the error.

    Raises:
        TooLargeError: the network is not such a sum, or too large.
        Refused, Unreadable: the checker's; it does not read the network so.
    """
    checker: Any = checker_module()
    if network.units > MOST_UNITS:
        raise TooLargeError(f"proofs of such networks have {MOST_UNITS} units at most")
    read = checker.Problem(problem.to_json())
    whole = checker.network_of(network_to_json(network), Path())
    layers = last_of_ridges(whole)
    inner, outer = whole.split(layers)
    parts = parts_of(read, inner)
    powers, total = _polynomials(problem, parts, outer is not None)
    ridges = [
        _ridge(part, p, slack / (SHARE * len(parts)), level)
        for part, p in zip(parts, powers, strict=True)
    ]
    evidence: Entry = {
        "ridges": ridges,
        "layers": layers,
        "sum": [text(c) for c in total],
        "cuts": [],
    }
    if problem.target.text != "product":
        evidence["cuts"] = _cuts(problem, read, evidence, parts, outer, slack, level)
    return evidence


def _polynomials(
    problem: Problem, parts: list[Part], has_outer: bool
) -> tuple[list[Powers], Powers]:
    if problem.target.text == "product":
        found = products(parts)
        if found is None:
            raise TooLargeError("the directions do not carry x1 x2 as squares")
        return found, []
    exact = None if has_outer else even_polynomials(parts)
    powers = quadratics(parts) if exact is None else exact
    assert isinstance(problem.target, InnerProduct | Radial)
    return powers, of_square(parts, powers, problem.target.dim)


def _ridge(part: Part, powers: Powers, slack: fmpq, level: int) -> Entry:
    near = Parts(None, slack, level, fmpq_poly(powers))
    return {
        "direction": [text(flint(c)) for c in part.form],
        "powers": [text(c) for c in powers],
        "cuts": [text(c) for c in cut_between([x for x, _ in part.kinks], near)],
    }


def _cuts(
    problem: Problem,
    read: Any,
    evidence: Entry,
    parts: list[Part],
    outer: Any,
    slack: fmpq,
    level: int,
) -> list[str]:
    """Of the function of R that the sum is, or that follows it."""
    f, on = read.function, interval_of(problem)
    total = [fmpq(*map(int, Fraction(c).as_integer_ratio())) for c in evidence["sum"]]
    if outer is None:
        return cuts_of_difference(f, total, on, slack, level)
    start, slope = total
    if slope == 0:
        raise TooLargeError("the sum that later layers read is constant")
    room = flint(_off(read, evidence, parts)) / abs(slope)
    (rows, biases), *rest = outer
    moved = [b + t * python(start) for b, (t,) in zip(biases, rows, strict=True)]
    after = as_network([([[t * python(slope)] for (t,) in rows], moved), *rest])
    kinks = [x for x, _ in sign_changes(after, on.start - room, on.stop + room)]
    inside = sorted({on.start, on.stop, *(x for x in kinks if on.start < x < on.stop)})
    outside = [x for x in kinks if x < on.start or x > on.stop]
    cuts = cut_between(inside, Parts(f, slack, level))
    return [text(x) for x in sorted({*outside, *cuts})]


def _off(read: Any, evidence: Entry, parts: list[Part]) -> Fraction:
    """How far the sum is from its polynomial, as the checker finds it."""
    checker: Any = checker_module()
    forms = [list(part.form) for part in parts]
    powers = [[Fraction(c) for c in r["powers"]] for r in evidence["ridges"]]
    total = [Fraction(c) for c in evidence["sum"]]
    off = checker.mismatch(read, forms, powers, total)
    for part, p, ridge in zip(parts, powers, evidence["ridges"], strict=True):
        cuts = [Fraction(c) for c in ridge["cuts"]]
        ends = cuts[0], cuts[-1]
        near = checker.Polynomial(p)
        off += checker.on_parts(near, ends, part.read, cuts, "linf")
    return off
