"""Width against depth: what is proven, what is certified, and the gap between."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep.claims import Upper
from depthsep.evidence import Inapplicable, log2
from depthsep.reports.figures import _canvas as canvas
from depthsep.reports.figures._levels import is_open, labelled, level, steps, width
from depthsep.reports.words._bases import has_unchecked
from depthsep.reports.words._classes import WITHOUT_SKIPS
from depthsep.reports.words._numbers import compact
from depthsep.reports.words._problem import (
    NOT_CONFIRMED,
    depths_words,
    headline,
    raised,
    shortened,
)
from depthsep.separation import Row, Separation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_MARKS = 24
MOST_TICKS = 9
TICK_STEPS = (1, 2, 5, *(10**k for k in range(1, 9)))
END_WORDS = {
    "certified": ("certified", "this width is enough"),
    "proven": ("proven", "no smaller width is enough"),
}


def separation_figure(separation: Separation) -> "Figure":
    """Certified and proven width against depth, on a log2 axis, the gap shaded.

    Filled marks were examined; hollow ones rest on their theorem.
    """
    with canvas.styled():
        figure = canvas.new_figure(7.2, 4.2)
        axes = figure.add_subplot()
        rows = sorted(separation, key=lambda row: row.depth)
        _shade(axes, rows)
        _curve(axes, rows, "proven", canvas.PROVEN)
        _curve(axes, rows, "certified", canvas.CERTIFIED)
        _learned(axes, rows)
        _frame(axes, rows)
        if not any(width(row, side) for row in rows for side in END_WORDS):
            axes.text(
                0.5, 0.5, "nothing to draw", transform=axes.transAxes, ha="center"
            )
        _name_ends(axes, rows)
        title = f"Width at each depth: {raised(headline(separation.problem, 62))}"
        canvas.headings(axes, title, _remark(separation))
        return figure


def _shade(axes: "Axes", rows: list[Row]) -> None:
    low, edges = steps(rows, "proven")
    high, _ = steps(rows, "certified")
    both = np.isfinite(low) & np.isfinite(high)
    if both.any():
        bottom, top = np.where(both, low, np.nan), np.where(both, high, np.nan)
        axes.stairs(top, edges, baseline=bottom, fill=True, color=canvas.GAP, lw=0)


def _curve(axes: "Axes", rows: list[Row], side: str, color: str) -> None:
    levels, edges = steps(rows, side)
    axes.plot(np.repeat(edges, 2)[1:-1], np.repeat(levels, 2), color=color, lw=1.6)
    up = side == "certified"
    for row in rows:
        if width(row, side) is None:
            continue
        hollow = isinstance(row.upper, Upper) and not row.upper.checked and up
        axes.plot(
            row.depth,
            level(row, side),
            marker="o" if up else "^",
            ms=6 if len(rows) <= MOST_MARKS else 3,
            color=color,
            mfc=canvas.PAPER if hollow else color,
        )
    for row in labelled(rows):
        _label(axes, row, side, color)


def _label(axes: "Axes", row: Row, side: str, color: str) -> None:
    found, up = width(row, side), side == "certified"
    if found is None:
        return
    axes.annotate(
        _math(compact(found, upward=up)),
        (row.depth, level(row, side)),
        (0, 7 if up else -7),
        textcoords="offset points",
        ha="center",
        va="bottom" if up else "top",
        color=color,
        fontsize=8,
    )


def _learned(axes: "Axes", rows: list[Row]) -> None:
    found = [(r.depth, log2(r.learned.width)) for r in _met(rows) if r.learned]
    if found:
        axes.plot(*zip(*found, strict=True), "x", color=canvas.LEARNED, ms=6, mew=1.6)


def _met(rows: list[Row]) -> list[Row]:
    """Rows in which training met the accuracy."""
    return [r for r in rows if r.learned and r.learned.met]


def _math(written: str) -> str:
    """``2^60`` with a raised exponent; anything else as it is."""
    base, caret, exponent = written.partition("^")
    return f"${base}^{{{exponent}}}$" if caret else written


def _frame(axes: "Axes", rows: list[Row]) -> None:
    levels = [level(r, side) for r in rows for side in END_WORDS]
    levels += [log2(r.learned.width) for r in _met(rows) if r.learned]
    known = [v for v in levels if np.isfinite(v)] or [0.0, 1.0]
    low, high = min(known), max(known)
    room = max(0.12 * (high - low), 0.6)
    axes.set_ylim(low - room, high + room)
    step = next(s for s in TICK_STEPS if high - low <= s * MOST_TICKS)
    ticks = [k for k in range(0, int(high + room) + 1, step) if k >= low - room]
    written = [f"2^{k}" if high > 14 else str(1 << k) for k in ticks]
    axes.set_yticks(ticks, [_math(label) for label in written])
    axes.grid(axis="y", color=canvas.RULE, lw=0.6)
    axes.set_axisbelow(True)
    depths = [r.depth for r in rows]
    span = depths[-1] - depths[0] + 1
    axes.set_xlim(depths[0] - 0.5 - 0.03 * span, depths[-1] + 0.6 + 0.32 * span)
    axes.set_xticks([row.depth for row in labelled(rows)])
    axes.set_xlabel("depth (affine layers; hidden layers + 1)", loc="left")
    axes.set_ylabel("width (units of the widest hidden layer)")


def _name_ends(axes: "Axes", rows: list[Row]) -> None:
    """Names at the right ends of the curves, pushed apart where these meet."""
    ends = {}
    for side in END_WORDS:
        last = [level(r, side) for r in rows if width(r, side) is not None]
        if last:
            ends[side] = last[-1]
    low, high = axes.get_ylim()
    apart = 0.14 * (high - low)
    if len(ends) == 2 and ends["certified"] - ends["proven"] < apart:
        middle = sum(ends.values()) / 2
        ends = {"certified": middle + apart / 2, "proven": middle - apart / 2}
    colors = {"certified": canvas.CERTIFIED, "proven": canvas.PROVEN}
    for side, height in ends.items():
        name, meaning = END_WORDS[side]
        place = min(max(height, low + apart / 2), high - apart / 2)
        axes.annotate(
            f"{name}\n{meaning}",
            (rows[-1].depth + 0.5, place),
            (6, 0),
            textcoords="offset points",
            color=colors[side],
            va="center",
            fontsize=8,
        )


def _remark(separation: Separation) -> str:
    parts = []
    if any(is_open(row) for row in separation):
        parts.append("shaded: widths neither ruled out nor reached")
    plain = tuple(row.depth for row in separation if row.is_without_skips)
    if plain:
        parts.append(
            f"at {depths_words(plain)}, proven only for networks {WITHOUT_SKIPS}"
        )
    if has_unchecked(separation):
        parts.append(f"hollow: {NOT_CONFIRMED}")
    if _met(list(separation)):
        parts.append("crosses: widths found by training, without a proof")
    first = separation.rows[0]
    for side, record in (("proven", first.lower), ("certified", first.upper)):
        if any(width(row, side) is not None for row in separation):
            continue
        if isinstance(record, Inapplicable):
            reason = record.main[0]
            parts.append(f"no {side} width: {shortened(reason, 80)}")
        else:
            parts.append(f"{side} width: 0")
    return "\n".join(parts) if len(" ".join(parts)) > 90 else "; ".join(parts)
