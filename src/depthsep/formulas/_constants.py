"""Numbers that are written as formulas: pi, 2*pi, -pi/2, sqrt(2)."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.formulas._evaluate import constant_ball, exact_value
from depthsep.formulas._formula import parse_formula

DECIMALS = 20
PRECISION = 512


def constant(value: object, *, name: str = "value") -> fmpq:
    """What `rational` reads; or a formula of numbers, pi and e.

    Irrational ones are rounded to 20 decimals: pi is 3.14159265358979323846.

    Raises:
        HypothesisError: neither; `name` is named.
    """
    if not isinstance(value, str) or not any(c.isalpha() for c in value):
        return rational(value, name=name)
    try:
        return rational(value, name=name)
    except HypothesisError as refused:
        found = _of_formula(value)
        if found is None:
            raise refused from None
        return found


def _of_formula(written: str) -> fmpq | None:
    try:
        formula = parse_formula(written, ())
    except HypothesisError:
        return None
    if formula.is_Rational:
        return exact_value(formula)
    with ctx.workprec(PRECISION):
        ball = constant_ball(formula, PRECISION) * 10**DECIMALS + arb(1) / 2
        whole = ball.floor().unique_fmpz()
    return None if whole is None else fmpq(whole, 10**DECIMALS)
