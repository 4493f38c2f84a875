"""The table people come for: its shape, its gaps, its documents."""

import json

import pytest
from flint import fmpq

from depthsep import (
    CertificationError,
    HypothesisError,
    Problem,
    Segment,
    TooLargeError,
    build,
    listening,
    separate,
)
from depthsep.analysis import certify
from depthsep.claims import AbstractConstruction, Lower, Upper
from depthsep.constructions import CONSTRUCTIONS, SawtoothByFolds
from depthsep.evidence import Certificate, Inapplicable, Rigour
from depthsep.exact import json_integer
from depthsep.lower_bounds import LOWER_BOUNDS, Curvature
from depthsep.lower_bounds.line._sawtooth import SawtoothL1
from depthsep.networks import network_from_json, size
from depthsep.problems import NORMS
from depthsep.separation import Row, Separation, best_lower, best_upper
from support.slow import mostly_slow


def gaps(table):
    return [row.upper.width - row.lower.width for row in table]


def checked(table):
    """Every upper bound is a network that the examiner confirmed; returns the table."""
    for row in table:
        assert row.upper.checked and row.upper.rigour is not Rigour.SAMPLED
        assert row.upper.error <= table.problem.accuracy
        assert row.upper.network.depth == row.depth
        assert row.upper.network.widths == row.upper.widths
    return table


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("digits", [3, 4, 6])
def test_the_square_has_a_gap_of_at_most_three_at_every_depth(digits, norm):
    problem = Problem("square", norm=norm, accuracy=fmpq(1, 10**digits))
    table = checked(separate(problem))
    assert [row.depth for row in table] == list(range(2, 9))
    assert max(gaps(table)) <= 3
    for one, other in zip(list(table), list(table)[1:], strict=False):
        assert one.upper.width >= other.upper.width
        assert one.lower.width >= other.lower.width


@pytest.mark.parametrize("digits", [8, 10])
def test_finer_squares_keep_the_gap_where_networks_are_small(digits):
    problem = Problem("square", accuracy=fmpq(1, 10**digits))
    assert max(gaps(checked(separate(problem, depths=range(3, 9))))) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("digits", [3, 8, 12])
def test_the_square_keeps_the_gap_to_twelve_digits(digits, norm):
    problem = Problem("square", norm=norm, accuracy=fmpq(1, 10**digits))
    # at depth 2 a quarter of a million units, a minute of work
    deep = digits == 12
    table = separate(problem, depths=range(3 if deep else 2, 9))
    assert max(gaps(table)) <= 3
    assert all(row.upper.checked for row in table if row.depth > 2)


def test_one_hidden_layer_for_the_square_is_optimal_in_the_sup_norm():
    row = separate(Problem("square", accuracy="1e-6"), depths=[2])[2]
    # N = ceil(sqrt(10^6 / 8)) = 354 pieces; N units make N pieces, N - 1 are needed
    assert (row.lower.pieces, row.lower.width, row.upper.width) == (354, 353, 354)
    assert row.lower.rigour is Rigour.EXACT and row.upper.rigour is Rigour.EXACT


