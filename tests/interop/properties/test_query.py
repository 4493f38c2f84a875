"""Properties in VNN-LIB 1.0 and 2.0, and what is refused."""

import pytest
from flint import fmpq

from depthsep import FileFormatError
from depthsep.interop import query_from_text, read_query

OLD = """
; a comment (with brackets
(declare-const X_0 Real)
(declare-const X_1 Real)
(declare-const Y_0 Real)
(declare-const Y_1 Real)
(assert (>= X_0 -1)) (assert (<= X_0 0.5))
(assert (<= 0 X_1)) (assert (<= X_1 1e-1))
"""
NEW = """
(vnnlib-version <2.0>)
(declare-network N (declare-input A float32 [1, 2]) (declare-output B Real []))
(assert (and (>= A[0,0] -1.0) (<= A[0,0] 1.0)))
(assert (<= (* 2 A [0,1]) (+ 1.0 1)))
(assert (>= (- A[0,1]) -3)) (assert (>= A[0,1] 0))
"""


def test_the_older_form() -> None:
    query = query_from_text(OLD + "(assert (<= Y_0 Y_1)) (assert (>= Y_0 (+ X_0 2)))")
    assert (query.inputs, query.outputs) == (2, 2)
    (case,) = query.cases
    assert case.box == ((fmpq(-1), fmpq(1, 2)), (fmpq(0), fmpq(1, 10)))
    first, second = case.rows
    assert (first.outputs, first.constant) == ({0: 1, 1: -1}, 0)
    assert (second.inputs, second.outputs, second.constant) == ({0: 1}, {0: -1}, 2)


def test_alternatives_become_cases() -> None:
    text = "(assert (or (and (<= Y_0 0) (> Y_1 1)) (>= Y_0 5)))"
    query = query_from_text(OLD + text)
    assert [len(case.rows) for case in query.cases] == [2, 1]
    assert [row.strict for row in query.cases[0].rows] == [False, True]
    both = query_from_text(OLD + text + "(assert (or (<= Y_1 0) (== Y_1 3)))")
    assert [len(case.rows) for case in both.cases] == [3, 4, 2, 3]


def test_boxes_in_alternatives_and_empty_ones() -> None:
    text = "(assert (or (and (<= X_0 -2) (<= Y_0 0)) (and (>= X_0 0) (>= Y_0 9))))"
    (case,) = query_from_text(OLD + text).cases
    assert case.box[0] == (0, fmpq(1, 2))
    assert query_from_text(OLD + "(assert (<= 1 0)) (assert (<= Y_0 0))").cases == ()
    strict = query_from_text(OLD + "(assert (< X_0 0)) (assert (<= Y_0 0))")
    assert [row.strict for row in strict.cases[0].rows] == [True, False]


def test_the_newer_form() -> None:
    query = query_from_text(NEW + "(assert (or (<= B -3.0) (>= (- B A[0,0] 1) 0)))")
    assert (query.inputs, query.outputs) == (2, 1)
    assert query.cases[0].box == ((-1, 1), (0, 1))
    assert [case.rows[0].inputs for case in query.cases] == [{}, {0: 1}]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(assert (<= Y_0 0)", "truncated"),
        ("(assert (<= Y_0 0)))", "not open"),
        ("(assert (<= (* X_0 Y_0) 0))", "two variables"),
        ("(assert (<= Z_0 0))", "neither declared"),
        ("(assert (sin Y_0))", "which is not supported"),
        ("(assert (<= Y_0 nan))", "neither declared"),
        ("(assert (<= Y_0 1e999999999))", "neither declared"),
        ("(declare-const Y_2 Int)", "which is not supported"),
        ("(declare-const Q Real)", "use X_0"),
        ("(push 1)", "which is not supported"),
        ("(assert (<= Y_0 +3))", "neither declared"),
        ("(assert (<= Y_0 7/3))", "neither declared"),
        ("(assert (<= Y_0 3e\u0660))", "neither declared"),
        ("(assert >12)", "which is not supported"),
        ('(assert (<= Y_0 "3))', "neither declared"),
        ("(declare-const X_0 Real)", "each once"),
        ("(declare-const X_00 Real)", "use X_0"),
        ("(declare-network N (declare-input A Real [N]))", "shape"),
        ("(declare-network N (declare-input A Real [\u00b2]))", "shape"),
        ("(declare-network N (declare-input A Real [2.5]))", "shape"),
        ("(" * 200 + ")" * 200, "too deep"),
        ("(declare-network N (declare-input A int8 [1]))", "type"),
        (
            "(assert (or"
            + " (and (or (<= Y_0 0) (<= Y_1 0)) (or (<= Y_0 1) (<= Y_1 1)))" * 3000
            + "))",
            "cases",
        ),
    ],
)
def test_refusals(text, says) -> None:
    with pytest.raises(FileFormatError, match=says):
        query_from_text(OLD + text)


def test_a_bare_name_is_one_number_only() -> None:
    two = NEW.replace("(declare-output B Real [])", "(declare-output B Real [2])")
    with pytest.raises(FileFormatError, match="does not have"):
        query_from_text(two + "(assert (<= B 0))")


def test_a_comment_ends_with_its_line_of_any_kind() -> None:
    text = OLD + "; a comment\r(assert (<= Y_0 0))"
    assert len(query_from_text(text).cases[0].rows) == 1


def test_every_input_needs_both_bounds_and_something_is_asserted() -> None:
    with pytest.raises(FileFormatError, match="input 1"):
        query_from_text(
            OLD.replace("(assert (<= X_1 1e-1))", "") + "(assert (<= Y_0 0))"
        )
    with pytest.raises(FileFormatError, match="asserts nothing"):
        query_from_text("(declare-const X_0 Real) (declare-const Y_0 Real)")
    with pytest.raises(FileFormatError, match="no inputs"):
        query_from_text("(declare-const Y_0 Real) (assert (<= Y_0 0))")


def test_files_are_bounded_and_named(tmp_path) -> None:
    place = tmp_path / "p.vnnlib"
    place.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="not text"):
        read_query(place)
    with pytest.raises(FileFormatError, match="missing"):
        read_query(tmp_path / "missing")


@pytest.mark.parametrize("sides", ["", "X_0", "X_0 1 2"])
def test_a_comparison_has_two_sides(sides) -> None:
    with pytest.raises(FileFormatError, match="a comparison needs exactly two sides"):
        query_from_text(OLD + f"(assert (<= {sides}))")
