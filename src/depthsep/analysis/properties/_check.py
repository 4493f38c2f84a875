r"""Whether inequalities can hold at once in a box: no, yes with a witness, or open.

Each inequality row <= 0 fails on a box where the row's lower bound is above 0. So the
least of the rows' bounds from below, negated, is a function whose largest value is
searched: below 0 everywhere, the case is impossible.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep._deadline import deadline
from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._climb import climbed
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._search import (
    AbstractBounded,
    Cuts,
    OnBoxes,
    largest,
)
from depthsep.analysis.facts._subject import Side, Subject, exact_floats, stop_after
from depthsep.analysis.properties._linear import Case, Linear, dense
from depthsep.exact import nearest_float
from depthsep.networks import Network

HOLDS, VIOLATED, OPEN = "holds", "violated", "not decided"
NEGATIVE = -5e-324
ZERO = fmpq(0)
SECONDS = 60.0

Point = tuple[fmpq, ...]


@dataclass(frozen=True)
class Witness:
    """An input that breaks the property, and the outputs there.

    Attributes:
        outputs: exact, or the middle of a narrow ball.
        single: whether all inputs are float32 numbers.
    """

    point: Point
    outputs: tuple[fmpq, ...]
    single: bool


@dataclass(frozen=True, eq=False)
class Tree:
    """How the box of a case was cut: on every part an inequality is impossible."""

    low: np.ndarray
    high: np.ndarray
    cuts: Cuts


@dataclass(frozen=True)
class Checked:
    """The answer about a property.

    Attributes:
        answer: holds, violated, or not decided.
        boxes: how many were bounded.
        bound: how far the worst box is from a proof: rows are proved above minus this.
        open_cases: numbers of cases that are not decided.
        trees: of every case, where the property holds.
    """

    answer: str
    witness: Witness | None = None
    boxes: int = 0
    bound: float = 0.0
    cases: int = 0
    open_cases: tuple[int, ...] = ()
    trees: tuple[Tree, ...] = field(default=(), repr=False)


def check(
    network: Network,
    cases: tuple[Case, ...],
    *,
    seconds: float = SECONDS,
    told: Callable[[int], None] = lambda number: None,
) -> Checked:
    """Whether no case can hold; any witness is confirmed in exact arithmetic.

    Args:
        told: called with the number of each case before it is looked at.

    Raises:
        HypothesisError: inputs that do not fit, or units without bounds.
    """
    boxes, open_, worst, trees = 0, list[int](), 0.0, list[Tree]()
    with np.errstate(all="ignore"), deadline(seconds):
        for number, case in enumerate(cases):
            told(number)
            share = 1 / (len(cases) - number)
            found = _check_case(network, case, share)
            boxes += found.boxes
            trees += found.trees
            if found.answer == VIOLATED:
                return Checked(VIOLATED, found.witness, boxes, 0.0, len(cases))
            if found.answer == OPEN:
                open_.append(number)
                worst = max(worst, found.bound)
    answer = OPEN if open_ else HOLDS
    kept = () if len(trees) < len(cases) else tuple(trees)
    return Checked(answer, None, boxes, worst, len(cases), tuple(open_), kept)


def _check_case(network: Network, case: Case, share: float) -> Checked:
    if len(case.box) != network.in_dim:
        raise HypothesisError(
            f"the property has {plural(len(case.box), 'input')}, the network "
            f"{network.in_dim}; these must agree"
        )
    most = max((k for row in case.rows for k in row.outputs), default=0)
    if most >= network.out_dim:
        raise HypothesisError(
            f"the property names output {most}, counted from 0, but the "
            f"network has only {plural(network.out_dim, 'output')}"
        )
    subject = Subject(network, tuple(Side(a, b) for a, b in case.box), ())
    rows = Rows(subject.net, network, tuple(row.scaled() for row in case.rows))
    found = _drawn(subject, rows, case)
    if found is not None:
        return Checked(VIOLATED, found)
    if not case.rows:
        return Checked(OPEN, None, 1, float("inf"))
    first = _searched(subject, case, rows, share / 4)
    if first.answer != OPEN:
        return first
    # what is decided by a hair takes exact numbers
    exact = _by_regions(subject, case)
    if exact is not None:
        return replace(exact, boxes=first.boxes)
    return _searched(subject, case, rows, share)


def _searched(subject: Subject, case: Case, rows: "Rows", share: float) -> Checked:
    """By branch and bound."""
    (low, high), cuts = subject.ends, Cuts()
    search = largest(
        *(rows, low[None], high[None]),
        stop_at=stop_after(share),
        threshold=NEGATIVE,
        cuts=cuts,
    )
    if search.upper < 0:
        return Checked(HOLDS, None, search.boxes, trees=(Tree(low, high, cuts),))
    if search.value >= 0:
        witness = confirmed(subject, case, search.point)
        if witness is not None:
            return Checked(VIOLATED, witness, search.boxes)
    return Checked(OPEN, None, search.boxes, max(search.upper, 0.0))


def _by_regions(subject: Subject, case: Case) -> Checked | None:
    """Exact for one inequality and few regions: a corner takes the least value."""
    if len(case.rows) != 1 or subject.regions is None:
        return None
    vertices = subject.corners
    row = case.rows[0]
    outputs = {k: vertices.outputs(k) for k in row.outputs}
    for number in range(vertices.count):
        point = vertices.point(number)
        values = {k: values[number] for k, values in outputs.items()}
        value = row.constant + sum((v * point[k] for k, v in row.inputs.items()), ZERO)
        value += sum((v * values[k] for k, v in row.outputs.items()), ZERO)
        if value < 0 or (value == 0 and not row.strict):
            every = subject.network(point)
            return Checked(VIOLATED, Witness(point, every, False))
    return Checked(HOLDS)


@dataclass(frozen=True, eq=False)
class Rows(AbstractBounded):
    """minus the largest of the rows: at least 0 where all inequalities hold."""

    net: Followed  # pyrefly: ignore[bad-override] (frozen)
    network: Network
    rows: tuple[Linear, ...]

    @cached_property
    def factors(self) -> tuple[np.ndarray, ...]:
        """(rows, outputs), (rows, inputs), (rows,) floats, and their doubts."""
        y = [dense(row.outputs, self.network.out_dim) for row in self.rows]
        x = [dense(row.inputs, self.network.in_dim) for row in self.rows]
        constants = [dense({0: row.constant}, 1) for row in self.rows]
        return tuple(
            np.array([pair[k] for pair in pairs])
            for pairs in (y, x, constants)
            for k in (0, 1)
        )

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        """The row that is furthest above 0 decides about a box."""
        y, dy, x, dx, c, dc = self.factors
        found = bounds_on(self.net, low, high, y, x)
        sizes = np.maximum(np.abs(low), np.abs(high))
        doubt = sizes @ dx.T + dc[:, 0] + 2.0**-50 * np.abs(c[:, 0])
        if dy.any():
            doubt = doubt + found.sizes @ dy.T
        bottom = (found.low + c[:, 0]) - doubt * (1 + 2.0**-40)
        bottom -= 2.0**-50 * np.abs(bottom)
        best = bottom.argmax(axis=1)
        chosen = np.arange(len(low))
        slopes = np.nan_to_num(found.slopes[chosen, best])
        points = np.where(slopes < 0, high, low)
        scores = np.abs(slopes) * (high - low)
        return OnBoxes(-bottom[chosen, best], scores, points)

    def at(self, points: np.ndarray) -> np.ndarray:
        y, _, x, _, c, _ = self.factors
        with np.errstate(all="ignore"):
            values = self.network.floats(points) @ y.T + points @ x.T + c[:, 0]
        return -np.nan_to_num(values, nan=np.inf).max(axis=1)


def _drawn(subject: Subject, rows: Rows, case: Case) -> Witness | None:
    """A witness among random points that climb, if one is found."""
    if not case.rows:
        return confirmed(subject, case, subject.drawn(1)[0])
    low, high = subject.inner
    points, values = climbed(rows, low, high, seed=subject.seed, enough=0.0)
    for point, value in zip(points[:4], values[:4].tolist(), strict=True):
        witness = confirmed(subject, case, point) if value >= 0 else None
        if witness is not None:
            return witness
    return None


def confirmed(subject: Subject, case: Case, point: np.ndarray) -> Witness | None:
    """The point, or better a float32 point near it, if all inequalities hold there."""
    with np.errstate(over="ignore"):
        single = point.astype(np.float32).astype(np.float64)
    for floats, is_single in ((single, True), (point, False)):
        if not np.isfinite(floats).all():
            continue
        x = exact_floats(floats)
        inside = all(a <= v <= b for v, (a, b) in zip(x, case.box, strict=True))
        if not inside:
            continue
        y = [subject.value(x, k) for k in range(subject.network.out_dim)]
        if all(row.is_met(x, y) for row in case.rows):
            middles = tuple((v.lower + v.upper) / 2 for v in y)
            return Witness(x, middles, is_single)
    return None


def float32_outputs(network: Network, point: Point) -> list[float]:
    """What float32 arithmetic says there, layer by layer."""
    x = np.array([nearest_float(v) for v in point], np.float32)
    for layer, activation in zip(network.layers, network.activations, strict=False):
        weight, bias = (a.astype(np.float32) for a in layer.as_floats)
        x = activation.floats(weight @ x + bias).astype(np.float32)
    weight, bias = (a.astype(np.float32) for a in network.layers[-1].as_floats)
    return [float(v) for v in weight @ x + bias]
