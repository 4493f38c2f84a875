"""Crossings of semi-algebraic units, and how triangles compose."""

from depthsep._errors import HypothesisError
from depthsep.analysis import most_crossings_semialgebraic, most_pieces
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, log2, proved


def _semialgebraic(
    widths: tuple[int, ...], predicates: int, bend: int, degree: int
) -> Value:
    value = most_crossings_semialgebraic(
        widths, predicates=predicates, bend=bend, degree=degree
    )
    return Value(value, Rigour.EXACT, log2(value))


def _triangles(outer: int, inner: int) -> Value:
    return Value(2 * outer * inner, Rigour.EXACT)


def _composed(functions: int, t: int, degree: int, outer: int) -> Value:
    """Intervals: between t k - (k - 1) cuts lie that many and one."""
    intervals = functions * (t - 1) + 1
    return Value(f"({intervals}, {degree * outer})", Rigour.EXACT)


def _pieces(widths: tuple[int, ...], t: int) -> Value:
    if t < 2:
        raise HypothesisError(
            f"t is {t}; give 2 or more, as units need at least 2 pieces"
        )
    value = most_pieces([m * (t - 1) for m in widths])
    return Value(value, Rigour.EXACT, log2(value))


CROSSING_STATEMENTS = (
    Statement(
        "theorem-u",
        "Upper bound on the number of pieces of a network of "
        "continuous units with t affine pieces each",
        (
            "the network has one input, or is restricted to a line",
            "any weights and any skip connections are allowed",
        ),
        Source("depthsep", "Theorem U"),
        (
            Parameter(
                "widths", "integers", "m_1, m_2, ..., the widths of the hidden layers"
            ),
            Parameter("t", "integer", "the number t of affine pieces of a unit", "3"),
        ),
        _pieces,
        sample="widths=4,4 t=3",
        tex=(
            r"N \le \prod_{i=1}^{L} \left( 1 + (t - 1) m_i \right); "
            r"\quad "
            r"\text{a unit is an affine function plus multiples of } t "
            r"- 1 \text{ shifted ReLUs}"
        ),
        proof=proved("units"),
    ),
    Statement(
        "crossings-semialgebraic",
        "Upper bound on the crossing number of a network of (s, a, b)-semi-algebraic "
        "units: the number of maximal intervals on each of which the output is "
        "everywhere at least 1/2 or everywhere below 1/2",
        (
            (
                "the network has one input, or is restricted to a line; "
                "skip connections are allowed"
            ),
            (
                "a unit is piecewise polynomial: the signs of s polynomials of degree "
                "at most a >= 1 in its inputs decide which polynomial of degree at "
                "most b >= 1 applies"
            ),
            (
                "a ReLU has s = a = b = 1; a maximum of k numbers has s = "
                "k (k - 1) / 2 and a = b = 1"
            ),
        ),
        Source("telgarsky2016", "Lemma 3.2, corrected"),
        (
            Parameter(
                "widths", "integers", "m_1, m_2, ..., the widths of the hidden layers"
            ),
            Parameter(
                "predicates",
                "integer",
                "s, the number of polynomials whose signs decide, for one unit",
                "1",
                least=0,
            ),
            Parameter(
                "bend",
                "integer",
                "a, the largest degree of the s polynomials whose "
                "signs decide which polynomial applies",
                "1",
            ),
            Parameter(
                "degree",
                "integer",
                "b, the largest degree of a unit in its inputs",
                "1",
            ),
        ),
        _semialgebraic,
        (
            (
                "for m units in l layers the source prints the bound O((t m a / l)^l "
                "b^(l^2)), where t stands for our s; with m / l units in every layer, "
                "the bound above has that form"
            ),
        ),
        sample="widths=4,4 predicates=3 bend=2 degree=2",
        tex=(
            r"p_i = p_{i-1} \left( 1 + m_i s a \, b^{i-1} \right), "
            r"\quad p_0 = 1, \quad \operatorname{Cr} \le p_L (1 + b^L); "
            r"\quad p_i "
            r"\text{ bounds the number of pieces after layer } i"
        ),
        proof=proved("crossings"),
    ),
    Statement(
        "composed-polynomials",
        "Bounds on the number of intervals and the degree of a "
        "polynomial in k piecewise polynomials",
        (
            (
                "each of the k functions is a polynomial of degree at "
                "most a on each of its own t intervals"
            ),
            "the result is a polynomial of degree at most c in these k functions",
        ),
        Source("telgarsky2016", "the composition of (t, a)-poly functions"),
        (
            Parameter(
                "functions", "integer", "k, the number of functions", "3", most=10**6
            ),
            Parameter(
                "t",
                "integer",
                "t, the number of intervals of each function",
                "4",
                most=10**6,
            ),
            Parameter(
                "degree", "integer", "a, the degree of the functions", "2", most=10**6
            ),
            Parameter(
                "outer",
                "integer",
                "c, the degree of the result in the k functions",
                "3",
                most=10**6,
            ),
        ),
        _composed,
        (
            (
                "the source prints (t k, a c), which also holds; the bound above is "
                "not larger, as the k functions have at most k (t - 1) cuts"
            ),
        ),
        sample="functions=3 t=4 degree=2 outer=3",
        tex=r"(k (t - 1) + 1, a c)",
        proof=proved("crossings"),
    ),
    Statement(
        "triangles",
        "Teeth and crossing number of the composition of a function "
        "with s teeth and one with t teeth",
        (
            (
                "both functions are continuous on [0, 1]; every tooth "
                "rises strictly from 0 to 1, then falls strictly to 0"
            ),
        ),
        Source("telgarsky2016", "Section 3, triangles"),
        (
            Parameter(
                "outer", "integer", "s, the number of teeth of the outer function"
            ),
            Parameter(
                "inner", "integer", "t, the number of teeth of the inner function"
            ),
        ),
        _triangles,
        sample="outer=2 inner=3",
        tex=(
            r"2 s t \text{ teeth}, \quad \operatorname{Cr} = 4 s t + 1 "
            r"\text{ at the level } \tfrac{1}{2}"
        ),
        proof=proved("crossings"),
    ),
)
