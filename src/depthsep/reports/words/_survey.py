"""What a survey found, in words and numbers, for the terminal and the page."""

from flint import fmpq

from depthsep._plural import plural
from depthsep.analysis import LineSurvey, RegionSurvey, UnitStates
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import nearest_float, readable
from depthsep.networks import Size

Rows = list[tuple[str, str]]
PLAIN_BELOW = 10**30


def number(n: int | None) -> str:
    """All digits where they are few, else about how large; none of what is missing."""
    if n is None:
        return "none"
    return str(n) if n < PLAIN_BELOW else readable(fmpq(n))


def size_rows(size: Size) -> Rows:
    """Depth, widths, units, weights."""
    widths = ", ".join(map(str, size.widths[:16])) + (", ..." * (len(size.widths) > 16))
    return [
        ("depth", f"{size.depth} ({size.depth - 1} hidden layers)"),
        ("widths", widths or "none"),
        ("units", str(size.units)),
        ("nonzero weights", str(size.weights)),
        ("largest weight", f"{nearest_float(size.largest_weight):.6g}"),
        ("bits of a weight", f"up to {size.bits}"),
    ]


def region_rows(part: RegionSurvey, level: fmpq) -> Rows:
    """Counts, bounds, parts above and below, integrals."""
    if part.subdivision is None:
        more = (
            f"more than {part.more_than} (exact)" if part.more_than else "not counted"
        )
        return [
            ("activation regions", more),
            ("at most, any weights", f"{number(part.most)} (cited)"),
            *(("left out", f"the count: {why}") for why in part.missing),
        ]
    counts = part.subdivision.counts
    rows = [("activation regions", f"{len(part.subdivision)} (exact)")]
    if part.affine_regions is not None:
        rows += [
            ("affine regions", f"{part.affine_regions} (exact)"),
            ("distinct maps", f"{part.distinct_maps} (exact)"),
        ]
    rows += [
        ("vertices, edges", f"{counts.vertices}, {counts.edges} (exact)"),
        ("at most, any weights", f"{number(part.most)} (cited)"),
    ]
    if part.reached is not None:
        rows.append(("some weights reach", f"{number(part.reached)} (cited)"))
    if part.boundary is not None:
        named = f"{part.boundary.above} above, {part.boundary.below} below"
        rows.append((f"parts by level {readable(level)}", f"{named} (exact)"))
    if part.integrals is not None:
        sums = part.integrals
        for name, value in (
            ("integral", sums.integral),
            ("integral of |f|", sums.absolute),
            ("integral of f^2", sums.square),
        ):
            rows.append((name, distance_words(value)))
        rows.append(("largest |f|", f"{readable(sums.largest)} (exact)"))
    return [*rows, *(("left out", why) for why in part.missing)]


def lines_words(lines: LineSurvey) -> str:
    """``100 random lines``, or how many of them the time was enough for."""
    asked = plural(lines.asked, "random line")
    count = len(lines.counts)
    return asked if count == lines.asked else f"{count} of {asked} (--seconds)"


def quantile_rows(lines: LineSurvey) -> list[list[str]]:
    """A head and a row for pieces and for crossings; nothing without lines."""
    if not lines.counts:
        return []
    rows = [["", "least", "10 %", "median", "90 %", "most"]]
    for name in ("pieces", "crossings"):
        shown = {"crossings": "crossing number"}.get(name, name)
        rows.append([shown, *(f"{q:g}" for q in lines.quantiles(name))])
    return rows


def unit_rows(units: UnitStates) -> Rows:
    """Dead and linear units, layer by layer."""
    exact = units.rigour is Rigour.EXACT
    how = "all regions, exact" if exact else "interval bounds: at least"
    rows = [
        ("dead", f"{_layers(units.dead)} ({how})"),
        ("never bend", f"{_layers(units.linear)} ({how})"),
    ]
    if any(units.unseen):
        rows.append(("never seen on", f"{_layers(units.unseen)} (sampled)"))
    return rows


def distance_words(distance: Enclosure) -> str:
    """The number with the digits that are known, and its rigour."""
    return f"{distance} ({distance.rigour})"


def _layers(counts: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, counts[:16])) + (", ..." * (len(counts) > 16))
    return str(sum(counts)) if len(counts) < 2 else f"{sum(counts)} ({shown} by layer)"
