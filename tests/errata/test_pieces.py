"""Errata on pieces, crossings and lower bounds: printed fails, corrected holds."""

from fractions import Fraction
from itertools import pairwise, product
from math import ceil

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import (
    crossings,
    most_crossings,
    most_pieces,
    most_pieces_by_units,
    most_pieces_printed,
    most_pieces_printed_by_units,
    on_interval,
    pieces_of_composition,
    pieces_of_sum,
    pieces_of_unit,
)
from depthsep.approximation import distance_to_form
from depthsep.constructions import fold_network
from depthsep.exact import PiecewiseAffine
from depthsep.lower_bounds import square_optimum
from depthsep.lower_bounds.line._printed import printed_square_error
from depthsep.networks import Network, add, compose
from depthsep.targets import Sawtooth
from support.nets import (
    SQUARE,
    UNIT,
    affine,
    networks,
    relu_networks,
    tents_on_the_line,
)
from support.oracles import cut, pieces

# pieces (Telgarsky 2023, Definition 4.8, Lemmas 4.9 and 4.11)


def test_with_scattered_sets_for_pieces_sums_have_too_many():
    places = list(product(range(3), repeat=2))  # nine cells of R, in any order
    f, g = [i for i, _ in places], [3 * j for _, j in places]
    total = [a + b for a, b in zip(f, g, strict=True)]
    assert len(set(f)) == len(set(g)) == 3
    assert len(set(total)) == 9 > 3 + 3  # the printed lemma allows 6
    # counted as intervals, f and g have more pieces, and the lemma holds

    def runs(values):
        return 1 + sum(a != b for a, b in pairwise(values))

    assert runs(total) <= pieces_of_sum(runs(f), runs(g))


def test_with_sets_for_pieces_the_tent_would_lose_one():
    whole = on_interval(tents_on_the_line(1))
    assert whole.pieces == 4
    lines = cut(tents_on_the_line(1)).lines
    assert len(set(lines)) == 3  # both rays share the line 0


@given(relu_networks, relu_networks)
def test_sums_and_compositions_obey_the_calculus(f, g):
    one, other = pieces(cut(f)), pieces(cut(g))
    assert on_interval(add(f, g)).pieces <= pieces_of_sum(one, other)
    assert on_interval(compose(f, g)).pieces <= pieces_of_composition(one, other)


@given(networks(outputs=1))
def test_a_single_unit_has_at_most_twice_the_pieces_of_what_it_reads(network):
    last = Network((*network.layers, network.layers[-1].__class__([[1]], [0])))
    assert on_interval(last).pieces <= pieces_of_unit((*network.widths, 1))


def zigzag_of_the_line():
    """Four pieces on R from three units, one of them turned left: +, -, +, -."""
    return Network.from_arrays(
        [[1], [1], [-1]], [0, -10, 20], [[-3, 2, -2]], [60]
    )  # fmt: skip


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_theorem_a_is_attained(layers):
    zigzag = zigzag_of_the_line()
    assert [zigzag([x])[0] for x in (0, 10, 20)] == [20, 10, 20]
    centred = compose(affine(4, -50), zigzag)  # the folds lie between -10 and 30
    network = zigzag
    for _ in range(layers - 1):
        network = compose(network, centred)
    assert network.widths == (3,) * layers
    assert on_interval(network).pieces == most_pieces(network.widths) == 4**layers


@given(st.integers(1, 5).flatmap(lambda n: networks(most_layers=n, most_units=1)))
def test_layers_of_one_unit_give_at_most_three_pieces(network):
    assert on_interval(network).pieces <= 3


def test_the_printed_count_by_units_is_not_increasing_in_the_layers():
    m = 4
    counts = [most_pieces_printed_by_units(m, layers) for layers in range(1, 12)]
    assert counts != sorted(counts)
    peak = counts.index(max(counts)) + 1
    assert abs(peak - 2 * m / 2.718281828) <= 1
    ours = [most_pieces_by_units(m, layers) for layers in range(1, 12)]
    assert ours == sorted(ours)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_theorem_a_is_never_larger_than_the_printed_count(widths):
    assert most_pieces(widths) <= most_pieces_printed(widths)
    assert most_pieces(widths) <= most_pieces_by_units(sum(widths), len(widths))


# lower bounds (Telgarsky 2023, Theorems 4.4 and 4.6)


def test_the_printed_bound_for_the_square_is_false_for_few_units():
    claimed = fmpq(1) / (5760 * (fmpq(2 * 1) / 4) ** 16)
    assert claimed > 11
    zero = on_interval(affine(0, 0), 0, 1)
    assert distance_to_form(zero, SQUARE, "l2", UNIT).square == fmpq(1, 5)
    with pytest.raises(
        HypothesisError, match="6 needs at least one unit in each layer"
    ):
        printed_square_error(1, 4)


