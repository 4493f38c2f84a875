"""The largest of N numbers: the identity, the layers, the examiner and its enemies."""

import itertools
import random

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.analysis import examine
from depthsep.claims import Lower, Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Inapplicable, Rigour
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.networks import Affine, Network, deepen
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper, bound, separate
from depthsep.targets import target_from_text
from support.slow import mostly_slow


def of_fives(count, depth, **more):
    problem = Problem(f"max:{count}", accuracy="1e-9", **more)
    theorem = next(c for c in CONSTRUCTIONS if c.statement.id == "max-fives")
    return theorem.prove(problem, depth)


def altered(network, layer, entry, by):
    layers = list(network.layers)
    weight = np.array(layers[layer].weight)
    weight[entry] += by
    layers[layer] = Affine(weight, layers[layer].bias)
    return Network(layers)


def test_the_identity_of_five_holds_for_all_small_whole_numbers():
    for a, b, c, d, e in itertools.product(range(4), repeat=5):
        both = max(a, b) + max(c, d)
        plus = [2 * e, max(0, both - 2 * e)]
        plus += [max(0, max(a, b) - max(x, e)) for x in (c, d)]
        plus += [max(0, max(c, d) - max(x, e)) for x in (a, b)]
        minus = [max(0, both - max(x, e) - max(y, e)) for x, y in ((a, b), (c, d))]
        assert sum(plus) - sum(minus) == 2 * max(a, b, c, d, e)


@pytest.mark.parametrize(
    ("count", "hidden"), [(2, 1), (3, 2), (5, 2), (6, 3), (12, 3), (13, 4), (30, 4)]
)
def test_layers_of_fives(count, hidden):
    assert bound("max-fives", numbers=count).value == hidden
    if count < 5:
        return
    assert isinstance(of_fives(count, hidden), Inapplicable)
    network = of_fives(count, hidden + 1).network
    numbers = random.Random(count)
    for _ in range(40):
        x = [fmpq(numbers.randint(0, 8), 8) for _ in range(count)]
        assert network(x)[0] == max(x)


def test_published_layers_are_never_fewer_up_to_75():
    for count in range(4, 76):
        published = 1
        while 3 ** (published - 1) < count - 2:
            published += 1
        assert bound("max-fives", numbers=count).value <= published
    assert bound("max-decimal-fractions", numbers=12).value == 3
    assert bound("max-one-layer", numbers=3).value == 2


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 5, 6])
def test_the_table_is_sharp_from_the_depth_of_pairs_on(count):
    depth = (count - 1).bit_length() + 1
    problem = Problem(f"max:{count}", Segment(-1, 2), accuracy="1e-3")
    row = separate(problem, depths=[depth])[depth]
    assert isinstance(row.upper, Upper) and isinstance(row.lower, Lower)
    assert row.upper.width == row.lower.width == count
    assert row.upper.checked and row.upper.rigour is Rigour.EXACT
    assert row.upper.error == 0


def test_five_numbers_at_depth_3_are_examined_exactly():
    problem = Problem("max:5", accuracy="1e-30")
    upper = best_upper(problem, 3)
    assert isinstance(upper, Upper) and upper.checked
    assert upper.widths == (9, 8) and upper.error == 0


def test_a_box_with_sides_of_its_own():
    box = Box([Segment(0, 1), Segment("-1/3", 2), Segment("1/2", "3/4")])
    upper = best_upper(Problem("max:3", box, accuracy="1e-9"), 3)
    assert isinstance(upper, Upper) and upper.checked and upper.error == 0


def test_parts_of_the_box_that_are_empty_count_for_nothing():
    box = Box([Segment(0, 1), Segment(0, 1), Segment(2, 3)])
    last = Network([Affine([[0, 0, 1]], [0]), Affine([[1]], [0])])
    found = examine(last, Problem("max:3", box, accuracy="1e-9"))
    assert not isinstance(found, Inapplicable) and found.error.upper == 0
    upper = best_upper(Problem("max:3", box, accuracy="1e-9"), 3)
    assert isinstance(upper, Upper) and upper.checked and upper.error == 0


@pytest.mark.parametrize("size", [1e-70, 1e-30, 1.0, 1e15, 1e30, 1e70])
@pytest.mark.parametrize(("offset", "side"), [(0, "1"), (0, "1e-20"), (10**6, "1e-9")])
def test_scales_of_weights_and_boxes_do_not_matter(size, offset, side):
    """relu(x1 - x2 - s/8) + relu(x2 - a) + a is off by s/8 at most."""
    start, s, k = fmpq(offset), rational(side), rational(size)
    first = Affine([[k, -k], [fmpq(0), k]], [-k * s / 8, -k * start])
    network = Network([first, Affine([[1 / k, 1 / k]], [start])])
    asked = Problem("max:2", Segment(start, start + s), accuracy="1e-3")
    found = examine(network, asked)
    assert not isinstance(found, Inapplicable)
    assert found.error.lower == found.error.upper == s / 8
    assert found.error.rigour is Rigour.EXACT


