"""How far two networks are apart on a box, and whether that is at most a number."""

from dataclasses import dataclass, replace
from math import inf

import numpy as np
from flint import fmpq

from depthsep._deadline import is_over
from depthsep._errors import HypothesisError
from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._climb import climbed
from depthsep.analysis.bounds._followed import Followed, difference, followed
from depthsep.analysis.bounds._paired import paired
from depthsep.analysis.bounds._search import Largest, largest
from depthsep.analysis.bounds._values import Combination
from depthsep.analysis.facts._between import Between, exactly
from depthsep.analysis.facts._ranges import End, range_by_regions
from depthsep.analysis.facts._subject import (
    Subject,
    point_words,
    stop_after,
)
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.regions.cells._domains import Point
from depthsep.exact import nearest_float, rational, readable, text
from depthsep.networks import Network, add, as_relu, scale

YES, NO, OPEN = "yes", "no", "not decided"
CLOSE = 1e-3


@dataclass(frozen=True)
class Apart(AbstractFact):
    """The largest |f - g| over a box and all outputs.

    Attributes:
        value: between the difference at `point` and a proved bound, None where there is
            none.
        limit: what was asked for; None if nothing was.
    """

    value: Between
    point: Point
    output: int
    limit: fmpq | None = None

    @property
    def answer(self) -> str:
        """Whether the distance is at most the limit."""
        if self.limit is None:
            return ""
        if self.value.is_at_most(self.limit):
            return YES
        return NO if self.value.is_above(self.limit) else OPEN

    def rows(self) -> Rows:
        """The distance, and the answer."""
        where = f"at {point_words(self.point)}"
        which = f", output {self.output + 1}" if self.output else ""
        rows = [
            ("largest difference", f"{self.value} ({self.value.rigour}) {where}{which}")
        ]
        if self.limit is not None:
            rows.append((f"at most {readable(self.limit)}", self.answer))
        return rows

    def to_json(self) -> dict[str, object]:
        """The distance, the witness and the answer."""
        entry = {
            **self.value.to_json(),
            "at": [text(x) for x in self.point],
            "output": self.output + 1,
            "at_most": None if self.limit is None else text(self.limit),
            "answer": self.answer or None,
        }
        return {"against": entry}


def apart(subject: Subject, other: Network, limit: fmpq | None, share: float) -> Apart:
    """Exact over the regions of both; else by branch and bound that carries both.

    Raises:
        HypothesisError: other inputs or outputs, or units without bounds.
    """
    network = subject.network
    if (other.in_dim, other.out_dim) != (network.in_dim, network.out_dim):
        raise HypothesisError(
            f"the networks have {network.in_dim} and {other.in_dim} inputs, "
            f"{network.out_dim} and {other.out_dim} outputs; give equally many",
            parameter="against",
        )
    exact = _by_regions(subject, other, limit)
    if exact is not None:
        return exact
    net = _together(network, other)

    theirs = replace(subject, network=other)

    def floats(points: np.ndarray) -> np.ndarray:
        return theirs.floats(points) - subject.floats(points)

    found: list[tuple[Largest, int, int]] = []
    (low, high), stop_at = subject.ends, stop_after(share)
    first = bounds_on(net, low[None], high[None])
    tops = {1: first.high[0], -1: -first.low[0]}
    asked = [(output, sign) for output in subject.outputs for sign in (1, -1)]
    asked.sort(key=lambda a: -tops[a[1]][a[0]])
    for number, (output, sign) in enumerate(asked):
        row = sign * np.eye(network.out_dim)[output]
        function = Combination(net, floats, row)
        best = max((f.value for f, _, _ in found), default=0.0)
        threshold = _below(limit) if limit is not None else best or None
        top = float(tops[sign][output])
        if found and (is_over(stop_at) or (threshold is not None and top <= threshold)):
            found.append((Largest(top, -inf, low), output, sign))
            continue
        stop = stop_after(share / (len(asked) - number))
        ends = low[None], high[None]
        start, _ = climbed(function, *subject.inner, seed=subject.seed)
        search = largest(
            *(function, *ends),
            stop_at=stop,
            share=CLOSE,
            threshold=threshold,
            start=start,
        )
        if limit is None and best and best < search.value:
            search = largest(function, *ends, stop_at=stop, share=CLOSE, start=start)
        found.append((search, output, sign))
    return _summed(subject, other, found, limit)


def _by_regions(subject: Subject, other: Network, limit: fmpq | None) -> Apart | None:
    """Exact, where the regions of both together are few."""
    try:
        apart = add(other, scale(subject.network, -1))
    except HypothesisError:
        return None
    both = replace(subject, network=apart)
    if both.regions is None:
        return None
    found = [range_by_regions(both, output) for output in subject.outputs]
    ends = [(end, r.output) for r in found for end in (r.least, r.largest)]
    end, output = max(ends, key=lambda e: abs(_exact(e[0])))
    value = abs(_exact(end))
    return Apart(exactly(value), end.point, output, limit)


def _exact(end: End) -> fmpq:
    assert end.value.lower is not None
    return end.value.lower


def _together(first: Network, second: Network) -> Followed:
    """second - first: neuron by neuron for one depth, else side by side.

    Raises:
        HypothesisError: units without bounds, or other ones in the same layer.
    """
    first, second = as_relu(first), as_relu(second)
    same = first.activations == second.activations
    if same and first.is_continuous and second.is_continuous:
        return difference(*paired(first, second))
    return followed(add(second, scale(first, -1)))


def _below(limit: fmpq) -> float:
    near = nearest_float(limit)
    return near if rational(near) <= limit else float(np.nextafter(near, -np.inf))


def _summed(
    subject: Subject,
    other: Network,
    found: list[tuple[Largest, int, int]],
    limit: fmpq | None,
) -> Apart:
    """The largest of all, with the exact difference at the best point seen."""
    search, output, _ = max(found, key=lambda f: f[0].value)
    point = subject.point(search.point)
    theirs = replace(subject, network=other)
    a, b = subject.value(point, output), theirs.value(point, output)
    seen = max(b.lower - a.upper, a.lower - b.upper, fmpq(0))
    upper = max(f.upper for f, _, _ in found)
    bound = max(rational(upper), seen) if np.isfinite(upper) else None
    return Apart(Between(seen, bound), point, output, limit)
