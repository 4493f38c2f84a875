"""Functions that are their own mirror images: folded first."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from depthsep.constructions.line.narrow._fold_onto import (
    folded_network,
    narrowest_folding,
)
from depthsep.constructions.line.narrow._mirrors import AT_A_MIRROR, Mirrors, mirrors
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.targets import target_from_text

CERTIFIED = [
    ("expr:sin(20*x)", "linf", "1e-3", 4, 7),
    ("expr:sin(20*x)", "linf", "1e-5", 4, 25),
    ("expr:1/(1+25*x**2)", "linf", "1e-3", 4, 6),
]
IMAGES = {
    "sin(20*x)": 7,
    "cos(20*x)": 7,  # the last one short
    "sin(7*x + 1)**2 + cos(14*x + 2)": 6,
    "abs(sin(9*x))": 6,
    "exp(cos(30*x))": 10,
    "(x - 1/3)**4": 2,
    "sqrt(abs(x - 1/2))": 2,
    "cosh(x - 3/5)": 2,
}


def values_of(formula: str):
    return target_from_text(f"expr:{formula}").floats


@pytest.mark.parametrize(("target", "norm", "accuracy", "depth", "width"), CERTIFIED)
def test_widths_of_the_prototype_are_reached(
    target: str, norm: str, accuracy: str, depth: int, width: int
) -> None:
    on = Segment(-1, 1) if "25" in target else None
    problem = Problem(target, on, norm=norm, accuracy=accuracy)
    found = best_upper(problem, depth)
    assert found.checked and found.width <= width


@pytest.mark.parametrize(("formula", "images"), IMAGES.items())
def test_mirror_images_are_counted(formula: str, images: int) -> None:
    found = mirrors(values_of(formula), 0.0, 1.0, 1e-4)
    assert found is not None and found.images == images
    x = np.linspace(0, 1, 777)
    f = values_of(formula)
    assert np.allclose(f(found.folded(x)), f(x), atol=1e-9)
    low, high = found.kept
    assert low >= -1e-12 and high <= 1 + 1e-12


@pytest.mark.parametrize(
    "formula", ["exp(x)", "sqrt(x)", "sin(20*x) + x/100", "x**3", "2", "(x - 1/50)**2"]
)
def test_what_has_no_mirror_is_not_folded(formula: str) -> None:
    assert mirrors(values_of(formula), 0.0, 1.0, 1e-4) is None


@settings(max_examples=80, deadline=None)
@given(
    st.floats(-3, 3), st.floats(0.05, 5), st.floats(0, 1), st.floats(0.02, 3),
    st.integers(1, 4),
)  # fmt: skip
@example(0.0, 1.0, 2e-9, 3.0, 2)
def test_the_layers_fold(
    start: float, length: float, place: float, ratio: float, layers: int
) -> None:
    period = ratio * length
    found = Mirrors(start, start + length, start + place * length, period)
    if found.images > 200:
        return
    passes_on = Network(
        [Affine([[1.0], [-1.0]], [0.0, 0.0]), Affine([[1.0, -1.0]], [0.0])]
    )
    folding = narrowest_folding(found, layers)
    network = folded_network(found, folding, passes_on)
    assert network.widths == (*folding.widths, 2)
    x = np.linspace(start, start + length, 501)
    scale = 1 + abs(start) + length + period
    near = 2 * AT_A_MIRROR * period  # an end so near to a mirror is taken as on it
    assert np.allclose(
        network.floats(x[:, None])[:, 0], found.folded(x), atol=1e-10 * scale + near
    )


def test_many_images_take_several_narrow_layers() -> None:
    found = Mirrors(0.0, 1.0, 0.01, 1 / 26.4)
    assert narrowest_folding(found, 1).widths == (found.images,)
    assert max(narrowest_folding(found, 3).widths) <= 4
