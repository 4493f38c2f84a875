"""What a figure of a study shows: the curves behind it, with their bands and slopes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from depthsep.studies import Figure as Asked
from depthsep.studies import Row, Slope, number_of, points_of, slope

LARGEST = 1e300  # beyond it nothing is drawn


def split(rows: Sequence[Row], name: str | None) -> list[tuple[object, list[Row]]]:
    """The rows by the value of a parameter; all in one part without a name."""
    done = [row for row in rows if row.is_done]
    if name is None:
        return [(None, done)]
    values: dict[str, tuple[object, list[Row]]] = {}
    for row in done:
        value = row.parameters.get(name)
        values.setdefault(repr(value), (value, []))[1].append(row)
    return list(values.values())


@dataclass(frozen=True)
class Curve:
    """The rows of one curve.

    Attributes:
        slope: None where none is asked for, or none can be fitted.
    """

    name: str
    metric: str
    rows: list[Row]
    slope: Slope | None


def curves(
    asked: Asked, rows: Sequence[Row], *, fit: bool, seedless: Collection[str] = ()
) -> list[Curve]:
    """Every curve of a panel; slopes of seedless metrics have no interval."""
    found = []
    for metric in asked.y:
        for value, part in split(rows, asked.by):
            name = plain(metric)
            if asked.by is not None:
                more = f"{asked.by} = {shown(value)}"
                name = f"{name}, {more}" if len(asked.y) > 1 else more
            known = None
            if fit:
                how = {"log": asked.log, "seedless": seedless}
                fitted = slope(part, asked.x, metric, **how)
                known = fitted if isinstance(fitted, Slope) else None
            found.append(Curve(name, metric, part, known))
    return found


def slopes_of(
    asked: Asked, rows: Sequence[Row], seedless: Collection[str] = ()
) -> list[tuple[str, Slope]]:
    """Every fitted slope of a figure, by the name of its curve."""
    return [
        (curve.name + _facet(asked, value), curve.slope)
        for value, part in split(rows, asked.facet)
        for curve in curves(asked, part, fit=True, seedless=seedless)
        if curve.slope is not None
    ]


def _facet(asked: Asked, value: object) -> str:
    return "" if asked.facet is None else f", {asked.facet} = {shown(value)}"


@dataclass(frozen=True)
class Band:
    """A curve by rising x.

    Attributes:
        partial: where some trials have no value.
    """

    x: np.ndarray
    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray
    partial: np.ndarray


def band_of(curve: Curve, x: str, words: Sequence[object] | None) -> Band:
    """The least, median and largest value at each x, or at the place of each word."""
    found = []
    for point in points_of(curve.rows, (x,)):
        spread, value = point.metrics.get(curve.metric), point.parameters[x]
        place = number_of(value) if words is None else float(words.index(value))
        if place is None or abs(place) >= LARGEST:
            continue
        if spread is None:
            continue
        ends = (spread.least, spread.median, spread.most)
        if max(map(abs, ends)) <= LARGEST:
            found.append((place, *ends, spread.count < point.done))
    x_, low, middle, high, partial = np.array(sorted(found), float).reshape(-1, 5).T
    return Band(x_, low, middle, high, partial > 0)


def words_of(rows: Sequence[Row], x: str) -> list[object] | None:
    """The values of a parameter that is not a number; None if it is one."""
    values = [row.parameters.get(x) for row in rows if row.is_done]
    if all(number_of(v) is not None for v in values):
        return None
    return list({repr(v): v for v in values}.values())


def places_of(rows: Sequence[Row], x: str) -> list[float]:
    """Where ticks may stand: the values of a parameter in all panels."""
    numbers = {number_of(row.parameters.get(x)) for row in rows if row.is_done}
    return sorted(v for v in numbers if v is not None and abs(v) < LARGEST)


def shown(value: object) -> str:
    """A value of a parameter, as matplotlib is to print it."""
    return f"{value:g}" if isinstance(value, float) else plain(str(value))


def plain(text: str) -> str:
    """Text that is not a formula to matplotlib."""
    return text.replace("$", r"\$")[:80]
