"""Theorem M: the oracle, arcs of random networks, what is built."""

from itertools import product
from math import gamma, pi

import numpy as np
import pytest
from flint import fmpq

from depthsep.claims import Lower, Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Inapplicable
from depthsep.lower_bounds import InnerCircles
from depthsep.lower_bounds.symmetric._arcs import (
    alternation,
    least_units_of_arcs,
    least_width_of_arcs,
    most_arcs,
)
from depthsep.lower_bounds.symmetric._inner_circles import arcs_needed
from depthsep.lower_bounds.symmetric.zonal._inner_rank import InnerRank
from depthsep.problems import Problem
from depthsep.separation import best_lower, bound
from depthsep.targets import InnerProduct


def test_the_wave_of_daniely_at_every_depth() -> None:
    problem = Problem(InnerProduct("sin(pi*d**3*t)", 20), norm="l2", accuracy="1/10")
    widths = [InnerCircles().prove(problem, depth).width for depth in range(3, 7)]
    assert widths == [39, 9, 5, 3]
    assert arcs_needed(problem.target, fmpq(1, 10), "l2") >= 5962
    # at depth 2 the rank of zonal parts asks for more
    both = [t.prove(problem, 2).width for t in (InnerCircles(), InnerRank())]
    assert both[0] < both[1] == best_lower(problem, 2).width


def plain_arcs(a: float, dim: int, error: float) -> float:
    """The same by a sum over half-waves, integrals by midpoints."""
    top = gamma(dim / 2) / (pi**0.5 * gamma((dim - 1) / 2))
    best = 0.0
    for k in range(1, int(a / pi) + 1):
        t = (k - 1 + (np.arange(200) + 0.5) / 200) * pi / a
        density = top * (1 - t * t) ** ((dim - 3) / 2)
        weight = 0.5 * np.mean(np.sin(a * t) ** 2 * density) * pi / a
        best = max(best, 2 * k - 1 - error**2 / weight)
    return best


@pytest.mark.parametrize(("multiple", "dim"), [(50, 5), (200, 8), (125, 4), (30, 3)])
def test_it_is_the_best_number_of_half_waves(multiple: int, dim: int) -> None:
    found = arcs_needed(InnerProduct(f"sin(pi*{multiple}*t)", dim), fmpq(1, 10), "l2")
    plain = plain_arcs(pi * multiple, dim, 0.1)
    # the density at the far end is a little below its mean
    assert plain - 4 <= found <= plain + 1


@pytest.mark.parametrize("seed", range(100))
def test_networks_have_no_more_arcs(seed: int) -> None:
    """Changes of sign of random networks with skip connections on a circle."""
    rng = np.random.default_rng(seed)
    dim = int(rng.integers(2, 5))
    widths = tuple(int(m) for m in rng.integers(1, 4, size=int(rng.integers(1, 4))))
    u, w = np.linalg.qr(rng.normal(size=(dim, 2)))[0].T
    s = np.linspace(0, 2 * pi, 4001)
    along, across = np.outer(np.cos(s), u), np.outer(np.sin(s), w)
    inputs = np.column_stack([along + across, along - across])
    assert np.allclose(np.sum(inputs[:, :dim] * inputs[:, dim:], axis=1), np.cos(2 * s))
    seen = inputs
    for m in widths:
        read = seen @ rng.normal(size=(seen.shape[1], m))
        read -= np.quantile(read, rng.random(), axis=0)
        seen = np.hstack([seen, np.maximum(read, 0)])
    g = seen @ rng.normal(size=seen.shape[1])
    for level in np.quantile(g, [0.2, 0.5, 0.8]):
        signs = np.sign(g - level)
        signs = signs[signs != 0]
        assert np.count_nonzero(np.diff(signs)) <= 2 * most_arcs(widths)


def test_widths_and_units_are_the_least() -> None:
    for layers, arcs in product((1, 2, 3, 4), (1, 2, 5, 24, 100)):
        width = least_width_of_arcs(arcs, layers)
        assert most_arcs((width,) * layers) >= arcs
        assert most_arcs((width - 1,) * layers) < arcs
    for layers, units in product((1, 2, 3), range(1, 9)):
        ways = [w for w in product(range(units + 1), repeat=layers) if sum(w) == units]
        best = max(map(most_arcs, ways))
        if best:
            assert least_units_of_arcs(best, layers) <= units
            assert least_units_of_arcs(best + 1, layers) > units


@pytest.mark.parametrize("norm", ["linf", "l2"])
@pytest.mark.parametrize(
    ("formula", "dim"),
    [("sin(9*t)", 3), ("2*cos(20*t)-1", 4), ("t*sin(30*t)", 3), ("abs(t)+exp(t)/4", 3)],
)
def test_what_is_built_is_wider(formula: str, dim: int, norm: str) -> None:
    problem = Problem(InnerProduct(formula, dim), norm=norm, accuracy="1/10")
    for depth in (2, 3, 4):
        lower = InnerCircles().prove(problem, depth)
        for theorem in CONSTRUCTIONS:
            claim = theorem.prove(problem, depth)
            if isinstance(claim, Upper) and isinstance(lower, Lower):
                assert lower.width <= claim.width and lower.units <= claim.units


def test_extrema_are_counted_in_linf() -> None:
    expected = {"sin(pi*5*t)": 18, "cos(pi*5*t)": 20, "sin(pi*5*t/2)": 10}
    for formula, arcs in expected.items():
        assert arcs_needed(InnerProduct(formula, 3), fmpq(1, 2), "linf") == arcs
    # the same function, not recognised as a wave
    hidden = InnerProduct("sin(pi*5*t)*(1+t-t)", 3)
    assert arcs_needed(hidden, fmpq(1, 2), "linf") in (16, 18)
    assert arcs_needed(InnerProduct("sin(9*t)/4", 3), fmpq(1, 3), "linf") == 0


def test_intervals_of_one_sign_weigh_what_they_do() -> None:
    found = alternation(InnerProduct("(t+2)*sin(20*t)", 4), fmpq(0))
    t = np.linspace(-1, 1, 400_001)
    f, density = (t + 2) * np.sin(20 * t), 2 / pi * np.sqrt(1 - t * t)
    signs = np.sign(f)
    runs = np.split(np.arange(len(t)), np.flatnonzero(np.diff(signs) != 0) + 1)
    plain = [float(np.sum(f[r] ** 2 * density[r]) * (t[1] - t[0]) / 2) for r in runs]
    plain = [w for w in plain if w > 1e-9]
    assert len(found.weights) == len(plain)
    for bound_, weight in zip(found.weights, plain, strict=True):
        assert 0.8 * weight < float(bound_.lower()) <= weight * 1.001


def test_flat_functions_are_refused() -> None:
    for formula in ("t", "3"):
        for norm in ("linf", "l2"):
            problem = Problem(InnerProduct(formula, 3), norm=norm, accuracy="2")
            assert isinstance(InnerCircles().prove(problem, 3), Inapplicable)
    assert bound("circles", dim=20, multiple=8000, layers=2).value == 39
