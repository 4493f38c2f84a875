"""The documents and pages that `depthsep inspect` prints."""

from collections.abc import Iterator
from math import isfinite

from depthsep._plural import plural
from depthsep.analysis import (
    Inspection,
    LineSurvey,
    RegionSurvey,
    SampledError,
    Survey,
    UnitStates,
)
from depthsep.analysis.regions import Integrals
from depthsep.cli._echo import echo
from depthsep.cli._progress import Waiting
from depthsep.cli._skips import skips_document, skips_of
from depthsep.evidence import Enclosure
from depthsep.exact import ball_text, nearest_float, text
from depthsep.networks import Network, Size
from depthsep.reports import (
    distance_words,
    lines_words,
    number,
    quantile_rows,
    region_rows,
    unit_rows,
)
from depthsep.separation import json_integer

SHOWN_KNOTS = 10_000
LONGEST = 400  # characters of an exact rational in a document
NAMES = ("least", "10%", "median", "90%", "most")


def inspection_document(
    network: Network, found: Inspection | Survey
) -> dict[str, object]:
    """The document of a network, whatever was inspected."""
    if isinstance(found, Inspection):
        return _line_document(network, found)
    return _survey_document(network, found)


def _line_document(network: Network, found: Inspection) -> dict[str, object]:
    """The document of a network on an interval or a line."""
    return {
        "where": found.where,
        "pieces": _counted(found.pieces),
        "most_pieces": _counted(found.most_pieces),
        "knots": _knots(found),
        "crossings": found.crossings,
        "level": str(found.level),
        **_sums(found.integrals),
        **_size(found.size, network),
        "unit_states": _states(found.units),
        "distance": _distance(found.distance, found.norm),
        "reason": found.reason,
        "rigour": str(found.rigour),
    }


def _survey_document(network: Network, found: Survey) -> dict[str, object]:
    """The document of a network on a box; a slice that was given stands in front."""
    first = found.box_regions
    if first is None and found.is_given:
        first = found.slices[0]
    return {
        "where": str(found.box) if first is None else first.where,
        "box": str(found.box),
        **_size(found.size, network),
        "level": str(found.level),
        "output": found.output + 1,
        **({} if first is None else _regions(first)),
        "lines": _lines(found.lines),
        "slices": [_slice(part) for part in found.slices],
        "unit_states": _states(found.units),
        "distance": _distance(found.distance, found.norm),
        **_sampled(found.sampled),
        "reason": found.reason,
        "rigour": "exact",
    }


class Told:
    """Prints each line about a network as soon as it is known.

    Args:
        waiting: the bar that has to make room for lines; None prints nothing.
    """

    def __init__(self, net: str, network: Network, waiting: Waiting | None) -> None:
        self.net, self.network, self.waiting = net, network, waiting
        self.printed = 0

    def __call__(self, known: Inspection | Survey) -> None:
        if self.waiting is None:
            return
        if isinstance(known, Inspection):
            facts = line_lines(known)
        else:
            facts = survey_lines(known)
        lines = [*_size_lines(self.net, known.size, self.network), *facts]
        with self.waiting.aside():
            for line in lines[self.printed :]:
                echo(line)
        self.printed = len(lines)


def line_lines(known: Inspection) -> Iterator[str]:
    """What is known of a network on an interval or a line."""
    if known.pieces is not None:
        yield (
            f"  {number(known.pieces)} affine pieces on {known.where} "
            f"({known.rigour}); networks of these widths have at most "
            f"{number(known.most_pieces)} pieces"
        )
    if known.crossings is not None:
        yield f"  crossing number of level {known.level}: {known.crossings}"
    if known.units is not None:
        yield from _rows(unit_rows(known.units))
    if known.distance is not None:
        yield f"  {known.norm} distance {distance_words(known.distance)}"
    if known.reason:
        yield f"  {known.reason}"


def survey_lines(known: Survey) -> Iterator[str]:
    """What is known of a network of several inputs, in the order of its facts."""
    if known.lines is not None:
        most = f"each count exact, at most {number(known.lines.most)} pieces"
        seed = known.lines.seed
        yield f"along {lines_words(known.lines)} (seed {seed}; {most}):"
        for row in quantile_rows(known.lines):
            yield f"  {row[0]:<10}" + "".join(f"{cell:>9}" for cell in row[1:])
    parts = [] if known.box_regions is None else [known.box_regions]
    for part in (*known.slices, *parts):
        yield f"output {known.output + 1} on {part.where}:"
        yield from _rows(region_rows(part, known.level))
    if known.units is not None:
        yield f"units on {known.box}:"
        yield from _rows(unit_rows(known.units))
    distance = f"{known.norm} distance of output {known.output + 1}:"
    if known.distance is not None:
        yield f"{distance} {distance_words(known.distance)}"
    if known.sampled is not None:
        yield f"{distance} {known.sampled}"
    if known.reason:
        yield f"left out: {known.reason}"


