"""Functions of an inner product on spheres: two layers against three."""

import json

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.analysis import Examination, examine
from depthsep.claims import Lower
from depthsep.cli import main
from depthsep.constructions import InnerBySquares
from depthsep.constructions.symmetric._inner_by_squares import (
    inner_sizes,
    printed_width,
)
from depthsep.evidence import Inapplicable
from depthsep.exact import rational
from depthsep.laws import SpherePair, law_from_text
from depthsep.lower_bounds import ZonalWave, polynomial_lemma
from depthsep.lower_bounds.symmetric._daniely_lemmas import unit_norms
from depthsep.lower_bounds.symmetric.zonal._inner_rank import InnerRank
from depthsep.lower_bounds.symmetric.zonal._zonal_polynomial import polynomial_rank
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.reports.words._widest_gap import parting
from depthsep.separation import bound, separate
from depthsep.targets import InnerProduct, target_from_text


def problem(formula, dim, accuracy="1/10", norm="l2"):
    return Problem(InnerProduct(formula, dim), norm=norm, accuracy=accuracy)


def test_points_of_spheres():
    law = SpherePair(7)
    x = law.sample(500, 0)
    assert x.shape == (500, 14) and law.in_dim == 14
    assert np.allclose(np.linalg.norm(x.reshape(500, 2, 7), axis=2), 1)
    assert abs((x[:, :7] * x[:, 7:]).sum(axis=1).mean()) < 0.1
    assert law_from_text(law.text) == law
    for dim in (1, 0, 1001):
        with pytest.raises(HypothesisError, match="give 2 to"):
            SpherePair(dim)


def test_a_function_of_the_inner_product():
    target = target_from_text("inner:2 - 3*sin(pi*d**3*t)/4", 5)
    assert target == InnerProduct("2 - 3*sin(pi*d**3*t)/4", 5)
    assert target.wave.shape == "sin" and target.wave.amplitude == fmpq(3, 4)
    assert target.wave.offset == 2
    with ctx.workprec(200):
        assert abs(target.wave.argument() - arb.pi() * 125) < arb(2) ** -180
    x = SpherePair(5).sample(50, 1)
    inner = (x[:, :5] * x[:, 5:]).sum(axis=1)
    assert np.allclose(target.floats(x), 2 - 0.75 * np.sin(np.pi * 125 * inner))
    whole = Problem(target, norm="l2", accuracy="1/9")
    assert whole.law == SpherePair(5)
    assert Problem.from_json(whole.to_json()) == whole


@pytest.mark.parametrize(
    "formula", ["t**2", "sin(t) + t", "pi*sin(t)", "sin(t+1)", "exp(t)"]
)
def test_other_functions_are_no_waves_and_bounded_by_polynomials(formula):
    asked = problem(formula, 3)
    assert asked.target.wave is None
    assert InnerRank().prove(asked, 2).width >= 1


def test_negative_frequencies_and_amplitudes_are_the_same():
    widths = {
        InnerRank().prove(problem(f, 4), 2).width
        for f in ("sin(9*t)", "-sin(9*t)", "sin(-9*t)", "7 + sin(9*t)")
    }
    assert len(widths) == 1


@pytest.mark.parametrize(
    ("formula", "dim", "accuracy"),
    [
        ("sin(3*t)", 3, "1/5"),
        ("cos(pi*t)/2 + 1", 2, "1/10"),
        ("sin(pi*d**3*t)", 3, "1/10"),
        ("sin(pi*d*t)", 5, "1/10"),
        ("1000*sin(t/50)", 4, 3),
        ("sin(20*t)/1000", 3, "1/20000"),
        ("sin(t/10**6)", 2, "1/100000000"),
        ("abs(t)", 4, "1/50"),
        ("exp(t) - t**2", 3, "1/30"),
        ("sqrt(abs(t))", 2, "1/10"),
    ],
)
@pytest.mark.parametrize("depth", [3, 5])
def test_networks_are_certified_and_the_claim_holds(formula, dim, accuracy, depth):
    asked = problem(formula, dim, accuracy, "linf")
    claim = InnerBySquares().prove(asked, depth)
    network = claim.network
    assert network.depth == depth and network.widths == claim.widths
    assert network.is_float
    found = examine(network, asked)
    x = asked.law.sample(20_000, 0)
    # the extremal pairs, too
    x = np.vstack([x, np.hstack([x[:50, :dim], x[:50, :dim]])])
    x = np.vstack([x, np.hstack([x[:50, :dim], -x[:50, :dim]])])
    off = np.abs(network.floats(x)[:, 0] - asked.target.floats(x)).max()
    assert rational(off) <= found.error.upper <= asked.accuracy == claim.error
    assert found.error.lower <= found.error.upper <= 4 * found.error.lower


