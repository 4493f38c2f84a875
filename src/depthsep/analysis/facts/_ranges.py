"""The least and the largest value of each output, and where they are taken."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from depthsep._deadline import check_time
from depthsep._errors import UndecidedError
from depthsep.analysis.bounds._values import Combinations
from depthsep.analysis.facts._between import Between, exactly
from depthsep.analysis.facts._subject import Subject, point_words
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.regions.cells._domains import Point
from depthsep.exact import rational, text

CLOSE = 1e-6  # of bounds, as a share of the value
MOST_OUTPUTS = 16


@dataclass(frozen=True)
class End:
    """The least or the largest value.

    Attributes:
        value: exact, or between a proved bound and the value at `point`; the bound is
            None where values leave float64's range.
    """

    value: Between
    point: Point


@dataclass(frozen=True)
class Range(AbstractFact):
    """Of one output; `key` is its number among several."""

    output: int
    least: End
    largest: End

    def rows(self) -> Rows:
        """Both ends."""
        name = f"output {self.output + 1}"
        return [
            (f"{name}, least", _words(self.least)),
            (f"{name}, largest", _words(self.largest)),
        ]

    def to_json(self) -> dict[str, object]:
        """By the output's number."""
        ends = {"least": _document(self.least), "largest": _document(self.largest)}
        return {f"range_{self.output + 1}": ends}


def _words(end: End) -> str:
    return f"{end.value} ({end.value.rigour}) at {point_words(end.point)}"


def _document(end: End) -> dict[str, object]:
    return {
        **end.value.to_json(),
        "at": [text(x) for x in end.point],
    }


def ranges(subject: Subject) -> Iterator[Range | LeftOut]:
    """One output after another."""
    outputs = subject.outputs[:MOST_OUTPUTS]
    for number, output in enumerate(outputs):
        check_time()
        if subject.regions is not None:
            yield range_by_regions(subject, output)
        else:
            share = 0.3 / (len(outputs) - number)
            try:
                yield _by_bounds(subject, output, share)
            except UndecidedError as error:  # values beyond all bounds
                yield LeftOut(f"output {output + 1}, range: {error}")


def range_by_regions(subject: Subject, output: int) -> Range:
    """A corner of a region takes each of the two."""
    vertices = subject.corners
    values = vertices.outputs(output)
    ends = [choose(range(len(values)), key=values.__getitem__) for choose in (min, max)]
    least, most = (End(exactly(values[k]), vertices.point(k)) for k in ends)
    return Range(output, least, most)


def _by_bounds(subject: Subject, output: int, share: float) -> Range:
    row = subject.row(output)
    least = _largest(subject, -row, output, share / 2)
    return Range(output, least, _largest(subject, row, output, share))


def _largest(subject: Subject, row: np.ndarray, output: int, share: float) -> End:
    """Of row . network, by branch and bound; as an end of the output's range."""
    sign = int(row[output])
    function = Combinations(subject.net, subject.floats, row[None])
    found = subject.largest(function, share, CLOSE)
    point = subject.point(found.point)
    value = subject.value(point, output)
    seen = value.lower if sign > 0 else value.upper
    bound = sign * rational(found.upper) if np.isfinite(found.upper) else None
    between = Between(seen, bound) if sign > 0 else Between(bound, seen)
    return End(between, point)
