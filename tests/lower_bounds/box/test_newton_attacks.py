"""Bounds on boxes against networks of one unit less: Gauss-Newton, then a linear
programme for the last layer, a loop of its own."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

from depthsep.claims import Lower
from depthsep.exact import nearest_float
from depthsep.laws import Segment
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import Problem
from depthsep.separation import best_lower

NETWORKS, STEPS, POWERS = 30, 30, {"linf": (2, 4, 8, 16), "l1": (2, 1), "l2": (2,)}
FINE = 0.985  # of the accuracy: errors are measured on a grid
U = Segment(-1, 1)
# blind directions bind no skip connections, which these networks have
BOUNDS = [b for b in LOWER_BOUNDS if b.statement.id != "blind-direction"]
FUNCTIONS = {
    "product": ("x1*x2", None),
    "saddle": ("x1**2-x2**2", None),
    "bowl": ("x1**2+x2**2", None),
    "bump": ("exp(-x1**2-x2**2)", U),
    "quotient": ("x1/(1+x2)", None),
    "wave": ("sin(3*x1)*x2", None),
    "cubic": ("x1*x2*x3", None),
    "crease": ("max(x1,x2)**2", None),
}
CASES = [
    *((name, "linf", "1e-2", 2) for name in ("bump", "quotient", "cubic")),
    ("wave", "linf", "2e-3", 3),
    ("bowl", "l1", "4e-3", 2),
    *((name, "l2", "4e-3", 2) for name in ("product", "crease")),
    ("bump", "l2", "1e-3", 2),
    ("saddle", "l1", "1e-3", 3),
    ("bowl", "l2", "1e-3", 3),
]


def problem_of(name, norm, accuracy):
    formula, on = FUNCTIONS[name]
    return Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)


def grid_of(problem, points):
    """With the ends in linf, middles of cells else."""
    n = round(points ** (1 / problem.law.in_dim))
    middles = (np.arange(n) + 0.5) / n
    unit = np.linspace(0, 1, n) if problem.norm == "linf" else middles
    sides = [
        nearest_float(s.start) + nearest_float(s.length) * unit for s in problem.sides
    ]
    return np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, len(sides))


def features(params, x, of=np):
    """What the last layer reads: every layer reads the inputs and all layers before."""
    h = x
    for weight, bias in params:
        after = of.maximum(h @ weight + bias, 0)
        h = of.concatenate([h, after], axis=-1)
    return of.concatenate([h, of.ones_like(h[..., :1])], axis=-1)


def trained(x, truth, widths, power_steps, seed=0):
    """Hidden layers of `NETWORKS` networks, by damped Gauss-Newton, all at once."""
    import jax
    import jax.numpy as jnp
    from jax.flatten_util import ravel_pytree

    rng, fan, start = np.random.default_rng(seed), x.shape[1], []
    centre, scale = x.mean(axis=0), np.abs(x - x.mean(axis=0)).max(axis=0)
    for width in widths:
        weight = rng.normal(size=(NETWORKS, fan, width)) / fan**0.5
        start.append((weight, rng.uniform(-0.8, 0.8, (NETWORKS, width))))
        fan += width
    last = 0.3 * rng.normal(size=(NETWORKS, fan + 1))
    params = [(np.float32(w), np.float32(b)) for w, b in start], np.float32(last)
    z, truth = jnp.float32((x - centre) / scale), jnp.float32(truth)
    _, unravel = ravel_pytree(jax.tree.map(lambda a: a[0], params))
    flat = jax.vmap(lambda p: ravel_pytree(p)[0])(params)

    def output(p, point):
        layers, last = unravel(p)
        return features(layers, point, jnp) @ last

    outputs = jax.vmap(output, (None, 0))
    slopes = jax.vmap(jax.grad(output), (None, 0))

    def size(off, power):
        most = jnp.abs(off).max() + 1e-12
        return jnp.log(most) + jnp.log(((jnp.abs(off) / most) ** power).mean()) / power

    def one_step(carry, power):
        p, damping = carry
        off, slope = truth - outputs(p, z), slopes(p, z)
        share = jnp.abs(off) / (jnp.abs(off).max() + 1e-12) + 1e-3
        weighed = slope * (share ** (power - 2))[:, None]
        matrix = slope.T @ weighed
        load = damping * (jnp.diag(matrix) + 1e-6 * jnp.trace(matrix) / len(p) + 1e-9)
        move = jnp.linalg.solve(matrix + jnp.diag(load), weighed.T @ off)
        move = jnp.nan_to_num(move) / jnp.maximum(power - 1.0, 1.0)
        better = size(truth - outputs(p + move, z), power) < size(off, power)
        damping = jnp.clip(jnp.where(better, damping / 3, damping * 4), 1e-7, 1e4)
        return (jnp.where(better, p + move, p), damping), None

    powers = jnp.float32(np.repeat(power_steps, STEPS))
    run = partial(jax.lax.scan, one_step, xs=powers)
    (flat, _), _ = jax.jit(jax.vmap(lambda p: run((p, jnp.float32(0.1)))))(flat)
    layers = jax.tree.map(np.float64, jax.vmap(unravel)(flat)[0])
    nets = [[(w[k], b[k]) for w, b in layers] for k in range(NETWORKS)]
    return [lambda y, n=n: features(n, (y - centre) / scale) for n in nets]


def best_last_layer(table, truth, norm):
    """The last layer of least error on these points; least squares in l2."""
    if norm == "l2":
        return np.linalg.lstsq(table, truth, rcond=None)[0]
    n, m = table.shape
    slack = np.ones((n, 1)) if norm == "linf" else np.eye(n)
    rows = np.vstack([np.hstack([table, -slack]), np.hstack([-table, -slack])])
    cost = np.r_[np.zeros(m), np.ones(slack.shape[1])]
    free = [(None, None)] * m + [(0, None)] * slack.shape[1]
    found = linprog(cost, rows, np.r_[truth, -truth], bounds=free)
    return found.x[:m] if found.x is not None else np.linalg.lstsq(table, truth)[0]


def error(off, norm):
    """On the points of a grid."""
    power = {"linf": np.inf, "l1": 1, "l2": 2}[norm]
    return (
        np.abs(off).max()
        if norm == "linf"
        else (np.abs(off) ** power).mean() ** (1 / power)
    )


def least_error(problem, widths):
    """The least of the networks', the last layers of the five best made again."""
    x, norm = grid_of(problem, 400), problem.norm
    truth, fine = problem.target.floats(x), grid_of(problem, 40_000)
    wanted, found = problem.target.floats(fine), []
    for read in trained(x, truth, widths, POWERS[norm]):
        table = read(x)
        fit = np.linalg.lstsq(table, truth, rcond=None)[0]
        found.append((error(table @ fit - truth, norm), len(found), read))
    errors = []
    for _, _, read in sorted(found)[:5]:
        last = best_last_layer(read(x), truth, norm)
        errors.append(error(read(fine) @ last - wanted, norm))
    return min(errors)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "norm", "accuracy", "depth"), CASES)
def test_no_network_of_one_unit_less_is_within(name, norm, accuracy, depth) -> None:
    problem = problem_of(name, norm, accuracy)
    lower = best_lower(problem, depth, BOUNDS)
    assert isinstance(lower, Lower) and lower.width >= 2
    reached = least_error(problem, [lower.width - 1] * (depth - 1))
    assert reached > FINE * nearest_float(problem.accuracy)


@pytest.mark.slow
def test_the_search_finds_networks_where_there_are_some() -> None:
    """With the width that the table certifies, it is near: a search that can fail."""
    problem = problem_of("product", "linf", "1e-2")
    assert least_error(problem, [9]) < 2.5 * nearest_float(problem.accuracy)
