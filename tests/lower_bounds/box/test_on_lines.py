"""Lower bounds on a box, from its segments."""

from depthsep import Problem, Segment, separate
from depthsep.claims import Lower
from depthsep.laws import Box
from depthsep.lower_bounds import best_line
from depthsep.lower_bounds.box._on_lines import OnLines
from depthsep.targets import Polynomial


def test_the_best_segment_of_the_product_is_a_diagonal():
    line = best_line(Polynomial("x1*x2"), Box.cube(Segment(-1, 1), 2))
    assert line.kind == "diagonal" and "segment from" in str(line)
    far = best_line(Polynomial("x1*x7"), Box.cube(Segment(0, 1), 7))
    assert far.kind in ("diagonal", "random")


def test_affine_polynomials_need_no_width():
    answer = OnLines().prove(Problem("poly:2*x1 - x2", accuracy="1e-9"), 3)
    assert isinstance(answer, Lower) and answer.width == 0
    (row,) = separate(Problem("poly:2*x1 - x2", accuracy="1e-9"), depths=[3])
    assert row.upper.error == 0


def test_long_even_sums_can_be_restricted_to_lines():
    terms = [f"sin({k}*x1+x2)" for k in range(1, 71)]
    while len(terms) > 1:
        terms = [f"({'+'.join(terms[i : i + 2])})" for i in range(0, len(terms), 2)]
    answer = OnLines().prove(Problem(f"expr:{terms[0]}/70", accuracy="1/10"), 2)
    assert answer is not None
