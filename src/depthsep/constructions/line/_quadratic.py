"""x^2, and any quadratic, by folds and a carried sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._exact_kinks import kink_network
from depthsep.constructions.line._folds import balanced_bases, fold_coefficients
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
from depthsep.exact import (
    PiecewiseAffine,
    ceil_root,
    exact_column,
    perfect_sqrt,
    sqrt_upper,
)
from depthsep.laws import Segment
from depthsep.networks import Affine, Network, joined
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, ExactForm

# the best N-piece approximation of x^2 on [0, 1] is off by rate / N^2 in each norm (l2
# squared: rate / N^4) and lies below the interpolant by drop / N^2
RATES = {"linf": fmpq(1, 8), "l1": fmpq(1, 16), "l2": fmpq(1, 180)}
DROPS = {"linf": fmpq(1, 8), "l1": fmpq(3, 16), "l2": fmpq(1, 6)}
SHORTENED = 16  # halvings of the share by which all pieces can be shortened


def _evaluate(accuracy: fmpq, layers: int) -> Value:
    bases = balanced_bases(least_pieces(accuracy, "linf"), layers, carry=True)
    width = max(quadratic_widths(bases))
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class QuadraticByFolds(AbstractConstruction):
    r"""alpha x^2 + beta x + gamma by its best continuous N-piece approximation.

    Hidden layer j folds [0, 1] with base b_j and adds its share of the interpolant to
    a carried sum; N = prod b_j, widths (b_1, b_2 + 1, ..., b_L + 1). The read-out drops
    the interpolant to the optimum of the norm, at no cost: errors |alpha| l^2 / (8 N^2)
    (linf), |alpha| l^2 / (16 N^2) (l1), |alpha| l^2 / (sqrt(180) N^2) (l2) on an
    interval of length l. These are the least possible for N pieces.
    """

    statement: ClassVar[Statement] = Statement(
        "square-folds",
        "Width that is enough for L hidden layers to approximate x^2 on [0, 1] in linf",
        (
            ("the construction also serves the norms l1 and l2, if the law is uniform"),
            "the construction also serves any quadratic on any interval",
            (
                "hidden layer j folds an interval into b_j pieces; b_1, "
                "..., b_L are whole numbers to choose"
            ),
        ),
        Source("yarotsky2017", "Proposition 2, with folds into any number of pieces"),
        (
            Parameter("accuracy", "rational", "allowed error in linf"),
            LAYERS,
        ),
        _evaluate,
        (
            (
                "Lowering the interpolant by 1/(8 N^2) halves the printed "
                "error 1/(4 N^2) at no cost."
            ),
        ),
        sample="accuracy=1/1000000 layers=2",
        tex=(
            r"\text{widths } (b_1, \, b_2 + 1, \, \ldots, \, b_L + 1), "
            r"\quad N = b_1 b_2 \cdots b_L, "
            r"\quad \text{the error is } \frac{1}{8 N^2}"
        ),
        proof=proved("square"),
    )

    scope = Scope(
        "this construction builds networks only for quadratics on an interval",
        AbstractLineTarget,
        least_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        form = problem.exact_form
        if form is None or form.amplitude != 0 or form.alpha == 0:
            return self.scope.elsewhere
        on, norm = problem.interval, problem.norm
        if depth == 2 and norm == "linf":
            flat = _with_flat_piece(form, on, problem.accuracy)
            if flat is not None:
                return self._of_flat(flat)
        scale = abs(form.alpha) * on.length**2
        pieces = least_pieces(problem.accuracy / scale, norm)
        bases = balanced_bases(pieces, depth - 1, carry=True)
        n = fmpq(prod(bases))
        error = scale * _root(RATES[norm], norm) / n**2
        return Upper(
            widths=quadratic_widths(bases),
            error=min(error, problem.accuracy),  # the root is rounded up
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: quadratic_network(form, on, bases, norm),
        )

    def _of_flat(self, flat: "_FlatPiece") -> Upper:
        return Upper(
            widths=(flat.pieces - 1,),
            error=flat.error,
            rigour=Rigour.EXACT,
            statement=self.statement,
            detail="Proposition 2, with a flat piece",
            make=lambda: kink_network(flat.function()),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("square", norm=norm, accuracy=accuracy)
            for norm in ("linf", "l1", "l2")
            for accuracy in ("1e-2", "1e-5")
        ] + [Problem("expr:3*x - 2*x**2", Segment("-1/3", 2), accuracy="1e-3")]


@dataclass(frozen=True)
class _FlatPiece:
    """The fewest pieces where the one around the vertex is flat.

    A chord of length l is off by alpha l^2 / 4 on one side; moved by E to the other
    side all chords of length up to h = sqrt(8 E / alpha) are off by E at most. The one
    from v - h / 2 to v + h / 2 around the vertex v is flat.

    Attributes:
        error: E, the same for all pieces of the full length.
        left, right: its ends, which may lie outside the interval.
        before, after: numbers of pieces on both sides of it.
    """

    form: ExactForm
    on: Segment
    error: fmpq
    left: fmpq
    right: fmpq
    before: int
    after: int

    @property
    def pieces(self) -> int:
        """All together."""
        return self.before + 1 + self.after

    def function(self) -> PiecewiseAffine:
        """Knots and values, built when they are asked for."""
        shift = self.error if self.form.alpha > 0 else -self.error
        knots = [
            *_evenly(self.on.start, self.left, self.before)[:-1],
            max(self.left, self.on.start),
            min(self.right, self.on.stop),
            *_evenly(self.right, self.on.stop, self.after)[1:],
        ]
        inside = [self.left <= x <= self.right for x in knots]
        values = [
            _at(self.form, self.right if flat else x) - shift
            for x, flat in zip(knots, inside, strict=True)
        ]
        return PiecewiseAffine.through(exact_column(knots), exact_column(values))


def _with_flat_piece(form: ExactForm, on: Segment, accuracy: fmpq) -> _FlatPiece | None:
    """None where a flat piece costs a piece more, or the vertex is too far away.

    Of all that have as few pieces, one whose error is near the least.
    """
    square = 8 * accuracy / abs(form.alpha)
    widest = perfect_sqrt(square) or 1 / sqrt_upper(1 / square)
    best = _of_length(form, on, widest)
    most = least_pieces(accuracy / (abs(form.alpha) * on.length**2), "linf")
    if best is None or not 2 <= best.pieces <= most:
        return None
    low, high = fmpq(0), fmpq(1)
    for _ in range(SHORTENED):
        share = (low + high) / 2
        found = _of_length(form, on, share * widest)
        if found is not None and found.pieces <= best.pieces:
            best, high = found, share
        else:
            low = share
    return best


def _of_length(form: ExactForm, on: Segment, h: fmpq) -> _FlatPiece | None:
    """Pieces of at most this length; None if the flat one misses the interval."""
    vertex = -form.beta / (2 * form.alpha)
    left, right = vertex - h / 2, vertex + h / 2
    if right <= on.start or left >= on.stop:
        return None
    before, after = _count(left - on.start, h), _count(on.stop - right, h)
    error = abs(form.alpha) * h * h / 8
    return _FlatPiece(form, on, error, left, right, before, after)


def _count(length: fmpq, h: fmpq) -> int:
    """Pieces of at most h in a length; 0 if there is none."""
    return max(0, int((length / h).ceil()))


def _evenly(start: fmpq, stop: fmpq, count: int) -> list[fmpq]:
    """Points from start to stop, in so many steps; none in no steps."""
    if not count:
        return []
    return [start + (stop - start) * k / count for k in range(count + 1)]


def _at(form: ExactForm, x: fmpq) -> fmpq:
    return form.gamma + x * (form.beta + x * form.alpha)


def _root(rate: fmpq, norm: str) -> fmpq:
    return sqrt_upper(rate) if norm == "l2" else rate


def least_pieces(accuracy: fmpq, norm: str) -> int:
    """The least N with which x^2 on [0, 1] can be approximated to this accuracy."""
    if norm == "l2":
        return max(1, ceil_root(RATES[norm] / accuracy**2, 4))
    return max(1, ceil_root(RATES[norm] / accuracy, 2))


def quadratic_widths(bases: Sequence[int]) -> tuple[int, ...]:
    """b_1, then b_j + 1; after the last fold only the sum is carried, by one unit."""
    return (bases[0], *(b + 1 if b > 1 else 1 for b in bases[1:]))


def quadratic_network(
    form: ExactForm, on: Segment, bases: Sequence[int], norm: str = "linf"
) -> Network:
    """The network of `QuadraticByFolds` for given bases b_1 >= b_2 >= ... >= 1.

    With u = (x - A) / l, v_i = relu(b u - i), the zigzag is v_0 - 2 v_1 + 2 v_2 - ...
    and b^2 times the interpolant of u (1 - u) is (b - 1) v_0 - 2 v_1 - 2 v_2 - ... The
    carried sum is N_j^2 times the interpolant of the (shifted) target, so that all
    weights between hidden layers are integers on [0, 1].
    """
    sign = 1 if form.alpha > 0 else -1
    # sign * target = bend u^2 + tilt u + level, in u = (x - A) / l
    a, length = on.start, on.length
    bend = sign * form.alpha * length**2
    tilt = sign * length * (2 * form.alpha * a + form.beta)
    level = sign * (form.gamma + a * (form.beta + a * form.alpha))
    lift = _lift(bend, tilt, level)
    layers, count, b = [], 1, bases[0]
    layers.append(
        _folds(b, np.array([fmpq(b) / length], dtype=object), -b * a / length)
    )
    # the sum over bend: c = u - u (1 - u) + tilt / bend u + (level + lift) / bend
    to_sum = -_bump(b) + np.eye(1, b)[0].astype(int) * (b * (1 + tilt / bend))
    constant = b * b * (level + lift) / bend
    count, to_fold, carried = b, fold_coefficients(b), None
    for b in bases[1:]:
        layers.append(_layer(b, to_fold, to_sum, constant))
        carried = len(layers[-1].bias) - 1
        to_sum = np.full(carried + 1, fmpq(0), dtype=object)
        to_sum[:carried] = -_bump(b) if b > 1 else to_sum[:carried]
        to_sum[carried] = fmpq(b * b)
        constant, count = fmpq(0), count * b
        to_fold = np.append(fold_coefficients(b), 0.0) if b > 1 else np.zeros(1)
    unit = sign * bend / fmpq(count) ** 2
    end = unit * constant - sign * lift - unit * DROPS[norm]
    layers.append(_stored((to_sum * unit)[None, :], np.array([end], dtype=object)))
    return Network(layers)


def _lift(bend: fmpq, tilt: fmpq, level: fmpq) -> fmpq:
    """What to add so that bend u^2 + tilt u + level >= 0 on [0, 1]; bend > 0."""
    least = min(level, level + tilt + bend)
    vertex = -tilt / (2 * bend)
    if 0 < vertex < 1:
        least = level - tilt * tilt / (4 * bend)
    return max(fmpq(0), -least)


def _bump(b: int) -> np.ndarray:
    """On v_i = relu(b u - i): b^2 times the interpolant of u (1 - u) at i / b."""
    c = np.full(b, fmpq(-2), dtype=object)
    c[0] = fmpq(b - 1)
    return c


def _layer(b: int, to_fold: np.ndarray, to_sum: np.ndarray, constant: fmpq) -> Affine:
    """Fold units relu(b y - i), then the unit that carries the sum."""
    carry = Affine(_exact_floats(to_sum)[None, :], _exact_floats(np.array([constant])))
    if b == 1:
        return carry
    folds = _folds(b, np.array([fmpq(int(b * c)) for c in to_fold]), fmpq(0))
    return Affine(
        joined([folds.weight, carry.weight]), joined([folds.bias, carry.bias])
    )


def _folds(b: int, row: np.ndarray, offset: fmpq) -> Affine:
    """Units relu(row h + offset - i), i < b."""
    weight = np.repeat(_exact_floats(row)[None, :], b, axis=0)
    if offset.q == 1 and abs(offset) < 1 << 52:
        return Affine(weight, float(int(offset.p)) - np.arange(b))
    bias = np.array([offset - i for i in range(b)], dtype=object)
    return Affine(weight, _exact_floats(bias))


def _stored(weight: np.ndarray, bias: np.ndarray) -> Affine:
    """As float64 where that loses nothing."""
    return Affine(_exact_floats(weight), _exact_floats(bias))


def _exact_floats(values: np.ndarray) -> np.ndarray:
    return exact_column([fmpq(v) for v in values.ravel().tolist()]).reshape(
        values.shape
    )
