r"""Samples of phi^2 in JAX: the same rejection, with J_nu from a table.

From nu on: t = nu / cos U is accepted with chance (pi / 2) J^2 nu tan U. Below: t / nu
is a gamma variable, taken if at most 1, accepted with (J_nu(t) / envelope)^2; the
envelope has its whole mass here, as no inverse of the gamma function is at hand. J
comes from its series near 0, then from quintic interpolation (its error is at most
STEP^6 / 46080 times the sixth derivative, which is at most 1 for nu >= 6), beyond the
table from modulus and phase. In float64, beside scipy, it is off by less than 1e-9.
"""

from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import gammaln as log_gamma
from scipy.special import gammaln, jv

from depthsep.laws._squared_transform import SquaredTransform

STEP, REACH = 0.05, 40  # of the table, which ends at REACH nu
NEAR = 4  # steps, up to which the series serves


def sample_jax(law: SquaredTransform, key: Array, count: int) -> Array:
    """`count` independent samples as a JAX array, shape (count, d).

    In float64 where JAX's x64 mode is on, float32 else; `key` is a JAX random key.
    """
    radii_key, direction_key = jax.random.split(key)
    z = jax.random.normal(direction_key, (count, law.dim))
    unit = z / jnp.linalg.norm(z, axis=1, keepdims=True)
    return sample_radii_jax(law, radii_key, count)[:, None] / law.float_phase() * unit


def sample_radii_jax(law: SquaredTransform, key: Array, count: int) -> Array:
    """Independent t = 2 pi R |x| before scaling, shape (count,)."""
    found, missing, nu = [], count, law.dim / 2
    while missing > 0:
        key, now = jax.random.split(key)
        tries = 1 << int(3.2 * missing + 64).bit_length()
        t, kept = _proposals(now, nu, *_tables(nu), tries=tries)
        chosen = t[kept][:missing]
        found.append(chosen)
        missing -= len(chosen)
    return jnp.concatenate(found)


@partial(jax.jit, static_argnames="tries")
def _proposals(
    key: Array, nu: Array, below: Array, edge: Array, rows: Array, tries: int
) -> tuple[Array, Array]:
    which, angle, gamma, level = jax.random.split(key, 4)
    low = jax.random.uniform(which, (tries,)) * (2 + below) < below
    u = jax.random.uniform(angle, (tries,)) * (jnp.pi / 2)
    x = jax.random.gamma(gamma, 2 * nu, (tries,)) / (2 * nu)
    t = jnp.where(low, nu * jnp.minimum(x, 1.0), nu / jnp.cos(u))
    square = _bessel(nu, t, rows) ** 2
    envelope = edge * jnp.exp(nu * (jnp.log(x) + 1 - x))
    chance = jnp.where(
        low,
        jnp.where((x <= 1) & (envelope > 0), square / envelope**2, 0.0),
        (jnp.pi / 2) * square * nu * jnp.tan(u),
    )
    return t, jax.random.uniform(level, (tries,)) < chance


def _bessel(nu: Array, t: Array, rows: Array) -> Array:
    """J_nu(t): a series near 0, a table up to REACH nu, modulus and phase beyond."""
    last = rows.shape[0] - 2
    place = jnp.minimum(t / STEP, last + 1.0)
    at = jnp.clip(place.astype(jnp.int32), 0, last)
    s = jnp.clip(place - at, 0.0, 1.0)
    left, right = rows[at], rows[at + 1]
    inside = _quintic(s, left, right)
    whole = jnp.where(place > last, _far(nu, jnp.maximum(t, nu)), inside)
    whole = jnp.where(place < NEAR, _near(nu, t), whole)
    sine = jnp.sqrt(2 / (jnp.pi * jnp.maximum(t, 1e-30))) * jnp.sin(t)
    return jnp.where(nu == 0.5, sine, whole)  # d = 1, where J' is infinite


def _near(nu: Array, t: Array) -> Array:
    """Three terms of the series at 0, where J'' is infinite for d = 3."""
    first = jnp.exp(nu * jnp.log(t / 2) - log_gamma(nu + 1))
    return first * (1 - t * t / (4 * nu + 4) * (1 - t * t / (8 * nu + 16)))


def _quintic(s: Array, left: Array, right: Array) -> Array:
    """Hermite interpolation of value, slope and curvature, all in units of STEP."""
    r = 1 - s
    a = r**3 * (1 + 3 * s + 6 * s * s)
    b, c = r**3 * s * (1 + 3 * s), r**3 * s * s / 2
    d = s**3 * (1 + 3 * r + 6 * r * r)
    e, f = -(s**3) * r * (1 + 3 * r), s**3 * r * r / 2
    ahead = a * left[:, 0] + b * left[:, 1] + c * left[:, 2]
    return ahead + d * right[:, 0] + e * right[:, 1] + f * right[:, 2]


def _far(nu: Array, t: Array) -> Array:
    """Modulus and phase (DLMF 10.18.17, 10.18.18) for t beyond REACH nu."""
    m, w = 4 * nu * nu, 1 / (2 * t) ** 2
    modulus = 1 + (m - 1) * w / 2 * (
        1 + 3 * (m - 9) * w / 4 * (1 + 5 * (m - 25) * w / 6)
    )
    v = 1 / (4 * t)
    phase = (m - 1) / 2 * v + (m - 1) * (m - 25) / 6 * v**3
    phase += (m - 1) * (m * m - 114 * m + 1073) / 5 * v**5
    phase += (m - 1) * (5 * m**3 - 1535 * m * m + 54703 * m - 375733) / 14 * v**7
    angle = t - (nu / 2 + 0.25) * jnp.pi + phase
    return jnp.sqrt(2 / (jnp.pi * t) * modulus) * jnp.cos(angle)


@lru_cache(maxsize=8)
def _tables(nu: float) -> tuple[float, float, np.ndarray]:
    """The envelope's mass below nu, J_nu(nu), and the table, used from NEAR on."""
    log = 2 * nu + gammaln(2 * nu) - 2 * nu * np.log(2 * nu)
    edge = float(jv(nu, nu))
    below = float(2 * nu * edge**2 * np.exp(log))
    grid = STEP * np.arange(int(max(REACH * nu, 200) / STEP) + 2)
    scales = STEP ** np.arange(3)
    with np.errstate(all="ignore"):
        rows = scales * _derivatives(nu, grid)
    return below, edge, np.nan_to_num(rows, posinf=0.0, neginf=0.0)


def _derivatives(nu: float, t: np.ndarray) -> np.ndarray:
    """J_nu and its first two derivatives for t > 0: DLMF 10.6.2, Bessel's equation."""
    value = jv(nu, t)
    slope = jv(nu - 1, t) - nu / t * value
    bend = ((nu / t) ** 2 - 1) * value - slope / t
    return np.stack([value, slope, bend], axis=1)
