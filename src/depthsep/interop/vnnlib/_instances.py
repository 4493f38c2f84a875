"""Properties of networks, their answers, and the check of both in rationals."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import CertificationError, HypothesisError
from depthsep.analysis.regions import Extremes, extremes
from depthsep.exact import nearest_float, rational
from depthsep.laws import Box, Segment
from depthsep.networks import Network, restrict

Point = tuple[fmpq, ...]
MOST = 1 << 20  # regions that are looked at
BITS = 20  # of a threshold: exact in float32, and short in decimal


@dataclass(frozen=True)
class Property:
    """On a box, the one output stays strictly between two limits.

    Attributes:
        box: (low, high) of every input; the two may be equal.
        below, above: a counterexample has an output <= below or >= above.
    """

    box: tuple[tuple[fmpq, fmpq], ...]
    below: fmpq | None
    above: fmpq | None

    def __post_init__(self) -> None:
        if self.below is None and self.above is None:
            raise HypothesisError("a property needs a limit: below, above or both")
        if not self.box or any(low > high for low, high in self.box):
            raise HypothesisError(
                "a property needs a box with at least one input, each with low <= high"
            )

    def is_broken_by(self, point: Point, value: fmpq) -> bool:
        """Whether a point of the box with this output is a counterexample."""
        if any(not a <= x <= b for x, (a, b) in zip(point, self.box, strict=True)):
            return False
        low = self.below is not None and value <= self.below
        return low or (self.above is not None and value >= self.above)


@dataclass(frozen=True)
class Instance:
    """A network, a property, and the answer.

    Attributes:
        name: unique in a folder; `network_name` is shared by instances of one network.
        network: as it is written, weight for weight.
        wanted: the property.
        witness: a counterexample, exact in float32; None if there is none at all.
        margin: how far the threshold is from the extreme value of the output (or of the
            value at the witness): less is harder.
        regions: activation regions on the box: more is harder.
        proof: why the answer is right, in words.
    """

    name: str
    network_name: str
    network: Network
    wanted: Property
    witness: Point | None
    margin: fmpq
    regions: int
    proof: str

    @property
    def answer(self) -> str:
        """``unsat``: no counterexample, the property holds; ``sat``: there is one."""
        return "unsat" if self.witness is None else "sat"


def range_on(network: Network, box: tuple[tuple[fmpq, fmpq], ...]) -> Extremes | None:
    """Exact extremes on a box, in its free directions; None if it is a point."""
    free = [k for k, (a, b) in enumerate(box) if a < b]
    if not free:
        return None
    sides = [Segment(*box[k]) for k in free]
    chosen = network if len(free) == len(box) else _slice(network, box, free)
    domain = sides[0] if len(free) == 1 else Box(sides)
    return extremes(chosen, domain, most=MOST)


def check_instance(instance: Instance) -> None:
    """Derive the answer again from the network and the property alone.

    Raises:
        CertificationError: it is wrong.
    """
    network, wanted = instance.network, instance.wanted
    if instance.witness is not None:
        (value,) = network(instance.witness)
        if not wanted.is_broken_by(instance.witness, value):
            raise CertificationError(
                f"{instance.name}: the witness is not a counterexample"
            )
        return
    found = range_on(network, wanted.box)
    if found is None:
        least = largest = network([a for a, _ in wanted.box])[0]
    else:
        least, largest = found.least, found.largest
    if (wanted.below is not None and least <= wanted.below) or (
        wanted.above is not None and largest >= wanted.above
    ):
        raise CertificationError(f"{instance.name}: there is a counterexample")


def single(x: fmpq) -> fmpq:
    """The nearest float32, as a rational."""
    return rational(float(np.float32(nearest_float(x))))


def single_from(x: fmpq, *, upward: bool) -> fmpq:
    """The nearest float32 that is not below (or not above) x."""
    near = np.float32(nearest_float(x))
    if (rational(float(near)) < x) if upward else (rational(float(near)) > x):
        near = np.nextafter(near, np.float32(np.inf if upward else -np.inf))
    return rational(float(near))


def rounded_away(x: fmpq, *, upward: bool) -> fmpq:
    """A dyadic number of `BITS` bits, not below (or not above) x."""
    if x == 0:
        return x
    shift = BITS - (int(abs(x).p).bit_length() - int(x.q).bit_length())
    unit = fmpq(2) ** shift
    scaled = x * unit
    return fmpq(scaled.ceil() if upward else scaled.floor()) / unit


def _slice(
    network: Network, box: tuple[tuple[fmpq, fmpq], ...], free: list[int]
) -> Network:
    base = [fmpq(0) if k in free else a for k, (a, _) in enumerate(box)]
    directions = [[fmpq(int(j == k)) for j in range(len(box))] for k in free]
    return restrict(network, base, *directions)