@pytest.mark.parametrize(
    "k", mostly_slow([3, 4, 5, 8, 13], [3, 4, 5, 8, 13, 34, 47, 60])
)
def test_sawtooths_in_the_mean_obey_the_formula(k):
    table = separate(Problem(f"sawtooth:{k}", norm="l1", accuracy="0.05"))
    for row in table:
        layers = row.depth - 1
        # (w + 1)^L >= (1 - 4 * 0.05) 2^k, in integers
        assert 5 * (row.lower.width + 1) ** layers >= 4 * 2**k
        assert row.upper.error <= fmpq(1, 20) and row.lower.width <= row.upper.width
        width = max(row.upper.widths)
        assert width <= 2 ** -(-k // layers)
        # the least width whose power holds 4/5 of the 2^k pieces, up to half a piece
        if k <= 13:
            assert 10 * (width - 1) ** layers < 8 * 2**k + 5


@pytest.mark.slow
@pytest.mark.parametrize("k", range(3, 61))
def test_every_sawtooth_in_the_mean_obeys_the_formula(k):
    problem = Problem(f"sawtooth:{k}", norm="l1", accuracy="0.05")
    for row in separate(problem, constructions=()):
        assert 5 * (row.lower.width + 1) ** (row.depth - 1) >= 4 * 2**k


@pytest.mark.parametrize("norm", NORMS)
def test_sine_at_one_hidden_layer_has_a_small_gap(norm):
    problem = Problem("expr:sin(20*x)", norm=norm, accuracy="1e-2")
    table = checked(separate(problem, depths=[2]))
    if norm == "linf":
        assert gaps(table)[0] <= 2
    assert table[2].upper.rigour is Rigour.ENCLOSED


@pytest.mark.parametrize("accuracy", ["0.3", "0.05", "1e-3"])
def test_sine_in_the_sup_norm_has_a_gap_of_two_at_other_accuracies(accuracy):
    problem = Problem("expr:sin(20*x)", accuracy=accuracy)
    assert gaps(checked(separate(problem, depths=[2])))[0] <= 2


@pytest.mark.parametrize("d", [1, 2, 3, 8, 13, 30])
def test_parities_are_computed_exactly(d):
    table = checked(separate(Problem(f"parity:{d}", norm="l2", accuracy="1/2")))
    assert all(row.upper.error == 0 for row in table)
    assert table[2].upper.width == d
    assert table[5].upper.width <= table[2].upper.width


@pytest.fixture(scope="module")
def table():
    return separate(
        Problem("sawtooth:60", norm="l1", accuracy="0.05"), depths=[2, 3, 9]
    )


def test_the_document_is_valid_and_exact(table):
    document = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert Problem.from_json(document["problem"]) == table.problem
    assert set(document) == {"problem", "rows", "versions"}
    for row, entry in zip(table, document["rows"], strict=True):
        assert entry["depth"] == row.depth == entry["hidden_layers"] + 1
        assert int(entry["upper"]["width"]) == row.upper.width
        assert [int(m) for m in entry["upper"]["widths"]] == list(row.upper.widths)
        assert int(entry["lower"]["width"]) == row.lower.width
        assert fmpq(*map(int, entry["upper"]["error"].split("/"))) == row.upper.error
        assert entry["lower"]["rigour"] == "exact" and entry["learned"] is None
        assert entry["lower"]["source"] and entry["upper"]["source"]
    assert isinstance(document["rows"][0]["lower"]["width"], str)  # beyond 2**53
    assert document["rows"][0]["upper"]["checked"] is False
    assert "too large to be built" in document["rows"][0]["upper"]["note"]
    assert document["rows"][0]["lower"]["log2_width"] == pytest.approx(59.678, abs=1e-3)


def test_rows_are_found_by_depth_and_in_order(table):
    assert [row.depth for row in table] == [2, 3, 9] and len(table) == 3
    assert table[9] is list(table)[2]
    with pytest.raises(KeyError, match="no row of depth 4"):
        table[4]


def test_the_printed_table_shows_every_row(table):
    lines = str(table).splitlines()
    assert "sawtooth:60" in lines[0] and "proven width" in lines[1]
    assert [int(line.split()[0]) for line in lines[2:]] == [2, 3, 9]
    assert lines[2].split()[2] == str(8 * 2**60 // 10 + 2)


def test_rows_that_have_no_answer_say_why_in_the_document():
    row = Row(2, Inapplicable("too hard"), Inapplicable("unknown"))
    document = row.to_json()
    assert document["upper"] == {"inapplicable": "too hard"}
    assert document["lower"] == {"inapplicable": "unknown"}
    assert "-" in str(Separation(Problem("square"), (row,)))


def test_everything_asked_is_recorded_with_its_answer(table):
    for row in table:
        names = [name for name, _ in row.asked]
        assert {b.statement.id for b in LOWER_BOUNDS} <= set(names)
        assert len(names) == len(CONSTRUCTIONS) + len(LOWER_BOUNDS)
        answers = dict(row.asked)
        assert answers["sawtooth-l1"].startswith(f"width {row.lower.width}")
        assert answers["square-optimum"].startswith("does not apply: ")


class OneLayerMore(AbstractConstruction):
    """Offers a network that is deeper than it was asked for."""

    statement, scope = SawtoothByFolds.statement, SawtoothByFolds.scope

    def claim(self, problem, depth):
        return SawtoothByFolds().prove(problem, depth + 1)

    def examples(self):
        return []


def test_a_network_of_another_depth_is_refused():
    problem = Problem("sawtooth:4", norm="l1", accuracy="0.05")
    table = separate(problem, depths=[3], constructions=(OneLayerMore(),))
    assert "gave a network of depth 4" in table[3].upper.reason


def test_callers_bring_their_own_theorems():
    problem = Problem("sawtooth:4", norm="l1", accuracy="0.05")
    table = separate(
        problem, depths=[3], constructions=(SawtoothByFolds(),),
        lower_bounds=(SawtoothL1(),),
    )  # fmt: skip
    assert len(table[3].asked) == 2 and isinstance(table[3].lower, Lower)
    bare = separate(problem, depths=[3], constructions=(), lower_bounds=())
    assert bare[3].upper.reason == "no construction was given"
    assert bare[3].lower.reason == "no lower bound was given"
    foreign = separate(problem, depths=[3], lower_bounds=(Curvature(),))
    assert isinstance(foreign[3].lower, Inapplicable) and foreign[3].lower.reason


def test_progress_is_reported_row_by_row():
    seen = []
    with listening(lambda share, what: seen.append((share, what))):
        separate(Problem("parity:3"), depths=[2, 5])
    assert (0, "depth 2") in seen and (0.5, "depth 5") in seen


@pytest.mark.parametrize("depths", [[], [1], [0], [-3], [201], [2, 1]])
def test_depths_out_of_range_are_refused(depths):
    with pytest.raises(HypothesisError, match="depth"):
        separate(Problem("parity:3"), depths=depths)


def test_the_best_of_several_bounds_wins():
    problem = Problem("sawtooth:8", accuracy="0.1")
    low, high = best_lower(problem, 2), best_upper(problem, 2)
    # crossings of a continuous network give 2^k pieces, twice as many as jumps allow
    assert low.pieces == 2**8 and low.width == 2**8 - 1
    assert isinstance(high, Upper) and high.width == 2**8


@pytest.mark.parametrize(
    ("target", "norm", "accuracy", "depth"),
    [
        ("square", "linf", "1e-4", 4),
        ("square", "l2", "1e-6", None),
        ("sawtooth:12", "l1", "0.05", 5),
        ("parity:9", "linf", "1/4", 3),
        ("expr:sin(20*x)", "linf", "1e-2", 3),
        ("expr:abs(x - 1/3) + sqrt(x)", "l2", "1e-2", None),
        ("expr:x/3 + 1/7", "linf", "1e-9", 2),
    ],
)
def test_build_gives_one_certified_network(target, norm, accuracy, depth):
    problem = Problem(target, norm=norm, accuracy=accuracy)
    built = build(problem, depth=depth)
    assert depth in (None, built.network.depth)
    assert built.examination.error.is_at_most(problem.accuracy)
    again = certify(built.network, problem)
    assert again.error == built.examination.error
    certificate = built.certificate()
    assert network_from_json(certificate.network) == built.network
    assert Certificate.from_json(certificate.to_json()) == certificate
    assert Certificate.digest_matches(certificate.to_json())
    assert Problem.from_json(certificate.problem) == problem
    assert certificate.claim["widths"] == list(built.network.widths)


def test_build_prefers_float64_weights_that_are_good_enough():
    problem = Problem("expr:x**2", Segment(0, "1/3"), accuracy="1e-3")
    assert build(problem, depth=3).network.is_float
    exact = build(Problem("sawtooth:3", accuracy="1e-30"), depth=3)
    assert exact.examination.error.upper == 0


@pytest.mark.slow
def test_build_says_why_nothing_was_built(monkeypatch):
    monkeypatch.setattr("depthsep.separation._finite.MAX_ROUGH_KNOTS", 1 << 11)
    with pytest.raises(HypothesisError, match="the depth is 1"):
        build(Problem("square"), depth=1)
    with pytest.raises(HypothesisError, match=r"not finite|not defined"):
        build(Problem("expr:1/x"))
    with pytest.raises(TooLargeError, match="Choose a larger depth"):
        build(Problem("sawtooth:40"), depth=2)
    with pytest.raises((HypothesisError, CertificationError)):
        build(Problem("expr:sin(1/(x + 1e-9))", accuracy="1e-9"), depth=2)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    ("target", "on", "accuracy"),
    [
        ("expr:sin(x)", (0, 1), "1e400"),
        ("expr:sin(x)", (0, 1), "1e-400"),
        ("expr:x/3", (0, 1), "1e-400"),
        ("expr:abs(x - 1/3)", (0, "1e400"), "1e-2"),
        ("expr:abs(x)", ("-1e-400", "1e-400"), "1e-2"),
        ("expr:exp(x)", (0, "1e-320"), "1e-2"),
        ("expr:abs(x)", ("1e21", "1000000000000000000001"), "1e-2"),
        ("expr:sin(x)", ("1e308", "2e308"), "1e-2"),
        ("square", ("1e-400", "1e400"), "1e390"),
    ],
)
def test_sizes_beyond_float64_are_answered_or_refused_by_name(
    target, on, accuracy, norm
):
    problem = Problem(target, Segment(*on), norm=norm, accuracy=accuracy)
    try:
        table = separate(problem, depths=[2, 3])
    except HypothesisError as refusal:
        assert target in str(refusal)
        return
    json.dumps(table.to_json(), allow_nan=False)
    assert len(str(table).splitlines()) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accuracy", "depths"), [("1e-1000", [2, 3, 8]), ("1e-2000", [8])]
)
def test_squares_of_any_accuracy_are_answered(accuracy, depths):
    table = separate(Problem("square", accuracy=accuracy), depths=depths)
    assert max(gaps(table)) <= 3


