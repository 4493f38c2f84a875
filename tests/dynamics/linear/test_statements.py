"""Statements about deep linear layers, against matrices in NumPy."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest

from depthsep import HypothesisError, bound

DEPTHS = (1, 2, 3, 5)


def middle(words):
    """The number of an enclosure in words."""
    ends = words.removeprefix("between ").split(" and ")
    return sum(float(Fraction(end)) for end in ends) / len(ends)


def product(layers, size):
    return reduce(lambda found, layer: layer @ found, layers, np.eye(size))


def balanced(w, depth):
    """Layers with the product w and W_{j+1}^T W_{j+1} = W_j W_j^T."""
    if depth == 1:
        return [w]
    left, sizes, right = np.linalg.svd(w, full_matrices=False)
    root = np.diag(sizes ** (1 / depth))
    return [root @ right, *[root] * (depth - 2), left @ root]


def moved(layers, g, decay=0.0):
    """W' by the product rule, for any layers."""
    total = 0
    for j, layer in enumerate(layers):
        after = product(layers[j + 1 :], len(layer))
        before = product(layers[:j], layers[0].shape[1])
        slope = -after.T @ g @ before.T - decay * layer
        total = total + after @ slope @ before
    return total


@pytest.mark.parametrize("depth", DEPTHS)
def test_balanced_layers_rescale_each_part_of_the_gradient(depth):
    sizes = np.array([2.0, 1.0, 0.5])
    layers = balanced(np.diag(sizes), depth)
    for r, row in enumerate(sizes):
        for s, column in enumerate(sizes):
            g = np.zeros((3, 3))
            g[r, s] = 1
            found = bound("end-to-end-rule", row=row, column=column, depth=depth)
            assert np.allclose(moved(layers, g), -middle(found.text) * g, atol=1e-9)


def test_a_singular_product_keeps_the_identity_at_power_0():
    assert middle(bound("end-to-end-rule", row=0, column=0, depth=1).text) == 1
    assert middle(bound("end-to-end-rule", row=0, column=4, depth=2).text) == 4
    assert middle(bound("end-to-end-rule", row=0, column=0, depth=2).text) == 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_balanced_layers_with_one_output(depth):
    w, g = np.array([[3.0, 4.0]]), np.array([[1.0, -2.0]])
    found = bound("end-to-end-vector", w="3,4", gradient="1,-2", depth=depth, decay=0.5)
    expected = moved(balanced(w, depth), g, 0.5)[0]
    assert np.allclose([middle(x) for x in found.text.split("; ")], expected)
    still = bound("end-to-end-vector", w="0,0", gradient="1,-2", depth=3)
    assert still.text == "0; 0"


def test_the_flow_shrinks_the_imbalance():
    rng = np.random.default_rng(2)
    layers = [rng.standard_normal((3, 3)) for _ in range(2)]
    g, decay, h = rng.standard_normal((3, 3)), 0.25, 1e-6

    def imbalance(one, two):
        return two.T @ two - one @ one.T

    one, two = layers
    slopes = two.T @ g + decay * one, g @ one.T + decay * two
    after = imbalance(one - h * slopes[0], two - h * slopes[1])
    factor = middle(bound("balancedness", decay=decay, time=h).text)
    assert np.allclose(after, factor * imbalance(one, two), atol=1e-10)


def test_the_momentum_form_is_descent_on_both_factors():
    first, second = [Fraction(1), Fraction(2)], Fraction(1, 2)
    g, rate = [Fraction(1), Fraction(-1)], Fraction(1, 8)
    begin = [second * x for x in first]
    found = bound("momentum-form", first="1,2", gradient="1,-1", steps=4)
    left, *terms = found.text.removeprefix("w(4) = ").split(" - ")
    left, weight = (
        left.removesuffix(" w(0)"),
        sum(Fraction(t.split()[0]) for t in terms),
    )
    for _ in range(4):
        inner = sum(a * b for a, b in zip(first, g, strict=True))
        first = [a - rate * second * b for a, b in zip(first, g, strict=True)]
        second = second - rate * inner
    end = [Fraction(left) * w - weight * x for w, x in zip(begin, g, strict=True)]
    assert end == [second * x for x in first]


def test_singular_values_that_nearly_agree_are_enclosed():
    close = bound("end-to-end-rule", row=1, column="1.00000000000000000000000000001")
    assert middle(close.text) == pytest.approx(3)


def test_wrong_numbers_are_refused_in_one_line():
    with pytest.raises(
        HypothesisError, match="w and the gradient have 2 and 1 entries"
    ):
        bound("end-to-end-vector", w="3,4", gradient="1")
    with pytest.raises(HypothesisError, match="from 1 to 8"):
        bound("momentum-form", first="1", gradient="1", steps=9)
    with pytest.raises(HypothesisError, match="w_2 became 0"):
        bound("momentum-form", first="8", second="1", gradient="1", rate="1/8")
