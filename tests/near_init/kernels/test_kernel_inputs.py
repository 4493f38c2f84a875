"""What kernels refuse, and what they accept."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import TangentKernel
from support.kernels import ACTIVATIONS, exact


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros((3, 0)), "so its points have no coordinates"),
        ([[1, 2], [3]], "not an array of real numbers"),
        ([[10**400, 1]], "not an array of real numbers"),
        (np.ones((2, 2)) * 1j, "not an array of real numbers"),
        (np.array([["2020-01-01"]], dtype="datetime64"), "not an array of real"),
        (np.ma.masked_array(np.ones((2, 2)), mask=[[1, 0], [0, 0]]), "masked"),
        (np.ones((2, 2), dtype=np.longdouble) * np.longdouble("1e4000"), "infinite"),
        (None, "not an array of real|shape"),
    ],
)
def test_inputs_of_other_kinds_are_refused_in_one_line(x, message):
    for call in (TangentKernel(), TangentKernel().nngp, TangentKernel().diagonal):
        with pytest.raises(HypothesisError, match=message) as caught:
            call(x)
        assert "\n" not in str(caught.value)


def test_inputs_of_no_points_have_an_empty_kernel():
    kernel = TangentKernel("relu", 3, 2, 0.1)
    x = np.ones((2, 3))
    assert kernel(x[:0]).shape == (0, 0) and kernel(x, x[:0]).shape == (2, 0)
    assert kernel(x[:0], x).shape == (0, 2) and kernel.diagonal(x[:0]).shape == (0,)


@pytest.mark.parametrize(
    "change",
    [
        {"activation": None},
        {"activation": 3},
        {"activation": "leaky-relu:1e400"},
        {"depth": 2.5},
        {"depth": True},
        {"depth": "2"},
        {"weight_variance": "1"},
        {"weight_variance": None},
        {"weight_variance": 10**400},
        {"bias_variance": 1j},
        {"trained": 1},
        {"trained": (1.5,)},
    ],
)
def test_kernels_of_other_kinds_are_refused(change):
    with pytest.raises(HypothesisError):
        TangentKernel(**change)


def test_extreme_norms_give_scaled_kernels_or_one_clear_line():
    x = np.random.default_rng(5).standard_normal((5, 3))
    kernel = TangentKernel("relu", 3, 2)
    plain = kernel(x)
    for scale in (1e-100, 1e-150, 1e100, 1e140):
        assert kernel(scale * x) == pytest.approx(scale * (scale * plain), rel=1e-12)
    tiny = kernel(1e-300 * x)
    assert (tiny == 0).all()
    mixed = kernel(1e-160 * x, 1e150 * x / np.abs(x).max() / 4)
    assert np.isfinite(mixed).all() and mixed.any()
    with pytest.raises(HypothesisError, match=r"above 5.8e\+149.*scale the inputs"):
        kernel(1e151 * x)
    with pytest.raises(HypothesisError, match=r"above 5.8e\+17"):
        kernel((1e19 * x).astype(np.float32))
    with pytest.raises(HypothesisError, match="overflow float64"):
        TangentKernel("exp", 4)(30 * x)
    with pytest.raises(HypothesisError, match="overflow float64"):
        TangentKernel("relu", 600, 1e3)(x)
    for name in ("erf", "sin", "cos", "threshold"):
        for scale in (1e-160, 1e150 / 4):
            assert np.isfinite(TangentKernel(name, 3, 1, 0.1).nngp(scale * x)).all()


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_zero_vectors_have_a_defined_kernel(name, bias):
    x = np.zeros((3, 2))
    x[1] = 0.3, -0.2
    kernel = TangentKernel(name, 3, 1.0, bias)
    calls = [(kernel.nngp, False)]
    calls += [(kernel, True)] if name != "threshold" else []
    for call, tangent in calls:
        found = call(x)
        assert np.isfinite(found).all() and (found == found.T).all()
        truth = exact(kernel, x, x, tangent=tangent)
        assert found == pytest.approx(truth, rel=1e-13, abs=1e-14)
        if name == "relu" and bias == 0:
            assert (found[0] == 0).all() and (found[:, 2] == 0).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"activation": "gelu"},
            "activation 'gelu' is not known; choose one of relu",
        ),
        ({"activation": "leaky-relu"}, "leaky-relu:1/10"),
        ({"depth": 0}, "`depth` is 0; give a whole number from 1"),
        ({"weight_variance": 0.0}, "weight_variance is 0"),
        ({"bias_variance": -1.0}, "`bias_variance` is -1"),
        ({"weight_variance": float("nan")}, "`weight_variance` is nan"),
        ({"trained": (3,)}, "trained layer is 3; give a whole number from 1 to 2"),
    ],
)
def test_kernels_that_are_none_are_refused(change, message):
    with pytest.raises(HypothesisError, match=message):
        TangentKernel(**change)


@pytest.mark.parametrize(
    ("x", "z", "message"),
    [
        (np.ones((2, 3)), np.ones((2, 4)), "points of x have 3 numbers, those of z 4"),
        (np.ones(3), None, r"shape \(3,\); give an array"),
        (np.array([[np.nan, 1]]), None, "holds NaN"),
        (np.array([[np.inf, 1]]), None, "holds NaN or infinite"),
        ([["a"]], None, "not an array of real numbers"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(x, z, message):
    with pytest.raises(HypothesisError, match=message):
        TangentKernel()(x, z)


def test_thresholds_have_an_nngp_kernel_only():
    x = np.eye(2)
    with pytest.raises(HypothesisError, match="use the method nngp"):
        TangentKernel("threshold")(x)
    assert TangentKernel("threshold").nngp(x) == pytest.approx(
        np.array([[0.5, 0.25], [0.25, 0.5]])
    )