@pytest.mark.parametrize(("units", "layers"), [(1, 1), (4, 4), (9, 3), (20, 5)])
def test_the_sharp_bound_for_the_square_is_at_least_32_times_the_printed_one(
    units, layers
):
    most = most_pieces_by_units(units, layers)
    assert square_optimum(most, "l2").square >= 32 * printed_square_error(units, layers)


@given(st.integers(1, 4), st.data())
def test_no_function_beats_nine_thirty_seconds_a_piece(k, data):
    count = data.draw(st.integers(1, 2**k))
    inner = st.fractions(0, 1, max_denominator=4 * 2**k)
    values = st.fractions(-1, 2, max_denominator=6)
    knots = sorted(
        {Fraction(0), Fraction(1), *(data.draw(inner) for _ in range(count))}
    )
    x, v = [], []
    for a, b in pairwise(knots):  # a jump at every knot
        x += [a, a, b] if x else [a, b]
        v += [data.draw(values) for _ in range(3 if len(x) > 2 else 2)]
    g = PiecewiseAffine.through(x, v)
    form = Sawtooth(k).exact_form()
    n = fmpq(g.pieces, 2**k)
    assert distance_to_form(g, form, "l1", UNIT).upper >= fmpq(1, 4) - fmpq(9, 32) * n
    square = distance_to_form(g, form, "l2", UNIT).square
    assert square >= fmpq(1, 12) - fmpq(13, 120) * n


# crossings (the blog on benefits of depth; Telgarsky 2016)


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_crossing_numbers_are_crossings_plus_one(k):
    network = fold_network((2,) * k)
    assert crossings(on_interval(network, 0, 1)) == 2**k + 1
    assert crossings(on_interval(network, 0, 1), 1) == 2**k + 1  # touched from below
    assert crossings(on_interval(network, 0, 1), 0) == 1  # touched from above
    teeth = 2 ** (k - 1)  # (2 t)^l / 2 triangles for t = 1, printed as (2 t)^l
    tops = [v for v in on_interval(network, 0, 1).values.tolist() if v == 1]
    assert len(tops) == teeth


def least_disagreement(s, runs):
    """Fewest regions of f, of s alternating classes, on which g differs throughout.

    g has `runs` runs; it may change inside a region, any number of times.
    """
    best = {(c, 1): 0 for c in (0, 1)}  # (class of g now, runs so far): count
    for region in range(s):
        new = {}
        for (c, used), count in best.items():
            for inside, before in product(range(runs), (0, 1)):
                start = c if not before else 1 - c
                total = used + before + inside
                if total > runs or (before and not region):
                    continue
                wrong = inside == 0 and start != region % 2
                key = (start ^ (inside % 2), total)
                new[key] = min(new.get(key, s), count + wrong)
        best = new
    return min(best.values())


@pytest.mark.parametrize("s", [3, 5, 9, 17])
def test_disagreements_number_half_of_one_more_than_the_regions_less_the_runs(s):
    for runs in range(1, 7):
        least = least_disagreement(s, runs)
        assert least >= Fraction(s + 1, 2) - runs  # printed with s / 2
        # deleting a region of f removes two of its changes at most, so even this holds
        assert least == max(0, ceil(Fraction(s - runs, 2)))
    # "more than half of the regions" is wrong already for a constant g
    assert least_disagreement(s, 1) == Fraction(s - 1, 2) < Fraction(s, 2)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_continuous_function_of_n_pieces_disagrees_on_the_counted_triangles(k):
    for n in range(1, 2 ** (k - 1)):
        assert least_disagreement(2**k + 1, n + 1) >= 2 ** (k - 1) - n


def test_breaks_pull_back_through_pieces_of_higher_degree():
    # one unit sigma(z) = z^2 - z for z >= 0 and 0 below: t = 2 pieces of degree 2
    def sigma(z):
        return z * z - z if z >= 0 else Fraction(0)

    def first_layer(x):
        return sigma(x) + 3 * sigma(x - 1)

    signs = [first_layer(Fraction(p, 64)) >= Fraction(-1, 8) for p in range(-64, 193)]
    roots = sum(a != b for a, b in pairwise(signs))
    assert roots == 4
    found = 3 + roots  # pieces of one unit of the second layer: its breaks and 0, 1
    without_degree = (1 + 2) * (1 + 1)
    with_degree = (1 + 2) * (1 + 1 * 2)
    assert without_degree < found <= with_degree
    assert most_crossings([2, 1], pieces=2, degree=2) == with_degree * (1 + 2**2)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_relu_networks_cross_at_most_once_a_piece(widths):
    assert most_crossings(widths) == most_pieces(widths) + 1


@pytest.mark.parametrize(("widths", "options"), [
    ([], {}), ([-1], {}), ([2], {"pieces": 0}), ([2], {"degree": 0}),
])  # fmt: skip
def test_the_calculus_refuses_what_is_no_network(widths, options):
    with pytest.raises(HypothesisError):
        most_crossings(widths, **options)
