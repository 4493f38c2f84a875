r"""Networks of one hidden layer on two points of a sphere, as sums of ridges of x + x'.

N(z) = sum_j g_j(<v_j, z>), z = x + x', |z| <= 2, against f(|z|^2 / 2 - 1). With numbers
w_j, a function g and an even polynomial p, all chosen here by looking,

    |N - f| <= sum_j |g_j - w_j g| + sum_j |w_j| |g - p| + sum_k |p_k| 2^(2 k) tau_k
               + sup_R |sum_k p_k mu_k R^k - f(R/2 - 1)|,

mu_k = E u_1^(2 k) on the sphere and tau_k a bound of sum_j w_j <v_j, z>^(2 k) - mu_k
|z|^(2 k) on |z| = 1: its Bombieri norm, where <a, z>^(2 k) and <b, z>^(2 k) have the
inner product <a, b>^(2 k), and |z|^(2 k) has the norm mu_k^(-1/2).
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq, fmpq_poly

from depthsep.analysis.line._examine import line_error
from depthsep.approximation import MinusPolynomial, distance_to_target
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import (
    PiecewiseAffine,
    ball_upper,
    nearest_float,
    rational,
    sqrt_upper,
)
from depthsep.laws import Segment
from depthsep.networks import RELU, Affine, Network
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractLineTarget,
    InnerProduct,
    Radial,
    polynomial_expression,
)

PRECISION = 256
MAX_DIRECTIONS = 1200
MAX_DEGREE = 24
REACH = fmpq(33, 16)  # at least |<v, z>|, |v| <= LONGEST
SHORTEST = fmpq(1, 2)  # direction: shorter ones hardly read x
LONGEST = fmpq(103, 100)  # direction: a float64 unit vector, with room
HUGE = 1e100
MAX_WORK = 6_000_000  # pairs of directions times degrees


@dataclass(frozen=True)
class _Ridges:
    """Directions, as floats, and one network for each."""

    directions: np.ndarray
    parts: list[Network]
    constant: fmpq


@dataclass(frozen=True)
class _Task:
    """f(|z|^2 / 2 - 1) on |z| <= 2, to be followed within the accuracy."""

    dim: int
    profile: AbstractLineTarget
    accuracy: fmpq


def sphere_ridges_error(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    """The sup error from above, which bounds l1 and l2; from below 0."""
    target = problem.target_as(InnerProduct)
    left, right = np.split(network.layers[0].weight, [target.dim], axis=1)
    if not (left == right).all():
        return Inapplicable(
            "the first layer reads more than the sums x_i + x'_i, which is "
            "not supported"
        )
    task = _Task(target.dim, target.profile, problem.accuracy)
    return _error(network, left, task)


def ball_ridges_error(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    """The same for a radial function on the unit ball, x = z / 2."""
    target = problem.target_as(Radial)
    task = _Task(target.dim, target.on_ball, problem.accuracy)
    return _error(network, network.layers[0].weight / 2, task)


def _error(
    network: Network, rows: np.ndarray, target: _Task
) -> Enclosure | Inapplicable:
    read = _read(network, rows)
    if isinstance(read, Inapplicable):
        return read
    squares = [
        sum((rational(v) ** 2 for v in row), fmpq(0))
        for row in read.directions[: MAX_DIRECTIONS + 1].tolist()
    ]
    near = all(SHORTEST**2 <= s <= LONGEST**2 for s in squares)
    if len(squares) > MAX_DIRECTIONS or not near:
        return Inapplicable(
            "networks of one hidden layer are examined only if its "
            f"units have at most {MAX_DIRECTIONS} different vectors of "
            f"weights for x, each of length {float(SHORTEST):g} to "
            f"{float(LONGEST):g} (on the unit ball: twice these lengths)"
        )
    with ctx.workprec(PRECISION):
        if not any((p.layers[1].weight != 0).any() for p in read.parts):
            zero = _radial_error([fmpq(0)], fmpq(0), read.constant, target)
            return Enclosure(fmpq(0), zero, Rigour.ENCLOSED)
    shares, apart = _shares(read)
    if apart is None:
        return Inapplicable(
            "the network's ridge functions are not close to multiples of one function"
        )
    reach = 2 * sqrt_upper(max(squares))
    fitted = _fitted(read, shares, target, reach)
    if fitted is None:
        return Inapplicable(
            "no polynomial was found near the network's ridge functions"
        )
    polynomial, network_of_one = fitted
    if len(shares) ** 2 * len(polynomial) > MAX_WORK:
        return Inapplicable(
            "the network has too many ridge functions for the degree "
            "of the polynomial that approximates them"
        )
    spread = sum((abs(w) for w in shares), fmpq(0))
    shape = polynomial_expression(_spaced(polynomial))
    one = Problem(shape, Segment(-reach, reach), accuracy=target.accuracy)
    bend = line_error(network_of_one, one)
    if isinstance(bend, Inapplicable):
        return bend
    with ctx.workprec(PRECISION):
        rule = _rule_error(read.directions, shares, polynomial, target.dim)
        whole = sum(shares, fmpq(0))
        line = _radial_error(polynomial, whole, read.constant, target)
    return Enclosure(
        fmpq(0), apart + spread * bend.upper + rule + line, Rigour.ENCLOSED
    )


def _read(network: Network, rows: np.ndarray) -> _Ridges | Inapplicable:
    """Grouped by the rows of z."""
    if any(a is not RELU for a in network.activations):
        return Inapplicable("only ReLU networks are examined")
    if not network.is_float:
        return Inapplicable(
            "networks of one hidden layer are examined only with float64 weights"
        )
    first, last = network.layers
    sizes = [np.abs(a).max() for a in (first.bias, last.weight, last.bias)]
    if max(sizes) > HUGE:
        return Inapplicable(
            "only networks with weights and biases of absolute value at "
            f"most {HUGE:.0e} are examined"
        )
    keys, groups = np.unique(rows, axis=0, return_inverse=True)
    parts, dead = [], (keys == 0).all(axis=1)
    constant = rational(last.bias[0])
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(len(keys) + 1))
    for j in range(len(keys)):
        units = order[starts[j] : starts[j + 1]]
        inner = Affine(np.ones((len(units), 1)), first.bias[units])
        parts.append(Network([inner, Affine(last.weight[:, units], [0])]))
    if dead.any():
        return Inapplicable("some units depend on no input; prune them first")
    return _Ridges(keys, parts, constant)


def _shares(read: _Ridges) -> tuple[list[fmpq], fmpq | None]:
    """w_j with g_j near w_j g, g the part of the largest size; and sum_j |g_j - w_j g|.

    Compared unit by unit, where all units are the same but for their read-outs:
    |sum c_i relu(t + b_i)| <= sum |c_i| (REACH + max |b_i|).
    """
    sizes = [np.abs(p.layers[1].weight).sum() for p in read.parts]
    chosen = int(np.argmax(sizes))
    base = read.parts[chosen]
    read_out = base.layers[1].weight[0]
    shares, apart = [], fmpq(0)
    order = _order(base)
    best = int(np.argmax(np.abs(read_out[order])))
    for part in read.parts:
        mine = _order(part)
        biases = part.layers[0].bias[mine]
        same = len(mine) == len(order) and bool(
            (biases == base.layers[0].bias[order]).all()
        )
        if not same:
            return [], None
        c, b = part.layers[1].weight[0][mine], read_out[order]
        share = rational(float(c[best] / b[best]))
        off = sum(
            (
                abs(rational(u) - share * rational(v))
                for u, v in zip(c.tolist(), b.tolist(), strict=True)
            ),
            fmpq(0),
        )
        largest = rational(float(np.abs(part.layers[0].bias).max()))
        apart += off * (REACH + largest)
        shares.append(share)
    return shares, apart


def _order(part: Network) -> np.ndarray:
    return np.argsort(part.layers[0].bias, kind="stable")


def _fitted(
    read: _Ridges, shares: list[fmpq], target: _Task, reach: fmpq
) -> tuple[list[fmpq], Network] | None:
    """p_0, p_1, ... of the even polynomial that makes the bound smallest, about."""
    sizes = [np.abs(p.layers[1].weight).sum() for p in read.parts]
    base = read.parts[int(np.argmax(sizes))]
    total = nearest_float(sum(shares, fmpq(0)))
    nodes = np.polynomial.chebyshev.chebpts1(2048)
    far = nearest_float(reach)
    values = base.floats(far * nodes[:, None])[:, 0]
    even = (values + values[::-1]) / 2
    u = np.linspace(-1, 1, 257)
    truth = target.profile.floats(u) - nearest_float(read.constant)
    tau = _float_rule_errors(read.directions, shares, target.dim)
    best, found = np.inf, None
    for degree in range(1, MAX_DEGREE + 1):
        series = np.polynomial.chebyshev.chebfit(nodes, even, 2 * degree)
        fit = np.polynomial.chebyshev.chebval(nodes, series)
        powers = _powers(series, reach)
        radial = _radial(powers, target.dim)
        r = np.array([nearest_float(c) for c in radial])
        line = total * np.polynomial.polynomial.polyval(2 * u + 2, r)
        off = abs(total) * np.abs(fit - values).max() + np.abs(line - truth).max()
        sizes = [nearest_float(abs(p)) * 4.0**k for k, p in enumerate(powers)]
        off += float(np.dot(sizes, tau[: len(powers)]))
        if off < best:
            best, found = off, powers
    return None if found is None else (found, base)


def _float_rule_errors(
    directions: np.ndarray, shares: list[fmpq], dim: int
) -> np.ndarray:
    """tau_k, about, for the search; rounding is taken off."""
    w = np.array([nearest_float(s) for s in shares])
    square, power = (directions @ directions.T) ** 2, np.ones((len(w), len(w)))
    moments = [nearest_float(m) for m in _moments(dim, MAX_DEGREE + 1)]
    found = []
    for moment in moments:
        found.append(float(w @ power @ w) - moment * w.sum() ** 2)
        power *= square
    return np.sqrt(np.maximum(np.array(found) - 1e-12 * w.sum() ** 2, 0))


def _powers(series: np.ndarray, reach: fmpq) -> list[fmpq]:
    """The coefficients of 1, s^2, s^4, ... of an even series in T_k(s / reach)."""
    before, now = fmpq_poly([1]), fmpq_poly([0, 1 / reach])
    twice = fmpq_poly([0, 2 / reach])
    whole = rational(float(series[0])) * before
    for k in range(1, len(series)):
        if k % 2 == 0:
            whole += rational(float(series[k])) * now
        before, now = now, twice * now - before
    return [fmpq(c) for c in whole.coeffs()][::2] or [fmpq(0)]


def _spaced(even: list[fmpq]) -> list[fmpq]:
    return [c for p in even for c in (p, fmpq(0))][:-1]


def _moments(dim: int, count: int) -> list[fmpq]:
    """mu_k = E u_1^(2 k)."""
    found = [fmpq(1)]
    for k in range(count - 1):
        found.append(found[-1] * fmpq(2 * k + 1, dim + 2 * k))
    return found


def _radial(powers: list[fmpq], dim: int) -> list[fmpq]:
    moments = _moments(dim, len(powers))
    return [p * m for p, m in zip(powers, moments, strict=True)]


def _rule_error(
    directions: np.ndarray, shares: list[fmpq], powers: list[fmpq], dim: int
) -> fmpq:
    """sum_k |p_k| 2^(2 k) tau_k; the shares as they are, their sum in place of 1."""
    rows = [[arb(float(v)) for v in row] for row in directions]
    weights = [arb(w) for w in shares]
    whole = sum(shares, fmpq(0))
    count = len(powers)
    moments = _moments(dim, count)
    squares = [arb(0)] * count
    cross = [arb(0)] * count
    for i, a in enumerate(rows):
        length = sum((v * v for v in a), arb(0))
        power = arb(1)
        for k in range(count):
            cross[k] += weights[i] * power
            squares[k] += weights[i] ** 2 * power * power
            power *= length
        for j in range(i):
            inner = sum((v * w for v, w in zip(a, rows[j], strict=True)), arb(0)) ** 2
            power = 2 * weights[i] * weights[j]
            for k in range(count):
                squares[k] += power
                power *= inner
    error = fmpq(0)
    for k in range(count):
        level = whole * moments[k]
        norm = squares[k] - 2 * level * cross[k] + level * whole
        size = ball_upper(norm)
        tau = sqrt_upper(size) if size > 0 else fmpq(0)
        error += abs(powers[k]) * fmpq(4) ** k * tau
    return error


def _radial_error(
    powers: list[fmpq],
    whole: fmpq,
    constant: fmpq,
    target: _Task,
) -> fmpq:
    """sup_u |constant + whole * sum_k p_k mu_k (2 u + 2)^k - f(u)|."""
    moved = fmpq_poly(_radial(powers, target.dim))(fmpq_poly([2, 2]))
    radial = whole * moved + constant
    on = Segment(-1, 1)
    zero = PiecewiseAffine.through([on.start, on.stop], [0, 0])
    difference = MinusPolynomial(
        target.profile, tuple(fmpq(c) for c in radial.coeffs())
    )
    found = distance_to_target(
        zero, difference, "linf", on, relative=0.02, negligible=target.accuracy / 256
    )
    return found.upper
