"""Where an output is 0, where it is constant, and fixed points of maps of R to R."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.analysis.facts._lipschitz import slopes_in_regions
from depthsep.analysis.facts._subject import Subject, point_words
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.evidence import Rigour
from depthsep.exact import readable, text

Interval = tuple[fmpq, fmpq]
MOST_SHOWN = 12
FIXED = "fixed points"


@dataclass(frozen=True)
class Zeros(AbstractFact):
    """Where an output of one input is 0, or where a map of R to R is its own input.

    Attributes:
        name: what the places are.
        places: points (both ends alike) and intervals, in order.
    """

    name: str
    key: str
    places: tuple[Interval, ...]
    rigour: Rigour = Rigour.EXACT

    def rows(self) -> Rows:
        """The places, or how many."""
        shown = ", ".join(_place_words(p) for p in self.places[:MOST_SHOWN])
        more = len(self.places) - MOST_SHOWN
        words = shown + (f" and {more} more" if more > 0 else "") or "none"
        return [(self.name, f"{words} ({self.rigour})")]

    def to_json(self) -> dict[str, object]:
        """All places as pairs."""
        return {self.key: [[text(a), text(b)] for a, b in self.places]}


def _place_words(place: Interval) -> str:
    a, b = place
    if a == b:
        return point_words((a,))
    return f"[{readable(a)}, {readable(b)}]"


@dataclass(frozen=True)
class Constant(AbstractFact):
    """The shares of the box on which an output is constant, and on which it is 0."""

    output: int
    constant: fmpq
    zero: fmpq
    rigour: Rigour = Rigour.EXACT

    def rows(self) -> Rows:
        """One."""
        share = _percent(self.constant)
        zero = (
            (f", including {_percent(self.zero)} of the domain on which it is 0")
            if self.zero
            else ""
        )
        words = f"on {share} of the domain{zero}" if self.constant else "nowhere"
        return [(f"output {self.output + 1} is constant", f"{words} ({self.rigour})")]

    def to_json(self) -> dict[str, object]:
        """Both shares."""
        entry = {"share": text(self.constant), "zero_share": text(self.zero)}
        return {f"constant_{self.output + 1}": entry}


def _percent(share: fmpq) -> str:
    return f"{readable(100 * share)} %"


def constant_parts(subject: Subject, output: int) -> Constant | None:
    """From all regions; None where they are too many."""
    found = subject.regions
    if found is None:
        return None
    slopes, _, constants = slopes_in_regions(subject, output)
    flat = np.flatnonzero((slopes == 0).all(axis=1))
    whole = fmpq(1)
    for side in subject.sides:
        whole *= side.length
    constant, zero = fmpq(0), fmpq(0)
    for k in flat.tolist():
        volume = found[k].volume
        constant += volume
        zero += volume if constants[k] == 0 else 0
    return Constant(output, constant / whole, zero / whole)


def zeros(subject: Subject, output: int) -> Iterator[Zeros]:
    """Zeros of an output of one input, and the fixed points of a map of R to R."""
    if subject.regions is None or subject.network.in_dim > 1:
        return
    name = f"output {output + 1}, zeros"
    yield Zeros(name, f"zeros_{output + 1}", _roots(subject, output, minus_x=False))
    if subject.network.out_dim == 1:
        yield Zeros(FIXED, "fixed_points", _roots(subject, output, minus_x=True))


def _roots(subject: Subject, output: int, *, minus_x: bool) -> tuple[Interval, ...]:
    """Of f, or of f - x, piece by piece."""
    found = subject.regions
    assert found is not None
    slopes, scale, constants = slopes_in_regions(subject, output)
    places: list[Interval] = []
    for k in range(len(found)):
        ends = [found.point(v)[0] for v in found.around(k)]
        a, b = min(ends), max(ends)
        constant = fmpq(int(constants[k]), int(scale))
        slope = fmpq(int(slopes[k, 0]), int(scale)) - (1 if minus_x else 0)
        if slope == 0:
            places += [(a, b)] if constant == 0 else []
        elif a <= -constant / slope <= b:
            places.append((-constant / slope, -constant / slope))
    return _joined(sorted(places))


def _joined(places: list[Interval]) -> tuple[Interval, ...]:
    """Places that touch, as one."""
    found: list[Interval] = []
    for a, b in places:
        if found and a <= found[-1][1]:
            found[-1] = found[-1][0], max(b, found[-1][1])
        else:
            found.append((a, b))
    return tuple(found)
