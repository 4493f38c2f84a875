"""How close the two sides of a table are: a ratio for each row, and one sentence."""

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, plain
from depthsep.reports.words._classes import WITHOUT_SKIPS
from depthsep.reports.words._numbers import compact
from depthsep.reports.words._problem import depths_words
from depthsep.separation import Row, Separation


def ratio_words(row: Row) -> str:
    """The certified width over the proven one, rounded up; "-" without both."""
    return "-" if row.ratio is None else plain(decimal(row.ratio, 3, upward=True))


def tightness(separation: Separation) -> str:
    """Where the certified width is the least possible, and where it is farthest off.

    Empty if no row has both sides.
    """
    ratios = {row.depth: row.ratio for row in separation if row.ratio is not None}
    met = tuple(depth for depth, ratio in ratios.items() if ratio == 1)
    rest = tuple(depth for depth in ratios if depth not in met)
    parts: list[str] = []
    for without, how in ((False, ""), (True, f" {WITHOUT_SKIPS}")):
        at = tuple(d for d in met if separation[d].is_without_skips == without)
        if at:
            subject = "it is" if parts else "the certified width is"
            parts.append(f"at {depths_words(at)} {subject} the least possible{how}")
    if rest:
        row = separation[max(rest, key=lambda depth: ratios[depth])]
        subject = "it is" if met else "the certified width is"
        parts.append(
            f"at {depths_words(rest)} {subject} at most {ratio_words(row)} times the "
            f"proven one ({_width(row.upper, upward=True)} against "
            f"{_width(row.lower, upward=False)} at depth {row.depth})"
        )
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _width(side: Upper | Lower | Inapplicable, *, upward: bool) -> str:
    assert not isinstance(side, Inapplicable)
    return compact(side.width, upward=upward)
