"""Rigour, enclosures, sources, records and certificates."""

import json
import math

import pytest
from flint import fmpq

from depthsep import FileFormatError
from depthsep.claims import Lower
from depthsep.evidence import (
    Certificate,
    Enclosure,
    Inapplicable,
    Rigour,
    Source,
    Value,
    log2,
    reference_text,
    weakest,
)

THIRD = fmpq(1, 3)
CERTIFICATE = Certificate(
    problem={
        "target": "square",
        "law": "uniform:0,1",
        "norm": "linf",
        "accuracy": "1/1000",
    },
    claim={"error": "1/2048", "rigour": "exact", "widths": [4, 5]},
    network={"layers": [], "activations": []},
    source="depthsep, nowhere",
    versions={"depthsep": "0"},
)


def test_a_combination_has_the_rigour_of_its_weakest_part():
    order = [Rigour.EXACT, Rigour.ENCLOSED, Rigour.CITED, Rigour.SAMPLED]
    assert [r.rank for r in order] == [0, 1, 2, 3]
    for i, one in enumerate(order):
        for j, other in enumerate(order):
            assert weakest(one, other) is order[max(i, j)]
    assert str(Rigour.ENCLOSED) == "enclosed"


def test_enclosures_decide_only_what_is_proved():
    bar = Enclosure(THIRD, fmpq(1, 2), Rigour.ENCLOSED)
    assert bar.is_at_most(fmpq(1, 2)) and not bar.is_at_most(fmpq(49, 100))
    assert bar.is_above(fmpq(1, 4)) and not bar.is_above(THIRD)
    assert not bar.is_point and float(bar) == pytest.approx(5 / 12)
    assert str(bar) == "between 0.33 and 0.5"


def test_points_are_shown_exactly():
    point = Enclosure(THIRD, THIRD, Rigour.EXACT)
    assert point.is_point and str(point) == "1/3"
    assert point.is_at_most(THIRD) and not point.is_above(THIRD)


def test_irrational_roots_are_compared_by_their_squares():
    root = Enclosure(fmpq(14, 10), fmpq(15, 10), Rigour.EXACT, square=fmpq(2))
    assert root.is_at_most(fmpq(1415, 1000)) and not root.is_at_most(fmpq(1414, 1000))
    assert root.is_above(fmpq(1414, 1000)) and not root.is_above(fmpq(1415, 1000))
    assert not root.is_at_most(fmpq(-2)) and root.is_above(fmpq(-2))


def test_enclosures_of_any_size_can_be_shown():
    for exponent in (400, -400, 4000):
        size = fmpq(10) ** exponent
        bar = Enclosure(size, 2 * size, Rigour.ENCLOSED)
        assert str(bar).startswith("between ")
        float(bar)


def test_sources_name_a_reference_and_a_place():
    assert (
        str(Source("yarotsky2017", "Proposition 2")) == "Yarotsky (2017), Proposition 2"
    )
    assert "Yarotsky (2017)" in reference_text("yarotsky2017")
    assert "Neural Networks 94" in reference_text("yarotsky2017")
    with pytest.raises(KeyError):
        reference_text("nobody1900")


def test_widths_of_any_size_have_logarithms():
    assert log2(1) == 0 and log2(0) == -math.inf
    assert log2(10**30) == pytest.approx(30 * math.log2(10), rel=1e-15)
    assert log2(2**5000) == 5000
    record = Lower(
        width=8,
        units=8,
        pieces=9,
        rigour=Rigour.EXACT,
        statement=None,
    )
    assert record.log2_width == 3 and "skip" in str(record.networks)


def test_reasons_and_samples_are_plain_records():
    assert str(Inapplicable("too deep")) == "too deep"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3, "3"), (fmpq(1, 3), "1/3"), ("text", "text"),
     (Enclosure(THIRD, THIRD, Rigour.EXACT), "1/3")],
)  # fmt: skip
def test_values_are_shown_as_text(value, shown):
    assert Value(value, Rigour.EXACT).text == shown


def test_certificates_survive_writing_and_carry_a_digest():
    written = CERTIFICATE.to_json()
    assert Certificate.from_json(written) == CERTIFICATE
    assert Certificate.digest_matches(written)
    for old, new in (("1/2048", "1/2049"), ("square", "squere"), ("nowhere", "there")):
        assert not Certificate.digest_matches(written.replace(old, new))


def damaged(**changes):
    document = json.loads(CERTIFICATE.to_json())
    for name, value in changes.items():
        if value is None:
            del document[name]
        else:
            document[name] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "the file cannot be read as JSON"),
        ("{", "the file cannot be read as JSON"),
        ("[" * 100_000, "the file cannot be read as JSON"),
        ("[]", "not a certificate"),
        ("3", "not a certificate"),
        ("{}", "not a certificate"),
        (damaged(format="other"), "not a certificate"),
        (damaged(claim=None), "lacks claim"),
        (damaged(sha256=None), "lacks sha256"),
        (damaged(problem=[]), "'problem' is not a JSON object"),
        (damaged(network="n"), "'network' is not a JSON object"),
    ],
)
def test_damaged_certificates_are_refused_by_name(written, message):
    with pytest.raises(FileFormatError, match=message):
        Certificate.from_json(written)
