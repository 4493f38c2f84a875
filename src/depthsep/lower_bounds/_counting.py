"""Lower bounds by counting: ranks of tensors, and bits of Lipschitz functions."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, log2, proved

MOST_PAIRS, MOST_DIM = 10_000, 1_000


def product_rank(pairs: int, accuracy: fmpq) -> int:
    """Products that a sum needs for prod (x_i + y_i) within a relative L2 error."""
    if not 0 <= accuracy < 1:
        raise HypothesisError(f"the accuracy E is {accuracy}; give 0 <= E < 1")
    return int(((1 - accuracy**2) * 2**pairs).ceil())


def lipschitz_bits(dim: int, accuracy: fmpq) -> int:
    """n^d, n = ceil(1 / (2 E)) - 1."""
    cells = int((1 / (2 * accuracy)).ceil()) - 1
    return max(cells, 0) ** dim


def _products(pairs: int, accuracy: fmpq) -> Value:
    found = product_rank(pairs, accuracy)
    return Value(found, Rigour.EXACT, log2(found))


def _bits(dim: int, accuracy: fmpq) -> Value:
    found = lipschitz_bits(dim, accuracy)
    return Value(found, Rigour.EXACT, log2(found) if found else None)


COUNTING = (
    Statement(
        "sum-product-rank",
        "Products of one-variable functions needed in a sum that "
        "approximates (x_1 + y_1) ... (x_n + y_n)",
        (
            (
                "f = (x_1 + y_1) ... (x_n + y_n), and all variables are "
                "uniform on [-1, 1]"
            ),
            (
                "an approximant is a sum of r products, each of L2 functions of one "
                "variable, or each of a function of x = (x_1, ..., x_n) and a "
                "function of y = (y_1, ..., y_n)"
            ),
            (
                "the relative L2 error is at most E < 1; written as "
                "above, f takes only n sums and n - 1 products"
            ),
        ),
        Source("telgarsky2023", "remark on sum-product networks, after Remark 4.12"),
        (
            Parameter(
                "pairs",
                "integer",
                "n, the number of pairs (x_i, y_i)",
                "10",
                most=MOST_PAIRS,
            ),
            Parameter(
                "accuracy", "rational", "E, the relative L2 error", "1/2", least=0
            ),
        ),
        _products,
        sample="pairs=10 accuracy=1/2",
        tex=r"r \ge (1 - E^2) 2^n",
        proof=proved("counting"),
    ),
    Statement(
        "lipschitz-bits",
        "Bits that a family of functions needs to approximate all Lipschitz functions",
        (
            (
                "the functions to be approximated are all f on [0, "
                "1]^d with |f(x) - f(y)| <= max_i |x_i - y_i|"
            ),
            (
                "the sup error is at most E; a family of 2^b functions counts as b "
                "bits, for example the networks whose weights take b bits in total"
            ),
        ),
        Source("telgarsky2023", "Remark 2.4, the curse of dimension"),
        (
            Parameter("dim", "integer", "d, the number of inputs", "10", most=MOST_DIM),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        ),
        _bits,
        sample="dim=10 accuracy=1/10",
        tex=r"b \ge (\lceil 1/(2 E) \rceil - 1)^d",
        proof=proved("counting"),
    ),
)
