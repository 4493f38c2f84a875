"""No affine piece saves more than 9/32 in mean absolute error, and 9/32 is attained.

The proof is docs/proofs/sawtooth-savings.md: this file runs the branch and bound of
steps 5 and 8, with the bound of step 7 near the maximiser, and checks step 4.
"""

from functools import partial

from flint import fmpq

from support.sawtooth_savings._dual import (
    GRID,
    centred_floats,
    dual_saving_bound,
    nearly_best_line,
    proposed_sign,
    rounded,
)
from support.sawtooth_savings._pieces import Piece, saving_l1
from support.sawtooth_savings._report import ProofReport, Refusal
from support.sawtooth_savings._search import LONG, Box, cells, search

L1_CONSTANT = fmpq(9, 32)


def l1_box_bound(box: Box) -> fmpq:
    """No interval in the box saves more: step 8."""
    if box.shortest <= 0:
        return box.longest / 4
    sign = proposed_sign(box.s1, box.e0)
    excess = (box.longest - box.shortest) / 4
    return excess + dual_saving_bound(box.s1, box.e0, sign)


def near_maximiser_bound(box: Box) -> fmpq | None:
    """Step 7 on a whole box, or None where its hypothesis may fail."""
    x0, x1, y0, y1 = 1 - box.s1, 1 - box.s0, box.e0 - 2, box.e1 - 2
    skew = max(x1 - y0, y1 - x0)
    if x0 < 0 or y0 < 0 or 2 * x1 * (1 + x1) + 2 * y1 * (1 + y1) + skew**2 > 1:
        return None
    eighth = fmpq(1, 8)
    away = (max(z0 - eighth, eighth - z1, fmpq(0)) for z0, z1 in ((x0, x1), (y0, y1)))
    return L1_CONSTANT - sum((z * z for z in away), fmpq(0))


def good_saving_l1(start: fmpq, end: fmpq) -> fmpq:
    """The exact saving of a nearly best piece, or of the integral one nearest to it.

    Integral lines follow the sides of the teeth, as the maximiser does.
    """
    if end <= start:
        return fmpq(0)
    a, b = nearly_best_line(centred_floats(start, end))
    intercept = a - b * float(start + end) / 2 + 0.5
    return max(
        saving_l1(start, end - start, rounded(b, grid), rounded(intercept, grid))
        for grid in (1, GRID)
    )


def prove_l1_constant(
    constant: fmpq = L1_CONSTANT, *, max_depth: int = 24, max_boxes: int = 2000
) -> ProofReport | Refusal:
    """Prove that no affine piece saves more than `constant` in mean absolute error.

    A `Refusal` is a counterexample or a limit met: `max_depth` bisections of one box,
    or `max_boxes` open boxes.

    Raises:
        ValueError: `max_depth` > 28, where boxes are finer than the dual signs.
    """
    if max_depth > 28:
        raise ValueError(f"max_depth is {max_depth}; use at most 28")
    prove = partial(
        search,
        is_refuted=lambda box: good_saving_l1(*box.centre) > constant,
        max_depth=max_depth,
        max_boxes=max_boxes,
    )
    zero, two, three, four = map(fmpq, (0, 2, 3, 4))
    short = prove(cells(), lambda box: _is_proved(box, constant))
    if short.failed is not None:
        return _refusal(constant, short.failed, "a box could not be closed")
    anchors = [Box(zero, zero, two, three), Box(zero, zero, three, four)]
    anchored = prove(anchors, lambda box: _is_proved(box, constant / 2))
    if anchored.failed is not None or _full_period_saving() > 0:
        failed = anchored.failed or anchors[0]
        return _refusal(constant, failed, "long intervals were not excluded")
    return ProofReport(
        constant,
        short.boxes + anchored.boxes,
        max(short.depth, anchored.depth),
        (
            "a full period from an integer saves nothing (exact dual sign)",
            f"[0, u] with u >= 2 saves <= {constant / 2} ({anchored.boxes} boxes)",
            f"intervals of length >= {LONG} split at an integer into two such",
            f"intervals of length <= {4 * constant} save <= length/4",
            "near the maximiser savings are <= 9/32 minus a square (explicit sign)",
            f"all others: {short.boxes} boxes with exact rational dual signs",
        ),
    )


def _is_proved(box: Box, constant: fmpq) -> bool:
    if box.longest <= 4 * constant or box.shortest >= LONG:
        return True
    sharp = near_maximiser_bound(box)
    if sharp is not None and sharp <= constant:
        return True
    return l1_box_bound(box) <= constant


def _full_period_saving() -> fmpq:
    """Step 4: the bound for [0, 2] with the square wave as dual sign."""
    half = fmpq(1, 2)
    ends = zip((-1, 1, 1, -1), range(4), strict=True)
    sign = [
        Piece(n * half, (n + 1) * half, fmpq(value), fmpq(value)) for value, n in ends
    ]
    return dual_saving_bound(fmpq(0), fmpq(2), sign)


def _refusal(constant: fmpq, box: Box, reason: str) -> Refusal:
    start, end = box.centre
    saving = good_saving_l1(start, end)
    return Refusal(constant, start, max(end - start, fmpq(0)), saving, reason)