def test_sharper_than_printed():
    sizes = inner_sizes(5, fmpq(16), fmpq(256), fmpq(1, 10))
    assert max(sizes.widths) < printed_width(5, fmpq(16), fmpq(1, 10)) / 20
    h, k = sizes.inner_step, sizes.outer_step
    assert 16 * 5 * h * h / 16 + 256 * k * k / 8 <= fmpq(1, 10)


@pytest.mark.slow
def test_the_examiner_finds_what_was_changed():
    asked = problem("sin(3*t)", 3, "1/5", "linf")
    network = InnerBySquares().prove(asked, 3).network
    rng, examined = np.random.default_rng(0), 0
    for layer in range(3):
        layers = list(network.layers)
        weight = layers[layer].weight.copy()
        i, j = (rng.integers(n) for n in weight.shape)
        weight[i, j] += 1.5
        layers[layer] = Affine(weight, layers[layer].bias)
        found = examine(Network(layers), asked, seconds=1)
        if isinstance(found, Examination):
            x = asked.law.sample(4000, 1)
            seen = Network(layers).floats(x)[:, 0] - asked.target.floats(x)
            assert rational(np.abs(seen).max()) <= found.error.upper
            examined += 1
    assert examined


def test_other_networks_are_not_examined():
    asked = problem("sin(3*t)", 4, "1/5")  # in 2 and 3 dimensions they are followed
    rng = np.random.default_rng(0)
    wild = Network(
        [Affine(rng.normal(size=(4, n)), rng.normal(size=4)) for n in (8, 4)]
        + [Affine(rng.normal(size=(1, 4)), [0])]
    )
    shallow = Network([Affine(np.ones((1, 8)), [0]), Affine([[1]], [0])])
    for network in (wild, shallow):
        found = examine(network, asked)
        assert isinstance(found, Inapplicable)
        assert "on spheres" in found.reason


@pytest.mark.parametrize(
    ("dim", "formula"), [(3, "sin(9*t)"), (4, "cos(7*t)"), (5, "sin(8*t)")]
)
def test_random_networks_of_one_layer_never_beat_the_bound(dim, formula):
    asked = problem(formula, dim, "3/10")
    width = InnerRank().prove(asked, 2).width
    assert width > 3
    train, test = asked.law.sample(6000, 1), asked.law.sample(6000, 2)
    rng = np.random.default_rng(3)
    for _ in range(3):
        units = rng.normal(size=(2 * dim, width - 1))
        bias = rng.normal(size=width - 1)

        def features(x, units=units, bias=bias):
            return np.column_stack([np.maximum(x @ units + bias, 0), np.ones(len(x))])

        outer = np.linalg.lstsq(features(train), asked.target.floats(train), rcond=None)
        errors = (features(test) @ outer[0] - asked.target.floats(test)) ** 2
        sampling = 4 * errors.std() / len(test) ** 0.5
        assert errors.mean() + sampling >= 0.09


def test_the_rank_bound_grows_like_the_ledger_says():
    for dim, log2_width in (
        (3, 7.29),
        (4, 15.18),
        (5, 24.14),
        (10, 78.51),
        (20, 211.47),
    ):
        value = bound("sphere-rank", dim=dim, multiple=dim**3, accuracy="1/10")
        assert abs(value.log2 - log2_width) < 0.02


