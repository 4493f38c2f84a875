r"""Smooth functions on a box: Taylor polynomials at grid points, glued together."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from itertools import product as cartesian
from math import comb, factorial
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._partition import (
    Exponents,
    Glued,
    Node,
    Shape,
)
from depthsep.constructions.box._partition_bounds import (
    BITS,
    derivative_bounds,
    glued_bound,
    monomial_error,
    remainder,
    steps_needed,
)
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import dyadic_near, midpoint, total
from depthsep.laws import Box
from depthsep.networks import Network, deepen
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractBoxTarget,
    Formula,
    factorials,
    partial,
)

PRECISION = 128
TOO_WIDE = 2.0**-60
MAX_DIM = 4
MAX_ORDER = 6
MAX_UNITS = 10**6
MOST_WEIGHTS = 1 << 26
MAX_LEVELS = 25
SHARES = (fmpq(1, 2), fmpq(3, 4), fmpq(9, 10))
MARGIN = fmpq(1, 64)


@dataclass(frozen=True)
class Plan:
    """A network that is known to the last weight, with its proved error.

    Attributes:
        error: |network - f| on the box: Taylor's remainder, and what products add.
        order: r, the order of the derivatives in the remainder.
    """

    glued: Glued
    error: fmpq
    order: int


def _evaluate(dim: int, order: int, steps: int, levels: int, bound: fmpq) -> Value:
    return Value(corrected_bound(dim, order, steps, levels, bound), Rigour.EXACT)


@dataclass(frozen=True)
class TaylorOnGrid(AbstractConstruction):
    r"""sum_v part_v(x) q_v(x), q_v the Taylor polynomial of degree r - 1 at v.

    Corrected: the partition needs h(z) + h(z - 1/s) = 1; products vanish with a factor;
    Taylor's degree is r - 1; values are clipped to [0, 1], which changes nothing where
    part_v is not 0. Sharper than printed: |x - v|^alpha is averaged with the hats, and
    monomials are computed once, not at every v. Serves depths from 6 on.
    """

    statement: ClassVar[Statement] = Statement(
        "telgarsky-5.4",
        "Bound on the error of Taylor polynomials of degree r - 1 "
        "joined on a grid of s^d cells",
        (
            "f maps [0, 1]^d to [0, 1]",
            (
                "all partial derivatives of orders 0 to r are at most M in "
                "absolute value"
            ),
            (
                "products are computed by networks of i levels that give 0 "
                "if a factor is 0"
            ),
        ),
        Source("telgarsky2023", "Theorem 5.4"),
        (
            Parameter("dim", "integer", "d, the number of inputs", "2", most=16),
            Parameter(
                "order", "integer", "r, the order of the derivatives", "2", most=64
            ),
            Parameter(
                "steps",
                "integer",
                "s, the number of grid cells along each side",
                most=10**6,
            ),
            Parameter(
                "levels",
                "integer",
                "i, the number of levels of the networks for products",
                "4",
                most=200,
            ),
            Parameter("bound", "rational", "M, the bound on the derivatives", "1"),
        ),
        _evaluate,
        errata=(
            (
                "for the hat function h and 0 <= z <= 1/s the printed sum h(z) + h(z "
                "+ 1/s) is 1 - s z and not 1; it must be h(z) + h(z - 1/s)"
            ),
            (
                "the remainder with derivatives of order r is that of the Taylor "
                "polynomial of degree r - 1; the source prints degree r"
            ),
            (
                "Taylor polynomials may have values outside [0, 1], which the source "
                "overlooks; this construction clips them"
            ),
            (
                "the printed network for products does not give 0 where a factor is "
                "0, so contributions of distant grid points add up"
            ),
            (
                "the last term of the printed bound has |f| where it should have |g|, "
                "the size of the target, which the source calls g"
            ),
            (
                "the source counts d^r monomials of degree at most r; the number is "
                "C(d + r, r), which is larger for d = 2 and r = 3 (10, not 8)"
            ),
        ),
        sample="dim=2 order=3 steps=20 levels=20 bound=1",
        tex=(
            r"(1 + D) \left( \frac{M d^r}{r! \, s^r} "
            r"+ M e \sum_{q=2}^{r-1} \frac{(q - 1) \, d^q}{q!} \right) + D + 2^d e, "
            r"\quad e = 4^{-i-2}, \quad D = 2^d (d - 1) \, e"
        ),
        proof=proved("glued-taylor"),
    )

    scope = Scope(
        "this construction builds networks only for formulas on a box",
        AbstractBoxTarget,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        if target.in_dim > MAX_DIM:
            return Inapplicable(
                "Taylor polynomials are joined on a grid for at most "
                f"{MAX_DIM} inputs, not {target.in_dim}"
            )
        least = Shape(target.in_dim, 1, 0, 0).hidden_layers + 1
        if depth < least:
            return Inapplicable(
                f"Taylor polynomials joined on a grid need depth {least} or more"
            )
        found = taylor_plan(target, box, problem.accuracy)
        if isinstance(found, Inapplicable):
            return found
        shape = _fitted(found.glued.shape, depth)
        if isinstance(shape, Inapplicable):
            return shape
        glued = replace(found.glued, shape=shape)
        widths = shape.widths()
        return Upper(
            widths=tuple(widths + [min(2, widths[-1])] * (depth - 1 - len(widths))),
            error=found.error,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            make=_maker(glued, depth),
            in_dim=target.in_dim,
            most_weights=MOST_WEIGHTS,
        )

    def natural_depth(self, problem: Problem) -> int | None:
        if problem.law.setting != "box":
            return None
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        found = taylor_plan(target, box, problem.accuracy)
        if isinstance(found, Inapplicable):
            return None
        return _narrow_enough(found.glued.shape).hidden_layers + 1

    def examples(self) -> list[Problem]:
        return []


def _maker(glued: Glued, depth: int) -> Callable[[], Network]:
    return lambda: deepen(glued.network(), depth)


def corrected_bound(dim: int, order: int, steps: int, levels: int, bound: fmpq) -> fmpq:
    """The bound of Theorem 5.4 with all corrections, exactly."""
    e = fmpq(1, 4 ** (levels + 2))
    parts = 2**dim * (dim - 1) * e
    taylor = bound * fmpq(dim**order, factorial(order) * steps**order)
    monomials = total(fmpq((q - 1) * dim**q, factorial(q)) for q in range(2, order))
    return (1 + parts) * (taylor + bound * e * monomials) + parts + 2**dim * e


def _fitted(shape: Shape, depth: int) -> Shape | Inapplicable:
    """As many groups as fit into the depth."""
    needed = shape.hidden_layers + 1
    if needed > depth:
        return Inapplicable(
            f"Taylor polynomials joined on a grid need depth {needed} or "
            "more for this problem"
        )
    groups = 1 + (depth - needed) // shape.period
    return replace(shape, groups=min(groups, shape.points))


def _narrow_enough(shape: Shape) -> Shape:
    """The fewest groups with which all weights can be stored."""
    groups = 1
    while True:
        tried = replace(shape, groups=groups)
        widths = [shape.dim, *tried.widths(), 1]
        weights = sum(a * b for a, b in pairwise(widths))
        if weights <= MOST_WEIGHTS or groups >= shape.points:
            return tried
        groups *= 2


@lru_cache(maxsize=32)
def taylor_plan(
    target: AbstractBoxTarget, box: Box, accuracy: fmpq
) -> Plan | Inapplicable:
    """The plan of fewest units over orders 1 to 6; not beyond about 10^6 units."""
    formula = target.as_formula()
    if formula.dim > MAX_DIM:
        return Inapplicable(
            "Taylor polynomials are joined on a grid for at most "
            f"{MAX_DIM} inputs, not {formula.dim}"
        )
    best: tuple[int, int, Shape] | None = None
    for order in range(1, MAX_ORDER + 1):
        for shape in _candidates(formula, box, accuracy, order):
            size = units_about(shape)
            if best is None or size < best[0]:
                best = (size, order, shape)
    if best is None:
        return Inapplicable(
            "no grid was found: the derivatives of the target could not be bounded on "
            f"the box, or products would need networks of more than {MAX_LEVELS} levels"
        )
    size, order, shape = best
    if size > MAX_UNITS:
        return Inapplicable(
            f"Taylor polynomials on a grid of {shape.steps}^{shape.dim} "
            f"cells need about {size} units, and at most {MAX_UNITS} "
            "are built; allow a larger error"
        )
    return _planned(formula, box, accuracy, order, shape)


def units_about(shape: Shape) -> int:
    """Units of one group, up to what is carried: from products and clips alone."""
    points, product = (shape.steps + 1) ** shape.dim, 7 + 5 * shape.levels
    inner = {1: 0, 2: 0, 3: (shape.steps + 1) ** 2, 4: 2 * (shape.steps + 1) ** 2}
    parts = points + inner[shape.dim] if shape.dim > 1 else 0
    high = len(shape.monomials) - 1 - shape.dim
    return (points + parts + max(0, high)) * product + 2 * points


def _candidates(formula: Formula, box: Box, accuracy: fmpq, order: int) -> list[Shape]:
    """Shapes for an order, each leaving another share of the accuracy to products."""
    bounds = derivative_bounds(formula, box, order)
    if bounds is None:
        return []
    found = []
    for share in SHARES:
        steps = steps_needed(bounds, order, share * accuracy)
        levels = _levels_about(formula.dim, order, (1 - share) * accuracy, bounds)
        if levels <= MAX_LEVELS:
            found.append(Shape(formula.dim, steps, order - 1, levels))
    return found


def _levels_about(
    dim: int, order: int, room: fmpq, bounds: dict[Exponents, fmpq]
) -> int:
    """Levels of products, from a guess of the target's range by its derivatives."""
    size = max(bounds.values()) + fmpq(1, 8)
    lost = size * (2**dim * dim + comb(dim + order, order) * order)
    ratio, levels = lost / (16 * room), 0
    while fmpq(4) ** levels < ratio:
        levels += 1
    return levels


