"""Polynomials near |x| on [-1, 1]: degrees of order 1/E; ReLUs need two units."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, least, rational

PRECISION = 128
MOST_DEGREE = 10**15 + 2
OURS = Source("depthsep", "polynomials near |x| (after Remark 2.2 of Telgarsky 2023)")
HYPOTHESES = (
    "the approximants are polynomials on [-1, 1]",
    (
        "networks of depth L whose units all apply one polynomial of degree k are "
        "such polynomials, of degree at most n = k^(L-1) at any width"
    ),
)


def abs_polynomial_error(degree: int) -> fmpq:
    r"""A bound from below of the sup distance of |x| on [-1, 1] from polynomials.

    About 0.149 / (n + 1); the least error itself is about 0.280 / n.

    Args:
        degree: n; odd degrees help no more than n - 1, as |x| is even.

    Raises:
        HypothesisError: a degree that is negative or above 10^15 + 2.

    Source:
        docs/proofs/polynomials.md: |sin s| against cos(m s) F_r(s), F_r Fejer's kernel.
    """
    n = whole(degree, "degree", least=0, most=MOST_DEGREE) // 2 * 2
    if n == 0:
        return fmpq(1, 2)
    r = 2 * round(3 * (n + 1) / 4)
    with ctx.workprec(PRECISION):
        ends = (arb(k) / 2 for k in (n + 1, n + 1 + r, n + 1 + 2 * r))
        first, middle, last = (end.digamma() for end in ends)
        return -ball_upper((first + last - 2 * middle) / (2 * r))


def abs_degree(accuracy: object) -> int:
    """The least degree that is not ruled out for polynomials within E of |x|.

    Raises:
        HypothesisError: an accuracy below 10^-15.
    """
    most = rational(accuracy, name="the accuracy")
    if most >= fmpq(1, 2):
        return 0
    if most * MOST_DEGREE < 1:
        raise HypothesisError("the accuracy is below 1e-15; give a larger number")
    enough = int(1 / most) // 2 + 1  # the bound is below 1 / (n + 1)
    return 2 * least(lambda k: abs_polynomial_error(2 * k) <= most, 0, enough)


ABS_STATEMENTS = (
    Statement(
        "abs-error",
        "Lower bound on the sup error of degree-n polynomials for |x| on [-1, 1]",
        HYPOTHESES,
        OURS,
        (Parameter("degree", "integer", "n, the degree", most=MOST_DEGREE, least=0),),
        lambda degree: Value(abs_polynomial_error(degree), Rigour.ENCLOSED),
        sample="degree=10",
        tex=(
            r"\frac{1}{r} \left( \sum_{n < j < n + r, \; j \text{ odd}} \frac{1}{j} "
            r"- \sum_{n + r < j < n + 2 r, \; j \text{ odd}} \frac{1}{j} \right), "
            r"\quad n, r \text{ even}, \quad r \text{ about } 3 n / 2; "
            r"\quad \frac{1}{2} \text{ for } n = 0"
        ),
        proof=proved("polynomials"),
    ),
    Statement(
        "abs-degree",
        "Lower bound on the degree of a polynomial within E of |x| on [-1, 1]",
        HYPOTHESES,
        OURS,
        (Parameter("accuracy", "rational", "E, the allowed error"),),
        lambda accuracy: Value(abs_degree(accuracy), Rigour.ENCLOSED),
        sample="accuracy=1/100",
        tex=(
            r"\min \left\{ n \text{ even} : \text{abs-error}(n) \le E \right\}, "
            r"\text{ about } 0.149 / E"
        ),
        proof=proved("polynomials"),
    ),
)
