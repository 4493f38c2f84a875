"""No affine piece saves more than 13/120 in mean square error.

The proof is docs/proofs/sawtooth-savings.md: the closed form of step 9 is bounded on
boxes in mean value form (step 12), in ball arithmetic; step 11 excludes the rest.
"""

from math import floor
from typing import NamedTuple

from flint import arb, ctx, fmpq

from support.sawtooth_savings._pieces import (
    best_saving_l2,
    primitives,
    square_saving,
    wave_moments,
)
from support.sawtooth_savings._report import ProofReport, Refusal
from support.sawtooth_savings._search import LONG, Box, cells, search

L2_CONSTANT = fmpq(13, 120)


class Fit(NamedTuple):
    """The best line on [s, e]: mean a, slope b, and phi minus it at the ends."""

    length: arb
    a: arb
    b: arb
    phi_s: arb
    phi_e: arb
    miss_s: arb
    miss_e: arb


def fit(box: Box) -> Fit:
    """Enclosures over all intervals in a box without integers inside its sides."""
    n_s, n_e = floor(box.s0), floor(box.e0)
    s, e = arb(box.s0).union(arb(box.s1)), arb(box.e0).union(arb(box.e1))
    m0, m1 = wave_moments(s, e, n_s, n_e)
    length = e - s
    a, b = m0 / length, 12 * m1 / length**3
    phi_s, phi_e = primitives(s, n_s)[0], primitives(e, n_e)[0]
    tilt = b * length / 2
    return Fit(length, a, b, phi_s, phi_e, phi_s - a + tilt, phi_e - a - tilt)


def l2_box_bound(box: Box) -> arb:
    """A ball above which no interval in the box saves: step 12."""
    s, e = box.centre
    best = fit(box)
    slope_s, slope_e = best.miss_s**2 - fmpq(1, 12), fmpq(1, 12) - best.miss_e**2
    rise = abs(slope_s) * (box.s1 - box.s0) + abs(slope_e) * (box.e1 - box.e0)
    return square_saving(arb(s), arb(e), floor(box.s0), floor(box.e0)) + rise / 2


def is_l2_proved(box: Box, constant: fmpq) -> bool:
    """Whether step 10, 11 or 12 bounds the box; step 11 is for the caller to check."""
    if box.longest <= 12 * constant or box.shortest >= LONG:
        return True
    return box.shortest > 0 and bool(l2_box_bound(box) <= constant)


def centre_saving_l2(box: Box) -> fmpq:
    """The best saving on the interval in the middle of a box, exactly."""
    start, end = box.centre
    return best_saving_l2(start, end - start) if end > start else fmpq(0)


def long_l2_bound() -> fmpq:
    """Step 11, at length LONG."""
    moment = fmpq(LONG, 8) + fmpq(1, 12)
    return fmpq(13, 400) + fmpq(1, 16 * LONG) + 12 * moment**2 / fmpq(LONG) ** 3


def prove_l2_constant(
    constant: fmpq = L2_CONSTANT, *, max_depth: int = 60, max_boxes: int = 2000
) -> ProofReport | Refusal:
    """Prove that no affine piece saves more than `constant` in mean square error.

    As `prove_l1_constant`. Constants much nearer to the supremum pass too.
    """
    with ctx.workprec(128):
        short = search(
            cells(),
            lambda box: is_l2_proved(box, constant),
            lambda box: centre_saving_l2(box) > constant,
            max_depth=max_depth,
            max_boxes=max_boxes,
        )
    if short.failed is not None:
        return l2_refusal(constant, short.failed, "a box could not be closed")
    if long_l2_bound() > constant:
        return l2_refusal(constant, cells()[-1], "long intervals were not excluded")
    return ProofReport(
        constant,
        short.boxes,
        short.depth,
        (
            f"intervals of length <= {12 * constant} save <= length/12",
            f"intervals of length >= {LONG} save <= {long_l2_bound()}",
            f"all others: {short.boxes} boxes, mean value form in balls",
        ),
    )


def l2_refusal(constant: fmpq, box: Box, reason: str) -> Refusal:
    """No proof, with what the interval in the middle of the box saves."""
    start, end = box.centre
    length = max(end - start, fmpq(0))
    return Refusal(constant, start, length, centre_saving_l2(box), reason)
