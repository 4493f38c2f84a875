"""Splitting a network into functions of one variable never changes the answer.

Every network is examined twice: split and composed, and enumerated piece by piece. The
two share neither the recursion nor the bookkeeping; they must agree to the last bit, or
splitting must decline.
"""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from depthsep.analysis import Examination, examine, on_interval
from depthsep.analysis.line._examine import (
    examine_enumerated,
    examine_split,
    pieces_of_split,
)
from depthsep.constructions import fold_network, quadratic_network
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.networks import THRESHOLD, Affine, Network, parallel, scale
from depthsep.problems import NORMS, Problem
from depthsep.targets import Sawtooth
from support.nets import SQUARE, UNIT, fmpq_of, rationals
from support.slow import in_turn

BASES = [
    (1,),
    (2,),
    (5,),
    (2, 1),
    (1, 2),
    (1, 1, 1),
    (3, 2),
    (4, 4),
    (2, 3, 2),
    (2,) * 6,
]
DESCENDING = [tuple(sorted(b, reverse=True)) for b in BASES]
TARGETS = ["square", "sawtooth:1", "sawtooth:3", "expr:3*x-2*x**2", "expr:x/3-1/7"]
QUADRATICS = [
    ("square", UNIT),
    ("square", Segment(-1, "1/3")),
    ("expr:-3*x**2", Segment("-1/7", 2)),
    ("expr:x**2/9 - x + 1/3", Segment(5, "61/7")),
    ("expr:1 - x**2", Segment(-1, 1)),
]


def problem_of(target, on=None, norm="linf"):
    return Problem(target, None if target.startswith("sawtooth") else on, norm=norm)


def agree(network, problem):
    """Both examinations give one answer; returns it, or None where split declines."""
    split = examine_split(network, problem)
    listed = examine_enumerated(network, problem)
    assert isinstance(listed, Examination)
    on = problem.interval
    count = pieces_of_split(network, on)
    function = on_interval(network, on.start, on.stop)
    assert listed.pieces == function.pieces
    assert count in (None, listed.pieces)
    if isinstance(split, Inapplicable):
        return None
    assert split.method == "split" and listed.method == "enumerated"
    assert split.pieces == listed.pieces
    a, b = split.error, listed.error
    if problem.norm == "l2":
        assert a.square == b.square
    elif problem.norm == "linf":
        assert a.is_point and (a.lower, a.upper) == (b.lower, b.upper)
    else:
        # irrational zeros are enclosed, in different ball arithmetic
        assert max(a.lower, b.lower) <= min(a.upper, b.upper)
        assert (a.upper - a.lower) * 10**40 <= a.upper
    return split


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("bases", BASES, ids=str)
def test_folds_split(bases, target, norm):
    assert agree(fold_network(bases), problem_of(target, norm=norm)) is not None


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("target", "on"), QUADRATICS)
@pytest.mark.parametrize("bases", DESCENDING, ids=str)
def test_quadratic_networks_split(bases, target, on, norm):
    problem = problem_of(target, on, norm)
    network = quadratic_network(problem.target.exact_form(), on, bases, norm)
    found = agree(network, problem)
    # a single piece can be constant, and its layers then see no variable
    assert found is not None or prod(bases) == 1
    assert found is None or found.pieces == prod(bases)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("target", TARGETS[1:])
def test_quadratic_networks_split_against_other_targets(target, norm):
    network = quadratic_network(SQUARE, UNIT, (3, 2, 2), norm)
    assert agree(network, problem_of(target, UNIT, norm)) is not None


@pytest.mark.parametrize("on", [Segment(-1, 2), Segment("1/3", "1/2"), Segment(-2, -1)])
@pytest.mark.parametrize("bases", [(2, 2), (3, 1, 2)], ids=str)
def test_networks_split_on_intervals_they_were_not_made_for(bases, on):
    for norm in NORMS:
        problem = problem_of("square", on, norm)
        assert agree(fold_network(bases), problem) is not None
        agree(quadratic_network(SQUARE, UNIT, (3, 2)), problem)


