"""Exact integrals of a network over a domain, simplex by simplex."""

from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis._distance import from_square
from depthsep.analysis.regions._complex import Complex
from depthsep.analysis.regions._domains import Domain, Point
from depthsep.analysis.regions._rational import RationalVertices
from depthsep.analysis.regions._regions import MOST_REGIONS, blocks
from depthsep.analysis.regions._simplices import simplices, volume
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import total
from depthsep.networks import Network, add, as_relu, scale

ZERO = fmpq(0)


@dataclass(frozen=True)
class Integrals:
    """Integrals of f over a domain (not means), all rational.

    Attributes:
        volume: of the domain, as the sum over all cells.
        integral, absolute, square: of f, |f| and f^2.
        largest: sup |f|.
    """

    volume: fmpq
    integral: fmpq
    absolute: fmpq
    square: fmpq
    largest: fmpq
    rigour: Rigour = Rigour.EXACT


def integrals(
    network: Network, on: Domain, *, output: int = 0, most: int = MOST_REGIONS
) -> Integrals:
    r"""The exact integrals of one output over an interval, a box or a polygon.

    On a simplex with values f_0, ..., f_n at its corners, f and f^2 have the means
    sum f_i / (n + 1) and ((sum f_i)^2 + sum f_i^2) / ((n + 1) (n + 2)); cells are cut
    at f = 0, so that |f| is affine too.

    Raises:
        HypothesisError, TooLargeError: as `regions`; an output that does not exist.
    """
    if not 0 <= output < network.out_dim:
        raise HypothesisError(f"output {output} of {network.out_dim} does not exist")
    terms, largest = [], ZERO
    for block in blocks(network, on, engine="rational", most=most):
        if network.depth > 1:
            block.vertices.next_level()
            block.start_level()
        block.cut(output)
        sums, top = _of_block(block, output)
        terms.append(sums)
        largest = max(largest, top)
    size, integral, absolute, square = map(total, zip(*terms, strict=True))
    return Integrals(size, integral, absolute, square, largest)


def network_distance(
    first: Network,
    second: Network,
    on: Domain,
    norm: str = "linf",
    *,
    most: int = MOST_REGIONS,
) -> Enclosure:
    """The exact distance of two ReLU networks of one output on a domain.

    l1 is a mean over the domain, l2 the root of a mean square; of an irrational root
    the square is exact.

    Raises:
        HypothesisError: an unknown norm, other units, several outputs, inputs that do
            not fit.
        TooLargeError: as `regions`.
    """
    if norm not in ("linf", "l1", "l2"):
        raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
    if first.out_dim != 1 or second.out_dim != 1:
        raise HypothesisError("a distance needs networks of one output each")
    apart = add(as_relu(first), scale(as_relu(second), -1))
    found = integrals(apart, on, most=most)
    if norm == "l2":
        return from_square(found.square / found.volume, Rigour.EXACT)
    size = found.largest if norm == "linf" else found.absolute / found.volume
    return Enclosure(size, size, Rigour.EXACT)


def _of_block(block: Complex, output: int) -> tuple[list[fmpq], fmpq]:
    """Volume, integrals of f, |f| and f^2, and sup |f|."""
    assert isinstance(block.vertices, RationalVertices)
    values = block.vertices.outputs(output)
    places = [block.vertices.point(v) for v in range(block.vertices.count)]
    parts = [
        _simplex([places[v] for v in corners], [values[v] for v in corners])
        for corners in simplices(block).vertices.tolist()
    ]
    sums = [total(column) for column in zip(*parts, strict=True)]
    return sums, max(abs(v) for v in values)


def _simplex(corners: list[Point], values: list[fmpq]) -> tuple[fmpq, ...]:
    """Volume, and the integrals of f, |f| and f^2; f does not change its sign."""
    size, n = volume(corners), len(values) - 1
    whole = sum(values, ZERO)
    squares = sum((v * v for v in values), ZERO)
    integral = size * whole / (n + 1)
    square = size * (whole * whole + squares) / ((n + 1) * (n + 2))
    return size, integral, abs(integral), square
