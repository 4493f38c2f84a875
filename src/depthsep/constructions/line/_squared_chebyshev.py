"""Squaring composed with a Chebyshev form: deep networks for analytic formulas."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import ClassVar

from flint import fmpq

from depthsep.approximation import ChebyshevForm, chebyshev_form, chebyshev_series
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._folds import balanced_bases
from depthsep.constructions.line._quadratic import quadratic_network
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import ceil_root, least
from depthsep.laws import Segment
from depthsep.networks import Affine, Network, compose, deepen, parallel
from depthsep.problems import Problem
from depthsep.targets import ExactForm, Expression

MARGIN = fmpq(1, 16)
REACH = Segment(-1 - MARGIN, 1 + MARGIN)
SQUARE = ExactForm(fmpq(1), fmpq(0), fmpq(0))
MAX_WIDTH = 4000


def _evaluate(pieces: int, stages: int, layers: int) -> Value:
    error = _stage_errors(pieces, stages)[-1]
    width = max(balanced_bases(pieces, layers, carry=True)) + 1
    return Value(
        f"error at most {error}, width of one square {width}", Rigour.EXACT, log2(width)
    )


@dataclass(frozen=True)
class PolynomialBySquares(AbstractConstruction):
    r"""sum c_k T_k by doubling: each stage squares, and so doubles the degree at hand.

    $T_{2m} = 2 T_m^2 - 1$, $T_{2m+1} = 2 T_m T_{m+1} - T_1$ and
    $4 T_m T_{m+1} = (T_m + T_{m+1})^2 - (T_m - T_{m+1})^2$; squares are networks of
    `QuadraticByFolds`. If they are off by delta, an error e of one stage becomes at
    most (4 + 2e) e + 4 delta in the next. With the certified truncation error this is a
    proof, also where the network has too many pieces to be enumerated.
    """

    statement: ClassVar[Statement] = Statement(
        "chebyshev-squares",
        "Bound on the error of the Chebyshev polynomial T_n (n a power "
        "of two), computed by squarings with N pieces each",
        (
            (
                "the number that is squared has absolute value at most "
                "17/16 at every stage"
            ),
            "every square is computed on [-17/16, 17/16]",
            (
                "e_i bounds the error after i stages, and delta is the "
                "error of one square"
            ),
        ),
        Source("yarotsky2017", "Proposition 3, with Chebyshev doubling"),
        (
            Parameter("pieces", "integer", "N, the number of pieces of each square"),
            Parameter(
                "stages",
                "integer",
                "the number of stages, each of which doubles the degree",
                "1",
                most=20,
            ),
            LAYERS,
        ),
        _evaluate,
        tex=(
            r"e_0 = 0, \quad e_{i+1} = (4 + 2 e_i) \, e_i + 4 \delta, "
            r"\quad \delta = \frac{(17/8)^2}{8 N^2}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for formulas that are not quadratics",
        Expression,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        if problem.exact_form is not None:
            return self.scope.elsewhere
        target = problem.target_as(Expression)
        series = chebyshev_series(target, problem.interval, problem.accuracy / 2)
        degree = 0 if series is None else len(series) - 1
        if depth - 1 < stages_of(degree):
            stages = stages_of(degree)
            return Inapplicable(
                "with this construction, a polynomial of degree "
                f"{degree} takes at least {stages} hidden layers"
            )
        plan = _plan(problem)
        if isinstance(plan, Inapplicable):
            return plan
        widths = _predicted_widths(plan, depth - 1)
        if max(widths) > MAX_WIDTH:
            return Inapplicable(
                f"the network would be {max(widths)} units wide; this construction "
                f"builds at most {MAX_WIDTH}"
            )
        return Upper(
            widths=widths,
            error=plan.error,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            make=lambda: _network(plan, problem.interval, depth - 1),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:x**3 - x", Segment(-1, 1), accuracy="1e-3"),
            Problem("expr:exp(x)", accuracy="1e-3"),
        ]


@dataclass(frozen=True)
class _Plan:
    """A Chebyshev form and the pieces that its squares need."""

    form: ChebyshevForm
    pieces: int
    error: fmpq

    @property
    def stages(self) -> int:
        """Doublings needed to reach the degree."""
        return stages_of(self.form.degree)


def stages_of(degree: int) -> int:
    """Doublings, from 1, that reach the degree."""
    return max(1, (degree - 1).bit_length())


def _square_error(pieces: int) -> fmpq:
    return REACH.length**2 / (8 * fmpq(pieces) ** 2)


def _stage_errors(pieces: int, stages: int) -> list[fmpq]:
    """Error of the T_k that each stage adds; index 0 is T_1, which is exact."""
    errors = [fmpq(0)]
    for _ in range(stages):
        e = errors[-1]
        grown = (4 + 2 * e) * e + 4 * _square_error(pieces)
        # keep the numbers short: round up to multiples of 2^-200
        errors.append(fmpq((grown * (1 << 200)).ceil(), 1 << 200))
    return errors


@lru_cache(maxsize=64)
def _plan(problem: Problem) -> _Plan | Inapplicable:
    form = chebyshev_form(
        problem.target_as(Expression), problem.interval, problem.accuracy / 2
    )
    if form is None or form.degree < 2:
        return Inapplicable(
            "no Chebyshev form of degree 2 to 128 was found that is accurate enough"
        )
    stages = stages_of(form.degree)
    budget = problem.accuracy - form.error
    mass = sum((abs(c) for c in form.coefficients[2:]), fmpq(0))
    gain = fmpq(4 * (5**stages - 1), 4) * mass / budget
    pieces = ceil_root(gain * REACH.length**2 / 8, 2)
    while pieces < 1 << 60:
        total = _output_error(form, _stage_errors(pieces, stages))
        if total is not None and form.error + total <= problem.accuracy:
            return _shrunk(form, pieces, stages, problem.accuracy)
        pieces *= 2
    return Inapplicable(
        "no number of pieces up to 2^60 was found that is enough for the squares"
    )


def _output_error(form: ChebyshevForm, errors: list[fmpq]) -> fmpq | None:
    """sum |c_k| e_k, or None if an error leaves the margin of the squares."""
    if errors[-1] > MARGIN:
        return None
    terms = enumerate(form.coefficients[2:], start=2)
    return sum((abs(c) * errors[(k - 1).bit_length()] for k, c in terms), fmpq(0))


def _shrunk(form: ChebyshevForm, pieces: int, stages: int, accuracy: fmpq) -> _Plan:
    """The least number of pieces that the error bound allows."""

    def error(count: int) -> fmpq | None:
        total = _output_error(form, _stage_errors(count, stages))
        return None if total is None else form.error + total

    def fits(count: int) -> bool:
        found = error(count)
        return found is not None and bool(found <= accuracy)

    fewest = least(fits, 0, pieces)
    met = error(fewest)
    assert met is not None
    return _Plan(form, fewest, met)


def _layers_of_stages(layers: int, stages: int) -> list[int]:
    share, more = divmod(layers, stages)
    # later stages have more squares, so they get the spare layers
    return [share] * (stages - more) + [share + 1] * more


def _new_degrees(m: int, degree: int) -> range:
    return range(m + 1, min(2 * m, degree) + 1)


def _carried(m: int, degree: int) -> list[int]:
    """Which T_k the stages after T_1, ..., T_m still read."""
    needed: set[int] = set()
    while m < degree:
        for k in _new_degrees(m, degree):
            needed |= {k // 2, k - k // 2} | ({1} if k % 2 else set())
        m *= 2
    return sorted(needed)


def _predicted_widths(plan: _Plan, layers: int) -> tuple[int, ...]:
    widths, m, degree = [], 1, plan.form.degree
    for count in _layers_of_stages(layers, plan.stages):
        bases = balanced_bases(plan.pieces, count, carry=True)
        squares = sum(1 if k % 2 == 0 else 2 for k in _new_degrees(m, degree))
        kept = len(_kept(m, degree)) + 1
        for j, b in enumerate(bases):
            each = b if j == 0 else (b + 1 if b > 1 else 1)
            widths.append(squares * each + kept)
        m *= 2
    return tuple(widths)


def _kept(m: int, degree: int) -> list[int]:
    """Which of T_1, ..., T_m pass through the stage that reaches 2 m."""
    later = set(_carried(2 * m, degree))
    odd = any(k % 2 for k in _new_degrees(m, degree))
    return [k for k in range(1, m + 1) if k in later or (k == 1 and odd)]


def _network(plan: _Plan, on: Segment, layers: int) -> Network:
    """Stages of squares; the state is (T_k for the k still needed, the sum so far)."""
    half, c = on.length / 2, plan.form.coefficients
    start = Affine(
        [[1 / half], [c[1] / half]],
        [-(on.start + half) / half, c[0] - c[1] * (on.start + half) / half],
    )
    network, state, m = Network([start]), [1], 1
    bound = sum((abs(x) for x in c), fmpq(2)) * 2
    for count in _layers_of_stages(layers, plan.stages):
        stage, state = _stage(plan, state, m, count, bound)
        network, m = compose(stage, network), 2 * m
    return network


def _stage(
    plan: _Plan, state: list[int], m: int, layers: int, bound: fmpq
) -> tuple[Network, list[int]]:
    degree = plan.form.degree
    bases = balanced_bases(plan.pieces, layers, carry=True)
    square = quadratic_network(SQUARE, REACH, bases)
    size, kept, parts = len(state) + 1, _kept(m, degree), []
    for k in kept:
        parts.append(
            _on(_carry(layers, fmpq(2)), _row(size, {state.index(k): fmpq(1)}))
        )
    parts.append(_on(_carry(layers, bound), _row(size, {size - 1: fmpq(1)})))
    new, rows = list(_new_degrees(m, degree)), {}
    for k in new:
        a, b = state.index(k // 2), state.index(k - k // 2)
        row, constant = {}, fmpq(0)
        if a == b:
            row[len(parts)], constant = fmpq(2), fmpq(-1)
            parts.append(_on(square, _row(size, {a: fmpq(1)})))
        else:
            # 2 T_a T_b = 2 ((T_a + T_b) / 2)^2 - 2 ((T_a - T_b) / 2)^2
            for sign in (1, -1):
                row[len(parts)] = fmpq(2 * sign)
                half = {a: fmpq(1, 2), b: fmpq(sign, 2)}
                parts.append(_on(square, _row(size, half)))
            row[kept.index(1)] = fmpq(-1)
        rows[k] = row, constant
    return _read_out(plan, parts, kept, rows, new, m)


def _read_out(
    plan: _Plan,
    parts: list[Network],
    kept: list[int],
    rows: dict[int, tuple[dict[int, fmpq], fmpq]],
    new: list[int],
    m: int,
) -> tuple[Network, list[int]]:
    """The state after a stage: what later stages read, and the sum so far."""
    count, coefficients = len(parts), plan.form.coefficients
    later = _carried(2 * m, plan.form.degree)
    state = [k for k in later if k in kept or k in new]
    weight, bias = [], []
    for k in state:
        row, constant = ({kept.index(k): fmpq(1)}, fmpq(0)) if k in kept else rows[k]
        weight.append(_row(count, row))
        bias.append(constant)
    total, constant = _row(count, {len(kept): fmpq(1)}), fmpq(0)
    for k in new:
        row, level = rows[k]
        for i, w in row.items():
            total[i] += coefficients[k] * w
        constant += coefficients[k] * level
    stacked = reduce(parallel, parts)
    return compose(
        Network([Affine([*weight, total], [*bias, constant])]), stacked
    ), state


def _row(size: int, entries: dict[int, fmpq]) -> list[fmpq]:
    row = [fmpq(0)] * size
    for i, value in entries.items():
        row[i] += value
    return row


def _on(network: Network, row: Sequence[fmpq]) -> Network:
    return compose(network, Network([Affine([list(row)], [0])]))


def _carry(layers: int, bound: fmpq) -> Network:
    """The identity on [-bound, bound], one unit a layer."""
    shifted = Network([Affine([[1]], [bound]), Affine([[1]], [-bound])])
    return deepen(shifted, layers + 1)
