"""`depthsep records`: list, check, beat."""

import pytest
from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions import RECORDS, Record, Recorded, record_named
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.evidence import Inapplicable, Rigour
from depthsep.interop import verify, write_certificate
from depthsep.interop.files._certificates import read_certificate
from depthsep.separation import build
from support.commands import command, document, refusal
from support.records import copied, spoiled

EXP = record_named("exp-linf-1e-4-depth-4")


def test_the_list_shows_every_record(capsys):
    code, out, _ = command(capsys, "records")
    assert code == 0
    lines = [line.split(maxsplit=2) for line in out.splitlines()[1 : len(RECORDS) + 1]]
    assert [(id, int(width)) for id, width, _ in lines] == [
        (record.id, record.network.width) for record in RECORDS
    ]
    first, made = RECORDS[0], document("records")
    assert [entry["id"] for entry in made] == [record.id for record in RECORDS]
    assert made[0]["problem"] == first.problem.to_json()
    assert made[0]["widths"] == list(first.network.widths)


def test_checking_passes_or_names_what_failed(capsys, monkeypatch, tmp_path):
    good = copied(EXP, tmp_path)
    (tmp_path / "bad").mkdir()
    for digest, reason in (
        (True, "above the accuracy"),
        (False, "digest does not match"),
    ):
        bad = spoiled(EXP, tmp_path / "bad", digest=digest)
        monkeypatch.setattr("depthsep.cli._records.RECORDS", (good, bad))
        code, out, err = command(capsys, "records", "--check")
        assert code == 1 and not out
        assert f"refused: {bad.id}: " in err and reason in err
    code, out, _ = command(capsys, "records", "--check", "--json")
    assert code == 1 and '"valid": true' in out and '"valid": false' in out
    monkeypatch.setattr("depthsep.cli._records.RECORDS", (good,))
    code, out, err = command(capsys, "records", "--check")
    assert (code, out, err) == (0, "valid: all 1 records\n", "")


class Stub(AbstractConstruction):
    """A search that finds what it is told to find."""

    scope = Scope("everything")
    statement = KinksByPairs.statement
    others: tuple[AbstractConstruction, ...] = ()
    finds: Record | None = None

    def __init__(self, plan, narrowest, others, shallower):
        assert plan.seconds == 7
        assert narrowest == 3  # what is proved of exp
        assert [type(c) for c in others] == [Recorded]

    def claim(self, problem, depth):
        if self.finds is None:
            return Inapplicable("nothing there")
        network = self.finds.network
        return Upper(
            widths=network.widths, error=fmpq(1), rigour=Rigour.SAMPLED,
            statement=self.statement, make=lambda: network,
        )  # fmt: skip

    def examples(self):
        return []


@pytest.fixture
def beat(capsys, monkeypatch, tmp_path):
    """Run `--beat` on a record of width 5 with a stub that finds a record."""
    wide = copied(EXP, tmp_path)
    built = build(EXP.problem, depth=4, by="kinks-by-pairs")
    write_certificate(built.certificate(), wide.file)
    monkeypatch.setattr("depthsep.cli._records.record_named", lambda id: wide)
    monkeypatch.setattr("depthsep.separation._upper.LineSearch", Stub)

    def run(finds, *more):
        monkeypatch.setattr(Stub, "finds", finds)
        out = tmp_path / "better.json"
        return command(
            capsys, "records", "--beat", EXP.id, "--search", "7", "-o", str(out), *more
        ), out

    return run


def test_a_search_that_finds_nothing_says_so_and_writes_nothing(beat):
    (code, out, err), file = beat(None)
    assert code == 0 and not err and not file.exists()
    assert "nothing narrower than width" in out and "nothing there" in out


def test_a_narrower_network_is_written_with_a_certificate(beat):
    (code, out, err), file = beat(EXP)
    assert code == 0 and not err
    assert f"width {EXP.network.width} instead of" in out
    assert verify(file).valid
    assert read_certificate(file).claim["widths"] == list(EXP.network.widths)
    (code, out, _), _ = beat(EXP, "--json")
    assert code == 0 and f'"narrower": {EXP.network.width}' in out


def test_a_network_that_is_too_bad_or_too_wide_is_not_written(beat, tmp_path):
    (tmp_path / "bad").mkdir()
    bad = spoiled(EXP, tmp_path / "bad", digest=True)
    (_, out, _), file = beat(bad)
    assert (
        "nothing narrower" in out and "above the accuracy" in out and not file.exists()
    )
    (code, out, _), file = beat(None, "--json")
    assert code == 0 and '"narrower": null' in out and not file.exists()


def test_options_that_make_no_sense_are_refused(capsys):
    assert "--search does nothing without --beat" in refusal(
        capsys, "records", "--search", "5"
    )
    assert "--output does nothing" in refusal(
        capsys, "records", "--check", "-o", "x.json"
    )
    assert "two tasks" in refusal(capsys, "records", "--check", "--beat", EXP.id)
    assert "no record 'x'" in refusal(capsys, "records", "--beat", "x")
    line = refusal(capsys, "records", "--beat", EXP.id, "--search", "0")
    assert "--search is 0" in line
    line = refusal(capsys, "records", "--beat", EXP.id, "-o", "/absent/x.json")
    assert "its folder does not exist" in line
