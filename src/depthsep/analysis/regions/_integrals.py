"""Exact integrals of a network over a domain, simplex by simplex."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.analysis.regions._regions import MOST_REGIONS, blocks
from depthsep.analysis.regions.cells._complex import Complex
from depthsep.analysis.regions.cells._domains import Domain
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.analysis.regions.cells._simplices import determinants, simplices
from depthsep.approximation import from_square
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import total
from depthsep.networks import Network, add, as_relu, check_output, scale

ZERO = fmpq(0)
AT_ONCE = 4096  # simplices
PRECISION = 256
Quotients = tuple[np.ndarray, np.ndarray]  # tops and bottoms, Python's integers


@dataclass(frozen=True)
class Integrals:
    """Integrals of f over a domain (not means).

    Attributes:
        volume: of the domain, as the sum over all cells.
        integral, absolute, square: of f, |f| and f^2.
        largest: sup |f|.
    """

    volume: Enclosure
    integral: Enclosure
    absolute: Enclosure
    square: Enclosure
    largest: fmpq


def integrals(
    network: Network,
    on: Domain,
    *,
    output: int = 0,
    exact: bool = True,
    most: int = MOST_REGIONS,
    seconds: float = math.inf,
) -> Integrals:
    r"""The exact integrals of one output over an interval, a box or a polygon.

    They are rationals of many digits where there are many regions; to add them up in
    balls instead is faster, and encloses them to about 70 digits.

    On a simplex with values f_0, ..., f_n at its corners, f and f^2 have the means
    sum f_i / (n + 1) and ((sum f_i)^2 + sum f_i^2) / ((n + 1) (n + 2)); cells are cut
    at f = 0, so that |f| is affine too.

    Raises:
        HypothesisError, TooLargeError: as `regions`; an output that does not exist.
    """
    check_output(network, output)
    terms, largest = [], ZERO
    add_up = _exactly if exact else _in_balls
    for block in blocks(network, on, engine="rational", most=most, seconds=seconds):
        if network.depth > 1:
            block.vertices.next_level()
            block.start_level()
        block.cut(output)
        assert isinstance(block.vertices, RationalVertices)
        for parts in _of_block(block, output):
            terms.append([add_up(*part) for part in parts])
        largest = max(largest, *map(abs, block.vertices.outputs(output)))
    sums = zip(*terms, strict=True)
    size, integral, absolute, square = map(_whole if exact else _ball, sums)
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
        return from_square(found.square.upper / found.volume.upper, Rigour.EXACT)
    mean = found.absolute.upper / found.volume.upper
    size = found.largest if norm == "linf" else mean
    return Enclosure(size, size, Rigour.EXACT)


def _of_block(block: Complex, output: int) -> Iterator[list[Quotients]]:
    """Some thousand simplices at a time; f keeps its sign on each."""
    assert isinstance(block.vertices, RationalVertices)
    rows = block.vertices.rows.astype(object)
    corners = simplices(block).vertices
    for first in range(0, len(corners), AT_ONCE):
        check_time()
        yield _of_simplices(rows, corners[first : first + AT_ONCE], output)


def _of_simplices(
    rows: np.ndarray, corners: np.ndarray, output: int
) -> list[Quotients]:
    """Volumes, integrals of f, |f| and f^2 of simplices."""
    n = corners.shape[1] - 1
    points = rows[corners][:, :, : n + 1]
    q, z = points[:, :, 0], rows[corners, n + 1 + output]
    others = _products_of_others(q)
    bottom = q[:, 0] * others[:, 0]
    size, terms = abs(determinants(points)), z * others
    sums = terms.sum(axis=1)
    squares = sums**2 + (terms**2).sum(axis=1)
    unit = math.factorial(n)
    return [
        (size, bottom * unit),
        (size * sums, bottom**2 * (unit * (n + 1))),
        (size * abs(sums), bottom**2 * (unit * (n + 1))),
        (size * squares, bottom**3 * (unit * (n + 1) * (n + 2))),
    ]


def _exactly(tops: np.ndarray, bottoms: np.ndarray) -> fmpq:
    pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
    return total(fmpq(a, b) for a, b in pairs)


def _in_balls(tops: np.ndarray, bottoms: np.ndarray) -> arb:
    pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
    with ctx.workprec(PRECISION):
        return sum((arb(fmpz(a)) / fmpz(b) for a, b in pairs), arb(0))


def _whole(sums: Sequence[fmpq]) -> Enclosure:
    found = total(sums)
    return Enclosure(found, found, Rigour.EXACT)


def _ball(sums: Sequence[arb]) -> Enclosure:
    with ctx.workprec(PRECISION):
        return enclosure(sum(sums, arb(0)))


def _products_of_others(q: np.ndarray) -> np.ndarray:
    """Of rows q_0, ..., q_n: prod_{j != i} q_j at place i."""
    places = range(q.shape[1])
    columns = [np.prod(np.delete(q, i, axis=1), axis=1) for i in places]
    return np.stack(columns, axis=1)
