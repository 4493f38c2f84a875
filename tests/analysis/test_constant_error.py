"""Networks that are constant, in every setting: exact values and samples."""

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import examine
from depthsep.claims import Upper
from depthsep.evidence import Inapplicable
from depthsep.networks import Affine, Network
from depthsep.problems import problem_from_text
from depthsep.separation import best_upper


def problem(target, norm, accuracy, dim=None, law=None):
    return problem_from_text(target, None, norm, accuracy, dim, law)


def constant(inputs, value, layers=1):
    dead = [Affine(np.zeros((1, inputs)), np.ones(1))]
    dead += [Affine(np.ones((1, 1)), np.zeros(1))] * (layers - 1)
    return Network([*dead, Affine(np.zeros((1, 1)), np.array([value]))])


VALUES = [
    ("inner:t", "l2", 4, None, 1 / 2),
    ("inner:t", "l2", 100, None, 1 / 10),
    ("inner:t**2", "l1", 3, None, 1 / 3),
    ("inner:sign(t)", "l2", 5, None, 1.0),
    ("radial:ball", "l2", 3, "ball:3", 1.0),
    ("radial:r**2", "l1", 3, "ball:3", 3 / 5),
    ("product", "l2", None, None, 1 / 3),
    ("product", "l1", None, None, 1 / 4),
    ("poly:x1*x2*x3", "l1", None, None, 1 / 8),
    ("max:3", "l1", None, None, 3 / 4),
]


@pytest.mark.parametrize(("target", "norm", "dim", "law", "value"), VALUES)
@pytest.mark.parametrize("layers", [1, 3])
def test_zero_has_the_norm_of_the_target(target, norm, dim, law, value, layers):
    asked = problem(target, norm, str(value * 1.01), dim, law)
    found = examine(constant(asked.target.in_dim, 0.0, layers), asked)
    assert not isinstance(found, Inapplicable)
    low, high = (
        float(v.p) / float(v.q) for v in (found.error.lower, found.error.upper)
    )
    assert low <= value * (1 + 1e-12) and value <= high * (1 + 1e-12)
    assert high - low <= 0.5 * value


@pytest.mark.parametrize("target", ["radial:ball", "radial:exp(r)"])
def test_a_jump_at_the_end_of_the_ball_is_not_asked(target):
    """In the sup norm: 1, and (e - 1) / 2 about the middle."""
    asked = problem(target, "linf", "1", 3, "ball:3")
    middle, error = (1.0, 0.0) if target == "radial:ball" else (1.859, 0.8592)
    found = examine(constant(3, middle), asked)
    assert error <= float(found.error.upper) <= error + 0.02


@pytest.mark.parametrize(
    ("target", "norm", "dim", "law"),
    [
        ("inner:cos(9*t)", "l1", 6, None),
        ("inner:exp(t)", "l2", 3, None),
        ("radial:relu", "l2", 4, None),
        ("radial:shells:5", "l2", 3, None),
        ("radial:cos(20*r)", "l1", 5, "ball:5"),
        ("radial:exp(-r)", "l2", 3, "gauss:3"),
        ("expr:exp(-x1**2-x2**2)", "l2", None, None),
    ],
)
@pytest.mark.parametrize("value", [0.0, 0.375])
def test_samples_agree(target, norm, dim, law, value):
    asked = problem(target, norm, "1e-3", dim, law)
    found = examine(constant(asked.target.in_dim, value), asked)
    assert not isinstance(found, Inapplicable)
    x = asked.law.sample(40_000, seed=3)
    off = np.abs(asked.target.floats(x) - value) ** (2 if norm == "l2" else 1)
    mean, bar = off.mean(), 5 * off.std() / len(off) ** 0.5 + 1e-9
    power = 2 if norm == "l2" else 1
    assert float(found.error.lower) ** power <= mean + bar
    assert float(found.error.upper) ** power >= mean - bar


@pytest.mark.parametrize(
    ("target", "norm", "accuracy", "dim", "law"),
    [
        ("inner:sin(pi*d**3*t)", "l2", "9/10", 3, None),
        ("inner:3", "linf", "1/100", 10, None),
        ("radial:relu", "l2", "2", 5, None),
        ("expr:sin(20*x)", "linf", "1.01", None, None),
        ("product", "l2", "0.4", None, None),
        ("expr:exp(-x1**2-x2**2)", "l1", "1/3", None, None),
    ],
)
def test_a_constant_is_offered_where_it_is_near_enough(
    target, norm, accuracy, dim, law
):
    asked = problem(target, norm, accuracy, dim, law)
    for depth in (2, 4):
        found = best_upper(asked, depth)
        assert isinstance(found, Upper) and found.checked
        assert found.width == 1 and found.statement.id == "mean"
        assert found.error <= asked.accuracy


def test_a_constant_that_is_not_near_enough_is_refused():
    asked = problem("inner:t", "l2", "49/100", 4)
    found = examine(constant(8, 0.0), asked)
    assert not isinstance(found, Inapplicable)
    assert found.error.is_above(fmpq(49, 100))
