"""Networks for tests: by hand from the theory, and random ones for hypothesis."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from depthsep.constructions import quadratic_network
from depthsep.exact import ball_upper
from depthsep.laws import Segment
from depthsep.networks import RELU, THRESHOLD, Affine, Network, compose, shift
from depthsep.targets import ExactForm, Square

UNIT = Segment(0, 1)
SQUARE = Square().exact_form()


def affine(slope, level):
    """The network x -> slope x + level of depth 1."""
    return Network.from_arrays([[slope]], [level])


def balanced_network(seed, *widths):
    """Random weights of such a size that numbers neither grow nor fade with depth."""
    rng = np.random.default_rng(seed)
    arrays = []
    for n, m in pairwise(widths):
        arrays += [rng.normal(size=(m, n)) * 1.4 / n**0.5, rng.normal(size=m) / 2]
    return Network.from_arrays(*arrays)


def tent_on_the_line():
    """D(x) = 2 relu(x) - 4 relu(x - 1/2) + 2 relu(x - 1), on all of R."""
    return Network.from_arrays(
        np.ones((3, 1)), np.array([0, -0.5, -1]), np.array([[2.0, -4, 2]]), np.zeros(1)
    )


def tents_on_the_line(folds):
    """The k-fold composition of D on all of R: widths 3, 2, ..., 2."""
    inner = Network.from_arrays(
        np.ones((2, 1)), np.array([0, -0.5]), np.array([[2.0, -4]]), np.zeros(1)
    )
    network = tent_on_the_line()
    for _ in range(folds - 1):
        network = compose(inner, network)
    return network


def interpolant_of_square(bases):
    """h, the interpolant of x^2 at the multiples of 1/prod(bases), as a network."""
    network = quadratic_network(SQUARE, UNIT, bases)
    count = fmpq(1)
    for b in bases:
        count *= b
    return shift(network, 1 / (8 * count**2))


def square_by_hand(folds):
    """The pure network of h_i, widths (2, 3, ..., 3), straight from its definition.

    Layer j holds relu(D^(j-1)), relu(D^(j-1) - 1/2) and, from the second on,
    relu(h_(j-1)); D = 2 u_0 - 4 u_1, h_1 = u_0 / 2 + u_1 and h_j = h_(j-1) - D^j / 4^j.
    """
    half = fmpq(1, 2)
    layers = [Affine([[1], [1]], [0, -half])]
    fold, total = [fmpq(2), fmpq(-4)], [half, fmpq(1)]
    for j in range(2, folds + 1):
        layers.append(Affine([fold, fold, total], [0, -half, 0]))
        quarter = fmpq(1, 4**j)
        fold = [fmpq(2), fmpq(-4), fmpq(0)]
        total = [-quarter * 2, quarter * 4, fmpq(1)]
    layers.append(Affine([total], [0]))
    return Network(layers)


def drawn_by_rule(seed, widths):
    """Reference networks: the n-th number is ((37 n^2 + 11 n + seed) % 17 - 8)/4."""
    count = 0

    def number():
        nonlocal count
        count += 1
        return fmpq((37 * count**2 + 11 * count + seed) % 17 - 8, 4)

    arrays, incoming = [], 1
    for m in [*widths, 1]:
        arrays.append([[number() for _ in range(incoming)] for _ in range(m)])
        arrays.append([number() for _ in range(m)])
        incoming = m
    return Network.from_arrays(*arrays)


def as_floats(network):
    """The network with float64 weights; they must all fit."""
    layers = [Affine(*layer.as_floats) for layer in network.layers]
    rounded = Network(layers, network.activations)
    assert all(a == b for a, b in zip(layers, network.layers, strict=True))
    return rounded


def form(alpha, beta, gamma):
    """A quadratic as an exact form."""
    return ExactForm(
        *(fmpq(str(c)) if isinstance(c, str) else fmpq(c) for c in (alpha, beta, gamma))
    )


def encloses(ball, x):
    """Whether the ball contains the rational, decided without rounding it."""
    return -ball_upper(-ball) <= x <= ball_upper(ball)


def fmpq_of(x):
    """A Fraction as an fmpq."""
    return fmpq(x.numerator, x.denominator)


rationals = st.builds(Fraction, st.integers(-8, 8), st.sampled_from([1, 2, 3, 4, 5, 7]))
# few bits, so that zeros, equal units and common kinks are frequent
dyadics = st.sampled_from([1, 2, 4]).flatmap(
    lambda q: st.integers(-4, 4).map(lambda n: Fraction(n, q))
)


@st.composite
def networks(
    draw,
    *,
    inputs=1,
    outputs=1,
    weights=None,
    activations=(RELU,),
    most_layers=3,
    most_units=4,
):
    """Random networks; sometimes a unit repeats, mirrors or doubles another."""
    number = draw(st.sampled_from([rationals, dyadics])) if weights is None else weights
    hidden = draw(
        st.lists(st.integers(1, most_units), min_size=1, max_size=most_layers)
    )
    layers, incoming = [], inputs
    for m in [*hidden, outputs]:
        weight = [[draw(number) for _ in range(incoming)] for _ in range(m)]
        bias = [draw(number) for _ in range(m)]
        if m > 1 and draw(st.booleans()):
            factor = draw(st.sampled_from([1, -1, 2]))
            weight[0], bias[0] = [factor * w for w in weight[1]], factor * bias[1]
        layers.append(Affine(weight, bias))
        incoming = m
    chosen = [draw(st.sampled_from(activations)) for _ in hidden]
    return Network(layers, chosen)


relu_networks = networks()
threshold_networks = networks(activations=(THRESHOLD,))
mixed_networks = networks(activations=(RELU, THRESHOLD))


@st.composite
def intervals(draw):
    """A short interval with rational ends."""
    start = draw(rationals)
    return start, start + abs(draw(rationals)) + Fraction(1, 7)
