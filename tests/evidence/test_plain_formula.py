# ruff: noqa: E501 - a formula a line
"""Formulas in TeX as terminals show them."""

import re

import pytest
from flint import fmpq

from depthsep.evidence import plain_formula
from depthsep.separation import results


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\frac{a + b}{2 c}", "(a + b)/(2 c)"),
        (r"\frac{a b}{2}", "a b/2"),
        (r"\frac{\mu \, l^2}{N(d, n)}", "mu l^2/N(d, n)"),
        (r"\frac{1}{2^k}", "1/2^k"),
        (r"\frac{1}{(p + 1) \, 2^p}", "1/((p + 1) 2^p)"),
        (r"\frac{a}{(x + 1)(y + 1)}", "a/((x + 1)(y + 1))"),
        (r"\frac{a}{2 \, (x + 1)} + f^*", "a/(2 (x + 1)) + f^*"),
        (r"\frac{1 - E^2}{\Pr \left( u \ge t \right)}", "(1 - E^2)/P(u >= t)"),
        (r"\frac{(1 - \delta)^{2^J}}{\delta}", "(1 - delta)^(2^J)/delta"),
        (r"\tfrac{d-1}{2}", "(d-1)/2"),
        (r"x^{-2} + y_{i+1}^{(h)} + z_+ + E^{-(d-1)}", "x^(-2) + y_(i+1)^(h) + z_+ + E^(-(d-1))"),
        (r"\left\lceil \frac{\rho \sqrt{d}}{E} \right\rceil", "ceil(rho sqrt(d)/E)"),
        (r"\frac{\lVert V - W \rVert_F}{\lvert a \rvert}", "||V - W||_F/|a|"),
        (r"\max \left( 1, \, 4 \, \ln \, \frac{1}{\delta} \right)", "max(1, 4 ln(1/delta))"),
        (r"\binom{d + k}{k} \cdot \langle x, z \rangle", "C(d + k, k) * <x, z>"),
        (r"\dot W = \operatorname{Bin} \left( m, \, \operatorname{erf} \frac{t}{2} \right)",
         "W' = Bin(m, erf(t/2))"),
        (r"N \ge 2, \quad \text{ so that } f'(x) \le \infty", "N >= 2, so that f'(x) <= inf"),
        (r"\min \left\{ n : \mathbb{E} \left[ g \right] \le E \right\}", "min { n : E[g] <= E }"),
    ],
)  # fmt: skip
def test_formulas_keep_what_they_mean(tex: str, plain: str) -> None:
    assert plain_formula(tex) == plain


def test_no_statement_shows_tex() -> None:
    for statement in results():
        shown = statement.formula
        assert shown.isprintable() and "\\" not in shown, statement.id
        for opens, closes in ("()", "[]", "{}"):
            assert shown.count(opens) == shown.count(closes), statement.id


@pytest.mark.parametrize("p", [1, 2, 7])
def test_the_error_of_a_constant_is_what_its_formula_says(p: int) -> None:
    """As text that Python evaluates, beside the value of the statement."""
    (mean,) = (s for s in results() if s.id == "mean")
    right = mean.formula.partition("= ")[2].partition(",")[0]
    code = right.replace("^", "**").replace(") 2", ") * 2")
    value = mean.evaluate_text({"folds": "5", "p": str(p)}).value
    assert isinstance(value, fmpq)
    assert eval(code, {"p": p}) == pytest.approx(float(value.p) / float(value.q))


def test_widths_and_errors_in_a_formula_are_explained() -> None:
    """In the setting, at a parameter, or by the words beside them."""
    for statement in results():
        meant = [*statement.hypotheses, *(p.meaning for p in statement.parameters)]
        told = " ".join([*meant, statement.formula])
        if re.search(r"\bm_[1il]\b", statement.formula):
            assert re.search(r"m_1, \.\.\.|m_1 units|width", told), statement.id
        if re.search(
            r"(?<!mathbb{)\bE\b", statement.tex
        ):  # \mathbb{E} is an expectation
            assert re.search(r"\bE\b", " ".join(meant)) or "E is" in told, statement.id
