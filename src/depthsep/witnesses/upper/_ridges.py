"""Evidence that a sum of ridges, or a function of one, is near its target."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import fmpq, fmpq_poly

from depthsep._errors import TooLargeError
from depthsep.analysis import sign_changes
from depthsep.exact import text
from depthsep.laws import Segment
from depthsep.networks import Network, network_to_json
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Radial
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._cuts import Parts, cut_between, cuts_of_difference
from depthsep.witnesses._numbers import fmpq_of, fraction
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


@dataclass(frozen=True)
class Ridge:
    """A part of a network, a polynomial near it, and where both are cut."""

    part: Part
    powers: Powers
    cuts: list[fmpq]

    @property
    def entry(self) -> Entry:
        """As the proof holds it."""
        return {
            "direction": _texts(map(fmpq_of, self.part.form)),
            "powers": _texts(self.powers),
            "cuts": _texts(self.cuts),
        }


def _texts(numbers: Iterable[fmpq]) -> list[str]:
    return [text(c) for c in numbers]


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
    checker = checker_module()
    if network.units > MOST_UNITS:
        raise TooLargeError(
            "the network has too many units; for this target, proofs "
            f"are written only up to {MOST_UNITS} units"
        )
    read = checker.Problem(problem.to_json())
    whole = checker.network_of(network_to_json(network), Path())
    if whole.is_constant:
        value = list(network([fmpq(0)] * network.in_dim))
        return {"cuts": _constant_cuts(problem, read.function, value, slack, level)}
    layers = last_of_ridges(whole)
    inner, outer = whole.split(layers)
    parts = parts_of(read, inner)
    powers, total = _polynomials(problem, parts, outer is not None)
    ridges = _cut(parts, powers, slack / (SHARE * len(parts)), level)
    places: list[str] = []
    if problem.target.text != "product":
        on = interval_of(problem)
        if outer is None:
            places = cuts_of_difference(read.function, total, on, slack, level)
        else:
            off = fmpq_of(_off(read, ridges, total))
            after, room = _of_the_sum(outer, total, off)
            near = Parts(read.function, slack, level)
            places = _texts(_outer_cuts(after, on, room, near))
    return {
        "ridges": [ridge.entry for ridge in ridges],
        "layers": layers,
        "sum": _texts(total),
        "cuts": places,
    }


def _constant_cuts(
    problem: Problem, f: Any, value: Powers, slack: fmpq, level: int
) -> list[str]:
    """Of R, for a function of it.

    Raises:
        TooLargeError: the function is not one of R.
    """
    if problem.target.text == "product":
        raise TooLargeError("proofs are not supported for constant networks on boxes")
    return cuts_of_difference(f, value, interval_of(problem), slack, level)


def _polynomials(
    problem: Problem, parts: list[Part], has_outer: bool
) -> tuple[list[Powers], Powers]:
    if problem.target.text == "product":
        found = products(parts)
        if found is None:
            raise TooLargeError(
                "x1*x2 could not be written as a sum of quadratic functions, each of "
                "one direction of the units in the first layer"
            )
        return found, []
    exact = None if has_outer else even_polynomials(parts)
    powers = quadratics(parts) if exact is None else exact
    assert isinstance(problem.target, InnerProduct | Radial)
    return powers, of_square(parts, powers, problem.target.dim)


def _cut(
    parts: list[Part], powers: list[Powers], slack: fmpq, level: int
) -> list[Ridge]:
    """Finely enough for each ridge's polynomial; the same way for the same ridges."""
    known: dict[str, list[fmpq]] = {}
    ridges = []
    for part, p in zip(parts, powers, strict=True):
        key = str((part.kinks, p))
        if key not in known:
            near = Parts(None, slack, level, fmpq_poly(p))
            known[key] = cut_between([x for x, _ in part.kinks], near)
        ridges.append(Ridge(part, p, known[key]))
    return ridges


def _of_the_sum(outer: Any, total: Powers, off: fmpq) -> tuple[Network, fmpq]:
    """Later layers as a network of R, and how far the sum is from R.

    Raises:
        TooLargeError: the sum does not depend on R.
    """
    start, slope = total
    if slope == 0:
        raise TooLargeError(
            "the later layers take one weighted sum as input, and its quadratic "
            "approximation is constant, so that no proof can be built on it"
        )
    (rows, biases), *rest = outer
    moved = [b + t * fraction(start) for b, (t,) in zip(biases, rows, strict=True)]
    after = as_network([([[t * fraction(slope)] for (t,) in rows], moved), *rest])
    return after, off / abs(slope)


def _outer_cuts(after: Network, on: Segment, room: fmpq, parts: Parts) -> list[fmpq]:
    kinks = [x for x, _ in sign_changes(after, on.start - room, on.stop + room)]
    inside = sorted({on.start, on.stop, *(x for x in kinks if on.start < x < on.stop)})
    outside = [x for x in kinks if x < on.start or x > on.stop]
    return sorted({*outside, *cut_between(inside, parts)})


def _off(read: Any, ridges: list[Ridge], total: Powers) -> Fraction:
    """How far the sum is from its polynomial, as the checker finds it."""
    checker = checker_module()
    forms = [list(ridge.part.form) for ridge in ridges]
    powers = [list(map(fraction, ridge.powers)) for ridge in ridges]
    off = checker.mismatch(read, forms, powers, list(map(fraction, total)))
    for ridge, p in zip(ridges, powers, strict=True):
        cuts = list(map(fraction, ridge.cuts))
        ends = cuts[0], cuts[-1]
        near = checker.Polynomial(p)
        off += checker.on_parts(near, ends, ridge.part.read, cuts, "linf")
    return off
