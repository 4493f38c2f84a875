"""The documents and pages that `depthsep inspect` prints."""

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
from depthsep.cli._skips import skips_document, skips_of
from depthsep.evidence import Enclosure
from depthsep.exact import ball_text, nearest_float, text
from depthsep.networks import Network, Size
from depthsep.reports import (
    distance_words,
    number,
    quantile_rows,
    region_rows,
    unit_rows,
)
from depthsep.separation import json_integer

SHOWN_KNOTS = 10_000
LONGEST = 400  # characters of an exact rational in a document
NAMES = ("least", "10%", "median", "90%", "most")


def line_document(network: Network, found: Inspection) -> dict[str, object]:
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
        "rigour": str(found.rigour),
    }


def survey_document(network: Network, found: Survey) -> dict[str, object]:
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


def print_line(net: str, network: Network, found: Inspection) -> None:
    """Print a few lines about a network on an interval or a line."""
    _print_size(net, found.size, network)
    if found.pieces is None or found.most_pieces is None:
        echo("  its units are smooth: it has no affine pieces")
    else:
        echo(
            f"  {number(found.pieces)} affine pieces on {found.where} "
            f"({found.rigour}); networks of these widths have at most "
            f"{number(found.most_pieces)} pieces"
        )
    if found.crossings is not None:
        echo(f"  crossing number of level {found.level}: {found.crossings}")
    if found.units is not None:
        _print_rows(unit_rows(found.units))
    if found.distance is not None:
        echo(f"  {found.norm} distance {distance_words(found.distance)}")


def print_survey(net: str, network: Network, found: Survey) -> None:
    """Print a page about a network of several inputs."""
    _print_size(net, found.size, network)
    if found.reason:
        echo(f"  {found.reason}")
    parts = [] if found.box_regions is None else [found.box_regions]
    for part in (*parts, *found.slices):
        echo(f"output {found.output + 1} on {part.where}:")
        _print_rows(region_rows(part, found.level))
    if found.lines is not None:
        count, seed = len(found.lines.counts), found.lines.seed
        most = f"each count exact, at most {number(found.lines.most)} pieces"
        echo(f"along {plural(count, 'random line')} (seed {seed}; {most}):")
        for row in quantile_rows(found.lines):
            echo(f"  {row[0]:<10}" + "".join(f"{cell:>9}" for cell in row[1:]))
    if found.units is not None:
        echo(f"units on {found.box}:")
        _print_rows(unit_rows(found.units))
    if found.distance is not None:
        words = distance_words(found.distance)
        echo(f"{found.norm} distance of output {found.output + 1}: {words}")
    if found.sampled is not None:
        echo(f"{found.norm} distance of output {found.output + 1}: {found.sampled}")


def _print_size(net: str, size: Size, network: Network) -> None:
    skips = skips_of(network)
    echo(f"{net}: depth {size.depth}, widths {_short(size.widths)}")
    echo(
        f"  {plural(size.units, 'unit')}, {plural(size.weights, 'nonzero weight')} "
        f"({size.distinct} different), "
        f"largest {nearest_float(size.largest_weight):.6g}, up to {size.bits} bits"
    )
    if skips is not None and skips.units < size.units:
        echo(
            f"  {plural(skips.units, 'unit')} would do with skip connections: "
            f"depth {skips.depth}, widths {_short(skips.widths)}"
        )


def _print_rows(rows: list[tuple[str, str]]) -> None:
    for name, value in rows:
        echo(f"  {name:<22} {value}")


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
        return {"activation_regions": None, "more_than": part.more_than, **bounds}
    counts, edge, sums = part.subdivision.counts, part.boundary, part.integrals
    document: dict[str, object] = {
        "activation_regions": counts.activation_regions,
        "affine_regions": part.subdivision.affine_regions,
        "distinct_maps": part.subdivision.distinct_maps,
        "vertices": counts.vertices,
        "edges": counts.edges,
        **bounds,
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
    document: dict[str, object] = {"count": len(lines.counts), "seed": lines.seed}
    for name in ("pieces", "crossings"):
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
