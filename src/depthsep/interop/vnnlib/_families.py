"""Graded families of instances, each from a construction and its certificate."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.constructions import product_network
from depthsep.evidence import Certificate, Source
from depthsep.interop.vnnlib._certified import built, certified, in_singles
from depthsep.interop.vnnlib._instances import (
    Instance,
    Point,
    Property,
    range_on,
    rounded_away,
    single,
    single_from,
)
from depthsep.laws import Box, Segment
from depthsep.networks import Network, add, scale
from depthsep.problems import Problem

Sides = tuple[tuple[fmpq, fmpq], ...]
PRODUCT = Source("telgarsky2023", "Corollary 4.3")
UNIT: Sides = ((fmpq(0), fmpq(1)),)


@dataclass(frozen=True)
class Group:
    """Instances of one network, and the certificates that its construction has."""

    instances: tuple[Instance, ...]
    certificates: dict[str, Certificate]


def sawtooth(level: int) -> Group:
    """Oscillation: D^(3 level) reaches 1 on every tooth, and 1/2 not near its zeros."""
    k = 3 * level
    problem = Problem(f"sawtooth:{k}", Segment(0, 1), "linf", fmpq(1, 1 << 10))
    name = f"sawtooth-{k}"
    made = built(problem, depth=k + 1)
    margin, tooth = fmpq(1, 1 << (level + 2)), fmpq(1, 1 << k)
    zero = 2 * ((1 << k) // 6) * tooth
    near = ((zero - tooth / 2, zero + tooth / 2),)
    wider = ((zero - tooth * 3 / 4, zero + tooth * 3 / 4),)
    maker = _Maker(
        name,
        made.network,
        "the certificate of the network says that the network is "
        f"exactly D^{k}: the tent map D applied {k} times",
    )
    instances = (
        maker.holds("everywhere-at-most-1", UNIT, margin, "above"),
        maker.broken("reaches-1", UNIT, margin, "above"),
        maker.holds("half-a-tooth", near, margin, "above"),
        maker.broken("more-than-half-a-tooth", wider, margin, "above"),
    )
    return Group(instances, {name: made.certificate})


def product(level: int) -> Group:
    """A product that is 0 on both axes, and not beside them."""
    name = f"product-{level}"
    error = fmpq(1, 1 << (2 * level + 4))
    side = Segment(-1, 1)
    problem = Problem("product", Box((side, side)), "linf", error)
    made = certified(problem, product_network(level), PRODUCT)
    one, zero = fmpq(1), fmpq(0)
    axes = {"x": ((-one, one), (zero, zero)), "y": ((zero, zero), (-one, one))}
    beside = ((-one, one), (zero, fmpq(1, 1 << (level + 1))))
    square = ((-one, one), (-one, one))
    proof = (
        f"the certificate says that the network is within {error} of "
        "the product of its inputs"
    )
    maker = _Maker(name, made.network, proof)
    instances = (
        *(maker.holds(f"zero-on-{x}", axes[x], error, "both") for x in axes),
        maker.broken("beside-the-axis", beside, error, "both"),
        maker.holds("at-most-1", square, error, "both"),
        maker.broken("reaches-1", square, error, "both"),
    )
    return Group(instances, {name: made.certificate})


def error(level: int) -> Group:
    """Sup error: a coarse and a fine network for x^2 are close to each other."""
    coarse, fine = (fmpq(1, 1 << (2 * level + k)) for k in (1, 5))
    accuracy = coarse + fine
    shallow, deep = (
        built(Problem("square", Segment(0, 1), "linf", e), depth=depth)
        for e, depth in ((coarse, 2), (fine, level + 3))
    )
    name = f"square-error-{level}"
    apart = add(deep.network, scale(shallow.network, -1))
    proof = (
        "the network is the difference of two networks whose certificates say that "
        f"these networks are within {fine} and {coarse} of x^2"
    )
    maker = _Maker(name, in_singles(apart), proof)
    beyond = rounded_away(accuracy * 33 / 32, upward=True)
    worst = Property(UNIT, -beyond, beyond)
    part = ((fmpq(1, 4), fmpq(1, 2)),)
    instances = (
        maker.given("by-the-certificates", worst),
        maker.holds("tight", UNIT, accuracy / 16, "both"),
        maker.broken("too-tight", UNIT, accuracy / 16, "both"),
        maker.holds("tight-on-a-part", part, accuracy / 64, "both"),
    )
    found = {f"{name}-shallow": shallow.certificate, f"{name}-deep": deep.certificate}
    return Group(instances, found)


def ranged(name: str, network: Network, problem: Problem, levels: range) -> Group:
    """The range of a certified network on nested boxes, with shrinking margins."""
    proof = (
        f"the certified {problem.norm} error of the network is at most "
        f"{problem.accuracy}"
    )
    maker = _Maker(name, network, proof)
    instances = []
    for level in levels:
        box = tuple(_shrunk(side, levels.stop - 1 - level) for side in problem.sides)
        margin = problem.accuracy / (1 << level)
        instances.append(maker.holds(f"range-{level}", box, margin, "both"))
        instances.append(maker.broken(f"beyond-{level}", box, margin, "both"))
    return Group(tuple(instances), {})


FAMILIES: dict[str, Callable[[int], Group]] = {
    "sawtooth": sawtooth,
    "product": product,
    "error": error,
}


@dataclass(frozen=True)
class _Maker:
    """Instances about one network."""

    name: str
    network: Network
    proof: str

    def holds(self, what: str, box: Sides, margin: fmpq, side: str) -> Instance:
        """Limits a margin beyond the extreme values: no counterexample."""
        low, high, count = self._range(box)
        above = rounded_away(high + margin, upward=True)
        below = rounded_away(low - margin, upward=False)
        limits = Property(box, below if side == "both" else None, above)
        gap = above - high if side == "above" else min(above - high, low - below)
        return self._instance(what, limits, None, gap, count)

    def broken(self, what: str, box: Sides, margin: fmpq, side: str) -> Instance:
        """A limit a margin inside the extreme values: a counterexample."""
        found = range_on(self.network, box)
        assert found is not None
        witness = self._near(found.largest_at, box)
        value = self.network(witness)[0]
        above = rounded_away(value - margin, upward=False)
        below = None
        if side == "both":
            below = rounded_away(found.least - margin, upward=False)
        limits = Property(box, below, above)
        return self._instance(what, limits, witness, value - above, found.regions)

    def given(self, what: str, limits: Property) -> Instance:
        """Limits that are known to hold."""
        low, high, count = self._range(limits.box)
        assert limits.above is not None and limits.below is not None
        gap = min(limits.above - high, low - limits.below)
        return self._instance(what, limits, None, gap, count)

    def _range(self, box: Sides) -> tuple[fmpq, fmpq, int]:
        found = range_on(self.network, box)
        assert found is not None
        return found.least, found.largest, found.regions

    def _near(self, point: Point, box: Sides) -> Point:
        """A float32 point of the box; on a side without room, the side itself."""
        free = iter(point)
        near = []
        for a, b in box:
            x = a if a == b else min(max(single(next(free)), a), b)
            near.append(x)
        return tuple(near)

    def _instance(
        self,
        what: str,
        limits: Property,
        witness: Point | None,
        margin: fmpq,
        count: int,
    ) -> Instance:
        how = (
            "a witness was evaluated exactly"
            if witness
            else "all regions were examined exactly"
        )
        return Instance(
            f"{self.name}-{what}",
            self.name,
            self.network,
            limits,
            witness,
            margin,
            count,
            f"{how}; {self.proof}",
        )


def _shrunk(side: Segment, halvings: int) -> tuple[fmpq, fmpq]:
    """A part of a side, halved so often about a third of the way in, in float32."""
    length = side.length / (1 << halvings)
    start = side.start + (side.length - length) / 3
    low = single_from(start, upward=True)
    high = single_from(start + length, upward=False)
    if low >= high:
        raise HypothesisError(
            f"the interval [{side.start}, {side.stop}] of an input is "
            "too short for float32; give a longer one"
        )
    return low, high


def graded(families: list[str], levels: range) -> Iterator[Group]:
    """All groups asked for, one after another."""
    for family in families:
        for level in levels:
            yield FAMILIES[family](level)