@pytest.mark.parametrize(
    ("n", "shown"),
    [(5, 5), (-5, -5), (2**53, 2**53), (2**53 + 1, "9007199254740993"),
     (-(2**60), "-1152921504606846976")],
)  # fmt: skip
def test_integers_beyond_doubles_are_shown_as_text(n, shown):
    assert json_integer(n) == shown


@pytest.mark.parametrize(
    ("text", "on", "gap"),
    [
        ("sqrt(abs(x - 1/2))", (0, 1), 3),
        ("sqrt(abs(sin(9*x)))", (0, 1), 2),
        ("abs(x - 1/3) + sqrt(x)", (0, 1), 2),
        ("exp(-50*(x - 1/2)**2)", (-1, 2), 2),
    ],
)
def test_cusps_and_narrow_bumps_are_followed(text, on, gap):
    problem = Problem(f"expr:{text}", Segment(*on), accuracy="1e-3")
    (row,) = separate(problem, depths=[2])
    assert row.upper.checked and row.upper.width - row.lower.width <= gap


@pytest.mark.slow
def test_a_narrow_bump_is_followed_in_l2():
    bump = Problem("expr:exp(-50*(x - 1/2)**2)", Segment(-1, 2), "l2", "1e-2")
    assert separate(bump, depths=[2])[2].upper.checked


