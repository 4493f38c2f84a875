"""Partial derivatives of formulas in several variables, enclosed on boxes."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product as cartesian
from math import factorial, prod

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import MAX_STEPS, few_steps, jets
from depthsep.formulas import JetFunction, jet_function
from depthsep.targets.box._formula_in_d import Formula

Exponents = tuple[int, ...]


def exponents_of_degree(dim: int, degree: int) -> list[Exponents]:
    """All alpha with |alpha| == degree, the first entry falling."""
    if dim == 1:
        return [(degree,)]
    return [
        (first, *rest)
        for first in range(degree, -1, -1)
        for rest in exponents_of_degree(dim - 1, degree - first)
    ]


def factorials(exponents: Exponents) -> int:
    """alpha! = alpha_1! ... alpha_d!."""
    return prod(factorial(e) for e in exponents)


def partial(formula: Formula, exponents: Exponents, x: Sequence[arb]) -> arb:
    """An enclosure of the partial derivative over a box of balls.

    Raises:
        HypothesisError: the formula has a kink (abs, max, min), or the derivative is
            none that is supported.
    """
    inputs = {name: jets.constant(v) for name, v in zip(formula.names, x, strict=True)}
    return _derivative(formula, exponents)(inputs).value


@lru_cache(maxsize=1024)
def _derivative(formula: Formula, exponents: Exponents) -> JetFunction:
    import sympy

    expression = formula.expression
    for name, times in zip(formula.names, exponents, strict=True):
        if times:
            symbol = sympy.Symbol(name, real=True)
            with few_steps(f"a derivative of {formula}", 30 * MAX_STEPS):
                expression = sympy.diff(expression, symbol, times)
    try:
        return jet_function(expression)
    except HypothesisError:
        raise HypothesisError(
            f"the derivative of order {sum(exponents)} of {formula} is not supported; "
            "use a smooth formula without abs, max and min"
        ) from None


def is_smooth_on(formula: Formula, x: Sequence[arb]) -> bool:
    """Whether the formula is proved to have two bounded derivatives on a box."""
    for axis in range(formula.dim):
        jet = formula.along([int(i == axis) for i in range(formula.dim)], x)
        parts = (jet.value, jet.first, jet.second)
        if not all(p.is_finite() for p in parts):
            return False
    return True


def derivative_bound(
    formula: Formula,
    exponents: Exponents,
    sides: Sequence[tuple[fmpq, fmpq]],
    cells: int = 1,
) -> arb:
    """sup |partial derivative| over a box cut into cells^d, as a ball from above.

    Not finite where balls cannot bound it.
    """
    worst = arb(0)
    for places in cartesian(range(cells), repeat=formula.dim):
        x = [
            arb(a + (b - a) * i / cells).union(arb(a + (b - a) * (i + 1) / cells))
            for (a, b), i in zip(sides, places, strict=True)
        ]
        worst = worst.max(abs(partial(formula, exponents, x)).upper())
        if not worst.is_finite():
            break
    return worst
