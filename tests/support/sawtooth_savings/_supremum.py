"""The largest mean square saving in closed form, and where it is attained.

Steps 13 to 15 of docs/proofs/sawtooth-savings.md: the saving is strictly concave near
its only critical point there, and smaller everywhere else.
"""

from functools import partial
from math import floor

from flint import arb, ctx, fmpq

from support.sawtooth_savings._l2 import (
    centre_saving_l2,
    fit,
    is_l2_proved,
    l2_refusal,
    long_l2_bound,
)
from support.sawtooth_savings._report import ProofReport, Refusal
from support.sawtooth_savings._search import Box, cells, search


def l2_hessian(box: Box) -> tuple[arb, arb, arb]:
    """The saving's second derivatives ss, se, ee over a box: step 13."""
    length, a, b, phi_s, phi_e, miss_s, miss_e = fit(box)
    rise_s, rise_e = (1 - 2 * int(floor(t) % 2) for t in (box.s0, box.e0))
    quarter = b * length / 4
    ss = 2 * miss_s * (rise_s + 4 / length * (phi_s - a + quarter))
    ee = -2 * miss_e * (rise_e - 4 / length * (phi_e - a - quarter))
    return ss, 4 * miss_s * miss_e / length, ee


def _is_concave(box: Box) -> bool:
    """Whether the Hessian is negative definite all over a box."""
    ss, se, ee = l2_hessian(box)
    return bool(ss < 0) and bool(ee < 0) and bool(ss * ee > se * se)


def l2_supremum() -> arb:
    r"""$2/3 - (2/9)(5 - \sqrt3)\sqrt{(3 + \sqrt3)/8}$, at the current precision."""
    root = arb(3).sqrt()
    return fmpq(2, 3) - fmpq(2, 9) * (5 - root) * ((3 + root) / 8).sqrt()


def prove_l2_supremum(
    *, max_depth: int = 24, max_boxes: int = 2000
) -> ProofReport | Refusal:
    """Prove that the largest mean square saving is `l2_supremum()`, and where.

    The report's `constant` is a rational just above. The interval is unique up to
    the symmetries of f: half-length sqrt((3 + sqrt 3)/8) about the middle of a side.
    """
    low, high = fmpq(11, 16), fmpq(25, 32)
    near = Box(low, high, 3 - high, 3 - low)
    limit, above = fmpq(1081, 10**4), fmpq(10814183281413, 10**14)

    def is_inside(box: Box) -> bool:
        starts = near.s0 <= box.s0 and box.s1 <= near.s1
        return starts and near.e0 <= box.e0 and box.e1 <= near.e1

    with ctx.workprec(128):
        start = fmpq(3, 2) - ((3 + arb(3).sqrt()) / 8).sqrt()
        placed = bool(low < start < high) and bool(limit < l2_supremum() < above)
        prove = partial(search, max_depth=max_depth, max_boxes=max_boxes)
        top = prove([near], _is_concave, lambda box: False)
        rest = prove(
            cells(),
            lambda box: is_inside(box) or is_l2_proved(box, limit),
            lambda box: centre_saving_l2(box) > above,
        )
    failed = top.failed or rest.failed
    if failed is not None or not placed or long_l2_bound() > limit:
        return l2_refusal(above, failed or near, "the supremum was not isolated")
    return ProofReport(
        above,
        top.boxes + rest.boxes,
        max(top.depth, rest.depth),
        (
            f"saving <= {limit} outside starts [{low}, {high}] and their mirror images",
            f"strictly concave inside ({top.boxes} boxes), critical at 3/2 -+ h",
            "h^2 = (3 + sqrt 3)/8, the saving there 2/3 - h/3 - 1/(4h) + 1/(96h^3)",
        ),
    )
