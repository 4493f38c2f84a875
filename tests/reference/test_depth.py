"""Published and recomputed reference values of the depth part, one test an entry."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import prod

import pytest
from flint import fmpq

from depthsep.analysis import (
    crossings,
    examine,
    most_pieces,
    most_pieces_by_units,
    most_pieces_printed,
    most_pieces_printed_by_units,
    on_interval,
)
from depthsep.approximation import best_error, distance, distance_to_form
from depthsep.constructions import fold_network
from depthsep.lower_bounds import square_optimum
from depthsep.lower_bounds.line._printed import printed_square_error
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.separation import bound
from depthsep.targets import Sawtooth, sawtooth_value, zigzag
from support.nets import (
    SQUARE,
    UNIT,
    affine,
    as_floats,
    drawn_by_rule,
    interpolant_of_square,
    square_by_hand,
    tents_on_the_line,
)
from support.places import reference

ENTRIES = reference("depth")
ENGINES = pytest.mark.parametrize("exact", [True, False], ids=["exact", "float64"])
ELSEWHERE = {"product", "product_sup_error", "overparam", "deep_linear_step"}
COVERED: set[str] = set()


def entries(*kinds):
    """Parametrise over the entries of these kinds."""
    COVERED.update(kinds)
    chosen = [e for e in ENTRIES if e["kind"] in kinds]
    return pytest.mark.parametrize("entry", chosen, ids=lambda e: f"{e['id']}")


def rational(written):
    return fmpq(*map(int, str(written).split("/")))


def norms(f, g, on=UNIT):
    """L1, squared L2 and Linf, exactly."""
    found = {
        "L1": distance(f, g, "l1", on),
        "L2sq": distance(f, g, "l2", on),
        "Linf": distance(f, g, "linf", on),
    }
    assert found["L1"].is_point and found["Linf"].is_point
    return {
        "L1": found["L1"].upper,
        "L2sq": found["L2sq"].square,
        "Linf": found["Linf"].upper,
    }


def expected(value, *names):
    return {name: rational(value[name]) for name in names or ("L1", "L2sq", "Linf")}


@ENGINES
@entries("delta_pieces_unit")
def test_the_tent_composed_k_times_has_two_to_the_k_pieces(entry, exact):
    k = entry["inputs"]["k"]
    for network in (
        fold_network((2,) * k),
        fold_network((2**k,)),
        tents_on_the_line(k),
    ):
        assert on_interval(network, 0, 1, exact=exact).pieces == entry["value"]
    assert Sawtooth(k).piecewise(entry["value"]).pieces == entry["value"]
    assert Sawtooth(k).piecewise(entry["value"] - 1) is None


@ENGINES
@entries("delta_pieces_R")
def test_two_more_pieces_lie_outside_the_unit_interval(entry, exact):
    network = tents_on_the_line(entry["inputs"]["k"])
    assert on_interval(network, exact=exact).pieces == entry["value"]


@ENGINES
@entries("delta_crossings_half_R")
def test_the_tents_cross_one_half_as_often_as_they_have_sides(entry, exact):
    network = tents_on_the_line(entry["inputs"]["k"])
    assert crossings(on_interval(network, exact=exact)) == entry["value"]


@entries("delta_value")
def test_the_tent_has_these_values(entry):
    k, x = entry["inputs"]["k"], rational(entry["inputs"]["x"])
    assert sawtooth_value(k, x) == rational(entry["value"])
    assert fold_network((2,) * k)([x])[0] == rational(entry["value"])
    assert tents_on_the_line(k)([x])[0] == rational(entry["value"])


@entries("dist_delta_delta")
def test_the_distance_of_two_tents_is(entry):
    k, other = entry["inputs"]["k"], entry["inputs"]["l"]
    f = on_interval(fold_network((2,) * k), 0, 1)
    g = on_interval(fold_network((2,) * other), 0, 1)
    assert norms(f, g) == norms(g, f) == expected(entry["value"])
    form = Sawtooth(other).exact_form()
    assert distance_to_form(f, form, "l1", UNIT).upper == rational(entry["value"]["L1"])


@entries("dist_delta_const", "dist_delta_affine")
def test_the_distance_of_a_tent_and_a_line_is(entry):
    given = entry["inputs"]
    low = rational(given.get("c", given.get("g0")))
    high = rational(given.get("c", given.get("g1")))
    f = on_interval(fold_network((2,) * given["k"]), 0, 1)
    g = on_interval(affine(high - low, low), 0, 1)
    assert norms(f, g) == expected(entry["value"])


@entries("dist_delta_h")
def test_the_distance_of_a_tent_and_an_interpolant_of_the_square_is(entry):
    f = on_interval(fold_network((2,) * entry["inputs"]["k"]), 0, 1)
    h = on_interval(interpolant_of_square((2,) * entry["inputs"]["i"]), 0, 1)
    assert norms(f, h) == expected(entry["value"])


@ENGINES
@entries("rat_net")
def test_the_drawn_networks_have_these_pieces_and_crossings(entry, exact):
    network = drawn_by_rule(entry["inputs"]["seed"], entry["inputs"]["widths"])
    if not exact:
        network = as_floats(network)
    unit = on_interval(network, 0, 1, exact=exact)
    wide = on_interval(network, -4, 4, exact=exact)
    assert unit.pieces == entry["value"]["pieces_unit"]
    assert wide.pieces == entry["value"]["pieces_m4_4"]
    assert crossings(wide) == entry["value"]["crossings_half_m4_4"]
    if not exact:
        floats = [float(Fraction(x)) for x in entry["value"]["knots_unit"]]
        assert unit.knots.tolist() == pytest.approx(floats, abs=1e-13)


@entries("rat_net")
def test_the_drawn_networks_have_these_knots_and_distances(entry):
    network = drawn_by_rule(entry["inputs"]["seed"], entry["inputs"]["widths"])
    f, value = on_interval(network, 0, 1), entry["value"]
    assert f.knots.tolist() == [rational(x) for x in value["knots_unit"]]
    assert f.values.tolist() == [rational(x) for x in value["values_unit"]]
    tent = on_interval(fold_network((2,) * entry["inputs"]["k"]), 0, 1)
    assert norms(f, tent) == expected(value["dist_to_delta"])


@entries("h_error")
def test_the_interpolant_of_the_square_is_off_by(entry):
    i, x = entry["inputs"]["i"], rational(entry["inputs"]["x"])
    for network in (square_by_hand(i), interpolant_of_square((2,) * i)):
        assert network([x])[0] - x * x == rational(entry["value"])


@entries("h_dist_x2")
def test_the_interpolant_of_the_square_has_this_distance_and_size(entry):
    i, value = entry["inputs"]["i"], entry["value"]
    for network in (square_by_hand(i), interpolant_of_square((2,) * i)):
        assert network.units == value["unit_nodes_pure"]
        assert network.hidden_layers == value["hidden_layers"]
        assert network.widths == (2, *[3] * (i - 1))
        h = on_interval(network, 0, 1)
        assert h.pieces == 2**i
        assert distance_to_form(h, SQUARE, "linf", UNIT).upper == rational(
            value["Linf"]
        )
        assert distance_to_form(h, SQUARE, "l2", UNIT).square == rational(value["L2sq"])
        mean = distance_to_form(h, SQUARE, "l1", UNIT)
        assert mean.lower == mean.upper == rational(value["L1"])


@entries("x2_opt_N")
def test_the_best_n_pieces_for_the_square_are_off_by(entry):
    n, value = entry["inputs"]["N"], entry["value"]
    assert square_optimum(n, "l1").upper == rational(value["L1"])
    assert square_optimum(n, "l2").square == rational(value["L2sq"])
    assert square_optimum(n, "linf").upper == rational(value["Linf"])


@entries("x2_one_relu_no_skip_L2sq")
def test_one_relu_without_skips_reaches_the_known_error(entry):
    # c relu(x - t) + d for the best c, d at t = 1/3, in the exact examiner
    t = fmpq(1, 3)
    length = 1 - t
    # moments of u = relu(x - t) and of x^2 on [0, 1]
    u, uu = length**2 / 2, length**3 / 3
    squared = fmpq(1, 3)
    cross = length**4 / 4 + 2 * t * length**3 / 3 + t**2 * length**2 / 2
    c = (cross - u * squared) / (uu - u * u)
    d = squared - c * u
    network = Network.from_arrays([[1]], [-t], [[c]], [d])
    found = examine(network, Problem("square", norm="l2"))
    assert found.error.square == rational(entry["value"])
    assert square_optimum(2, "l2").square < found.error.square
    assert found.error.square < square_optimum(1, "l2").square


@entries("max_pieces_bound")
def test_these_widths_allow_so_many_pieces(entry):
    widths, value = entry["inputs"]["widths"], entry["value"]
    assert most_pieces(widths) == value["prod_m_plus_1"]
    assert most_pieces_printed(widths) == value["lemma49_prod"]
    by_units = most_pieces_printed_by_units(sum(widths), len(widths))
    assert by_units == rational(value["lemma49_amgm"])
    assert most_pieces(widths) <= most_pieces_by_units(sum(widths), len(widths))


@entries("thm44")
def test_the_bounds_at_a_quarter_of_the_pieces_are(entry):
    value, layers = entry["value"], entry["inputs"]["L"]
    k = value["k"]
    assert k == layers**2 + 2
    pieces, teeth = fmpq(2 ** (k - 2)), fmpq(2**k)
    assert fmpq(1, 4) - fmpq(9, 32) * pieces / teeth == rational(value["savings"])
    assert fmpq(1, 12) - fmpq(13, 120) * pieces / teeth == rational(
        value["savings_L2sq"]
    )
    count = (2 ** (k - 1) - pieces - 1) / (4 * teeth)
    assert count == rational(value["continuous_count"])
    printed = (2**k - 1 - 2 * pieces) / 2 / (4 * teeth)
    assert printed == rational(value["printed_sum"])
    assert rational(value["printed"]) < min(count, printed, rational(value["savings"]))
    # the library's bound: within the error of `savings` it takes those pieces
    found = bound("sawtooth-jumps-l1", folds=k, accuracy=value["savings"])
    assert found.value == pieces


@entries("thm46")
def test_the_printed_and_the_sharp_bound_for_the_square_are(entry):
    n, layers = entry["inputs"]["N"], entry["inputs"]["L"]
    assert printed_square_error(n, layers) == rational(entry["value"]["printed"])
    pieces = (1 + fmpq(n) / layers) ** layers
    assert 1 / (180 * pieces**4) == rational(entry["value"]["sharp"])
    assert square_optimum(int(pieces), "l2").square >= rational(entry["value"]["sharp"])


@entries("delta_opt_disc")
def test_the_best_discontinuous_sup_error_against_tents_is(entry):
    tent = zigzag(2 ** entry["inputs"]["k"])
    found = best_error(tent, entry["inputs"]["N"], continuous=False)
    assert float(found) == pytest.approx(entry["value"]["Linf"], abs=entry["tol"])
    assert found.upper - found.lower <= fmpq(1, 2**40)


@entries("delta_opt_cont_L2sq_upper")
def test_one_fifteenth_is_the_best_continuous_fit_with_knots_on_a_grid(entry):
    n, known = entry["inputs"]["N"], entry["value"]
    tent = zigzag(2 ** entry["inputs"]["k"])
    cells = {2: 24, 3: 56}[n]
    places = [fmpq(i, cells) for i in range(1, cells)]
    best = min(
        fitted_error(tent, [fmpq(0), *inner, fmpq(1)])
        for inner in combinations(places, n - 1)
    )
    assert best == fmpq(1, 15)
    assert float(fmpq(1, 15).p) / 15 == pytest.approx(known, abs=entry["tol"])


def fitted_error(tent, knots):
    """Squared error of the least-squares hat fit at these knots, in rationals."""
    gram, load = hat_moments(tent, knots)
    # tridiagonal elimination; the error is |f|^2 - load . solution
    n = len(knots)
    diagonal, right = [gram[i][0] for i in range(n)], list(load)
    for i in range(1, n):
        factor = gram[i - 1][1] / diagonal[i - 1]
        diagonal[i] -= factor * gram[i - 1][1]
        right[i] -= factor * right[i - 1]
    explained = sum((right[i] ** 2 / diagonal[i] for i in range(n)), fmpq(0))
    return fmpq(1, 3) - explained


def hat_moments(tent, knots):
    gram = [[fmpq(0), fmpq(0)] for _ in knots]
    load = [fmpq(0)] * len(knots)
    for i, (a, b) in enumerate(pairwise(knots)):
        h = b - a
        gram[i][0] += h / 3
        gram[i + 1][0] += h / 3
        gram[i][1] = h / 6
        inner = [x for x in tent.knots.tolist() if a < x < b]
        for s, t in zip([a, *inner], [*inner, b], strict=True):
            v, w = tent(s), tent(t)
            p, q = (s - a) / h, (t - a) / h
            up = (t - s) * (v * (2 * p + q) + w * (p + 2 * q)) / 6
            load[i + 1] += up
            load[i] += (t - s) * (v + w) / 2 - up
    return gram, load


@entries("parity")
def test_parity_of_these_signs_is(entry):
    d, p = entry["inputs"]["d"], entry["inputs"]["positives"]
    folds = (d - 1).bit_length()
    value = (-1) ** d * (1 - 2 * sawtooth_value(folds, fmpq(p, 2**folds)))
    assert value == entry["value"] == prod([1] * p + [-1] * (d - p))


def test_every_kind_of_entry_is_tested_here_or_belongs_to_another_part():
    assert {e["kind"] for e in ENTRIES} == COVERED | ELSEWHERE
