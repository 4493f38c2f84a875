"""What every listed theorem promises: a new one is tested the moment it is listed."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from flint import fmpq

from depthsep import CertificationError, HypothesisError, TooLargeError
from depthsep.analysis import certify, most_pieces
from depthsep.claims import (
    MAX_WEIGHTS,
    AbstractConstruction,
    AbstractLowerBound,
    Lower,
    Upper,
)
from depthsep.constructions import CONSTRUCTIONS, SawtoothByFolds
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    reference_text,
)
from depthsep.evidence._proof import PROOF_STATUSES
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.networks import Network, scale, shift, size
from depthsep.problems import Problem
from depthsep.separation import STATEMENTS, bound, results, statement_named
from support.slow import in_turn, mostly_slow

DEPTHS = (2, 3, 4, 6, 9)


def named(theorem):
    return theorem.statement.id


def parts(theorem):
    return [(theorem, problem) for problem in theorem.examples()]


def label(value):
    return (
        named(value) if hasattr(value, "statement") else f"{value.target}-{value.norm}"
    )


UPPERS = [pair for theorem in CONSTRUCTIONS for pair in parts(theorem)]
AT_DEPTH_4 = [(*pair, 4) for pair in UPPERS]
AT_OTHERS = [row for t in CONSTRUCTIONS for row in in_turn(parts(t), (3, 9, 2))]
LOWERS = [pair for theorem in LOWER_BOUNDS for pair in parts(theorem)]
FOREIGN = [
    Problem("square", norm="l1"),
    Problem("sawtooth:5", norm="l2"),
    Problem("parity:4"),
    Problem("expr:x", accuracy=1),
    Problem("expr:sin(3*x)", norm="l2", accuracy="1/7"),
]


@cache
def accepted(theorem, problem, depth):
    """The claim and its certificate; the theorem's careful form if one objects."""
    claim = theorem.prove(problem, depth)
    if isinstance(claim, Inapplicable):
        return claim, None
    try:
        return claim, certify(claim.network, problem)
    except CertificationError:
        if theorem.more_careful() is None:
            raise
        return accepted(theorem.more_careful(), problem, depth)


@pytest.mark.parametrize(
    ("theorem", "problem", "depth"),
    mostly_slow(AT_DEPTH_4, AT_DEPTH_4 + AT_OTHERS),
    ids=lambda v: v if isinstance(v, int) else label(v),
)
def test_the_examiner_confirms_what_a_construction_claims(theorem, problem, depth):
    claim, found = accepted(theorem, problem, depth)
    if isinstance(claim, Inapplicable):
        assert depth != 4 and claim.reason  # examples apply at depth 4
        return
    network = claim.network
    assert network.depth == depth and network.widths == claim.widths
    assert (network.in_dim, network.out_dim) == (claim.in_dim, 1)
    assert (claim.width, claim.units) == (network.width, network.units)
    assert claim.predicted_weights == sum(a.weight.size for a in network.layers)
    assert found.error.is_at_most(problem.accuracy)
    if claim.rigour is not Rigour.SAMPLED:
        assert found.error.is_at_most(claim.error)
        assert claim.error <= problem.accuracy
    if found.pieces is not None:
        assert found.pieces <= most_pieces(network.widths)
    if depth == 4:
        worse_is_refused(network, problem)


def worse_is_refused(network, problem):
    """The examiner proves that networks are not good enough, and says so."""
    far = shift(scale(network, 3), 5 + 5 * problem.accuracy)
    with pytest.raises(CertificationError, match="above the accuracy"):
        certify(far, problem)


@pytest.mark.parametrize("theorem", CONSTRUCTIONS, ids=named)
def test_constructions_need_a_hidden_layer_and_answer_foreign_problems(theorem):
    for problem in theorem.examples():
        answer = theorem.prove(problem, 1)
        assert isinstance(answer, Inapplicable) and answer.reason
    for problem in FOREIGN:
        for depth in (2, 5):
            assert isinstance(theorem.prove(problem, depth), Upper | Inapplicable)


@pytest.mark.parametrize("theorem", LOWER_BOUNDS, ids=named)
def test_lower_bounds_answer_foreign_problems(theorem):
    for problem in FOREIGN:
        for depth in (2, 5):
            assert isinstance(theorem.prove(problem, depth), Lower | Inapplicable)


@pytest.mark.parametrize(("theorem", "problem"), LOWERS, ids=label)
def test_lower_bounds_need_a_hidden_layer(theorem, problem):
    assert isinstance(theorem.prove(problem, 1), Inapplicable)


