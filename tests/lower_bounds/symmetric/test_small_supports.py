"""Rows of functions that vanish almost everywhere or reach far."""

import pytest

from depthsep import DepthsepError, Problem, separate
from depthsep.evidence import Inapplicable
from depthsep.laws import law_from_text
from depthsep.targets import InnerProduct, Radial


def test_the_zero_function_has_a_row():
    table = separate(
        Problem(InnerProduct("0*t", 3), norm="l2", accuracy="1/10"), depths=[2]
    )
    assert table[2].lower.width == 0


@pytest.mark.slow
def test_far_reaching_functions_are_refused_soon():
    for law in ("phi2:3:1/4000", "phi2:3:1/50000"):
        asked = Problem(Radial("ball", 3), law_from_text(law), "l2", "1/10")
        table = separate(asked, depths=[2, 3])
        assert isinstance(table[2].lower, Inapplicable)


def test_small_supports_need_no_unit_or_are_refused():
    asked = Problem(Radial("1 on 0,1e-8", 3), law_from_text("phi2:3"), "l2", "1/10")
    table = separate(asked, depths=[2])
    assert table[2].lower.width == 0
    with pytest.raises(DepthsepError):
        Radial("1 on 0,1e-30", 3)