def _size_lines(net: str, size: Size, network: Network) -> Iterator[str]:
    skips = skips_of(network)
    yield f"{net}: depth {size.depth}, widths {_short(size.widths)}"
    yield (
        f"  {plural(size.units, 'unit')}, {plural(size.weights, 'nonzero weight')} "
        f"({size.distinct} different), "
        f"largest {nearest_float(size.largest_weight):.6g}, up to {size.bits} bits"
    )
    if skips is not None and skips.units < size.units:
        yield (
            f"  {plural(skips.units, 'unit')} would do with skip connections: "
            f"depth {skips.depth}, widths {_short(skips.widths)}"
        )


def _rows(rows: list[tuple[str, str]]) -> Iterator[str]:
    return (f"  {name:<22} {value}" for name, value in rows)


def _short(widths: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, widths[:12]))
    return f"[{shown}{', ...' if len(widths) > 12 else ''}]"


def _size(size: Size, network: Network) -> dict[str, object]:
    return {
        "depth": size.depth,
        "width": size.width,
        "widths": list(size.widths),
        "units": size.units,
        "weights": size.weights,
        "largest_weight": str(size.largest_weight),
        "bits": size.bits,
        "distinct_weights": size.distinct,
        "with_skips": skips_document(skips_of(network)),
    }


def _counted(n: int | None) -> int | str | None:
    return None if n is None else json_integer(n)


def _knots(found: Inspection) -> object:
    if found.function is None:
        return None
    knots = found.function.knots
    if len(knots) > SHOWN_KNOTS:
        return len(knots)
    return [k if isinstance(k, float) else str(k) for k in knots.tolist()]


def _regions(part: RegionSurvey) -> dict[str, object]:
    bounds = {
        "most_regions": json_integer(part.most),
        "reached_regions": None if part.reached is None else json_integer(part.reached),
    }
    if part.subdivision is None:
        left_out = {"more_than": part.more_than, "left_out": list(part.missing)}
        return {"activation_regions": None, **left_out, **bounds}
    counts, edge, sums = part.subdivision.counts, part.boundary, part.integrals
    document: dict[str, object] = {
        "activation_regions": counts.activation_regions,
        "affine_regions": part.affine_regions,
        "distinct_maps": part.distinct_maps,
        "vertices": counts.vertices,
        "edges": counts.edges,
        **bounds,
        **({"left_out": list(part.missing)} if part.missing else {}),
    }
    if edge is not None:
        document |= {"parts_above": edge.above, "parts_below": edge.below}
    return document | _sums(sums)


def _sums(sums: Integrals | None) -> dict[str, object]:
    if sums is None:
        return {}
    return {
        "integral": _number(sums.integral),
        "absolute_integral": _number(sums.absolute),
        "square_integral": _number(sums.square),
        "integral_rigour": _rigour(_number(sums.integral), sums.integral),
    }


def _slice(part: RegionSurvey) -> dict[str, object]:
    corners = part.corners or ()
    points = [[text(x) for x in point] for point in corners]
    return {"where": part.where, "corners": points, **_regions(part)}


def _lines(lines: LineSurvey | None) -> dict[str, object] | None:
    if lines is None:
        return None
    count = {"count": len(lines.counts), "asked": lines.asked}
    document: dict[str, object] = {**count, "seed": lines.seed}
    for name in ("pieces", "crossings") if lines.counts else ():
        quantiles = zip(NAMES, lines.quantiles(name), strict=True)
        document[name] = dict(quantiles)
    return {**document, "most_pieces": json_integer(lines.most)}


def _states(units: UnitStates | None) -> dict[str, object] | None:
    if units is None:
        return None
    return {
        "dead": list(units.dead),
        "linear": list(units.linear),
        "unseen": list(units.unseen),
        "rigour": str(units.rigour),
    }


def _distance(distance: Enclosure | None, norm: str) -> dict[str, str] | None:
    if distance is None:
        return None
    square = {} if distance.square is None else {"square": str(distance.square)}
    return {
        "norm": norm,
        "lower": str(distance.lower),
        "upper": str(distance.upper),
        **square,
        "rigour": str(distance.rigour),
    }


def _sampled(found: SampledError | None) -> dict[str, object]:
    """Only for targets under a law; infinite values as text, which JSON lacks."""
    if found is None:
        return {}
    value = found.value if isfinite(found.value) else str(found.value)
    off = found.standard_error
    document: dict[str, object] = {
        "norm": found.norm,
        "value": value,
        "standard_error": off if off is None or isfinite(off) else str(off),
        "samples": found.samples,
        "seed": found.seed,
        "reason": found.reason,
        "rigour": str(found.rigour),
    }
    return {"sampled": document}


def _rigour(written: str, value: Enclosure) -> str:
    """The rigour of the written number: a ball encloses an exact value."""
    is_ball = written.startswith("[") and str(value.rigour) == "exact"
    return "enclosed" if is_ball else str(value.rigour)


def _number(value: Enclosure) -> str:
    """An exact rational where it is short, else a ball."""
    written = text(value.lower) if value.is_point else ""
    if written and len(written) <= LONGEST:
        return written
    return ball_text(value.lower, value.upper)
