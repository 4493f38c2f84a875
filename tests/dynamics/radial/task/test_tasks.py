"""What a radial task refuses, what it says of itself, and laws of one's own."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import HypothesisError
from depthsep.dynamics import RadialTask, learn_radial, predicted_bytes
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.dynamics.radial.task._profile import RadialProfile
from depthsep.laws import AbstractRadialLaw
from support.radial_nets import double as double
from support.radial_nets import quick


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 1}, "2 or more"),
        ({"dim": 0}, "`dim` is 0"),
        ({"width": 0}, "`width` is 0"),
        ({"second": 0}, "`second` is 0"),
        ({"bottleneck": 0}, "`bottleneck` is 0"),
        ({"step": float("nan")}, "`step` is nan"),
        ({"step": 0.0}, "`step` is 0"),
        ({"step": 50.0}, "it must be 1 to 1e8 times `step`"),
        ({"alpha": -1.0}, "`alpha` is -1"),
        (
            {"slope": (-0.5, -0.4)},
            "`slope` has 2 values, but",
        ),
        ({"slope": float("inf")}, "slope"),
        ({"slope": -1.0, "offset": -1.0}, "starts dead"),
        ({"law": "signs:4"}, "is not a radial law"),
        ({"law": "ball:5"}, "of the task are 5 and 4"),
        ({"target": "radial:shells:40", "dim": 8}, "oscillates less"),
        ({"target": [(0, 1), (1, 1)]}, "the last value must be"),
        ({"target": [(0, 1), (2, 1), (1, 0)]}, "increase"),
        ({"subspace": 9}, "rank"),
        ({"subspace": np.ones((4, 2))}, "orthonormal"),
        ({"subspace": np.eye(3)}, "shape"),
        ({"solver": "rk4"}, "euler, heun, adaptive"),
        ({"start": "orthogonal", "width": 31}, "width must be even"),
        ({"directions": "equispaced"}, "2 dimensions"),
        ({"precision": "float16"}, "float32, float64"),
        ({"seed": -1}, "seed"),
    ],
    ids=lambda v: str(v)[:40],
)
def test_bad_tasks_are_refused_in_a_line(change, message):
    with pytest.raises(HypothesisError, match=message) as refusal:
        quick(**change)
    assert "\n" not in str(refusal.value)


def test_heavy_tails_need_falling_units():
    with pytest.raises(HypothesisError, match="infinite"):
        learn_radial(quick(law="phi2:4", slope=(-0.5, -0.5, 0.1, -0.5)))


def test_profiles_need_increasing_knots():
    with pytest.raises(HypothesisError, match="increasing"):
        RadialProfile((), ())


def test_memory_is_predicted_without_the_product_of_both_sizes():
    assert predicted_bytes(10**5, 256, 4096) < 2e9
    large = predicted_bytes(10**6, 1000, 50_000)
    assert large < 24e9 < 10**6 * 50_000 * 4
    narrow, wide = (predicted_bytes(64, 8, 2048, second=s) for s in (4, 4096))
    assert 100 * narrow < wide < 8e9


@dataclass(frozen=True)
class Root(AbstractRadialLaw):
    """|x| = sqrt(U), U uniform on [0, 1]: no more than what the interface asks for."""

    dim: int = 4

    @property
    def text(self):
        return f"root:{self.dim}"

    def cdf(self, radius: fmpq) -> arb:
        return arb(min(max(radius, fmpq(0)), fmpq(1))) ** 2

    def moment(self, power: fmpq) -> arb:
        return 1 / (1 + arb(power) / 2)

    def sample(self, count, seed):
        z = np.random.default_rng(seed).standard_normal((count, self.dim + 1))
        unit = z[:, 1:] / np.linalg.norm(z[:, 1:], axis=1, keepdims=True)
        share = (np.argsort(np.argsort(z[:, 0])) + 0.5) / count
        return np.sqrt(share)[:, None] * unit


@pytest.mark.slow
def test_a_radial_law_of_ones_own_is_learned_at_its_quantiles():
    found = moments(Root())
    assert np.asarray(found.total()) == pytest.approx([1, 2 / 3, 1 / 2], abs=1e-4)
    assert found(jnp.asarray(0.5))[0] == pytest.approx(1 / 4, abs=1e-3)
    drawn = Root().draw_radii(1000, np.random.default_rng(0))
    assert drawn.mean() == pytest.approx(2 / 3, abs=1e-3)
    run = learn_radial(quick(law=Root(), time=5.0))
    assert run.failure is None and run.task.describe()["law"] == "root:4"


def test_layers_that_do_not_move_are_not_counted():
    def count(*rates):
        return RadialTask(8, 64, rates=rates).parameters

    assert [count(1, 1), count(1, 0), count(0, 1)] == [520, 512, 8]
