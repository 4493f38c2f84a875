"""Radial functions: Fourier masses, tube bounds, networks, their examiner."""

import math

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import DepthsepError, HypothesisError, Problem, build, separate
from depthsep.analysis import examine
from depthsep.claims import Lower, Upper
from depthsep.constructions import RadialBySquares
from depthsep.evidence import Inapplicable
from depthsep.exact import rational
from depthsep.laws import SquaredTransform, law_from_text
from depthsep.lower_bounds import radial_mass, tube_width
from depthsep.networks import Affine, Network
from depthsep.problems._normalised import normalised_law
from depthsep.special import (
    RadialMass,
    RadialPiece,
    squared_transform_quantile,
    tube_fraction,
    unit_ball_radius,
)
from depthsep.targets import Radial, target_from_text


def one() -> arb:
    return arb(1)


def ball(dim: int, far: int) -> RadialMass:
    return RadialMass(dim, [RadialPiece(fmpq(0), fmpq(far), (fmpq(1),))], one)


@pytest.mark.slow
def test_bounds_of_the_table():
    """End to end at accuracy 1/10; the ledger's phases start elsewhere: 0.5 bits."""
    for dim, bits in ((3, 5.1), (5, 10.1), (10, 21.8), (20, 44.6)):
        law = SquaredTransform(dim)
        found = tube_width(
            radial_mass(Radial("triangle:4", dim), law, fmpq(1)), fmpq(1, 10)
        )
        assert found is not None and abs(math.log2(found.width) - bits) < 0.9


def test_the_printed_lemma_fails_and_the_corrected_one_holds():
    """Mass inside 2 R B is what a network of few directions may have: the printed
    hypothesis, an integral over the ball, would forbid the constant function."""
    mass = ball(10, 7)
    whole = mass.total
    printed_delta = mass.inside(fmpq(2)) / whole  # nearly 1: would give <= 1/2
    assert printed_delta > 0.9
    corrected_delta = mass.outside(fmpq(2)) / whole
    assert corrected_delta < 0.1
    with ctx.workprec(100):
        # phi itself, one direction, inner product 1 with 1 * phi: inside only
        share = tube_fraction(10, fmpq(2))
        best = (1 - corrected_delta).sqrt() + share.sqrt()
        assert best > 0.9


@pytest.mark.parametrize(
    ("written", "dim", "law", "norm", "accuracy"),
    [
        ("triangle:4", 3, None, "l2", "1/10"),
        ("triangle:4", 2, None, "linf", "1/5"),
        ("relu", 4, None, "linf", "1/10"),
        ("relu", 3, "phi2:3:1/4", "l2", "1/10"),
        ("ball", 3, "phi2:3:t=2", "l2", "1/4"),
        ("shells:4", 3, None, "l2", "1/4"),
        ("signs:3", 3, None, "l2", "1/3"),
        ("cos:4", 4, None, "l2", "1/4"),
        ("exp(-r)*cos(9*r)", 3, "phi2:3:t=3", "l2", "1/10"),
        ("1-r**2", 5, None, "linf", "1/10"),
        ("(1-r)*(r-1/2) on 1/2,1", 3, None, "linf", "1/100"),
    ],
)
def test_networks_are_certified_on_all_of_space(written, dim, law, norm, accuracy):
    problem = Problem(Radial(written, dim), law and law_from_text(law), norm, accuracy)
    claim = RadialBySquares().prove(problem, 3)
    assert isinstance(claim, Upper)
    network = claim.network
    assert network.widths == claim.widths
    found = examine(network, problem)
    assert found.error.upper <= problem.accuracy
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((20_000, dim))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radii = np.concatenate([rng.uniform(0, 3, 14_000), 10.0 ** rng.uniform(0, 4, 6000)])
    x = directions * radii[:, None]
    off = np.abs(network.floats(x)[:, 0] - problem.target.floats(x))
    upper = float(found.error.upper.p) / float(found.error.upper.q)
    if not problem.target.jumps:
        assert off.max() <= upper + 1e-9
    sample = problem.law.sample(40_000, 1)
    off = network.floats(sample)[:, 0] - problem.target.floats(sample)
    assert np.sqrt((off**2).mean()) <= upper + 1e-3


@pytest.mark.parametrize("seed", range(6))
def test_altered_networks_are_refused(seed):
    problem = Problem(Radial("triangle:4", 3), norm="linf", accuracy="1/10")
    network = RadialBySquares().prove(problem, 3).network
    rng = np.random.default_rng(seed)
    layers = list(network.layers)
    k = seed % 3
    weight, bias = (
        np.array(a, dtype=object) for a in (layers[k].weight, layers[k].bias)
    )
    if seed < 3:
        place = tuple(rng.integers(0, n) for n in weight.shape)
        weight[place] = rational(weight[place]) + fmpq(7, 2)
    else:
        place = int(rng.integers(0, len(bias)))
        bias[place] = rational(bias[place]) + fmpq(7, 2)
    layers[k] = Affine(weight, bias)
    found = examine(Network(layers), problem)
    if hasattr(found, "error"):
        assert found.error.upper > problem.accuracy
        assert found.error.is_above(problem.accuracy)


def test_squares_that_are_not_cut_off_are_refused():
    problem = Problem(Radial("relu", 2), norm="l2", accuracy="1/2")
    first = Affine(np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]), np.zeros(4))
    second = Affine(np.ones((1, 4)), np.zeros(1))
    read = Affine(np.array([[-1.0]]), np.ones(1))
    found = examine(Network([first, second, read]), problem)
    assert not hasattr(found, "error")