def _planned(
    formula: Formula, box: Box, accuracy: fmpq, order: int, shape: Shape
) -> Plan | Inapplicable:
    """All weights, with as few levels as the proved error allows."""
    bounds = derivative_bounds(formula, box, order)
    assert bounds is not None
    rest = remainder(bounds, order, shape.steps)
    local = taylor_coefficients(formula, box, shape)
    if local is None:
        return Inapplicable(
            "the derivatives of the target could not be computed "
            "accurately enough at every grid point"
        )
    for levels in range(MAX_LEVELS + 1):
        glued = _normalised(local, box, replace(shape, levels=levels))
        error = rest + glued_bound(glued)
        if error <= accuracy and _stays_inside(glued, local):
            return Plan(glued, error, order)
    return Inapplicable(
        f"with up to {MAX_LEVELS} levels for products, the most that "
        "are tried, Taylor polynomials joined on a grid were not "
        "proved accurate enough; allow a larger error"
    )


Local = dict[Node, dict[Exponents, fmpq]]


def taylor_coefficients(formula: Formula, box: Box, shape: Shape) -> Local | None:
    """d^a f(v) / a! times the sides^a, rounded to multiples of 2^-44, for each v."""
    found: Local = {}
    with ctx.workprec(PRECISION):
        for node in shape.nodes:
            x = [
                arb(side.start + side.length * fmpq(j, shape.steps))
                for side, j in zip(box.sides, node, strict=True)
            ]
            found[node] = {}
            for exponents in shape.monomials:
                ball = partial(formula, exponents, x) / factorials(exponents)
                for side, e in zip(box.sides, exponents, strict=True):
                    ball *= arb(side.length) ** e
                if not ball.is_finite() or ball.rad() > TOO_WIDE:
                    return None
                found[node][exponents] = dyadic_near(midpoint(ball), BITS)
    return found


