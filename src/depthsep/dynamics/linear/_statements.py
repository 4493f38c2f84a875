"""Statements about deep linear networks, for the catalogue."""

from typing import cast

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers
from depthsep.dynamics.linear._deep_linear import (
    Gradient,
    Overparametrised,
    momentum_form,
    overparametrised_step,
)
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    enclosure,
    proved,
)

Point = tuple[fmpq, ...]
PRECISION = 96
DEPTH = Parameter("depth", "integer", "N, the number of layers", "3", most=10**6)
DECAY = Parameter("decay", "rational", "lambda, the weight decay", "0", least=0)
FIRST = Parameter("first", "point", "w_1, the first factor")
SECOND = Parameter("second", "rational", "w_2, the second factor", "1/2")
RATE = Parameter("rate", "rational", "eta, the learning rate", "1/8")
ZERO = fmpq(0)
MOST_STEPS = 8  # the fractions have 3^steps times the digits


def _check_as_long(name: str, first: Point, gradient: Point) -> None:
    if len(first) != len(gradient):
        raise HypothesisError(
            f"{name} and the gradient have {len(first)} and "
            f"{len(gradient)} entries; these numbers must agree"
        )


def _start(
    first: Point, second: fmpq, gradient: Point
) -> tuple[Overparametrised, Gradient]:
    """The factors and the gradient, with exact entries."""
    _check_as_long("w_1", first, gradient)
    constant = np.array(gradient, dtype=object)
    return Overparametrised(
        np.array(first, dtype=object), cast(Numbers, second)
    ), lambda _: constant


def _product_step(first: Point, second: fmpq, gradient: Point, rate: fmpq) -> Value:
    moved = overparametrised_step(*_start(first, second, gradient), cast(float, rate))
    return Value(", ".join(map(str, moved.product)), Rigour.EXACT)


def _momentum(
    first: Point, second: fmpq, gradient: Point, rate: fmpq, steps: int
) -> Value:
    form, _ = momentum_form(*_start(first, second, gradient), cast(float, rate), steps)
    terms = "".join(f" - {c} G_{s}" for s, c in enumerate(form.memory))
    words = f"w({steps}) = {form.start} w(0){terms}".replace("- -", "+ ")
    return Value(words, Rigour.EXACT)


def _power(size: fmpq, above: int, below: int) -> arb:
    """size^(above / below), 1 for above = 0 also at 0."""
    if above == 0:
        return arb(1)
    return arb(0) if size == 0 else arb(size) ** arb(fmpq(above, below))


def _geometric(row: fmpq, column: fmpq, depth: int) -> arb:
    """(column^2 - row^2) / (column^(2/N) - row^(2/N)), N between both where close."""
    share = _power(column, 2, depth) - _power(row, 2, depth)
    if not share.contains(0):
        return (arb(column) ** 2 - arb(row) ** 2) / share
    ends = (depth * _power(size, 2 * depth - 2, depth) for size in (row, column))
    return next(ends).union(next(ends))


def _rescaled(row: fmpq, column: fmpq, depth: int) -> Value:
    with ctx.workprec(PRECISION):
        if row == column:
            found = depth * _power(row, 2 * depth - 2, depth)
        elif depth == 1:
            found = arb(1)
        else:  # a geometric sum
            found = _geometric(row, column, depth)
        return Value(enclosure(found), Rigour.ENCLOSED)


def _vector_rule(w: Point, gradient: Point, depth: int, decay: fmpq) -> Value:
    _check_as_long("w", w, gradient)
    square = sum((x * x for x in w), ZERO)
    inner = sum((x * g for x, g in zip(w, gradient, strict=True)), ZERO)
    along = inner / square if square else ZERO
    moved = []
    with ctx.workprec(PRECISION):
        size = _power(square, depth - 1, depth)
        for x, g in zip(w, gradient, strict=True):
            speed = -size * (g + (depth - 1) * along * x) - depth * decay * x
            moved.append(str(enclosure(speed)))
    return Value("; ".join(moved), Rigour.ENCLOSED)


def _imbalance(decay: fmpq, time: fmpq) -> Value:
    with ctx.workprec(PRECISION):
        return Value(enclosure((-2 * arb(decay) * arb(time)).exp()), Rigour.ENCLOSED)