@pytest.mark.parametrize(
    ("target", "norm", "accuracy"),
    [("sawtooth:5", "l1", "1/4"), ("sawtooth:10", "l2", "0.3"), ("parity:9", "l1", 1)],
)
def test_rough_accuracies_need_no_unit_and_get_one(target, norm, accuracy):
    for row in separate(Problem(target, norm=norm, accuracy=accuracy)):
        assert row.lower.width == 0 and row.upper.width == 1 and row.upper.checked


def test_parity_of_thousands_of_signs_is_examined():
    (row,) = separate(Problem("parity:3000", norm="l1"), depths=[5])
    assert row.upper.checked and row.upper.error == 0


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("sqrt((x - 1/3)**2 - 1e-14)", "linf"),
        ("sqrt((x - 1/3)**2 - 1e-70)", "l2"),
        ("asin(1 + 1e-14 - (x - 1/3)**2)", "l1"),
        ("((x - 1/3)**2 - 1e-20)**(1/3)", "l1"),
        ("acosh(1 + (x - 2/3)**2 - 1e-30)", "linf"),
    ],
)
def test_formulas_undefined_on_a_sliver_are_refused(text, norm):
    with pytest.raises(
        HypothesisError, match=r"not finite|not defined|proved to be defined"
    ):
        build(Problem(f"expr:{text}", norm=norm, accuracy="0.3"), depth=2)


