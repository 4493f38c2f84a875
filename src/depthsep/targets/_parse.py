"""Read a target from text: one line of `TARGETS` for each form."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, text
from depthsep.formulas import (
    check_defined,
    exact_value,
    expression_of,
    number,
    read_formula,
    variables_of,
)
from depthsep.targets._base import AbstractTarget
from depthsep.targets._parity import Parity
from depthsep.targets.box._formula_in_d import MAX_DIM, Formula
from depthsep.targets.box._largest import Largest
from depthsep.targets.box._polynomial import PRODUCT, Polynomial
from depthsep.targets.line._curve import Curve
from depthsep.targets.line._expression import Expression
from depthsep.targets.line._sawtooth import Sawtooth
from depthsep.targets.line._square import Square
from depthsep.targets.points._point_set import PointSet
from depthsep.targets.symmetric._inner import InnerProduct
from depthsep.targets.symmetric._radial import Radial


@dataclass(frozen=True)
class TargetForm:
    """``name:REST`` in text: how messages show it, and what reads the rest.

    `read` takes the rest, "" if there is none, and the dimension if one is given; it
    returns None for a rest that is not of this form.
    """

    name: str
    shown: str
    read: Callable[[str, int | None], AbstractTarget | None]


def target_from_text(written: str, dim: int | None = None) -> AbstractTarget:
    """The target that a text denotes: a formula, or one of the forms of `TARGETS`.

    Args:
        dim: inputs, or the dimension d, where the text leaves it open.

    Raises:
        HypothesisError: none of these; lists them.
    """
    if not written.strip().isprintable():
        raise HypothesisError(
            f"the target is {written[:60]!r}; write it on one line, in characters "
            "that can be printed"
        )
    name, _, rest = written.strip().partition(":")
    for form in TARGETS:
        found = form.read(rest.strip(), dim) if form.name == name else None
        if found is not None:
            return found
    if ":" not in written and name.lower().endswith(FILES):
        raise HypothesisError(
            f"for a file, write data:{name} (the broken line through its points), "
            f"points:{name} (the error is measured only at the points) or band:{name} "
            "(every row is an interval of values)"
        )
    if ":" not in written and not re.fullmatch(WORD, written.strip()):
        formula = _expression(written.strip(), dim)
        if formula is not None:
            return formula
    shown = ", ".join(form.shown for form in TARGETS)
    raise HypothesisError(
        f"unknown target {written[:60]!r}; use a formula such as sin(20*x), or {shown}"
    )


FILES = (".csv", ".txt", ".tsv", ".dat")
WORD = r"(?!x\d*$)[A-Za-z_]\w*"  # a name, and no variable


def _expression(rest: str, dim: int | None) -> AbstractTarget | None:
    if variables_of(rest):
        return Formula(rest, dim)
    return Expression(rest) if rest else None


def _inner(rest: str, dim: int | None) -> AbstractTarget | None:
    return InnerProduct(rest, _given(dim, "inner")) if rest else None


def _radial(rest: str, dim: int | None) -> AbstractTarget | None:
    return Radial(rest, _given(dim, "radial")) if rest else None


def _points(*, is_band: bool) -> Callable[[str, int | None], AbstractTarget | None]:
    return lambda rest, _: PointSet.read(rest, is_band=is_band) if rest else None


def _given(dim: int | None, name: str) -> int:
    if dim is None:
        raise HypothesisError(
            f"{name}:... needs the dimension d; give `dim`", parameter="dim"
        )
    return dim


def _gaussian(written: str, dim: int | None) -> AbstractTarget | None:
    """exp(-|x|^2 / (2 sigma^2)) in `dim` inputs, 2 if not given, as a formula."""
    if not written:
        return None
    sigma = rational(written, name="sigma")
    if sigma <= 0:
        raise HypothesisError(f"sigma is {sigma}; it must be positive")
    inputs = dim or 2
    if inputs > MAX_DIM:
        raise HypothesisError(f"gaussian has {inputs} inputs; give at most {MAX_DIM}")
    names = ["x"] if inputs == 1 else [f"x{i}" for i in range(1, inputs + 1)]
    square = " + ".join(f"{x}**2" for x in names)
    formula = f"exp(-({square})/({text(2 * sigma * sigma)}))"
    return Expression(formula) if inputs == 1 else Formula(formula, inputs)


def _whole(written: str, form: str) -> int:
    if not (written.isascii() and written.isdigit()) or len(written) > 9:
        raise HypothesisError(
            f"{form} needs a whole number of at most nine digits, not {written[:20]!r}"
        )
    return int(written)


TARGETS: tuple[TargetForm, ...] = (
    TargetForm(
        "sawtooth", "sawtooth:K", lambda r, _: Sawtooth(_whole(r, "sawtooth:K"))
    ),
    TargetForm("square", "square", lambda r, _: None if r else Square()),
    TargetForm("parity", "parity:D", lambda r, _: Parity(_whole(r, "parity:D"))),
    TargetForm("product", "product", lambda r, _: None if r else Polynomial(PRODUCT)),
    TargetForm("max", "max:N", lambda r, _: Largest(_whole(r, "max:N"))),
    TargetForm("gaussian", "gaussian:SIGMA", _gaussian),
    TargetForm("inner", "inner:FORMULA", _inner),
    TargetForm("radial", "radial:PROFILE", _radial),
    TargetForm("expr", '"expr:sin(20*x)"', _expression),
    TargetForm("data", "data:FILE.csv", lambda r, _: Curve.read(r) if r else None),
    TargetForm("points", "points:FILE.csv", _points(is_band=False)),
    TargetForm("band", "band:FILE.csv", _points(is_band=True)),
    TargetForm(
        "poly",
        '"poly:x1**2*x2 - 3*x2"',
        lambda r, dim: Polynomial(r, dim) if r else None,
    ),
)


def value_in_dimension(written: str, dim: int, name: str = "the value") -> fmpq:
    """The rational value of a formula in the dimension d, such as 2**d.

    Raises:
        HypothesisError: not a formula in d, or its value is not a rational number.
    """
    formula = read_formula(written, ["d"]).replaced({"d": number(dim)})
    value = expression_of(formula)
    check_defined(formula, {}, name)
    if not value.is_Rational:
        raise HypothesisError(
            f"{name} is {written[:40]!r}, whose value is not rational; give "
            "a formula in d with a rational value"
        )
    return exact_value(value)
