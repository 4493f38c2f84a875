"""Read a target from the command line's text."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, text
from depthsep.targets._base import AbstractTarget
from depthsep.targets._defined import check_defined
from depthsep.targets._expression import Expression
from depthsep.targets._formula import expression_of
from depthsep.targets._formula_in_d import MAX_DIM, Formula
from depthsep.targets._inner import InnerProduct
from depthsep.targets._parity import Parity
from depthsep.targets._polynomial import PRODUCT, Polynomial
from depthsep.targets._radial import Radial
from depthsep.targets._sawtooth import Sawtooth
from depthsep.targets._square import Square
from depthsep.targets._syntax import number, read_formula, variables_of


def target_from_text(written: str, dim: int | None = None) -> AbstractTarget:
    """The target that a text denotes: ``sawtooth:K``, ``square``, ``parity:D``,
    ``product``, ``gaussian:SIGMA``, ``expr:...`` or ``poly:...``, the last three in
    `dim` inputs if given.
    """
    if not written.strip().isprintable():
        raise HypothesisError(
            f"the target is {written[:60]!r}; write it on one line, in characters "
            "that can be printed"
        )
    name, _, rest = written.strip().partition(":")
    if name == "product" and not rest:
        return Polynomial(PRODUCT)
    if name == "poly" and rest:
        return Polynomial(rest.strip(), dim)
    if name == "gaussian" and rest:
        return _gaussian(rest, dim)
    if name == "inner" and rest:
        if dim is None:
            raise HypothesisError("inner:... needs the dimension: give --dim D")
        return InnerProduct(rest.strip(), dim)
    if name == "radial" and rest:
        if dim is None:
            raise HypothesisError("radial:... needs the dimension: give --dim D")
        return Radial(rest.strip(), dim)
    if name == "square" and not rest:
        return Square()
    if name == "sawtooth":
        return Sawtooth(_whole(rest, "sawtooth:K"))
    if name == "parity":
        return Parity(_whole(rest, "parity:D"))
    if name == "expr" and rest:
        if variables_of(rest):
            return Formula(rest.strip(), dim)
        return Expression(rest.strip())
    raise HypothesisError(
        f"unknown target {written[:60]!r}; use sawtooth:K, square, parity:D, product, "
        "gaussian:SIGMA, inner:FORMULA, radial:PROFILE, "
        '"expr:sin(20*x)" or "poly:x1**2*x2 - 3*x2"'
    )


def _gaussian(written: str, dim: int | None) -> AbstractTarget:
    """exp(-|x|^2 / (2 sigma^2)) in `dim` inputs, 2 if not given, as a formula."""
    sigma = rational(written, name="sigma")
    if sigma <= 0:
        raise HypothesisError(f"sigma is {sigma}; it must be positive")
    inputs = dim or 2
    if inputs > MAX_DIM:
        raise HypothesisError(f"gaussian in {inputs} inputs; give up to {MAX_DIM}")
    names = ["x"] if inputs == 1 else [f"x{i}" for i in range(1, inputs + 1)]
    square = " + ".join(f"{x}**2" for x in names)
    formula = f"exp(-({square})/({text(2 * sigma * sigma)}))"
    return Expression(formula) if inputs == 1 else Formula(formula, inputs)


def _whole(written: str, form: str) -> int:
    if not (written.isascii() and written.isdigit()) or len(written) > 9:
        raise HypothesisError(f"{form} needs a whole number, not {written[:20]!r}")
    return int(written)


def value_in_dimension(written: str, dim: int, name: str = "the value") -> fmpq:
    """The rational value of a formula in the dimension d, such as 2**d.

    Raises:
        HypothesisError: not a formula in d, or its value is not a rational number.
    """
    formula = read_formula(written, ["d"]).replaced({"d": number(dim)})
    check_defined(formula, {}, name)
    value = expression_of(formula)
    if not value.is_Rational:
        raise HypothesisError(f"{name} is {written[:40]!r}; its value is not rational")
    return rational(str(value))