@pytest.mark.parametrize(
    ("norm", "maker", "size"),
    in_turn(product(NORMS, ("fold", "quadratic")), ["1/1000000", "-1/16", "3"]),
)
def test_after_sabotage_both_ways_agree_or_splitting_declines(maker, size, norm):
    network = fold_network((2, 3, 2))
    if maker == "quadratic":
        network = quadratic_network(SQUARE, UNIT, (3, 2, 2), norm)
    problem = problem_of("square", UNIT, norm)
    clean = examine(network, problem).error
    changed = 0
    for layer, row, column in places(network):
        spoiled = sabotaged(network, layer, row, column, fmpq_of(Fraction(size)))
        agree(spoiled, problem)
        changed += str(examine(spoiled, problem).error) != str(clean)
    assert changed > (0 if norm == "linf" else len(list(places(network))) // 2)


def places(network):
    for k, layer in enumerate(network.layers):
        for i in range(layer.shape[0]):
            yield from ((k, i, j) for j in range(layer.shape[1] + 1))


def sabotaged(network, k, i, j, amount):
    """One weight (or, in the last column, the bias) moved by `amount`."""
    layer = network.layers[k]
    rows = [[fmpq_of(Fraction(str(w))) for w in row] for row in layer.weight.tolist()]
    bias = [fmpq_of(Fraction(str(b))) for b in layer.bias.tolist()]
    if j == layer.shape[1]:
        bias[i] += amount
    else:
        rows[i][j] += amount
    layers = [*network.layers[:k], Affine(rows, bias), *network.layers[k + 1 :]]
    return Network(layers, network.activations)


@st.composite
def rank_one(draw, carried):
    """Layers that see one number, and perhaps a carried sum of any sign."""
    units = draw(st.integers(1, 3))
    arrays = [
        [[draw(rationals)] for _ in range(units)],
        [draw(rationals) for _ in range(units)],
    ]
    has_carry = False
    for _ in range(draw(st.integers(1, 3))):
        seen = [draw(rationals) for _ in range(units - has_carry)] + [0] * has_carry
        factors = draw(st.lists(rationals, min_size=1, max_size=3))
        rows = [[c * w for w in seen] for c in factors]
        bias = [draw(rationals) for _ in factors]
        has_carry = carried and draw(st.booleans())
        if has_carry:
            rows.append([draw(rationals) for _ in range(units)])
            bias.append(draw(rationals) + draw(st.sampled_from([0, 0, 30])))
        arrays += [rows, bias]
        units = len(rows)
    arrays += [[[draw(rationals) for _ in range(units)]], [draw(rationals)]]
    return Network.from_arrays(*arrays)


problems = st.builds(
    problem_of,
    st.sampled_from(TARGETS),
    st.builds(lambda a, w: Segment(a, a + w), rationals, st.integers(1, 4)),
    st.sampled_from(NORMS),
)


@settings(max_examples=50)
@given(rank_one(carried=False), problems)
def test_random_networks_of_rank_one_agree(network, problem):
    agree(network, problem)


@settings(max_examples=70)
@given(rank_one(carried=True), problems)
def test_random_networks_with_a_carried_sum_agree_or_decline(network, problem):
    agree(network, problem)


@given(rank_one(carried=True), problems, rationals)
def test_scaling_a_network_scales_its_distance_to_zero(network, problem, factor):
    assume(factor != 0)
    zero = Problem("expr:0*x", problem.interval, norm="linf")
    one, other = (
        examine(n, zero).error.upper for n in (network, scale(network, factor))
    )
    assert other == abs(fmpq_of(factor)) * one


def carrying(start):
    """x passes on; the carried sum begins at `start` + x - 2 relu(x - 1/2)."""
    return Network.from_arrays(
        [[1], [1]], [0, "-1/2"],
        [[1, 0], [2, 0], [1, -2]], [0, -1, start],
        [[1, 1, 1]], [0],
    )  # fmt: skip


def test_a_carry_that_goes_negative_is_not_trusted():
    problem = Problem("square")
    assert isinstance(examine_split(carrying(-1), problem), Inapplicable)
    assert "negative" in examine_split(carrying(-1), problem).reason
    assert agree(carrying(0), problem) is not None
    assert agree(carrying("-1/1000000"), problem) is None
    assert examine(carrying(-1), problem).method == "enumerated"


def test_networks_that_do_not_split_are_enumerated():
    full = Network.from_arrays(
        [[1], [1]], [0, "-1/2"], [[1, 2], [2, -1], [1, 1]], [0, 1, 2], [[1, 2, 3]], [0]
    )
    problem = Problem("square")
    assert "rank" in examine_split(full, problem).reason
    assert pieces_of_split(full, UNIT) is None
    assert examine(full, problem).method == "enumerated"


def test_what_splitting_cannot_read_is_declined():
    problem = Problem("square")
    folds = fold_network((2, 2))
    assert pieces_of_split(Network(folds.layers, [THRESHOLD] * 2), UNIT) is None
    assert pieces_of_split(parallel(folds, folds), UNIT) is None
    assert pieces_of_split(Network.from_arrays([[1]], [0]), UNIT) is None
    assert isinstance(
        examine_split(Network.from_arrays([[1]], [0]), problem), Inapplicable
    )


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("bases", [(3, 2), (2, 2, 2), (4, 1)], ids=str)
def test_formulas_are_measured_the_same_both_ways(bases, norm):
    on = Segment(-1, 2)
    problem = Problem("expr:exp(x)", on, norm=norm, accuracy="1e-3")
    for network in (fold_network(bases), quadratic_network(SQUARE, on, bases, norm)):
        split = examine_split(network, problem)
        listed = examine_enumerated(network, problem)
        assert split.pieces == listed.pieces
        assert split.error == listed.error


@settings(max_examples=40, deadline=None)
@given(rank_one(carried=True))
def test_random_networks_are_composed_into_the_same_function(network):
    problem = Problem("expr:exp(x)", norm="l2", accuracy=1)
    split, listed = (e(network, problem) for e in (examine_split, examine_enumerated))
    if isinstance(split, Examination):
        assert split.pieces == listed.pieces
        assert split.error.lower <= listed.error.upper
        assert listed.error.lower <= split.error.upper


@pytest.mark.parametrize("folds", [20, 40, 60])
def test_networks_of_many_pieces_are_counted_without_listing_them(folds):
    network, problem = fold_network((2,) * folds), Problem(f"sawtooth:{folds}")
    assert pieces_of_split(network, UNIT) == 2**folds
    found = examine(network, problem)
    assert (found.error.upper, found.pieces, found.method) == (0, 2**folds, "split")
    assert Sawtooth(folds).exact_form() == problem.target.exact_form()


@pytest.mark.parametrize("norm", NORMS)
def test_squares_of_many_pieces_have_the_error_of_theory(norm):
    bases = (8,) * 12
    found = examine(
        quadratic_network(SQUARE, UNIT, bases, norm), Problem("square", norm=norm)
    )
    n = fmpq(8) ** 12
    assert found.pieces == n
    if norm == "l2":
        assert found.error.square == 1 / (180 * n**4)
    else:
        assert found.error.upper == 1 / ((8 if norm == "linf" else 16) * n**2)
