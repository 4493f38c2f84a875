"""Weak duality: floats propose a dual sign, rationals bound the saving with it.

Steps 3 and 8 of docs/proofs/sawtooth-savings.md: any function with values in [-1, 1]
bounds the mean absolute saving of every affine piece, so nothing rests on how good
the proposal is.
"""

from collections.abc import Sequence
from math import floor

from flint import fmpq

from support.sawtooth_savings._pieces import (
    Piece,
    inner,
    phi,
    projection,
    wave,
    wave_moments,
)

GRID = 1 << 30  # what floats propose is rounded to multiples of 1/GRID
_SMOOTHING = 1 / 16  # a sign is proposed as clip(residual / _SMOOTHING)


def dual_saving_bound(start: fmpq, end: fmpq, sign: Sequence[Piece]) -> fmpq:
    r"""An upper bound for `saving_l1` over [start, end], whatever the affine piece.

    `sign` is any function with values in $[-1, 1]$, affine between its knots. It
    need not be orthogonal to affine functions: its projection is subtracted and the
    rest rescaled (step 3). Exact.

    Raises:
        ValueError: `sign` does not tile [start, end], has a piece with an integer
            inside, or leaves $[-1, 1]$.
    """
    _check_sign(start, end, sign)
    length, middle = end - start, (start + end) / 2
    a, b = projection(sign, middle, length)
    m0, m1 = wave_moments(start, end, floor(start), floor(end))
    products = (inner(t1 - t0, u0, u1, phi(t0), phi(t1)) for t0, t1, u0, u1 in sign)
    loss = (sum(products, fmpq(0)) - a * m0 - b * m1) / (
        1 + abs(a) + abs(b) * length / 2
    )
    return length / 4 - max(loss, fmpq(0))


def _check_sign(start: fmpq, end: fmpq, sign: Sequence[Piece]) -> None:
    t = start
    for t0, t1, u0, u1 in sign:
        if t0 != t or t1 <= t0 or t1 > floor(t0) + 1:
            raise ValueError(f"a piece [{t0}, {t1}] of the sign is out of place")
        if abs(u0) > 1 or abs(u1) > 1:
            raise ValueError(f"the sign takes the values {u0}, {u1} outside [-1, 1]")
        t = t1
    if t != end:
        raise ValueError(f"the sign ends at {t}, not at {end}")


def rounded(value: float, grid: int = GRID) -> fmpq:
    """The multiple of 1/`grid` nearest to a float."""
    return fmpq(round(value * grid), grid)


def centred_floats(start: fmpq, end: fmpq) -> list:
    """phi on [start, end] in floats, with t counted from the middle."""
    middle = (start + end) / 2
    return [
        (float(t0 - middle), float(t1 - middle), float(v0), float(v1))
        for t0, t1, v0, v1 in wave(start, end)
    ]


def _clipped(floats: list, a: float, b: float) -> list:
    """clip((phi - a - b t)/smoothing, -1, 1), cut where it bends."""
    pieces = []
    for t0, t1, v0, v1 in floats:
        r0, r1 = (v0 - a - b * t0) / _SMOOTHING, (v1 - a - b * t1) / _SMOOTHING
        ws = [(k - r0) / (r1 - r0) for k in (-1, 1) if (r0 - k) * (r1 - k) < 0]
        ws = [0.0, *sorted(ws), 1.0]
        ts = [t0 + w * (t1 - t0) for w in ws]
        us = [max(-1.0, min(1.0, r0 + w * (r1 - r0))) for w in ws]
        pieces += zip(ts, ts[1:], us, us[1:], strict=False)
    return pieces


def nearly_best_line(floats: list) -> tuple[float, float]:
    """(a, b) with a nearly least mean absolute error of phi - a - b t.

    Gradient descent on the loss smoothed near 0, whose gradient is minus the clipped
    residual: in the L2 metric its Lipschitz constant is 1/smoothing, so that
    smoothing times the projection is a step that always descends.
    """
    a = b = 0.0
    length = floats[-1][1] - floats[0][0]
    for _ in range(50):
        da, db = projection(_clipped(floats, a, b), 0.0, length)
        a, b = a + _SMOOTHING * da, b + _SMOOTHING * db
    return a, b


def proposed_sign(start: fmpq, end: fmpq) -> list[Piece]:
    """A sign for `dual_saving_bound`, the better the nearer to the best.

    Rounding moves neither the integers nor `start` and `end`, which are multiples of
    2/GRID.
    """
    floats = centred_floats(start, end)
    middle = (start + end) / 2
    pieces = [
        Piece(rounded(t0) + middle, rounded(t1) + middle, rounded(u0), rounded(u1))
        for t0, t1, u0, u1 in _clipped(floats, *nearly_best_line(floats))
    ]
    return [piece for piece in pieces if piece.left < piece.right]
