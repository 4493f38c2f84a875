"""The algebra of networks: every identity holds exactly, on rationals, with ==."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.constructions import fold_network
from depthsep.networks import (
    RELU,
    THRESHOLD,
    Network,
    add,
    compose,
    deepen,
    parallel,
    prune,
    restrict,
    scale,
    shift,
)
from support.nets import dyadics, mixed_networks, networks, rationals, relu_networks

BOTH = (RELU, THRESHOLD)
planar = networks(inputs=2, outputs=2, activations=BOTH)
vectors = st.tuples(rationals, rationals)


@given(planar, planar, vectors)
def test_a_composition_is_one_network_after_the_other(outer, inner, x):
    composed = compose(outer, inner)
    assert composed(x) == outer(inner(x))
    assert composed.depth == outer.depth + inner.depth - 1
    assert composed.widths == inner.widths + outer.widths


@given(relu_networks, relu_networks, relu_networks, rationals)
def test_composition_is_associative(f, g, h, x):
    assert compose(compose(f, g), h) == compose(f, compose(g, h))
    assert compose(f, compose(g, h))([x]) == f(g(h([x])))


@given(networks(inputs=2), networks(inputs=2), vectors)
def test_a_sum_adds_the_values_of_networks_of_any_depths(f, g, x):
    assert add(f, g)(x)[0] == f(x)[0] + g(x)[0]
    assert add(f, g).depth == max(f.depth, g.depth)


@given(networks(inputs=2), networks(inputs=2, outputs=3), vectors)
def test_networks_in_parallel_give_both_values(f, g, x):
    both = parallel(f, g)
    assert both(x) == f(x) + g(x)
    assert both.out_dim == 4


@given(planar, rationals, vectors)
def test_scaling_and_shifting_act_on_every_output(network, c, x):
    assert scale(network, c)(x) == tuple(
        fmpq(c.numerator, c.denominator) * v for v in network(x)
    )
    assert shift(network, c)(x) == tuple(
        v + fmpq(c.numerator, c.denominator) for v in network(x)
    )


@given(planar, vectors, vectors, rationals, rationals)
def test_a_restriction_is_the_network_on_the_subspace(network, base, one, s, t):
    other = (one[1] + 1, -one[0])
    point = [b + s * u + t * v for b, u, v in zip(base, one, other, strict=True)]
    assert restrict(network, base, one, other)([s, t]) == network(point)
    line = [b + s * u for b, u in zip(base, one, strict=True)]
    assert restrict(network, base, one)([s]) == network(line)


@given(mixed_networks, st.integers(0, 3), rationals)
def test_deepening_changes_the_depth_and_nothing_else(network, more, x):
    deeper = deepen(network, network.depth + more)
    assert deeper.depth == network.depth + more
    assert deeper([x]) == network([x])
    carry = min(network.widths[-1], 2)
    assert max(deeper.widths[network.hidden_layers :], default=carry) == carry


@given(rationals, rationals, rationals)
def test_an_affine_map_can_be_deepened(slope, level, x):
    line = Network.from_arrays([[slope]], [level])
    assert deepen(line, 4)([x]) == line([x])
    assert deepen(line, 4).widths == (2, 2, 2)


@given(networks(inputs=2, activations=BOTH, weights=dyadics), vectors)
def test_pruning_changes_no_value(network, x):
    pruned = prune(network)
    assert pruned(x) == network(x)
    assert pruned.depth == network.depth and pruned.units <= network.units
    assert prune(pruned).widths == pruned.widths


@given(networks(inputs=2, activations=BOTH), st.data())
def test_pruning_on_a_box_changes_no_value_in_the_box(network, data):
    corners = [sorted(data.draw(vectors)) for _ in range(2)]
    pruned = prune(network, box=corners)
    assert pruned.units <= prune(network).units
    shares = [data.draw(st.fractions(0, 1, max_denominator=9)) for _ in range(2)]
    inside = [a + (b - a) * s for (a, b), s in zip(corners, shares, strict=True)]
    for x in (inside, [a for a, _ in corners], [b for _, b in corners]):
        assert pruned(x) == network(x)


def test_a_layer_that_is_constant_on_the_box_reads_nothing():
    network = Network.from_arrays(
        np.array([[0, 1], [0, -1]]),
        [1, 0],
        [[1, 1], [0, 0], [0, -1]],
        [0, 0, 0],
        [[0, 0, 1]],
        [0],
    )
    box = [(0, 0), (-1, 0)]
    assert prune(network).widths == (1, 1)
    assert prune(network, box=box).widths == (1, 1)
    assert prune(network, box=box)([0, "-1/2"]) == network([0, "-1/2"])


def test_pruning_removes_what_is_dead_on_the_box():
    network = Network.from_arrays(
        [[1], [1], [-1], [0]], [5, -7, -6, 3], [[1, 1, 1, 1]], [0]
    )
    assert prune(network).widths == (3,)
    pruned = prune(network, box=[(0, 1)])
    assert pruned.widths == (1,)
    assert [pruned([x])[0] for x in (0, 1)] == [8, 9]


def test_pruning_keeps_one_unit_in_each_layer():
    constant = Network.from_arrays([[0]], [1], [[2]], [3], [[0]], [4])
    assert prune(constant).widths == (1, 1)
    assert prune(constant)([17]) == (4,)
    nothing_read = Network.from_arrays([[1], [2]], [0, 0], [[0, 0]], [1])
    assert prune(nothing_read)([3]) == (1,)


def test_pruning_keeps_the_function_along_a_line():
    network = Network.from_arrays(
        [[1], [0], [2]], [0, 4, -1], [[1, 2, 3], [0, 0, 0]], [1, -1], [[1, 9]], [0]
    )
    before, after = (on_interval(n) for n in (network, prune(network)))
    assert before.knots.tolist() == after.knots.tolist()
    assert before.pieces == after.pieces
    assert prune(network).widths == (2, 1)


@pytest.mark.parametrize("box", [[(0, 1), (0, 1)], [(1, 0)], []])
def test_boxes_that_do_not_fit_are_refused(box):
    with pytest.raises(HypothesisError):
        prune(fold_network((2,)), box=box)


@given(relu_networks, relu_networks)
def test_float64_networks_stay_float64_where_nothing_is_lost(f, g):
    assume(f.depth <= g.depth)
    tents = fold_network((2, 3))
    assert tents.is_float
    assert compose(tents, tents).is_float and add(tents, tents).is_float
    assert scale(tents, "1/2").is_float and not scale(tents, "1/3").is_float
    assert shift(tents, "0.25").is_float and not shift(tents, "1/3").is_float
    assert deepen(tents, 9).is_float and parallel(tents, tents).is_float
    assert not add(f, g).is_float


def test_results_beyond_float64_become_rational_and_stay_exact():
    big = Network.from_arrays(np.array([[2.0**1000]]), np.array([1.0]))
    square = compose(big, big)
    assert not square.is_float
    assert square([1])[0] == fmpq(2) ** 2000 + fmpq(2) ** 1000 + 1


def test_operations_on_networks_that_do_not_fit_are_refused():
    one, two = fold_network((2,)), Network.from_arrays([[1, 1]], [0])
    pair = Network.from_arrays([[1], [1]], [0, 0])
    step = Network(one.layers, [THRESHOLD])
    with pytest.raises(HypothesisError, match="gives 2 values"):
        compose(one, pair)
    with pytest.raises(HypothesisError, match="take 1 and 2 inputs"):
        parallel(one, two)
    with pytest.raises(HypothesisError, match="the same number of values"):
        add(one, pair)
    with pytest.raises(HypothesisError, match="different activations"):
        add(one, step)
    with pytest.raises(HypothesisError, match="the network already has depth"):
        deepen(one, 1)
    with pytest.raises(HypothesisError, match="direction"):
        restrict(two, [0, 0])
    with pytest.raises(HypothesisError, match="takes 2"):
        restrict(two, [0], [1])
    for operation in (scale, shift):
        with pytest.raises(HypothesisError, match="finite"):
            operation(one, float("nan"))