@pytest.mark.parametrize(
    "text", ["sqrt(abs(x - 1/3))", "asin(x)", "sqrt(x*(1 - x))", "sqrt((x - 1/3)**2)"]
)
def test_formulas_that_touch_the_end_of_their_domain_are_served(text):
    (row,) = separate(Problem(f"expr:{text}", norm="l1", accuracy="0.05"), depths=[2])
    assert row.upper.checked


@pytest.mark.parametrize("text", ["x/3", "2", "1/7 - 5*x"])
def test_affine_formulas_are_exact_at_any_accuracy(text):
    for row in separate(Problem(f"expr:{text}", accuracy="1e-30"), depths=[2, 5]):
        assert (row.lower.width, row.upper.width, row.upper.error) == (0, 1, 0)


@pytest.mark.parametrize(
    ("text", "norm", "accuracy"),
    [
        pytest.param("sin(1e6*x)", "l1", "0.1", marks=pytest.mark.slow),
        pytest.param("sin(1e9*x)", "l2", "2", marks=pytest.mark.slow),
        ("pi*x + e", "linf", "1e-13"),
    ],
)
def test_hard_or_flat_formulas_are_given_up_within_their_budget(
    text, norm, accuracy, monkeypatch
):
    """A tenth of the knots of every day, so that the test takes a tenth of the time."""
    monkeypatch.setattr("depthsep.approximation.mean._grading.MOST_ROUGH", 10_000)
    (row,) = separate(Problem(f"expr:{text}", norm=norm, accuracy=accuracy), depths=[2])
    assert (
        row.upper.reason if isinstance(row.upper, Inapplicable) else row.upper.checked
    )


def test_no_row_is_wider_than_a_shallower_one():
    # a record of depth 4 has width 6, which no construction reaches at depth 5
    problem = Problem("expr:sin(x)+cos(3*x)", Segment(0, 3), accuracy="1e-3")
    table = checked(separate(problem, depths=[4, 5, 6, 8]))
    widths = [row.upper.width for row in table]
    assert widths == sorted(widths, reverse=True) and widths[1] <= 6
    assert all(
        row.upper.checked and row.upper.network.depth == row.depth for row in table
    )
    assert (
        str(table[8].upper.source).count("with more layers that only pass values on")
        == 1
    )


def test_a_shallower_network_is_passed_on_only_if_it_is_narrower():
    problem = Problem("expr:exp(x)", accuracy="1e-3")
    deep = best_upper(problem, 5)
    shallow = best_upper(problem, 3)
    found = best_upper(problem, 5, shallower=shallow)
    assert (found.widths, found.source) == (deep.widths, deep.source)
    given = best_upper(problem, 5, (), shallower=shallow)
    assert given.checked and given.widths == (*shallow.widths, 2, 2)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_cubic_depth_against_depth_k(k):
    """k^3 layers of two units compute what k layers need about 2^(k^2) units for."""
    problem = Problem(f"sawtooth:{k**3}", norm="l1", accuracy="1/32")
    shallow, deep = separate(problem, depths=[k + 1, k**3 + 1])
    # (m + 1)^k >= pieces within 1/32, and these are at least 2^(k^3) (1 - 4/32)
    needed = shallow.lower.width
    assert (needed + 1) ** k >= 2 ** (k**3) * 7 // 8 > needed**k
    assert needed >= 2 ** (k * k - 1)
    assert deep.upper.checked and deep.upper.width == 2
    assert deep.upper.error <= problem.accuracy
    if k > 2:
        # the tent's numbers alone, whatever the depth
        assert size(deep.upper.network).distinct <= 8