LINEAR_STATEMENTS: tuple[Statement, ...] = (
    Statement(
        "overparametrised-step",
        "The product w = w_2 w_1 after one gradient step on both factors",
        (
            (
                "w is the product w_2 w_1; the formula, though not the "
                "step itself, needs w_2 != 0"
            ),
        ),
        Source("arora2018", "the step of the overparametrised scalar"),
        (
            FIRST,
            SECOND,
            Parameter("gradient", "point", "G, the gradient of the loss at w_2 w_1"),
            RATE,
        ),
        _product_step,
        errata=(
            "the source drops the last term as O(eta^2); with it the step is exact",
            (
                "in the source, w at t + 1 should be the product of both "
                "factors at t + 1"
            ),
        ),
        tex=(
            r"w - \eta \, w_2^2 \, G - \eta \, \frac{\langle w, G \rangle}{w_2^2} \, w "
            r"+ \eta^2 \langle w, G \rangle \, G"
        ),
        proof=proved("linear-networks"),
    ),
    Statement(
        "momentum-form",
        "Momentum form of gradient descent on a product w_2 w_1",
        (
            "w(t) is the product w_2 w_1 after t steps, and w_2 != 0 at every step",
            "the loss is linear, so that all steps have the same gradient G_s = G",
        ),
        Source("arora2018", "the momentum form of the overparametrised step"),
        (
            FIRST,
            SECOND,
            Parameter("gradient", "point", "G, the gradient"),
            RATE,
            Parameter(
                "steps", "integer", "T, the number of steps", "3", most=MOST_STEPS
            ),
        ),
        _momentum,
        errata=(
            (
                "the source prints no term in w(0); its formula is "
                "exact for w(0) = 0 and nearly so for small w(0)"
            ),
            "the source drops the term eta^2 <w, G> of rho as O(eta^2)",
        ),
        sample="first=1,2 gradient=1,-1",
        tex=(
            r"w(T) = - \sum_{s < T} \rho_s \prod_{s < r < T} (1 - \gamma_r) \, G_s "
            r"+ \prod_{s < T} (1 - \gamma_s) \, w(0), \quad \rho_s = \eta \, w_2^2 - "
            r"\eta^2 \langle w, G \rangle, \quad "
            r"\gamma_s = \eta \, \frac{\langle w, G \rangle}{w_2^2}"
        ),
        proof=proved("linear-networks"),
    ),
    Statement(
        "end-to-end-rule",
        "Factor by which balanced linear layers multiply the part "
        "u_r^T G v_s of the gradient G",
        (
            "W_{j+1}^T W_{j+1} = W_j W_j^T for every j (balanced layers)",
            "W = W_N ... W_1, G is the gradient of the loss at W, and lambda the decay",
            (
                "training is gradient flow; each discrete step of length "
                "eta follows it up to O(eta^2)"
            ),
        ),
        Source("arora2018", "Theorem 1 and Claim 1"),
        (
            Parameter(
                "row",
                "rational",
                "sigma_r, the singular value of W for the left singular vector u_r",
                "2",
                least=0,
            ),
            Parameter(
                "column",
                "rational",
                "sigma_s, the singular value of W for the right singular vector v_s",
                "1",
                least=0,
            ),
            DEPTH,
        ),
        _rescaled,
        errata=(
            (
                "where the source restates the theorem, it leaves out that "
                "the layers have to be balanced"
            ),
            "in the source the sum runs over i, but its exponents have j",
            (
                "a power with exponent 0 has to mean the identity, even "
                "where W is singular"
            ),
        ),
        tex=(
            r"\dot W = -\lambda N W - \sum_{j=1}^N (W W^\top)^{\frac{j-1}{N}} \, G \, "
            r"(W^\top W)^{\frac{N-j}{N}}, \quad \sum_{j=1}^N "
            r"\sigma_r^{2(j-1)/N} \sigma_s^{2(N-j)/N}"
        ),
        proof=proved("linear-networks"),
    ),
    Statement(
        "end-to-end-vector",
        "Gradient flow of balanced linear layers with one output",
        (
            (
                "the layers are balanced (W_{j+1}^T W_{j+1} = W_j W_j^T "
                "for every j) and have one output, and training is "
                "gradient flow"
            ),
            "Pr_w is the orthogonal projection onto w",
        ),
        Source("arora2018", "Claim 2"),
        (
            Parameter("w", "point", "w, the product of all layers"),
            Parameter("gradient", "point", "G, the gradient of the loss at w"),
            DEPTH,
            DECAY,
        ),
        _vector_rule,
        sample="w=3,4 gradient=1,0",
        tex=(
            r"\dot w = -\left\lvert w \right\rvert^{2 - 2/N} \left( G + (N - 1) "
            r"\operatorname{Pr}_w G \right) - \lambda N w"
        ),
        proof=proved("linear-networks"),
    ),
    Statement(
        "balancedness",
        "Decay of the imbalance of linear layers",
        (
            "training is gradient flow with weight decay lambda on every layer",
            "W_1, ..., W_N are the layers",
        ),
        Source("arora2018", "the layers stay balanced"),
        (DECAY, Parameter("time", "rational", "t, the time", "1", least=0)),
        _imbalance,
        sample="decay=1/10",
        tex=(
            r"D_j(t) = e^{-2 \lambda t} D_j(0), \quad "
            r"D_j = W_{j+1}^\top W_{j+1} - W_j W_j^\top"
        ),
        proof=proved("linear-networks"),
    ),
)
