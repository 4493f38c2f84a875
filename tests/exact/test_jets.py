"""Jets: parts that do not change are as good as those whose derivatives are 0."""

import pytest
from flint import arb

from depthsep.exact import Jet, jets
from depthsep.targets import Formula

BOX = [arb(0.3, 0.01), arb(0.45, 0.02)]


def slowly(x, step):
    """A variable whose zeros are numbers like others."""
    return Jet(x, arb(step), arb(0))


@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (1, -2), (0, 0)])
@pytest.mark.parametrize(
    "formula",
    [
        *("exp(-x1**2-x2**2)", "sin(3*x1)*x2+x1**3", "sqrt(1+x1**2)*(x2-x1)"),
        *("(x1-x2)/(1+x1+x2)", "max(x1, x2)**2+abs(x2)", "log(x1)*tanh(x2)**1.5"),
    ],
)
def test_constant_parts_change_nothing(formula, direction):
    read = Formula(formula, 2)
    plain = read._jets(
        {n: slowly(x, k) for n, x, k in zip(read.names, BOX, direction, strict=True)}
    )
    found = read.along(direction, BOX)
    for a, b in zip(vars(found).values(), vars(plain).values(), strict=True):
        assert b.contains(a) and abs(a.rad() - b.rad()) <= 1e-12


def test_a_kink_in_a_constant_part_is_none():
    found = Formula("abs(x1)*x2+max(x1, 2*x1)", 2).along((0, 1), [arb(0, 1), arb(2)])
    assert found.first.contains(0) and found.first.contains(1)
    assert found.first.rad() < 1.1 and found.second == 0


def test_nothing_is_known_where_a_constant_part_is_undefined():
    found = Formula("sqrt(x1)+x2", 2).along((0, 1), [arb(-3, 1), arb(2)])
    assert not found.value.is_finite() and not found.first.is_finite()
    assert jets.is_constant(jets.constant(arb(1)))
    assert not jets.is_constant(Jet(arb(1), arb(0), arb(0)))