@pytest.mark.slow
def test_fifty_dimensions():
    """The reference is the bound at one degree; the best one is a little higher."""
    value = bound("sphere-rank", dim=50, multiple=50**3, accuracy="1/10")
    assert value.log2 > 689.8474782 and abs(value.log2 - 689.904) < 0.001


@pytest.mark.parametrize(
    ("accuracy", "width"), [("9/10", 0), ("7071/10000", 1), (5, 0)]
)
def test_accuracies_near_and_above_the_norm(accuracy, width):
    # the norm of sin(pi d^3 t) is sqrt(1/2), about 0.70710678
    found = InnerRank().prove(problem("sin(pi*d**3*t)", 10, accuracy), 2)
    assert (found.width > 0) == (width > 0)


def test_abs_and_sign_at_depth_two():
    widths = [
        InnerRank().prove(problem(f, 5, e), 2).width
        for f, e in (("abs(t)", "1/10"), ("abs(t)", "1/100"), ("sign(t)", "1/10"))
    ]
    assert widths[0] < widths[1] < widths[2]
    same = [InnerRank().prove(problem(f, 5, "1/30"), 2) for f in ("abs(t)", "7-abs(t)")]
    assert same[0].width == same[1].width
    above = problem("abs(t)", 5, "1/4")
    # a constant is that close: the norm without degree 0 is sqrt(1/5 - (3/8)^2) = 0.244
    assert InnerRank().prove(above, 2).width == 0
    jump = InnerBySquares().prove(problem("sign(t)", 3), 3)
    assert isinstance(jump, Inapplicable)


def test_the_table_has_both_sides():
    table = separate(problem("sin(pi*d*t)", 5), depths=[2, 3])
    assert 900 < table[2].lower.width <= table[2].upper.width < 10**9
    assert table[3].upper.width <= 200 and table[3].upper.checked
    large = separate(problem("sin(pi*d**3*t)", 20), depths=[2, 3])
    assert large[2].lower.width > 10**63
    assert not large[3].upper.checked and large[3].upper.width < 10**5


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return stop.value.code


def test_built_verified_altered_and_refused(tmp_path, capsys):
    net, cert = tmp_path / "s.onnx", tmp_path / "s.json"
    common = ["inner:sin(pi*t)", "--dim", 3, "--norm", "l2", "--accuracy", "0.1"]
    assert run("build", *common, "-o", net, "--certificate", cert) == 0
    assert run("verify", cert) == 0
    assert "valid" in capsys.readouterr().out
    document = json.loads(cert.read_text())
    document["problem"]["target"] = "inner:sin(pi*t/2)"
    cert.write_text(json.dumps(document))
    assert run("verify", cert) == 1
    assert run("separate", *common, "--depths", "2:3", "--search", "0") == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["inner:sin(t)", "--accuracy", "0.1"],
        ["inner:sin(t)", "--dim", 1, "--accuracy", "0.1"],
        ["inner:sin(x)", "--dim", 3, "--accuracy", "0.1"],
        ["inner:sin(t)", "--dim", 3, "--accuracy", "0.1", "--on", "0,1"],
        ["inner:sin(10**9*t)", "--dim", 3, "--accuracy", "0.1", "--norm", "l2"],
        ["inner:log(t)", "--dim", 3, "--accuracy", "0.1"],
    ],
    ids=str,
)
def test_bad_input_is_one_line(arguments, capsys):
    code = run("separate", *arguments, "--depths", "2:3")
    error = capsys.readouterr().err
    assert code == 2 and error.count("\n") == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            problem("sin(pi*d*t)", 5),
            "at least 1407 units, while width 200 is enough at depth 3",
        ),
        (
            Problem("square", accuracy="1e-6"),
            "353 units, while width 20 is enough at depth 3: a factor",
        ),
        (problem("sin(pi*d**3*t)", 20), "a factor of at least 2^195"),
        (problem("exp(t)", 3), ""),
    ],
)
def test_one_sentence_says_how_far_the_depths_part(asked, said):
    sentence = parting(separate(asked, depths=[2, 3]))
    assert said in sentence and bool(said) == bool(sentence)


