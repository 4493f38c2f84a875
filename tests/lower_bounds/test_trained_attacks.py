"""Twenty trained networks of one unit less than proved, for every bound."""

import numpy as np
import pytest

from depthsep.claims import Lower
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import problem_from_text

NETWORKS, STEPS, POINTS = 20, 200, 500
SAMPLING = 0.9  # of the accuracy: errors are means or maxima over some points
WITHOUT_SKIPS = {"narrow-layers", "first-layer"}

CASES = [
    ("sawtooth-l1", "sawtooth:4", "l1", "1/20", 2, None),
    ("sawtooth-l2", "sawtooth:4", "l2", "1/20", 3, None),
    ("theorem-a", "expr:sin(20*x)", "linf", "1/10", 3, None),
    ("pieces-in-mean", "expr:exp(x)", "l1", "1/200", 2, None),
    ("pieces-in-mean", "expr:abs(x-1/3)**1.5", "l2", "1/1000", 3, None),
    ("signed-kinks", "expr:sin(20*x)", "linf", "1/30", 3, None),
    ("narrow-layers", "expr:sin(8*x)", "linf", "1/100", 4, None),
    ("curvature", "expr:exp(2*x)", "linf", "1/100", 2, None),
    ("restriction", "product", "linf", "1/50", 2, None),
    ("signed-segments", "product", "linf", "1/50", 2, None),
    ("all-lines", "product", "l2", "1/200", 2, None),
    ("convex-cells", "poly:x1**2+x2**2", "linf", "1/100", 2, None),
    ("plane-cells", "poly:x1**2+x2**2", "linf", "1/50", 3, None),
    ("plane-cells", "product", "l1", "1/1000", 3, None),
    ("first-layer", "max:3", "linf", "6/25", 3, None),
    ("parity-squares", "parity:8", "linf", "1/2", 2, None),
    ("sphere-rank", "inner:sin(9*t)", "l2", "1/4", 2, 3),
    ("circles", "inner:sin(60*t)", "l2", "1/4", 3, 4),
    ("ball-directions", "radial:cos(20*r)", "l2", "1/4", 2, "ball"),
    ("gauss-directions", "radial:cos(4*r) on 0,20", "l2", "1/4", 2, "gauss"),
    ("radial-lines", "radial:cos(60*r)", "linf", "1/4", 3, "ball"),
]


def points_of(problem):
    """A grid of an interval or a small box; samples elsewhere."""
    law = problem.law
    if law.setting == "line":
        at = np.linspace(0, 1, POINTS) if problem.norm == "linf" else _middles(POINTS)
        return float(law.interval.start) + float(law.interval.length) * at[:, None]
    if law.setting == "box":
        steps = round(POINTS ** (1 / law.in_dim))
        side = np.linspace(0, 1, steps) if problem.norm == "linf" else _middles(steps)
        grid = np.meshgrid(*[side] * law.in_dim)
        unit = np.stack(grid, axis=-1).reshape(-1, law.in_dim)
        start, stop = (
            np.array([float(v) for v in w]) for w in (law.box.starts, law.box.stops)
        )
        return start + (stop - start) * unit
    return law.sample(POINTS, seed=0)


def _middles(count):
    return (np.arange(count) + 0.5) / count


def least_error(problem, widths, skips, seed=0):
    """The least sampled error of `NETWORKS` networks, trained side by side."""
    import jax
    import jax.numpy as jnp
    import optax

    x = points_of(problem)
    values = problem.target.floats(x[:, 0] if x.shape[1] == 1 else x)
    scale = np.abs(x).max(axis=0) + 1e-12
    inputs, truth = np.float32(x / scale), np.float32(values)
    rng = np.random.default_rng(seed)
    params, fan = [], x.shape[1]
    for width in (*widths, 1):
        weight = rng.normal(size=(NETWORKS, fan, width)) * (2 / fan) ** 0.5
        bias = rng.uniform(-1, 1, (NETWORKS, 1, width))
        params.append((np.float32(weight), np.float32(bias)))
        fan = fan + width if skips else width

    def outputs(params):
        h = jnp.broadcast_to(inputs, (NETWORKS, *inputs.shape))
        for weight, bias in params[:-1]:
            after = jax.nn.relu(h @ weight + bias)
            h = jnp.concatenate([h, after], axis=2) if skips else after
        return (h @ params[-1][0] + params[-1][1])[..., 0]

    def mean(off, power):
        if power is None:
            return off.max(axis=1)
        most = jax.lax.stop_gradient(off.max(axis=1, keepdims=True))
        return most[:, 0] * ((off / most) ** power).mean(axis=1) ** (1 / power)

    measured = {"linf": None, "l1": 1, "l2": 2}[problem.norm]
    trained = 8 if measured is None else measured
    rates = optax.cosine_decay_schedule(3e-2, STEPS)
    adam = optax.adam(rates)

    def loss(params):
        off = jnp.abs(outputs(params) - truth) + 1e-9
        return jnp.log(mean(off, trained)).sum(), mean(off, measured).min()

    def step(carry, _):
        params, state, best = carry
        gradient, reached = jax.grad(loss, has_aux=True)(params)
        change, state = adam.update(gradient, state)
        params = optax.apply_updates(params, change)
        return (params, state, jnp.minimum(best, reached)), None

    def best_of(params):
        start = (params, adam.init(params), jnp.inf)
        return jax.lax.scan(step, start, None, STEPS)[0][-1]

    return float(jax.jit(best_of)(params))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target", "norm", "accuracy", "depth", "where"),
    CASES,
    ids=lambda v: v if isinstance(v, str) else None,
)
def test_no_trained_network_of_one_unit_less_is_within(
    name, target, norm, accuracy, depth, where
):
    theorem = next(b for b in LOWER_BOUNDS if b.statement.id == name)
    dim, law = (2, f"{where}:2") if isinstance(where, str) else (where, None)
    problem = problem_from_text(target, None, norm, accuracy, dim, law)
    lower = theorem.prove(problem, depth)
    assert isinstance(lower, Lower) and lower.width >= 2
    widths = [lower.width - 1] * (depth - 1)
    if name == "first-layer":  # the layers behind it may be as wide as they like
        widths[1:] = [8] * (depth - 2)
    reached = least_error(problem, widths, name not in WITHOUT_SKIPS)
    limit = float(problem.accuracy.p) / float(problem.accuracy.q)
    assert reached > SAMPLING * limit