def test_products_of_weights_may_leave_the_floats():
    large = fmpq(10) ** 90
    layers = [Affine([[large, -large], [0, large]], [0, 0])]
    layers += [Affine([[large, 0], [0, large]], [0, 0])] * 3
    layers.append(Affine([[large**-4, large**-4]], [0]))
    found = examine(Network(layers), Problem("max:2", accuracy="1e-3"))
    assert isinstance(found, Inapplicable) or found.error.upper == 0


def test_twelve_numbers_in_three_hidden_layers_rest_on_the_theorem():
    found = best_upper(Problem("max:12", accuracy="1e-9"), 4, seconds=0.5)
    assert isinstance(found, Upper) and not found.checked
    assert found.width == 34 and "time" in found.note


@pytest.mark.parametrize("place", mostly_slow([7], [0, 7]))
def test_an_altered_network_has_the_error_that_brute_force_finds(place):
    """Sup over cells against float64 maximisation over many corners and points."""
    network = of_fives(5, 3).network
    bad = altered(network, 2, (0, place), 1 / 64)
    found = examine(bad, Problem("max:5", accuracy="1e-9"))
    assert not isinstance(found, Inapplicable)
    points = np.array(list(itertools.product((0, 0.5, 1), repeat=5)))
    seen = np.abs(bad.floats(points)[:, 0] - points.max(axis=1)).max()
    assert found.error.lower >= fmpq(1, 256)
    assert float(found.error.upper) >= seen - 1e-12
    assert found.error.upper <= found.error.lower * fmpq(1001, 1000)


def test_random_networks_are_bounded_from_both_sides():
    rng = np.random.default_rng(5)
    for _ in range(6):
        network = Network(
            [
                Affine(rng.normal(size=(4, 3)), rng.normal(size=4)),
                Affine(rng.normal(size=(3, 4)), rng.normal(size=3)),
                Affine(rng.normal(size=(1, 3)), rng.normal(size=1)),
            ]
        )
        found = examine(network, Problem("max:3", accuracy="1e-3"))
        assert not isinstance(found, Inapplicable)
        points = rng.random((20_000, 3))
        seen = np.abs(network.floats(points)[:, 0] - points.max(axis=1)).max()
        assert seen <= float(found.error.upper)
        assert found.error.lower <= found.error.upper
        assert found.error.upper - found.error.lower <= fmpq(1, 10**6)


def test_a_dead_and_a_doubled_unit_change_nothing():
    network = of_fives(5, 3).network
    first = network.layers[0]
    weight = np.vstack([first.weight, first.weight[:1], np.zeros((1, 5))])
    bias = np.append(first.bias, [first.bias[0], -1])
    after = network.layers[1]
    more = np.hstack([after.weight, np.zeros((len(after.weight), 2))])
    more[:, 0] /= 2
    more[:, -2] = more[:, 0]
    same = Network([Affine(weight, bias), Affine(more, after.bias), network.layers[2]])
    found = examine(same, Problem("max:5", accuracy="1e-9"))
    assert not isinstance(found, Inapplicable) and found.error.upper == 0


def test_one_unit_fewer_in_the_first_layer_is_far_off():
    """Networks blind in a direction, with the best function of what they see."""
    rng = np.random.default_rng(2)
    least = bound("first-layer", function="max", side=1).value
    assert least == fmpq(1, 4)
    for _ in range(100):
        v = rng.normal(size=3)
        v /= np.abs(v).max()
        start = rng.random((400, 3))
        steps = np.linspace(-1, 1, 81)[:, None, None]
        lines = start + steps * v
        inside = ((lines >= 0) & (lines <= 1)).all(axis=2)
        values = np.where(inside, lines.max(axis=2), np.nan)
        gaps = (np.nanmax(values, axis=0) - np.nanmin(values, axis=0)) / 2
        assert gaps.max() >= 0.2  # samples; the theorem says 1/4 on some line


def test_bent_functions_need_a_unit_for_each_input():
    problem = Problem("poly:x1**2+x2**2+x3**2", accuracy="1/9")
    found = best_lower(problem, 7)
    assert isinstance(found, Lower) and found.width == 3
    assert found.statement.id == "first-layer"
    near = best_lower(Problem("poly:x1**2+x2**2+x3**2", accuracy="1/8"), 7)
    assert not (isinstance(near, Lower) and near.statement.id == "first-layer")


PASSED_ON = [("linf", 5), ("l1", 3), ("l2", 3)]


@pytest.mark.parametrize(("norm", "count"), mostly_slow(PASSED_ON[1:], PASSED_ON))
def test_passing_on_keeps_the_examiner_exact(norm, count):
    problem = Problem(f"max:{count}", norm=norm, accuracy="1e-9")
    shallow = of_fives(5, 3) if count == 5 else best_upper(problem, 3)
    found = examine(deepen(shallow.network, 5), problem)
    assert not isinstance(found, Inapplicable) and found.error.upper == 0


@pytest.mark.parametrize("written", ["max:1", "max:65", "max:x", "max:"])
def test_counts_out_of_range_are_refused(written):
    with pytest.raises(HypothesisError):
        target_from_text(written)


@pytest.mark.slow
def test_many_numbers_have_a_table():
    table = separate(Problem("max:40", accuracy="1e-3"), depths=[6])
    row = table[6]
    assert isinstance(row.lower, Lower) and row.lower.width == 40
    assert isinstance(row.upper, Upper) and row.upper.width >= 40
