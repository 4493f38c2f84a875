"""Quadratics of several variables: folds of every form, and one unit for their sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._ridge_forms import Shape, as_ridges
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import least, nearest_float, total
from depthsep.laws import Box
from depthsep.networks import Circuit, Network, Wire
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, Polynomial

WIDEST = 1 << 20
Bases = tuple[tuple[int, ...], ...]  # of every layer, for every form


@dataclass(frozen=True)
class _Ridge:
    """bend t^2 + ..., where t = slopes . x + start goes from 0 to 1 on the box."""

    slopes: tuple[fmpq, ...]
    start: fmpq
    bend: fmpq


@dataclass(frozen=True)
class _Sum:
    """tilts . t + level - sum_k bend_k t_k (1 - t_k).

    Attributes:
        ridges: the ones that bend first.
        bent: how many do.
    """

    ridges: tuple[_Ridge, ...]
    tilts: tuple[fmpq, ...]
    level: fmpq
    bent: int

    def error(self, bases: Bases) -> fmpq:
        """In the sup norm, each part moved by half of what it is off."""
        counts = (prod(layer[k] for layer in bases) for k in range(self.bent))
        return total(
            abs(r.bend) / (8 * n * n) for r, n in zip(self.ridges, counts, strict=False)
        )


def _as_sum(shapes: Sequence[Shape], constant: fmpq, box: Box) -> _Sum:
    ridges, tilts, level = [], [], constant
    for shape in sorted(
        shapes, key=lambda s: len(s.coefficients) < 3 or s.coefficients[2] == 0
    ):
        direction = [fmpq(w) for w in shape.direction]
        low, high = box.range_of(direction)
        length = high - low
        c0, c1, c2 = (*shape.coefficients, fmpq(0), fmpq(0))[:3]
        ridges.append(
            _Ridge(tuple(w / length for w in direction), -low / length, c2 * length**2)
        )
        # c2 u^2 + c1 u + c0 at u = low + length t, t^2 = t - t (1 - t)
        tilts.append(length * (c1 + 2 * c2 * low) + c2 * length**2)
        level += c0 + low * (c1 + c2 * low)
    bent = sum(r.bend != 0 for r in ridges)
    return _Sum(tuple(ridges), tuple(tilts), level, bent)


def _shared(target: _Sum, width: int, layers: int) -> Bases | None:
    """Bases with which so wide layers do most; None where they do not suffice.

    The first of several layers has a unit for every fold, the last one a unit less for
    each form; all but the first hold the unit that carries the sum.
    """
    flat = len(target.ridges) - target.bent
    rooms = [width - (i > 0) for i in range(layers)]
    rooms[-1] += target.bent  # q - 1 kinks each
    if layers == 1:
        rooms[0] -= 1
    else:
        rooms[0] -= flat
    if min(rooms) < target.bent:
        return None
    sizes = [
        nearest_float(abs(r.bend)) ** (1 / (2 * layers + 1)) for r in target.ridges
    ]
    whole = sum(sizes[: target.bent])
    return tuple(_split(room, sizes[: target.bent], whole) for room in rooms)


def _split(room: int, sizes: Sequence[float], whole: float) -> tuple[int, ...]:
    """Whole numbers in these ratios, one at least, with this sum."""
    found = [max(1, int(room * size / whole)) for size in sizes]
    while sum(found) > room:
        found[found.index(max(found))] -= 1
    while sum(found) < room:
        k = max(range(len(found)), key=lambda k: sizes[k] / found[k])
        found[k] += 1
    return tuple(found)


def _widths(target: _Sum, bases: Bases) -> tuple[int, ...]:
    flat = len(target.ridges) - target.bent
    folds = [sum(layer) + (i > 0) for i, layer in enumerate(bases[:-1])]
    if folds:
        folds[0] += flat
    return (*folds, sum(q - 1 for q in bases[-1]) + 1)


@lru_cache(maxsize=64)
def _target(polynomial: Polynomial, box: Box) -> _Sum | None:
    shapes = as_ridges(polynomial)
    constant = polynomial.terms.get((0,) * polynomial.dim, fmpq(0))
    return None if shapes is None else _as_sum(shapes, constant, box)


def _network(target: _Sum, bases: Bases) -> Network:
    """All folds of a layer, and from the second layer on one unit for the sum.

    On v_j = relu(b y - j) the zigzag of b pieces is v_0 - 2 v_1 + 2 v_2 - ..., and b^2
    times the interpolant of y (1 - y) is (b - 1) v_0 - 2 v_1 - 2 v_2 - ...
    """
    circuit = Circuit(len(target.ridges[0].slopes))
    x = circuit.inputs
    values = [
        circuit.sum([w * xi for w, xi in zip(r.slopes, x, strict=True)]) + r.start
        for r in target.ridges
    ]
    # a bound of every partial sum, so that the unit that carries it is never off
    room = abs(target.level) + total(map(abs, target.tilts))
    room += 2 * total(abs(r.bend) for r in target.ridges)
    bends = [-r.bend for r in target.ridges[: target.bent]]
    carried = circuit.sum([a * t for a, t in zip(target.tilts, values, strict=True)])
    carried = carried + (target.level + room)
    for number, layer in enumerate(bases[:-1]):
        folds = [
            [circuit.relu(b * y - j) for j in range(b)]
            for b, y in zip(layer, values[: target.bent], strict=True)
        ]
        if number:
            total_so_far = circuit.relu(carried)
        else:  # t = relu(b t) / b, and relu(t) where nothing is folded
            now = [v[0] * fmpq(1, b) for v, b in zip(folds, layer, strict=True)]
            now += [circuit.relu(t) for t in values[target.bent :]]
            sums = [a * t for a, t in zip(target.tilts, now, strict=True)]
            total_so_far = circuit.sum(sums) + (target.level + room)
        steps = [
            (bend / b**2) * _bump(v, b, circuit)
            for bend, v, b in zip(bends, folds, layer, strict=True)
        ]
        carried = circuit.sum([total_so_far, *steps])
        bends = [bend / b**2 for bend, b in zip(bends, layer, strict=True)]
        values = [_zigzag(v, circuit) for v in folds]
    return circuit.network([_read_out(circuit, carried, values, bends, bases, room)])


def _read_out(
    circuit: Circuit,
    carried: Wire,
    values: Sequence[Wire],
    bends: Sequence[fmpq],
    bases: Bases,
    room: fmpq,
) -> Wire:
    """Kinks at j / q of the last zigzags; what is linear there joins the sum."""
    last, parts, shift = bases[-1], [carried], -room
    kinks = []
    for bend, y, q in zip(bends, values, last, strict=False):
        parts.append((bend * (q - 1) / q) * y)
        kinks += [(-2 * bend / q**2) * circuit.relu(q * y - j) for j in range(1, q)]
        shift += bend / (8 * q * q)
    return circuit.sum([circuit.relu(circuit.sum(parts)), *kinks]) + shift


def _zigzag(v: Sequence[Wire], circuit: Circuit) -> Wire:
    return circuit.sum([v[0], *((2 * (-1) ** j) * w for j, w in enumerate(v) if j)])


def _bump(v: Sequence[Wire], b: int, circuit: Circuit) -> Wire:
    return circuit.sum([(b - 1) * v[0], *(-2 * w for w in v[1:])])


def _evaluate(accuracy: fmpq, layers: int) -> Value:
    found = SharedFolds().prove(Problem("product", accuracy=accuracy), layers + 1)
    width = found.width if isinstance(found, Upper) else 0
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SharedFolds(AbstractConstruction):
    """A quadratic as a sum of squares of forms, which share one carried unit.

    Layers of widths sum_k b_1k, sum_k b_ik + 1, ..., sum_k (q_k - 1) + 1; one hidden
    layer has the kinks of every form and one unit for the affine part. The sup norm
    bounds l1 and l2.
    """

    statement: ClassVar[Statement] = Statement(
        "shared-folds",
        "Width that is enough for L hidden layers to approximate x1 x2 "
        "on [-1, 1]^2 in linf by shared folds",
        (
            (
                "the construction takes any quadratic with rational coefficients on "
                "any box: an affine function plus the sum over k of beta_k t_k^2, "
                "with t_k affine and from 0 to 1 on the box; hidden layer i < L folds "
                "each t_k with b_ik units, and hidden layer L has q_k - 1 units for it"
            ),
        ),
        Source("depthsep", "folded squares with one carried unit"),
        (Parameter("accuracy", "rational", "allowed error in linf"), LAYERS),
        _evaluate,
        sample="accuracy=1/1000 layers=2",
        tex=(
            r"\text{widths } \sum_k b_{1k}, \, \sum_k b_{ik} + 1, \, \ldots, \, "
            r"\sum_k (q_k - 1) + 1, \quad \text{error } \sum_k "
            r"\frac{\lvert \beta_k \rvert}{8 N_k^2}, "
            r"\quad N_k = b_{1k} \cdots b_{L-1,k} \, q_k"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for quadratics on a box",
        AbstractBoxTarget,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        polynomial = problem.target_as(AbstractBoxTarget).as_polynomial()
        if polynomial is None or polynomial.degree != 2:
            return self.scope.elsewhere
        target, layers = _target(polynomial, problem.law.box), depth - 1
        if target is None or not target.bent:
            return Inapplicable(
                "no way was found to write this polynomial as a sum of "
                "functions of few simple linear forms"
            )

        def is_enough(width: int) -> bool:
            bases = _shared(target, width, layers)
            return bases is not None and target.error(bases) <= problem.accuracy

        if not is_enough(WIDEST):
            return Inapplicable(
                f"shared folds need more than {WIDEST} units per layer, "
                "the most that are built; allow a larger error"
            )
        bases = _shared(target, least(is_enough, 0, WIDEST), layers)
        assert bases is not None  # it was enough
        return Upper(
            widths=_widths(target, bases),
            error=target.error(bases),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: _network(target, bases),
            in_dim=polynomial.dim,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("product", accuracy="1e-3"),
            Problem("poly:x1**2+x2**2-3*x1", accuracy="1e-2"),
            Problem("poly:x1*x2+2*x3**2-x1+x4", accuracy="1e-1"),
        ]