@pytest.mark.slow
def test_sides_of_the_table_part():
    table = separate(
        Problem(Radial("triangle:4", 10), norm="l2", accuracy="1/10"), depths=(2, 3)
    )
    assert isinstance(table[2].lower, Lower) and table[2].lower.width > 10**6
    assert isinstance(table[3].upper, Upper) and table[3].upper.checked
    assert table[3].upper.width < 2000


def test_build_makes_a_certificate_that_verifies(tmp_path):
    from depthsep.interop import verify, write_certificate

    built = build(Problem(Radial("ball", 2), norm="l2", accuracy="1/4"))
    place = tmp_path / "c.json"
    write_certificate(built.certificate(), place)
    assert verify(place).valid
    text = place.read_text()
    place.write_text(text.replace('"accuracy": "1/4"', '"accuracy": "1/40"'))
    assert not verify(place).valid


def test_an_accuracy_above_the_norm_needs_no_unit():
    problem = Problem(Radial("ball", 6), law_from_text("phi2:6:t=1/10"), "l2", "1/10")
    answer = separate(problem, depths=[2])[2].lower
    assert isinstance(answer, Lower) and answer.width == 0


@pytest.mark.parametrize(
    ("written", "dim"),
    [
        ("1/r", 3),
        ("log(r)", 2),
        ("triangle:4", 1001),
        ("triangle:-4", 3),
        ("relu", 0),
        ("x", 2),
        ("triangle:4 on 0,1", 3),
        ("r on 2,1", 3),
        ("r on -1,1", 3),
        ("r on 0", 3),
    ],
)
def test_bad_profiles_are_refused(written, dim):
    with pytest.raises(DepthsepError):
        separate(Problem(Radial(written, dim), norm="l2", accuracy="1/10"), depths=[2])


def test_texts_are_read_back():
    for written in ("relu", "triangle:4", "signs:7", "exp(-r) on 0,2", "ball"):
        target = Radial(written, 5)
        assert target_from_text(target.text, 5) == target
    for law in ("phi2:7", "phi2:7:1/4", "phi2:7:t=5"):
        assert law_from_text(law).text == law
    problem = Problem(Radial("relu", 5), law_from_text("phi2:5:t=3"), "l2", "1/10")
    assert Problem.from_json(problem.to_json()) == problem


@pytest.mark.parametrize("dim", [1, 2, 5, 30])
def test_quantiles_enclose(dim):
    law = SquaredTransform(dim)
    middle = law.quantile(fmpq(1, 2))
    radii = np.linalg.norm(law.sample(20_000, 3), axis=1)
    assert abs((radii <= float(middle.mid())).mean() - 0.5) < 0.015
    median = squared_transform_quantile(dim, fmpq(1, 2))
    with ctx.workprec(64):
        t = 2 * arb.pi() * unit_ball_radius(dim) * middle
        assert abs(t - median) < 1e-5
    scaled = normalised_law(Radial("relu", dim), "median")
    radii = np.linalg.norm(scaled.sample(20_000, 3), axis=1)
    assert abs((radii <= 1).mean() - 0.5) < 0.015
    with pytest.raises(HypothesisError):
        law.quantile(fmpq(1))


def test_jets_enclose_values():
    rng = np.random.default_rng(1)
    for written in ("triangle:3", "cos:4", "signs:2", "exp(-r)*sin(5*r) on 1/3,2"):
        line = Radial(written, 3).along
        far = float(line.end.p) / float(line.end.q) * 1.2
        for _ in range(100):
            a, b = sorted(rng.uniform(0, far, 2))
            b = a + (b - a) * rng.random() ** 6
            with ctx.workprec(90):
                jet = line.jet(arb(a).union(arb(b)))
                for s in np.linspace(a, b, 5):
                    assert jet.value.overlaps(
                        arb(float(line.floats(np.array([s]))[0]), 1e-12)
                    )


def test_squares_that_fall_beyond_the_nearer_kink_are_refused():
    asked = Problem(Radial("relu", 1), norm="l2", accuracy="1/2")
    rows = [[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0], [1.0], [1.0]]
    q = [1, 2, -3, 1, 2, -3, -1004, 1004.0]
    network = Network(
        [
            Affine(np.array(rows), np.array([0, -1, -2, 0, -1, -2, -5, -6.0])),
            Affine(np.outer([1, -1, -1, -1], q), np.array([-1000.0, 1, 0, -2])),
            Affine(np.array([[0.0, 1, -1, 10]]), np.array([0.0])),
        ]
    )
    assert isinstance(examine(network, asked), Inapplicable)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_order_and_sign_of_units_do_not_matter(sign):
    asked = Problem(Radial("relu", 2), norm="linf", accuracy="1/5")
    first, second, last = RadialBySquares().prove(asked, 3).network.layers
    plain = examine(Network([first, second, last]), asked).error.upper
    rows = [sign * second.weight[0], *second.weight, 0 * second.weight[0]]
    more = Network(
        [
            first,
            Affine(np.array(rows), [-(10**6), *second.bias, 1]),
            Affine([[0, *last.weight[0], 0]], last.bias),
        ]
    )
    found = examine(more, asked).error.upper
    assert abs(float(found.p) / float(found.q) - float(plain.p) / float(plain.q)) < 1e-2
