r"""Products of two numbers by squares, of several by a tree, and monomials.

H is the interpolant of t^2 at the multiples of 2^-i on [0, 2]: H(t) = 4 h(t / 2), where
h(u) = u - sum_{s <= i+1} D^s(u) / 4^s interpolates u^2 at the multiples of 2^-(i+1).
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product as cartesian
from math import comb

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.constructions.by_hand._parameters import LEVELS
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.networks import Affine, Network, add, compose, parallel, scale, shift
from depthsep.targets import Polynomial, exponents_of_degree

MAX_LEVELS = 25
MAX_OUTPUTS = 256  # networks side by side are dense


def product_network(levels: int, *, signed: bool = True) -> Network:
    r"""x y from two squares: g = (H(|x + y|) - H(|x - y|)) / 4, weights exact.

    On [-1, 1]^2: odd in each argument, g = 0 if one of them is 0, g(1, y) = y,
    |g| <= min(|x|, |y|) and |g - x y| <= 4^(-i-2), attained. It has i + 2 hidden layers
    and 8 + 5 i units; one less on [0, 1]^2 (`signed` false), where x + y >= 0.

    Args:
        levels: i >= 0.

    Source:
        Telgarsky (2023), Corollary 4.3, corrected: the printed g is not 0 on the axes.
    """
    _check_levels(levels)
    rows = [[1, 1], [-1, -1], [1, -1], [-1, 1]]
    halves = [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]
    if not signed:
        rows, halves = [rows[0], *rows[2:]], [[0.5, 0, 0], [0, 0.5, 0.5]]
    sizes = Affine(np.array(rows, dtype=float), np.zeros(len(rows)))
    squares = _difference_of_squares(levels + 1, [1, -1], 1.0)
    inner = Network([sizes, Affine(np.array(halves, dtype=float), np.zeros(2))])
    return compose(squares, inner)


def three_squares_network(levels: int) -> Network:
    r"""x y from three squares: g = (H(x + y) - H(x) - H(y)) / 2 on [0, 1]^2.

    g(0, y) = 0, g(1, y) = y, monotone, 0 <= g <= min(x, y) and
    -4^(-i-1) <= g - x y <= 0, both attained. It has i + 1 hidden layers.

    Source:
        Telgarsky (2023), Corollary 4.3 with squares of one scale: there 4 h(y / 2) and
        h(y) have different grids and g(0, y) = D^i(y) / (2 4^i).
    """
    _check_levels(levels)
    squares = _difference_of_squares(levels + 1, [1, -1, -1], 2.0)
    halves = Affine(np.array([[0.5, 0.5], [0.5, 0], [0, 0.5]]), np.zeros(3))
    return scale(compose(squares, Network([halves])), 2)


def _difference_of_squares(k: int, signs: Sequence[int], lift: float) -> Network:
    """sum_j signs[j] h(u_j), u_j in [0, 1]: k layers of folds and one carried sum.

    `lift` is what keeps the sum >= 0: the number of minus signs.
    """
    n, s = len(signs), np.array(signs, dtype=float)
    eye = np.eye(n)
    # units a = relu(y), b = relu(y - 1/2); D(y) = 2 a - 4 b
    first = Affine(np.vstack([eye, eye]), np.append(np.zeros(n), np.full(n, -0.5)))
    to_fold = np.hstack([2 * eye, -4 * eye])
    # y - D(y) / 4 = a / 2 + b
    to_sum, constant, layers = np.concatenate([s / 2, s]), lift, [first]
    for level in range(2, k + 1):
        carried = np.array([constant])
        bias = np.concatenate([np.zeros(n), np.full(n, -0.5), carried])
        layers.append(Affine(np.vstack([to_fold, to_fold, to_sum]), bias))
        to_fold = np.hstack([2 * eye, -4 * eye, np.zeros((n, 1))])
        step = 4.0**-level
        to_sum = np.concatenate([-2 * step * s, 4 * step * s, [1.0]])
        constant = 0.0
    layers.append(Affine(to_sum[None, :], np.array([constant - lift])))
    return Network(layers)


def _check_levels(levels: int) -> None:
    if not 0 <= levels <= MAX_LEVELS:
        raise HypothesisError(
            f"levels is {levels}; give a number from 0 to {MAX_LEVELS}"
        )


def product_of(factors: int, levels: int) -> Network:
    """x_1 x_2 ... x_l on [-1, 1]^l by a balanced tree of products of two.

    Error at most (l - 1) 4^(-i-2); 0 if a factor is 0; values in [-1, 1]. A factor
    without partner is passed on. For l = 1 the identity, without hidden layers.

    Source:
        Telgarsky (2023), Lemma 5.3, with a tree in place of a chain, whose ReLU form
        has O(i l^2) units: O(i l) units and O(i log l) layers.
    """
    if factors < 1:
        raise HypothesisError(f"the product has {factors} factors; give at least 1")
    whole, left = Network([Affine(np.eye(factors), np.zeros(factors))]), factors
    pair, alone = product_network(levels), Network([Affine(np.eye(1), np.zeros(1))])
    while left > 1:
        parts = [pair] * (left // 2) + [alone] * (left % 2)
        whole = compose(_side_by_side(parts), whole)
        left = len(parts)
    return whole


def _side_by_side(parts: Sequence[Network]) -> Network:
    """Networks on consecutive inputs, in one."""
    count, at, placed = sum(p.in_dim for p in parts), 0, []
    for part in parts:
        chosen = np.eye(count)[at : at + part.in_dim]
        placed.append(compose(part, Network([Affine(chosen, np.zeros(len(chosen)))])))
        at += part.in_dim
    return reduce(parallel, placed)


def monomial_network(exponents: Sequence[int], levels: int) -> Network:
    """x^alpha on [-1, 1]^d, |alpha| >= 1: the product of its factors, repeated.

    Error at most (|alpha| - 1) 4^(-i-2); exact for |alpha| = 1.
    """
    picked = [i for i, e in enumerate(exponents) for _ in range(e)]
    if not picked or min(exponents) < 0:
        raise HypothesisError(
            f"exponents {tuple(exponents)}: none may be negative, and one "
            "or more must be above 0"
        )
    rows = np.eye(len(exponents))[picked]
    inner = Network([Affine(rows, np.zeros(len(picked)))])
    return compose(product_of(len(picked), levels), inner)


def monomials_network(dim: int, degree: int, levels: int) -> Network:
    """All x^alpha with 1 <= |alpha| <= r on [-1, 1]^d, one output each.

    In the order of `monomial_exponents`; errors as of `monomial_network`.

    Raises:
        HypothesisError: d or r below 1.
        TooLargeError: more than 256 monomials.

    Source:
        Telgarsky (2023), Lemma 5.4: C(d + r, r) - 1 of them, each its own tree.
    """
    parts = [monomial_network(e, levels) for e in monomial_exponents(dim, degree)]
    return reduce(parallel, parts)


def monomial_exponents(dim: int, degree: int) -> list[tuple[int, ...]]:
    """The alpha of `monomials_network`, by degree, the first entry falling."""
    if dim < 1 or degree < 1:
        raise HypothesisError(
            f"dim is {dim} and degree is {degree}; both must be at least 1"
        )
    count = comb(dim + degree, degree) - 1
    if count > MAX_OUTPUTS:
        raise TooLargeError(
            f"{count} monomials are needed, "
            f"and at most {MAX_OUTPUTS} are built; lower the degree"
        )
    degrees = range(1, degree + 1)
    return [alpha for r in degrees for alpha in exponents_of_degree(dim, r)]


def partition_network(dim: int, steps: int, levels: int) -> Network:
    """An approximate partition of unity on [0, 1]^d, one output for each grid point.

    (s + 1)^d outputs: the product of the hats of its coordinates, 0 where one of them
    is 0; with e = 4^(-i-2) each is within (d - 1) e of the product and all together
    within 2^d (d - 1) e of 1. Grid points are in the order of `itertools.product`.

    Raises:
        HypothesisError: d or s below 1.
        TooLargeError: more than 256 grid points.

    Source:
        Telgarsky (2023), Lemma 5.5, with one sign turned round: printed, the hats add
        up to 1 - s z.
    """
    if dim < 1 or steps < 1:
        raise HypothesisError(
            f"`dim` is {dim} and `steps` is {steps}; both must be at least 1"
        )
    if (steps + 1) ** dim > MAX_OUTPUTS:
        raise TooLargeError(
            f"{(steps + 1) ** dim} grid points are needed, and at most "
            f"{MAX_OUTPUTS} are built; give fewer steps"
        )
    hats, product = _hats(dim, steps), product_of(dim, levels)
    chosen = []
    for point in cartesian(range(steps + 1), repeat=dim):
        rows = [(steps + 1) * k + j for k, j in enumerate(point)]
        pick = np.eye(dim * (steps + 1))[rows]
        chosen.append(compose(product, Network([Affine(pick, np.zeros(dim))])))
    return compose(reduce(parallel, chosen), hats)


def _hats(dim: int, steps: int) -> Network:
    """relu(1 - |s x_k - j|) for every k and j on [0, 1]^d, s + 1 units for each k."""
    rows = np.kron(np.eye(dim), np.ones((steps + 1, 1))) * steps
    bias = np.tile(-np.arange(-1.0, steps), dim)
    mix = np.eye(steps + 1) - 2 * np.eye(steps + 1, k=1) + np.eye(steps + 1, k=2)
    layers = [
        Affine(rows, bias),
        Affine(np.kron(np.eye(dim), mix), np.zeros(dim * (steps + 1))),
    ]
    return Network(layers)


def polynomial_by_products(polynomial: Polynomial, levels: int) -> Network:
    """The polynomial on [-1, 1]^d, each monomial by a tree of products.

    Error at most sum |c_alpha| (|alpha| - 1) 4^(-i-2) over |alpha| >= 2.
    """
    parts = [
        scale(monomial_network(exponents, levels), c)
        for exponents, c in polynomial.terms.items()
        if sum(exponents)
    ]
    constant = polynomial.terms.get((0,) * polynomial.dim, 0)
    if not parts:
        flat = Network([Affine(np.zeros((1, polynomial.dim)), np.zeros(1))])
        return shift(flat, constant)
    return shift(reduce(add, parts), constant)


def _product(levels: int) -> Value:
    return Value(fmpq(1, 4 ** (levels + 2)), Rigour.EXACT)


PRODUCT = Statement(
    "telgarsky-4.3",
    "Largest error of a product of two numbers, computed from two "
    "squares of i levels, each interpolated at the multiples of 2^-i",
    ("|x|, |y| <= 1", "the network has i + 2 hidden layers and 8 + 5 i units"),
    Source("telgarsky2023", "Corollary 4.3"),
    (LEVELS,),
    _product,
    errata=(
        "the printed product g is not 0 on the axes: g(0, 1/2) = 1/8 for i = 1",
        (
            "the supremum of the error of the printed product is 4^-i / 2, "
            "half of the printed bound 4^-i"
        ),
    ),
    sample="levels=10",
    tex=r"4^{-i-2}",
    proof=proved("explicit-networks"),
)


def _products(factors: int, levels: int) -> Value:
    return Value(fmpq(factors - 1, 4 ** (levels + 2)), Rigour.EXACT)


PRODUCTS = Statement(
    "telgarsky-5.3",
    "Bound on the error of a product of l numbers, computed by a balanced tree of "
    "products of two numbers, each of i levels (telgarsky-4.3)",
    ("|x_k| <= 1", "the product that the network computes is 0 if a factor is 0"),
    Source("telgarsky2023", "Lemma 5.3"),
    (
        Parameter("factors", "integer", "l, the number of factors", "2", most=10**6),
        LEVELS,
    ),
    _products,
    errata=(
        (
            "a chain of products carries the other factors along, which "
            "takes O(i l^2) units and not O(i l + l^2) as printed"
        ),
        (
            "with the printed product of two numbers, the result need not "
            "be 0 if a factor is 0"
        ),
    ),
    sample="factors=3 levels=10",
    tex=r"(l - 1) \, 4^{-i-2}",
    proof=proved("explicit-networks"),
)