@pytest.mark.slow
def test_weights_may_be_bounded():
    target = InnerProduct("sin(3*pi*d*t)", 3)

    def asked(bound, norm="l2"):
        return Problem(target, norm=norm, accuracy="1/10", weight_bound=bound)

    free, wide, tight = (
        separate(asked(b), depths=[2, 3]) for b in (None, 64, fmpq(1, 64))
    )
    assert wide[3].upper.largest_weight <= 64 and wide[3].upper.checked
    assert isinstance(tight[3].upper, Inapplicable)
    assert free[2].lower.width == wide[2].lower.width < tight[2].lower.width
    assert "weights" in str(tight[2].lower.networks)
    network = wide[3].upper.network
    assert examine(network, asked(64)).error.upper <= fmpq(1, 10)
    assert isinstance(examine(network, asked(1)), Inapplicable)
    assert Problem.from_json(asked(64).to_json()) == asked(64)
    for bad in (0, -1, "x"):
        with pytest.raises(HypothesisError):
            asked(bad)


def test_the_optimal_weighted_form_is_that_of_the_table():
    """log2 widths for weights up to 2^d; the table's are in float64, to a digit."""
    from depthsep.lower_bounds import optimal_width, weighted_widths
    from depthsep.lower_bounds.symmetric.zonal._inner_rank import Frequency

    for dim, bits in ((3, -4.0), (4, -2.1), (5, 0.39), (10, 17.6), (20, 64.0)):
        wave = ZonalWave(dim, "sin", Frequency(fmpq(dim) ** 3).argument)
        found = optimal_width(wave, fmpq(1, 10), fmpq(2) ** dim)
        assert abs(float(found.log().mid()) / np.log(2) - bits) < 0.1
        tail = wave.tail(wave.best_degree(fmpq(1, 10)))
        linear = weighted_widths(dim, tail, fmpq(1, 10), fmpq(2) ** dim).linear
        assert linear < found


@pytest.mark.parametrize(
    ("dim", "waves", "degree"), [(2, 5, 4), (5, 13, 12), (3, 4, 1)]
)
def test_the_polynomial_lemma_is_far_below_the_exact_value(dim, waves, degree):
    found = polynomial_lemma(dim, waves, degree)
    assert not found.printed > found.sharper and found.sharper < found.exact


def test_the_polynomial_lemma_needs_whole_m():
    """m = 1/20, k = 0, d = 3: sin(pi sqrt(3) x / 20) is nearer to 0 than claimed."""
    with ctx.workprec(200):
        wave = ZonalWave(3, "sin", lambda: arb.pi() * arb(3).sqrt() / 20)
        claimed = 1 / (4 * arb(1).exp() * arb.pi())
        assert wave.norm_squared < claimed


def test_units_keep_to_their_norm():
    rng = np.random.default_rng(0)
    for dim in (2, 5, 20):
        printed, sharp = unit_norms(dim, fmpq(3))
        assert sharp < printed
        x = SpherePair(dim).sample(20_000, 1)
        for _ in range(20):
            w, b = 3 * rng.choice([-1, 1], 2 * dim), 3 * rng.choice([-1, 1])
            unit = 3 * np.maximum(x @ w + b, 0)
            assert np.sqrt((unit**2).mean()) < float(sharp.mid()) * 1.02


@pytest.mark.parametrize("dim", [2, 6])
def test_formulas_near_polynomials_agree_with_closed_forms(dim):
    for formula in ("sin(12*t)", "cos(9*t)"):
        closed = InnerRank().prove(problem(formula, dim, "1/10"), 2).width
        near = polynomial_rank(InnerProduct(formula, dim), fmpq(1, 10))
        assert near is not None and 0.98 * closed - 1 <= near[0] <= closed
    product = InnerRank().prove(problem("t*sin(30*t)", dim, "1/20"), 2)
    assert isinstance(product, Lower) and product.width >= 2
