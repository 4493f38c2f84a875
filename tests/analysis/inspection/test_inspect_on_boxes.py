"""Inspecting networks of several inputs: units, lines, slices, boxes, distances."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import Plan, inspect
from depthsep.analysis.inspection._random_chords import (
    drawn_chord,
    drawn_slice,
    float_ends,
)
from depthsep.analysis.inspection.facts._units import (
    states_by_bounds,
    states_in_regions,
)
from depthsep.analysis.regions import regions, subdivide
from depthsep.constructions import product_network
from depthsep.evidence import Rigour
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Box, Segment
from depthsep.networks import (
    ABS,
    TANH,
    THRESHOLD,
    Affine,
    Network,
    leaky_relu,
    restrict,
    scale,
)
from depthsep.targets import target_from_text
from support.places import NETS
from support.regions import cube, diamond, random_network

UNIT = Segment(-1, 1)
SMALLEST = fmpq(1, 2**1074)

QUICK = Plan(lines=12, slices=1)


def test_what_is_known_of_a_reference_network():
    found = inspect(read_npz(NETS / "n2_8x2_s0.npz"), plan=QUICK)
    assert found.box_regions.subdivision.counts.faces == (81, 143, 63)
    assert float(found.box_regions.integrals.integral) == pytest.approx(-3.33544348)
    assert len(found.lines.counts) == 12 and found.lines.most == 81
    low, _, middle, _, high = found.lines.quantiles("pieces")
    assert 1 <= low <= middle <= high <= 17
    assert found.reason == "" and found.distance is None
    assert found.box_regions.most >= found.box_regions.reached >= 63


def test_the_same_seed_draws_the_same_lines_and_slices():
    network = random_network(np.random.default_rng(0), [5, 6, 6, 1])
    first, second = (inspect(network, plan=QUICK) for _ in range(2))
    other = inspect(network, plan=Plan(lines=12, slices=1, seed=1))
    assert first.lines.counts == second.lines.counts != other.lines.counts
    assert first.slices[0].corners == second.slices[0].corners
    assert first.slices[0].corners != other.slices[0].corners
    assert first.box_regions is None and first.slices[0].integrals is None


def test_a_given_slice_is_the_plane_through_three_points():
    network = random_network(np.random.default_rng(2), [4, 6, 5, 1])
    points = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, "1/2", 0]]
    found = inspect(network, plan=Plan(lines=0, given=[points]))
    flat = restrict(network, points[0], [1, 0, 0, 0], [0, 0, "1/2", 0])
    wanted = regions(flat, Box.cube(Segment(0, 1), 2))
    assert found.slices[0].subdivision.counts.faces == wanted.faces
    assert found.slices[0].integrals is not None and found.lines is None


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), dim=st.integers(2, 6))
def test_draws_stay_inside_the_box(seed, dim):
    rng = np.random.default_rng(seed)
    sides = [Segment(a, a + b) for a, b in rng.uniform(0.01, 3, (dim, 2)).tolist()]
    box = Box([Segment("1/3", "2/3"), *sides[1:]])
    points = [*drawn_chord(rng, float_ends(box))]
    x0, x1, x2 = drawn_slice(rng, float_ends(box))
    far = tuple(b + c - a for a, b, c in zip(x0, x1, x2, strict=True))
    for point in (*points, x0, x1, x2, far):
        for x, side in zip(point, box.sides, strict=True):
            slack = fmpq(1, 10**12) if point is far else 0
            assert side.start - slack <= x <= side.stop + slack
    reach = [  # a chord ends on the boundary, up to rounding
        min(
            float(min(x - s.start, s.stop - x))
            for x, s in zip(p, box.sides, strict=True)
        )
        for p in points
    ]
    assert max(reach) < 1e-9


def stubborn():
    """Units that are dead, linear, seen rarely, and as they should be."""
    rows = [[1, 0], [1, 0], [1, 1], [0, 1]]
    return Network.from_arrays(rows, [-2, 2, "-7/4", 0], [[1, 1, 1, 1]], [0])


def test_dead_and_linear_units_are_found_in_regions_and_by_bounds():
    found = inspect(stubborn(), plan=Plan(lines=0)).units
    assert (found.dead, found.linear, found.unseen) == ((1,), (1,), (0,))
    assert found.rigour is Rigour.EXACT
    points = np.random.default_rng(0).uniform(-1, 1, (64, 2))
    bounds = states_by_bounds(stubborn(), cube(2), points[points.sum(axis=1) < 1.5])
    assert (bounds.dead, bounds.linear, bounds.unseen) == ((1,), (1,), (1,))
    assert bounds.rigour is Rigour.ENCLOSED


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    bits=st.sampled_from([1, 2, 4, None]),
    activation=st.sampled_from(["relu", "abs", "leaky"]),
)
def test_bounds_never_say_more_than_regions(seed, bits, activation):
    rng = np.random.default_rng(seed)
    plain = random_network(rng, [2, 5, 4, 3, 1], bits)
    chosen = {"abs": ABS, "leaky": leaky_relu("1/4")}.get(activation)
    between = plain.activations if chosen is None else [chosen] * 3
    network = Network(plain.layers, between)
    cells = subdivide(network, cube(2)).complex
    exact = states_in_regions(network, cells.patterns, cells.negative)
    points = rng.uniform(-1, 1, (300, 2))
    bounds = states_by_bounds(network, cube(2), points)
    for k in range(3):
        assert bounds.dead[k] <= exact.dead[k]
        assert exact.dead[k] <= bounds.dead[k] + bounds.unseen[k]
        known = exact.dead[k] + exact.linear[k]
        assert bounds.dead[k] + bounds.linear[k] <= known


def test_wide_networks_are_bounded_where_regions_are_too_many():
    network = random_network(np.random.default_rng(1), [40, 30, 30, 2])
    found = inspect(network, plan=Plan(lines=3, slices=1, most=50))
    assert found.slices[0].subdivision is None and found.slices[0].more_than == 50
    assert found.units.rigour is Rigour.ENCLOSED
    assert found.size.widths == (30, 30)


def test_regions_that_are_not_counted_are_more_than_is_said(monkeypatch):
    network = random_network(np.random.default_rng(2), [2, 8, 1])
    counted = inspect(network, plan=Plan(lines=0)).box_regions.subdivision
    late = inspect(network, plan=Plan(lines=0, seconds=0)).box_regions
    assert late.subdivision is None and late.more_than < len(counted)
    monkeypatch.setattr("depthsep.analysis.regions._subdivision.MOST_SIGNS", 8 * 5)
    large = inspect(network, plan=Plan(lines=0)).box_regions
    assert large.subdivision is None and large.more_than == 5 < len(counted)


def test_networks_without_regions_have_sizes_and_reasons():
    smooth = random_network(np.random.default_rng(0), [3, 4, 1])
    found = inspect(Network(smooth.layers, [TANH]))
    assert found.lines is None and found.slices == () and "leaky" in found.reason
    stepped = inspect(Network(smooth.layers, [THRESHOLD]), plan=QUICK)
    assert len(stepped.lines.counts) == 12 and stepped.box_regions is None


def test_distances_to_networks_and_targets():
    found = inspect(diamond(), plan=Plan(lines=0, against=scale(diamond(), "1/2")))
    assert found.distance.upper == 1
    mean = Plan(lines=0, against=scale(diamond(), "1/2"), norm="l1")
    assert inspect(diamond(), plan=mean).distance.upper == fmpq(1, 2)
    product = Plan(lines=0, against=target_from_text("product", 2))
    near = inspect(product_network(2), plan=product).distance
    assert near.lower <= fmpq(1, 256) <= near.upper < fmpq(1, 200)


@pytest.mark.parametrize(
    ("box", "plan", "message"),
    [
        (cube(3), Plan(), "the box has dimension 3"),
        (None, Plan(output=1), "output 2, counted from 1, does not exist; the"),
        (None, Plan(seed=-1), "the seed is -1"),
        (None, Plan(against=diamond(), norm="l3"), "unknown norm"),
        (None, Plan(lines=-1), "lines and slices must be 0 or more"),
        (None, Plan(lines=0, given=[[[0, 0], [1, 1]]]), "three points of 2 numbers"),
        (None, Plan(lines=0, given=[[[0, 0], [1, 1], [2, 2]]]), "on one line"),
    ],
)
def test_what_does_not_fit_is_refused(box, plan, message):
    with pytest.raises(HypothesisError, match=message):
        inspect(diamond(), box, plan)


def test_bounds_of_units_that_overflow_say_nothing():
    layers = [
        Affine([[1e200] * 5] * 2, [0.0, 0.0]),
        Affine([[1e200, -1e200]] * 2, [1.0, -1.0]),
        Affine([[1.0, 1.0]], [0.0]),
    ]
    points = np.random.default_rng(0).uniform(-1, 1, (50, 5))
    box = Box.cube(UNIT, 5)
    assert states_by_bounds(Network(layers), box, points).dead[1] == 0
    row = [[-1.5e308, -1.5e308, 1.7e308, 1.7e308, 0.0]]
    partial_sums = Network([Affine(row, [0.0]), Affine([[1.0]], [0.0])])
    near = Box.cube(Segment("0.999", 1), 5)
    assert states_by_bounds(partial_sums, near, np.ones((5, 5))).dead == (0,)
    small = Network(
        [Affine([[SMALLEST * 2 / 5] * 5], [-(2.0**-100)]), Affine([[1]], [0])]
    )
    wide = Box.cube(Segment(-(fmpq(2) ** 1000), fmpq(2) ** 1000), 5)
    assert states_by_bounds(small, wide, points).dead == (0,)


def test_a_unit_that_is_never_below_0_never_bends():
    twice = Network.from_arrays([[1, 0]], [0], [[1]], [0], [[1]], [0])
    units = inspect(twice, plan=Plan(lines=0)).units
    assert (units.dead, units.linear) == ((0, 0), (0, 1))
    flat = Network.from_arrays([[0, 0]], [-1], [[1]], [0], activation=leaky_relu(0))
    assert inspect(flat, plan=Plan(lines=0)).units.dead == (1,)


@pytest.mark.parametrize(
    "side", [(-1e308, 1e308), ("1/3", fmpq(1, 3) + fmpq(1, 10**30))]
)
def test_boxes_that_float64_cannot_draw_in_are_refused(side):
    network = Network.from_arrays([[1.0] * 5], [0.0], [[1.0]], [0.0])
    with pytest.raises(HypothesisError, match="float64"):
        inspect(network, Box.cube(Segment(*side), 5))