@pytest.mark.parametrize(("theorem", "problem"), LOWERS, ids=label)
def test_lower_bounds_fall_with_the_depth_and_grow_with_the_accuracy(theorem, problem):
    widths = []
    for depth in DEPTHS:
        found = theorem.prove(problem, depth)
        if depth == 2:
            assert isinstance(found, Lower)  # examples apply at depth 2
        if isinstance(found, Lower):
            assert 0 <= found.width <= found.units <= found.width * (depth - 1)
            widths.append(found.width)
    assert widths == sorted(widths, reverse=True)
    given = (problem.target, problem.law, problem.norm)
    finer = theorem.prove(Problem(*given, accuracy=problem.accuracy / 2), 2)
    if isinstance(finer, Lower):
        assert finer.width >= widths[0]


@pytest.mark.parametrize("theorem", [*CONSTRUCTIONS, *LOWER_BOUNDS], ids=named)
def test_statements_say_what_when_how_and_where(theorem):
    statement = theorem.statement
    assert isinstance(theorem, AbstractConstruction | AbstractLowerBound)
    assert isinstance(statement, Statement) and isinstance(statement.source, Source)
    assert statement.title and statement.formula and statement.hypotheses
    assert all(isinstance(h, str) and h for h in statement.hypotheses)
    assert all(isinstance(e, str) and e for e in statement.errata)
    assert statement_named(statement.id) == statement
    line = reference_text(statement.source.key)
    assert "(" in line and len(line) > 20
    assert str(statement.source).endswith(statement.source.place)


@pytest.mark.parametrize("statement", results(), ids=lambda s: s.id)
def test_the_page_of_a_proof_names_the_statement(statement):
    page = (Path(__file__).parents[2] / statement.proof.page).read_text("utf-8")
    assert statement.proof.status in PROOF_STATUSES
    assert re.search(rf"(?<![-\w])`{re.escape(statement.id)}`", page)


def test_every_page_of_a_proof_is_named_by_a_statement():
    folder = Path(__file__).parents[2] / "docs" / "proofs"
    named_pages = {Path(s.proof.page).name for s in results()}
    # how a value is enclosed, for several statements
    methods = {"sweep.md", "continuous-pieces.md", "linear-bounds.md"}
    assert {p.name for p in folder.glob("*.md")} == named_pages | methods


SENSIBLE = dict.fromkeys(("point", "profile", "formula"), ("0", "-3"))  # constants


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
def test_statements_evaluate_at_sample_parameters(statement):
    given = statement.samples
    value = statement.evaluate_text(given)
    assert isinstance(value, Value) and value.text
    assert value.rigour in Rigour
    if own := [part.split("=")[0] for part in statement.sample.split()]:
        assert set(own) <= {p.name for p in statement.parameters}
    needed = {p.name for p in statement.parameters if p.default is None}
    assert bound(statement.id, **{n: given[n] for n in {*own, *needed}}) == value


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
def test_statements_refuse_parameters_that_make_no_sense(statement):
    senseless = ("0", "-3", "x", "", "1/0", "1e999999", "0.5.1")
    for parameter, written in product(statement.parameters, senseless):
        counts_from_0 = parameter.least == 0 and written == "0"
        sensible = SENSIBLE.get(parameter.kind, SENSIBLE.get(parameter.name, ()))
        if counts_from_0 or written in sensible:
            continue
        given = statement.samples
        with pytest.raises(HypothesisError):
            statement.evaluate_text({**given, parameter.name: written})


def test_statements_refuse_unknown_and_missing_names():
    with pytest.raises(HypothesisError, match="has no parameter"):
        bound("theorem-a", piece=3)
    with pytest.raises(HypothesisError, match="needs the parameter"):
        bound("theorem-a", layers=3)
    with pytest.raises(HypothesisError, match="try sawtooth-l1"):
        statement_named("theorem-b")
    with pytest.raises(HypothesisError, match="only whole numbers"):
        bound("theorem-a", pieces="7/2")
    assert results() == STATEMENTS
    assert len({s.id for s in STATEMENTS}) == len(STATEMENTS)


def test_parameters_read_what_users_write():
    assert Parameter("n", "integer", "").read("12") == 12
    assert Parameter("n", "integers", "").read("1,2, 3") == (1, 2, 3)
    assert Parameter("e", "rational", "").read("1e-2") == fmpq(1, 100)


def test_networks_that_are_too_large_say_how_large():
    claim = Upper(
        widths=(10**5, 10**5),
        error=fmpq(0),
        rigour=Rigour.EXACT,
        statement=None,
        make=Network,
    )
    assert claim.predicted_weights > MAX_WEIGHTS
    with pytest.raises(TooLargeError, match="200000 units and 10000200000 weights"):
        _ = claim.network


def test_a_network_is_built_once():
    claim = SawtoothByFolds().prove(Problem("sawtooth:3"), 3)
    assert claim.network is claim.network
    assert size(claim.network).widths == claim.widths
