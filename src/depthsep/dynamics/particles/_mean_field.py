r"""Mean-field networks of any depth: blocks that talk through narrow bottlenecks.

z_l = E_{w ~ mu_l} phi_l(z_{l-1}; w) in R^{D_l}, with D_1, D_2, ... fixed and mu_l the
law of m_l particles. The velocity of a particle is -m_l dL/dw, L half the mean square
of the target minus the network: it does not shrink with the width.

Source:
    Ren, Zhou and Ge (2023), the definition of multilayer mean-field networks. There
    "3 layers" are two blocks of ReLU units and the mean at the end.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep.dynamics.particles._flows import flowed
from depthsep.dynamics.radial.task._draws import TEST, draw_directions, stream

Unit = Callable[[Float[Array, " inner"], PyTree], Float[Array, " outer"]]


class Block(eqx.Module):
    """One block: a unit phi(z; w), and its particles.

    Attributes:
        unit: (z of shape (D,), one particle) to (D',).
        particles: a tree of arrays whose first axis counts particles.
    """

    unit: Unit = eqx.field(static=True)
    particles: PyTree[Float[Array, "width ..."]]

    @property
    def width(self) -> int:
        """Particles."""
        return jax.tree.leaves(self.particles)[0].shape[0]

    def __call__(self, z: Float[Array, " inner"]) -> Float[Array, " outer"]:
        """The mean over particles, summed in the particles' order."""
        return jax.vmap(lambda w: self.unit(z, w))(self.particles).mean(axis=0)

    def permuted(self, order: Array) -> "Block":
        """The same block, its particles in another order."""
        return Block(self.unit, jax.tree.map(lambda x: x[order], self.particles))


class MeanFieldNetwork(eqx.Module):
    """Blocks, first to last. Its value does not depend on the particles' order.

    Raises:
        HypothesisError: no blocks, particles without a common first axis.
    """

    blocks: tuple[Block, ...]

    def __check_init__(self) -> None:
        if not self.blocks:
            raise HypothesisError("a mean-field network needs at least one block")
        for k, block in enumerate(self.blocks, start=1):
            counts = {x.shape[:1] for x in jax.tree.leaves(block.particles)}
            if len(counts) != 1 or counts == {()} or counts == {(0,)}:
                raise HypothesisError(
                    f"block {k}: all its arrays need a first axis of the same length, "
                    "at least 1 (the number of particles)"
                )

    def __call__(self, x: Float[Array, " dim"]) -> Float[Array, " outer"]:
        """The value at one point."""
        for block in self.blocks:
            x = block(x)
        return x


def first_layer_unit(z: Array, w: Array) -> Array:
    """|w| relu(w.z): 1-homogeneous in z, 2-homogeneous in w; its gradient at 0 is 0."""
    square = (w * w).sum()
    size = jnp.sqrt(jnp.where(square > 0, square, 1.0))
    return jnp.where(square > 0, size * jnp.maximum(w @ z, 0.0), 0.0)[None]


def second_layer_unit(z: Array, w: tuple[Array, Array]) -> Array:
    """relu(a.z + b), no output weight."""
    slope, offset = w
    return jnp.maximum(slope @ z + offset, 0.0)[None]


def half_mean_square(
    network: MeanFieldNetwork,
    points: Float[Array, "points dim"],
    target: Float[Array, "points outer"],
    weights: Float[Array, " points"] | None = None,
) -> Float[Array, ""]:
    """(1/2) E |target - network|^2; equal weights if none are given."""
    gaps = jax.vmap(network)(points) - target.reshape(points.shape[0], -1)
    share = 1.0 / points.shape[0] if weights is None else weights
    return (share * (gaps**2).sum(axis=1)).sum() / 2


def velocities(
    network: MeanFieldNetwork,
    points: Array,
    target: Array,
    weights: Array | None = None,
) -> MeanFieldNetwork:
    """-m_l dL/dw of every particle of every block, as a network of velocities."""
    gradient = jax.grad(half_mean_square)(network, points, target, weights)
    return MeanFieldNetwork(
        tuple(
            Block(b.unit, jax.tree.map(lambda g, m=b.width: -m * g, b.particles))
            for b in gradient.blocks
        )
    )


def flow(
    network: MeanFieldNetwork,
    points: Array,
    target: Array,
    *,
    time: float,
    weights: Array | None = None,
    tolerance: float = 1e-8,
) -> MeanFieldNetwork:
    """The gradient flow up to `time`, by an adaptive solver of order 8.

    Raises:
        HypothesisError: the solver does not get there in 100,000 steps.
    """

    def velocity(y: MeanFieldNetwork) -> MeanFieldNetwork:
        return velocities(y, points, target, weights)

    return flowed(velocity, network, time, tolerance)


def descend(
    network: MeanFieldNetwork,
    points: Array,
    target: Array,
    *,
    rate: float,
    steps: int,
    weights: Array | None = None,
) -> tuple[MeanFieldNetwork, Float[Array, " steps"]]:
    """Gradient descent: Euler's steps of the flow; the losses before each step."""
    h, count = real(rate, "rate", least=0), whole(steps, "steps", least=1)

    def once(y: MeanFieldNetwork, _: None) -> tuple[MeanFieldNetwork, Array]:
        loss = half_mean_square(y, points, target, weights)
        moved = velocities(y, points, target, weights)
        return jax.tree.map(lambda x, v: x + h * v, y, moved), loss

    return jax.lax.scan(once, network, None, length=count)


def balance(network: MeanFieldNetwork) -> Float[Array, ""]:
    """E|w|^2 - 2 E|a|^2 of the three-layer network: the flow never changes it.

    For two blocks of `first_layer_unit` and `second_layer_unit`, at any width and law.
    """
    first = jnp.square(network.blocks[0].particles).sum(axis=1).mean()
    slopes, _ = network.blocks[1].particles
    return first - 2 * jnp.square(slopes).sum(axis=1).mean()


def symmetrised(
    function: Callable[[Array], Array],
    dim: int,
    radii: Float[Array, " radii"],
    *,
    pairs: int = 1024,
    seed: int = 0,
) -> Float[Array, " radii"]:
    """E_u function(r u) at radii, over random orthogonal directions and antipodes.

    Args:
        function: (points, dim) to (points,).
    """
    dtype = str(jnp.result_type(float))
    half = draw_directions(stream(seed, TEST), pairs, dim, "orthogonal", dtype)
    points = jnp.concatenate([half, -half])
    return jnp.stack([function(r * points).mean() for r in jnp.asarray(radii)])
