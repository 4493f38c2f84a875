r"""A relu seen by rotations of a subspace and of its complement.

K(x, y) = E relu(x xi + y eta), xi and eta independent coordinates of uniform unit
vectors of the subspace and of its complement; the mean of relu(w.u) over rotations of
both is K(p s, q t), with the lengths p, q of w and s, t of u in the two parts. K =
x K_x + y K_y comes from its derivatives, by a rule over the smaller part's coordinate
and in closed form over the larger's.
"""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import betainc, gammaln, roots_jacobi

COORDINATES = 48  # of the smaller part
TABLE = 1 << 14  # angles at which a chance is tabulated: linear between, to 1e-8


class PartKernel(eqx.Module):
    """(x, y) to K_x and K_y.

    Attributes:
        coordinates, chances: of the smaller part's coordinate.
        table: P(eta > cos(theta)) of the larger part, at even angles.
        scale: E[eta 1(eta > a)] = scale (1 - a^2)^power, power = (e - 1) / 2.
        small_inside: whether the smaller part is the subspace.
    """

    coordinates: Float[Array, " coordinates"]
    chances: Float[Array, " coordinates"]
    table: Float[Array, " table"]
    scale: Float[Array, ""]
    power: Float[Array, ""]
    small_inside: bool = eqx.field(static=True)

    def __call__(
        self, inside: Float[Array, "..."], outside: Float[Array, "..."]
    ) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
        """The derivatives in the argument inside, and in that outside."""
        small, large = (inside, outside) if self.small_inside else (outside, inside)
        level = small[..., None] * self.coordinates
        far = jnp.where(large > 0, large, 1e-300)[..., None]
        cosine = jnp.clip(-level / far, -1.0, 1.0)
        angle = jnp.arccos(cosine) * ((len(self.table) - 1) / jnp.pi)
        at = jnp.minimum(angle.astype(jnp.int32), len(self.table) - 2)
        share = angle - at
        chance = self.table[at] * (1 - share) + self.table[at + 1] * share
        crossed = jnp.abs(cosine) < 1
        mean = jnp.where(crossed, self.scale * (1 - cosine**2) ** self.power, 0.0)
        of_small = (chance * self.coordinates) @ self.chances
        of_large = mean @ self.chances
        return (of_small, of_large) if self.small_inside else (of_large, of_small)


def ridge(
    p: Float[Array, ""], q: Float[Array, ""], s: Array, kernel: PartKernel
) -> Float[Array, " directions"]:
    """The mean of |w| relu(w.u) over rotations of both parts, at directions u.

    Args:
        p, q: lengths of w inside and outside; `s`: lengths of u inside, up to 1.
    """
    x, y = p * s, q * jnp.sqrt(jnp.maximum(1 - s**2, 0.0))
    inner, outer = kernel(x, y)
    return jnp.hypot(p, q) * (x * inner + y * outer)


def ridge_gradient(
    p: Float[Array, ""], q: Float[Array, ""], pulls: Array, s: Array, kernel: PartKernel
) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """d/dp and d/dq of sum_u pull(u) ridge(u), for pulls of (..., directions)."""
    t = jnp.sqrt(jnp.maximum(1 - s**2, 0.0))
    inner, outer = kernel(p * s, q * t)
    size = jnp.hypot(p, q)
    along = pulls @ (p * s * inner + q * t * outer) / jnp.where(size > 0, size, 1.0)
    return (
        p * along + size * (pulls @ (s * inner)),
        q * along + size * (pulls @ (t * outer)),
    )


def part_kernel(rank: int, other: int) -> PartKernel:
    """The kernel of a subspace and its complement, by their dimensions, 1 or more."""
    coordinates, chances = _coordinate(min(rank, other))
    table, scale = _chances(max(rank, other))
    return PartKernel(
        jnp.asarray(coordinates),
        jnp.asarray(chances),
        jnp.asarray(table),
        jnp.asarray(scale),
        jnp.asarray((max(rank, other) - 1) / 2),
        rank <= other,
    )


def _coordinate(dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule for a coordinate of a uniform unit vector."""
    if dim == 1:
        return np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    places, weights = roots_jacobi(COORDINATES, (dim - 3) / 2, (dim - 3) / 2)
    return places, weights / weights.sum()


def _chances(dim: int) -> tuple[np.ndarray, float]:
    """P(eta > cos(theta)) at even theta in [0, pi], and C / (e - 1)."""
    theta = np.linspace(0, np.pi, TABLE)
    if dim == 1:
        return np.where(theta < np.pi, 0.5, 1.0) * (theta > 0), 0.5
    half = betainc((dim - 1) / 2, 0.5, np.sin(theta) ** 2) / 2
    density = np.exp(gammaln(dim / 2) - gammaln((dim - 1) / 2)) / np.pi**0.5
    return np.where(theta <= np.pi / 2, half, 1 - half), float(density / (dim - 1))
