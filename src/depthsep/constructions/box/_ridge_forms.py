"""Few directions along which a polynomial is a sum of functions of one variable."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import gcd, lcm

import numpy as np
from flint import fmpq, nmod_mat

from depthsep.targets import (
    Polynomial,
    homogeneous_part,
    power_coefficients,
    power_equations,
)

Direction = tuple[int, ...]
MAX_CANDIDATES = 400
LARGEST_ENTRY = 4
PRIME = 2**31 - 1  # products of two residues fit into 64 bits


@dataclass(frozen=True)
class Shape:
    """q(direction . x), q with these coefficients, constant first."""

    direction: Direction
    coefficients: tuple[fmpq, ...]


def as_ridges(polynomial: Polynomial) -> list[Shape] | None:
    """The polynomial without its constant as a sum of ridges.

    Few directions, by elimination from simple candidates. Linear terms join
    them where they span these, else they get a direction of their own. None: too many
    directions would be needed.
    """
    degree = polynomial.degree
    powers = [k for k in range(2, degree + 1) if homogeneous_part(polynomial, k)]
    directions = _spanning(polynomial, powers)
    if directions is None:
        return None
    directions = _fewest(polynomial, directions, powers)
    linear = homogeneous_part(polynomial, 1)
    if linear and power_coefficients(directions, linear, 1) is None:
        directions = [*directions, _gradient(linear, polynomial.dim)]
    directions = directions or [(1,) + (0,) * (polynomial.dim - 1)]
    columns = [[fmpq(0)] * len(directions)] + [
        power_coefficients(directions, homogeneous_part(polynomial, k), k) or []
        for k in range(1, max(degree, 1) + 1)
    ]
    shapes = zip(*columns, strict=True)
    return [Shape(w, tuple(s)) for w, s in zip(directions, shapes, strict=True)]


def _fewest(
    polynomial: Polynomial, candidates: list[Direction], powers: list[int]
) -> list[Direction]:
    """Drop what is not needed, the simple ones first or last: what leaves fewer."""
    found = [candidates]
    order = range(len(candidates))
    for chosen in (order, reversed(order)):
        spaces = [_solutions(polynomial, candidates, k) for k in powers]
        dropped = {w for w in chosen if _drop(spaces, w)}
        kept = [c for w, c in enumerate(candidates) if w not in dropped]
        # decided modulo a prime: checked in rationals before it is believed
        if _spans(polynomial, kept, powers):
            found.append(kept)
    return min(found, key=len)


Solutions = list[np.ndarray]


def _solutions(
    polynomial: Polynomial, candidates: list[Direction], power: int
) -> Solutions:
    """[a, N]: the part of this degree is A (a + N t) for all t, modulo `PRIME`."""
    part = homogeneous_part(polynomial, power)
    rows = power_equations(candidates, part, power)
    residues = [[int(v.p) * pow(int(v.q), -1, PRIME) for v in row] for row in rows]
    reduced, rank = nmod_mat(residues, PRIME).rref()
    table = np.array([[int(v) for v in row] for row in reduced.table()[:rank]])
    pivots = (table != 0).argmax(axis=1)
    count = len(candidates)
    free = np.setdiff1d(np.arange(count), pivots)
    start, null = np.zeros(count, np.int64), np.zeros((count, len(free)), np.int64)
    start[pivots] = table[:, count]
    null[pivots] = (PRIME - table[:, free]) % PRIME
    null[free, np.arange(len(free))] = 1
    return [start, null]


def _drop(spaces: list[Solutions], w: int) -> bool:
    """Set coefficient w to 0 in all spaces, if each has a solution with that."""
    if any(start[w] and not null[w].any() for start, null in spaces):
        return False
    for space in spaces:
        start, null = space
        if not null[w].any():
            continue
        j = int(null[w].argmax())
        column = null[:, j] * pow(int(null[w, j]), -1, PRIME) % PRIME
        space[0] = (start - column * start[w]) % PRIME
        rest = np.delete(null, j, axis=1)
        space[1] = (rest - column[:, None] * rest[w]) % PRIME
    return True


def _spanning(polynomial: Polynomial, powers: list[int]) -> list[Direction] | None:
    """Candidates, simple ones first, that span all parts; None if too many."""
    if not powers:
        return []
    for largest in range(1, LARGEST_ENTRY + 1):
        candidates = _candidates(polynomial, powers, largest)
        if len(candidates) > MAX_CANDIDATES:
            return None
        if _spans(polynomial, candidates, powers):
            return candidates
    return None


def _candidates(
    polynomial: Polynomial, powers: list[int], largest: int
) -> list[Direction]:
    """Primitive vectors of small entries on the variables of each term."""
    found: dict[Direction, None] = {}
    supports = {
        tuple(i for i, e in enumerate(exponents) if e)
        for exponents in polynomial.terms
        if sum(exponents) in powers
    }
    for support in sorted(supports):
        if (2 * largest + 1) ** len(support) > 8 * MAX_CANDIDATES:
            return [()] * (MAX_CANDIDATES + 1)
        for entries in cartesian(range(-largest, largest + 1), repeat=len(support)):
            if gcd(*entries) == 1 and next(v for v in entries if v) > 0:
                full = [0] * polynomial.dim
                for i, v in zip(support, entries, strict=True):
                    full[i] = v
                found[tuple(full)] = None
    return sorted(found, key=lambda w: (sum(map(abs, w)), max(map(abs, w)), w))


def _spans(
    polynomial: Polynomial, directions: Sequence[Direction], powers: list[int]
) -> bool:
    return all(
        power_coefficients(directions, homogeneous_part(polynomial, k), k) is not None
        for k in powers
    )


def _gradient(linear: dict[tuple[int, ...], fmpq], dim: int) -> Direction:
    """The primitive vector along the linear part."""
    row = [fmpq(0)] * dim
    for exponents, c in linear.items():
        row[exponents.index(1)] = c
    scale = lcm(*(int(v.q) for v in row))
    whole = [int((v * scale).p) for v in row]
    sign = 1 if next(v for v in whole if v) > 0 else -1
    return tuple(v // (sign * gcd(*whole)) for v in whole)
