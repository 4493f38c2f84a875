"""How far two networks are apart on a box, and whether that is at most a number."""

from dataclasses import dataclass, replace

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.bounds._followed import Followed, difference, followed
from depthsep.analysis.bounds._paired import paired
from depthsep.analysis.bounds._values import Combinations
from depthsep.analysis.facts._between import Between, exactly
from depthsep.analysis.facts._ranges import End, range_by_regions
from depthsep.analysis.facts._subject import (
    Subject,
    point_words,
)
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.regions.cells._domains import Point
from depthsep.exact import float_above, rational, readable, text
from depthsep.networks import Network, add, as_relu, scale

YES, NO, OPEN = "yes", "no", "not decided"
CLOSE = 1e-3


@dataclass(frozen=True)
class Distance(AbstractFact):
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


def distance(
    subject: Subject, other: Network, limit: fmpq | None, share: float
) -> Distance:
    """Exact over the regions of both; else by branch and bound that carries both.

    Raises:
        HypothesisError: other inputs or outputs, or units without bounds.
    """
    network = subject.network
    if (other.in_dim, other.out_dim) != (network.in_dim, network.out_dim):
        raise HypothesisError(
            f"the networks have {network.in_dim} and {other.in_dim} inputs, "
            f"{network.out_dim} and {other.out_dim} outputs; these must agree",
            parameter="against",
        )
    if other == network:
        (start, *_), point = subject.outputs, subject.point(subject.inner[0])
        return Distance(exactly(fmpq(0)), point, start, limit)
    exact = _by_regions(subject, other, limit)
    return exact or _by_bounds(subject, replace(subject, network=other), limit, share)


def _by_regions(
    subject: Subject, other: Network, limit: fmpq | None
) -> Distance | None:
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
    return Distance(exactly(value), end.point, output, limit)


def _exact(end: End) -> fmpq:
    assert end.value.lower is not None
    return end.value.lower


def _by_bounds(
    subject: Subject, theirs: Subject, limit: fmpq | None, share: float
) -> Distance:
    """The largest of all outputs and both signs in one search."""

    def floats(points: np.ndarray) -> np.ndarray:
        return theirs.floats(points) - subject.floats(points)

    rows = np.stack([subject.row(output) for output in subject.outputs])
    net = _together(subject.network, theirs.network)
    function = Combinations(net, floats, np.concatenate([rows, -rows]))
    threshold = None if limit is None else -float_above(-limit)
    found = subject.largest(function, share, CLOSE, threshold)
    point = subject.point(found.point)
    seen = {output: _seen(subject, theirs, point, output) for output in subject.outputs}
    output = max(seen, key=seen.__getitem__)
    upper = rational(found.upper) if np.isfinite(found.upper) else None
    return Distance(Between(seen[output], upper), point, output, limit)


def _seen(subject: Subject, theirs: Subject, point: Point, output: int) -> fmpq:
    """How far the outputs are apart there, at least."""
    a, b = subject.value(point, output), theirs.value(point, output)
    return max(b.lower - a.upper, a.lower - b.upper, fmpq(0))


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
