"""1/x and rational functions, by squares and products."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as cartesian

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._reciprocal import (
    check_at_least,
    rational_function_network,
    reciprocal_network,
)
from depthsep.constructions.by_hand._statements import QUOTIENT, RECIPROCAL
from depthsep.constructions.by_name._made import AbstractMade, Made
from depthsep.laws import Segment
from depthsep.networks import Affine, Network, compose, scale
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractBoxTarget,
    Expression,
    Formula,
    Polynomial,
)

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
            "the denominator is not proved to keep away from 0 on the box; choose a "
            "smaller one"
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


@dataclass(frozen=True)
class Reciprocals(AbstractMade):
    """c / (a x + b) on an interval without the pole, as a product of factors."""

    statement = RECIPROCAL
    scope = Scope("serves c / (a x + b) on an interval only", Expression)

    def made(self, problem: Problem) -> Made:
        found = Quotient.of(problem)
        if found.p.degree > 0 or found.q.degree != 1:
            raise HypothesisError("the target is not c / (a x + b) with a != 0")
        c = found.p.exact([fmpq(0), fmpq(0)])
        ends = [found.q.exact([fmpq(u), fmpq(0)]) for u in (0, 1)]
        low, high = min(ends), max(ends)
        if low <= 0:
            raise HypothesisError(f"the denominator is {low} at one end")
        made = reciprocal_network(low / high, problem.accuracy * high / abs(c))
        slope = (ends[1] - ends[0]) / high
        share = Network([Affine([[slope, 0]], [ends[0] / high])])
        network = scale(compose(made.network, share), c / high)
        return Made(found.moved_back(network), abs(c) / high * made.bound)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:1/x", Segment(fmpq(1, 4), 1), accuracy="1/10")]


@dataclass(frozen=True)
class Quotients(AbstractMade):
    """p / q where q is positive: both by products, the reciprocal, one more product."""

    statement = QUOTIENT
    scope = Scope("serves quotients of polynomials only")

    def made(self, problem: Problem) -> Made:
        if not isinstance(problem.target, Expression | Formula):
            raise HypothesisError("the target is not a formula")
        found = Quotient.of(problem)
        made = rational_function_network(
            found.p, found.q, found.least, problem.accuracy
        )
        return Made(found.moved_back(made.network), made.bound)

    def examples(self) -> Sequence[Problem]:
        two = Problem("expr:(x1 - x2)/(1 + x1*x2)", accuracy="1/10")
        return [two, Problem("expr:x/(1 + x**2)", Segment(-1, 1), accuracy="1/10")]
