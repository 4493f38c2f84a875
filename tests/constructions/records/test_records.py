"""Records: certificates in the package, used where they fit and never trusted."""

import runpy
from dataclasses import replace

import pytest

from depthsep import FileFormatError, HypothesisError, Problem, Segment, separate
from depthsep.claims import SearchPlan, Upper
from depthsep.constructions import (
    CONSTRUCTIONS,
    RECORDS,
    LineSearch,
    Recorded,
    record_named,
)
from depthsep.evidence import Inapplicable
from depthsep.interop import verify
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.separation import Row, best_lower, best_upper, build, check_sandwich
from support.places import ROOT
from support.records import copied, spoiled
from support.slow import mostly_slow

WITHOUT = tuple(c for c in CONSTRUCTIONS if not isinstance(c, Recorded))
EXP = record_named("exp-linf-1e-4-depth-4")
ON_LINES = [r for r in RECORDS if r.problem.law.in_dim == 1]
ON_BOXES = [r for r in RECORDS if r.name == "quotient" and r.norm == "linf"]
QUICK = [*ON_LINES, *ON_BOXES]
# of each target the coarsest accuracy
COARSE = {
    r.target: r
    for r in sorted(ON_LINES, key=lambda r: (r.problem.accuracy, r.norm == "linf"))
}
MEANS = [record_named(f"{name}-depth-3") for name in ("sqrt-l1-1e-4", "abs15-l2-1e-3")]


def named(record):
    return record.id


def test_every_record_has_one_file_of_its_name():
    ids = [record.id for record in RECORDS]
    assert sorted(ids) == sorted(f.stem for f in EXP.folder.iterdir())
    assert len(set(ids)) == len(ids)
    assert all(f.suffix == ".json" for f in EXP.folder.iterdir())


# `depthsep records --check` in .ci/run goes through all of them
@pytest.mark.parametrize("record", QUICK[::2], ids=named)
def test_records_are_verified(record):
    assert record.network.depth == record.depth
    assert record.file.stat().st_size < 100_000
    verdict = verify(record.file)
    assert verdict.valid, verdict.reason


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_a_record_fits_its_own_problem_and_easier_ones_only(record):
    problem, depth = record.problem, record.depth
    given = (problem.target, problem.law, problem.norm)
    assert record.fits(problem, depth)
    assert record.fits(Problem(*given, problem.accuracy * 2), depth)
    spaced = Problem(record.target.replace("(", "( "), *given[1:], accuracy=1)
    assert record.fits(spaced, depth)
    assert not record.fits(Problem(*given, problem.accuracy / 2), depth)
    assert not record.fits(problem, depth + 1)
    other = "square" if problem.law.in_dim == 1 else f"expr:x{problem.law.in_dim}"
    assert not record.fits(Problem(other, problem.law, problem.norm), depth)
    other_norm = "l2" if problem.norm == "l1" else "l1"
    assert not record.fits(Problem(*given[:2], other_norm, 1), depth)
    elsewhere = Segment("1/3", "1/2")
    assert not record.fits(Problem(problem.target, elsewhere, problem.norm, 1), depth)


@pytest.mark.parametrize(
    "record",
    mostly_slow([EXP], dict.fromkeys([EXP, *ON_LINES[1::8], *ON_BOXES[:1]])),
    ids=named,
)
def test_a_table_uses_a_record_and_is_never_wider_for_it(record):
    problem, depth = record.problem, record.depth
    found = best_upper(problem, depth)
    assert isinstance(found, Upper) and found.checked
    assert found.width <= record.network.width
    without = best_upper(problem, depth, WITHOUT)
    assert isinstance(without, Inapplicable) or found.width <= without.width
    check_sandwich(Row(depth, found, best_lower(problem, depth, LOWER_BOUNDS)))


def test_the_source_of_a_row_names_the_record():
    row = separate(EXP.problem, depths=[4])[4]
    assert isinstance(row.upper, Upper) and row.upper.checked
    assert row.upper.widths == EXP.network.widths
    assert str(row.upper.source) == "depthsep, record exp-linf-1e-4-depth-4"
    assert build(EXP.problem, depth=4, by="record").network == EXP.network


def test_no_file_is_read_for_problems_that_cannot_match(tmp_path):
    absent = Recorded(tuple(replace(r, folder=tmp_path) for r in RECORDS))
    for problem, depth in ((EXP.problem, 7), (Problem("square"), 4)):
        answer = absent.prove(problem, depth)
        assert answer == Inapplicable(
            "no record is kept for this problem at this depth", off_topic=True
        )
    answer = absent.prove(EXP.problem, 4)
    assert isinstance(answer, Inapplicable) and "No such file" in answer.reason


@pytest.mark.parametrize(
    ("digest", "reason"),
    [(False, "its digest does not match"), (True, "above the accuracy")],
)
def test_a_tampered_record_is_not_used(tmp_path, digest, reason):
    tampered = Recorded((spoiled(EXP, tmp_path, digest=digest),))
    answer = best_upper(EXP.problem, 4, [tampered])
    assert isinstance(answer, Inapplicable) and reason in answer.reason
    row = separate(EXP.problem, depths=[4], constructions=(*WITHOUT, tampered))[4]
    assert isinstance(row.upper, Upper) and "record" not in str(row.upper.source)


def test_a_certificate_of_another_problem_or_depth_is_not_read(tmp_path):
    swapped = replace(copied(EXP, tmp_path), accuracy="1e-5")
    swapped.file.write_bytes(EXP.file.read_bytes())
    with pytest.raises(FileFormatError, match="certifies a problem other than"):
        _ = swapped.network
    deeper = replace(EXP, depth=5, folder=tmp_path)
    deeper.file.write_bytes(EXP.file.read_bytes())
    with pytest.raises(FileFormatError, match="has depth 4, not 5"):
        _ = deeper.network


def test_the_weights_of_a_record_obey_the_bound_of_the_problem():
    bounded = Problem("expr:exp(x)", accuracy="1e-4", weight_bound="1e-3")
    answer = best_upper(bounded, 4, [Recorded()])
    assert isinstance(answer, Inapplicable) and "largest weight" in answer.reason


def test_a_search_looks_below_the_record_only():
    width = EXP.network.width
    search = LineSearch(SearchPlan(seconds=5), narrowest=width, others=(Recorded(),))
    answer = search.prove(EXP.problem, EXP.depth)
    assert isinstance(answer, Inapplicable) and "the least" in answer.reason


def test_the_table_in_the_documentation_agrees():
    script = runpy.run_path(str(ROOT / "docs" / "records_table.py"))
    rows = script["PAGE"].read_text("utf-8").split(script["START"])[1].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:-1]]
    written = [(*row[:4], *row[5:]) for row in cells]
    assert written == [script["certified"](record) for record in RECORDS]


@pytest.mark.slow
def test_some_proven_widths_in_the_documentation_are_those_proved():
    script = runpy.run_path(str(ROOT / "docs" / "records_table.py"))
    page = script["PAGE"].read_text("utf-8")
    for record in (*COARSE.values(), *MEANS, *ON_BOXES):
        assert script["row"](record) in page


def test_an_unknown_record_is_refused():
    with pytest.raises(HypothesisError, match="no record 'exp'; `depthsep records`"):
        record_named("exp")