def _reach(local: dict[Exponents, fmpq], steps: int) -> fmpq:
    """sum over a != 0 of |c_a| s^-|a|: how far q_v may leave q_v(v) where it counts."""
    return total(abs(c) / fmpq(steps) ** sum(a) for a, c in local.items() if any(a))


def _normalised(local: Local, box: Box, shape: Shape) -> Glued:
    """q_v in powers of u, scaled so that all stay inside [0, 1] where they count."""
    zero = (0,) * shape.dim
    low = min(c[zero] - _reach(c, shape.steps) for c in local.values())
    high = max(c[zero] + _reach(c, shape.steps) for c in local.values())
    span = _short_above((high - low) * (1 + 2 * MARGIN))
    low = dyadic_near(low - MARGIN * span / 2, BITS)
    polynomials = {
        node: _in_u(c, node, shape.steps, low, span) for node, c in local.items()
    }
    sides = [(side.start, side.stop) for side in box.sides]
    return Glued(shape, sides, polynomials, low, span)


def _short_above(value: fmpq) -> fmpq:
    """A number of 8 bits just above, so that weights stay short; 1 for 0."""
    if value <= 0:
        return fmpq(1)
    unit = fmpq(1)
    while unit * 128 > value:
        unit /= 2
    while unit * 256 < value:
        unit *= 2
    return (value / unit).ceil() * unit


def _in_u(
    local: dict[Exponents, fmpq], node: Node, steps: int, low: fmpq, span: fmpq
) -> dict[Exponents, fmpq]:
    """(sum_a c_a (u - v)^a - low) / span in powers of u, rounded to 2^-44."""
    terms: dict[Exponents, fmpq] = {}
    for exponents, c in local.items():
        for lower in cartesian(*(range(e + 1) for e in exponents)):
            ways = fmpq(1)
            for e, k, j in zip(exponents, lower, node, strict=True):
                ways *= comb(e, k) * fmpq(-j, steps) ** (e - k)
            terms[lower] = terms.get(lower, fmpq(0)) + c * ways
    zero = (0,) * len(node)
    terms[zero] -= low
    return {e: dyadic_near(c / span, BITS) for e, c in terms.items()}


def _stays_inside(glued: Glued, local: Local) -> bool:
    """Whether no clip acts where its part is not 0, with errors of monomials."""
    zero, steps = (0,) * glued.shape.dim, glued.shape.steps
    rounding = fmpq(2 * len(glued.shape.monomials), 1 << BITS)
    for node, c in local.items():
        lost = monomial_error(glued, node) + rounding
        middle, reach = (c[zero] - glued.low) / glued.span, _reach(c, steps)
        reach = reach / glued.span + lost
        if middle - reach < 0 or middle + reach > 1:
            return False
    return True
