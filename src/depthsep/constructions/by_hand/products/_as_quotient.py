"""A target read as a quotient of polynomials, and a proof that one is positive."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import comb, prod

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import total
from depthsep.laws import Segment
from depthsep.networks import (
    Affine,
    Network,
    compose,
)
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractBoxTarget,
    Expression,
    Polynomial,
)

MAX_CUBES = 20_000
SHARES = (fmpq(15, 16), fmpq(3, 4), fmpq(1, 2), fmpq(1, 8), fmpq(1, 64))
PER_SIDE = {1: 256, 2: 24, 3: 8}  # points of a grid


@dataclass(frozen=True)
class Quotient:
    """p / q on the unit cube, q positive there; two inputs at least, some unused.

    Attributes:
        sides: of the box that the cube stands for.
    """

    p: Polynomial
    q: Polynomial
    sides: Sequence[Segment]

    @staticmethod
    def of(problem: Problem) -> "Quotient":
        """The target as a quotient, with inputs moved to the unit cube.

        Raises:
            HypothesisError: it is no quotient of polynomials with rational
                coefficients.
        """
        import sympy

        target, law = problem.target, problem.law
        if isinstance(target, Expression):
            sides, names = (law.interval,), ["x"]
        else:
            target = problem.target_as(AbstractBoxTarget).as_formula()
            sides, names = law.box.sides, target.names
        dim = max(2, len(names))
        whole = target.expression.subs(
            {
                sympy.Symbol(n, real=True): sympy.Symbol(f"x{i}", real=True)
                for i, n in enumerate(names, 1)
            }
        )
        above, below = sympy.fraction(sympy.together(whole))
        try:
            parts = [Polynomial(str(part), dim) for part in (above, below)]
        except HypothesisError:
            raise HypothesisError(
                "the target is not a quotient of polynomials with rational coefficients"
            ) from None
        p, q = (_moved(part, sides) for part in parts)
        if q.exact([fmpq(1, 2)] * dim) < 0:
            p, q = _negative(p), _negative(q)
        return Quotient(p, q, sides)

    @property
    def least(self) -> fmpq:
        """A proved positive lower bound of q, near its minimum where that is easy."""
        count = PER_SIDE.get(len(self.sides), 4)
        ticks = [fmpq(k, count) for k in range(count + 1)]
        points = cartesian(ticks, repeat=len(self.sides))
        spare = [fmpq(0)] * (self.q.dim - len(self.sides))
        near = min(self.q.exact([*x, *spare]) for x in points)
        for share in SHARES if near > 0 else ():
            try:
                check_at_least(self.q, share * near)
            except HypothesisError:
                continue
            return share * near
        raise HypothesisError(
            "the denominator could not be proved to stay away from 0 "
            "on the box; choose a smaller box"
        )

    def moved_back(self, network: Network) -> Network:
        """A network on the cube as one on the box."""
        weight = [[fmpq(0)] * len(self.sides) for _ in range(self.q.dim)]
        bias = [fmpq(0)] * self.q.dim
        for i, side in enumerate(self.sides):
            weight[i][i], bias[i] = 1 / side.length, -side.start / side.length
        return compose(network, Network([Affine(weight, bias)]))


def _moved(polynomial: Polynomial, sides: Sequence[Segment]) -> Polynomial:
    """u -> p(a + (b - a) u)."""
    starts = [side.start for side in sides]
    starts += [fmpq(0)] * (polynomial.dim - len(starts))
    terms = {}
    for exponents, c in polynomial.moved(starts).items():
        for side, e in zip(sides, exponents, strict=False):
            c *= side.length**e
        terms[exponents] = c
    return Polynomial.of(terms, polynomial.dim)


def _negative(polynomial: Polynomial) -> Polynomial:
    return Polynomial.of({e: -c for e, c in polynomial.terms.items()}, polynomial.dim)


def check_at_least(polynomial: Polynomial, delta: fmpq) -> None:
    """Refuse a polynomial not proved to be at least delta on [0, 1]^d.

    By coefficients in Bernstein's basis on smaller and smaller cubes, exactly.

    Raises:
        HypothesisError: it is below at a point, or that cannot be excluded.
    """
    cubes = [(fmpq(0),) * polynomial.dim]
    size, seen = fmpq(1), 0
    while cubes:
        left: list[tuple[fmpq, ...]] = []
        for corner in cubes:
            seen += 1
            middle = [c + size / 2 for c in corner]
            if polynomial.exact(middle) < delta or seen > MAX_CUBES:
                near = ", ".join(f"{float(arb(m).mid()):.4g}" for m in middle)
                raise HypothesisError(
                    f"the denominator is {polynomial.text[5:45]}, which "
                    f"could not be proved to be at least {delta} near "
                    f"({near}); give a smaller delta"
                )
            if _least(polynomial, corner, size) < delta:
                left += _eighths(corner, size / 2)
        cubes, size = left, size / 2


def _least(polynomial: Polynomial, corner: Sequence[fmpq], size: fmpq) -> fmpq:
    """The least coefficient in Bernstein's basis of the cube: a bound from below."""
    terms = {e: c * size ** sum(e) for e, c in polynomial.moved([*corner]).items()}
    degrees = [max(e[k] for e in terms) for k in range(polynomial.dim)]
    return min(
        total(
            c
            * prod(
                (
                    fmpq(comb(i, e), comb(n, e))
                    for i, e, n in zip(at, es, degrees, strict=True)
                ),
                start=fmpq(1),
            )
            for es, c in terms.items()
        )
        for at in cartesian(*(range(n + 1) for n in degrees))
    )


def _eighths(corner: Sequence[fmpq], half: fmpq) -> list[tuple[fmpq, ...]]:
    parts: list[tuple[fmpq, ...]] = [()]
    for c in corner:
        parts = [(*p, v) for p in parts for v in (c, c + half)]
    return parts
