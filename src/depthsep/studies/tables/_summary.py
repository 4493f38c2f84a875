"""Statistics of trials over seeds, and slopes with their uncertainty."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.evidence import Inapplicable, Rigour
from depthsep.jobs import nearest
from depthsep.studies.store._row import Row
from depthsep.studies.tables._number import float_of, number_of

LEVEL = 0.95
ORDER = tuple(str(rigour) for rigour in Rigour)
SAME = 1e-9  # relative: slopes of seeds that differ by rounding only
LOGS = ("none", "x", "y", "xy")


@dataclass(frozen=True)
class Spread:
    """A metric over the seeds of one point: `sampled`.

    Attributes:
        count: values; those that are None or NaN do not count.
        deviation: with count - 1; NaN for one value.
        is_truth: whether the values are true and false, as 1 and 0.
        share: of truths that depend on the seed, the interval of Clopper and Pearson
            for the chance that they are true, at 95 %; else None.
    """

    count: int
    mean: float
    deviation: float
    least: float
    median: float
    most: float
    is_truth: bool = False
    share: tuple[float, float] | None = None

    @property
    def share_words(self) -> str:
        """How many are true, and the interval in per cent; of truths alone."""
        if self.share is None and self.least == self.most:
            return "yes" if self.most else "no"
        words = f"{round(self.mean * self.count)} of {self.count}"
        if self.share is None:
            return words
        low, high = self.share
        return f"{words} [{low:.0%}, {high:.0%}]"


@dataclass(frozen=True)
class Point:
    """The trials of one combination of parameters.

    Attributes:
        done, failed: how many of them.
        texts: metrics that are text: the one of all trials, or how many there are.
        metrics: of those that are done, numbers and truths (as 0 and 1). Where a
            trial has no number (it never got that far), `count` is below `done`: the
            statistics are then of the others alone.
    """

    parameters: Mapping[str, object]
    done: int
    failed: int
    metrics: Mapping[str, Spread]
    texts: Mapping[str, str] = field(default_factory=dict)


def points_of(
    rows: Iterable[Row], by: Sequence[str], seedless: Collection[str] = ()
) -> list[Point]:
    """Rows grouped by parameters, in the order in which these first occur.

    Args:
        seedless: metrics that no seed changes, so that no chance is estimated.
    """
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        key = tuple(repr(row.parameters.get(name)) for name in by)
        groups.setdefault(key, []).append(row)
    return [_point(group, by, seedless) for group in groups.values()]


def pooled(rows: Iterable[Row], by: Sequence[str]) -> tuple[str, ...]:
    """The parameters, beside seeds, over which statistics by some of them are taken."""
    kept = list(rows)
    names = dict.fromkeys(name for row in kept for name in row.parameters)
    return tuple(name for name in names if name not in by and _varies(kept, name))


def _varies(rows: Sequence[Row], name: str) -> bool:
    return len({repr(row.parameters.get(name)) for row in rows}) > 1


def pooled_words(names: Sequence[str], seeds: str = "seeds") -> str:
    """The parameters and seeds that statistics are taken over, in words."""
    return f"{', '.join(names)} and {seeds}" if names else seeds


def rigour_words(rows: Iterable[Row], metrics: Sequence[str]) -> str:
    """The rigour of single values, in words: of all that is more than sampled."""
    weakest: dict[str, str] = {}
    for row in rows:
        for name in row.metrics if row.is_done else ():
            own = row.rigours.get(name, "sampled")
            weakest[name] = max(weakest.get(name, own), own, key=ORDER.index)
    words = []
    for rigour in ORDER[:-1]:
        names = [name for name in metrics if weakest.get(name) == rigour]
        words += [f"{', '.join(names)} {rigour}"] if names else []
    return "; ".join([*words, "all others sampled" if words else "sampled"])


def _point(rows: list[Row], by: Sequence[str], seedless: Collection[str]) -> Point:
    done = [row for row in rows if row.is_done]
    names = dict.fromkeys(name for row in done for name in row.metrics)
    metrics = {
        name: _spread(numbers(done, name), _truths(done, name), name in seedless)
        for name in names
    }
    return Point(
        {name: rows[0].parameters.get(name) for name in by},
        len(done),
        len(rows) - len(done),
        {name: spread for name, spread in metrics.items() if spread is not None},
        {name: text for name in names if (text := _text(done, name))},
    )


def _text(rows: Sequence[Row], name: str) -> str:
    found = {v for row in rows if isinstance(v := row.metrics.get(name), str)}
    return f"{len(found)} different texts" if len(found) > 1 else next(iter(found), "")


def numbers(rows: Iterable[Row], metric: str) -> np.ndarray:
    """The finite values of a metric; truths as 0 and 1, texts left out."""
    found = [row.metrics.get(metric) for row in rows]
    kept = [float_of(v) for v in found if isinstance(v, int | float)]
    values = np.array(kept, dtype=float)
    return values[np.isfinite(values)]


def _truths(rows: Iterable[Row], metric: str) -> bool:
    kept = [v for row in rows if (v := row.metrics.get(metric)) is not None]
    return all(isinstance(v, bool) for v in kept)


def binomial_interval(true: int, count: int) -> tuple[float, float]:
    """The interval of Clopper and Pearson for a chance, at 95 %: exact, if wide."""
    from scipy.special import betaincinv

    tail, false = (1 - LEVEL) / 2, count - true
    low = 0.0 if not true else float(betaincinv(true, false + 1, tail))
    high = 1.0 if not false else float(betaincinv(true + 1, false, 1 - tail))
    return low, high


def _spread(values: np.ndarray, truths: bool, is_seedless: bool) -> Spread | None:
    if not len(values):
        return None
    is_chance = truths and not is_seedless
    share = binomial_interval(int(values.sum()), len(values)) if is_chance else None
    deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return Spread(
        len(values),
        float(values.mean()),
        deviation,
        float(values.min()),
        float(np.median(values)),
        float(values.max()),
        truths,
        share,
    )


@dataclass(frozen=True)
class Slope:
    """The slope of a metric against a parameter, with a 95 % interval: `sampled`.

    Attributes:
        low, high: of Student's t; NaN of a metric that no seed changes.
        way: "seeds" if a slope is fitted for every seed and the interval is over these
            (right whatever the trials of a seed have in common), "points" if all points
            are fitted at once, as though they were independent.
        count: seeds, or points.
    """

    value: float
    low: float
    high: float
    way: str
    count: int

    @property
    def has_interval(self) -> bool:
        """Whether there is chance in it."""
        return self.low == self.low

    def __str__(self) -> str:
        if not self.has_interval:
            return f"{self.value:.3g}"
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def slope(
    rows: Iterable[Row],
    x: str,
    y: str,
    *,
    log: str = "xy",
    seedless: Collection[str] = (),
) -> Slope | Inapplicable:
    """Least squares of y against x over the trials that are done.

    Args:
        x: a parameter whose values are numbers.
        y: a metric whose values are numbers.
        log: the axes whose logarithms are taken: "none", "x", "y" or "xy".
        seedless: metrics that no seed changes; their slopes have no interval.

    Three seeds and more that each have two x: their slopes' mean and t interval. Else,
    and where all seeds have one slope (a metric that does not depend on the seed), one
    fit through all points. The interval is for the slope of the best line: how far the
    points are from any line does not enter the first, and is all of the second.

    Raises:
        HypothesisError: an unknown `log`.
    """
    from scipy.stats import t

    found = _triples(rows, x, y)
    if log not in LOGS:
        raise HypothesisError(f"`log` is {log!r}; choose {', '.join(LOGS)}")
    on_x, on_y = "x" in log, "y" in log
    if not len(found):
        return Inapplicable(f"no trial has numbers for both {y} and {x}")
    if (on_x and found[:, 1].min() <= 0) or (on_y and found[:, 2].min() <= 0):
        return Inapplicable("a value that is not positive has no logarithm")
    seeds, a, b = found.T
    a, b = (np.log(a) if on_x else a), (np.log(b) if on_y else b)
    each = [_fit(a[seeds == s], b[seeds == s]) for s in np.unique(seeds)]
    known = np.array([f for f in each if f is not None])
    if len(known) >= 3 and np.ptp(known) > SAME * np.abs(known).max():
        middle = float(known.mean())
        error = float(known.std(ddof=1)) / len(known) ** 0.5
        reach = float(t.ppf((1 + LEVEL) / 2, len(known) - 1)) * error
        return Slope(middle, middle - reach, middle + reach, "seeds", len(known))
    value = _fit(a, b)
    if value is not None and y in seedless:
        return Slope(value, float("nan"), float("nan"), "points", len(a))
    if value is None or len(a) < 3:
        return Inapplicable(
            "a slope with a confidence interval needs at least three "
            "points, not all of them at the same x"
        )
    rest = b - b.mean() - value * (a - a.mean())
    error = float((rest @ rest / (len(a) - 2) / ((a - a.mean()) ** 2).sum()) ** 0.5)
    reach = float(t.ppf((1 + LEVEL) / 2, len(a) - 2)) * error
    return Slope(value, value - reach, value + reach, "points", len(a))


def _triples(rows: Iterable[Row], x: str, y: str) -> np.ndarray:
    found = []
    for row in rows:
        a, b = number_of(row.parameters.get(x)), row.metrics.get(y)
        if row.is_done and a is not None and isinstance(b, int | float):
            found.append((row.seed, a, float_of(b)))
    values = np.array(found, dtype=float).reshape(-1, 3)
    return values[np.isfinite(values).all(axis=1)]


def _fit(a: np.ndarray, b: np.ndarray) -> float | None:
    if not len(a) or np.ptp(a) == 0:
        return None
    away = a - a.mean()
    return float(away @ b) / float(away @ away)


def check_metric(rows: Sequence[Row], name: str) -> None:
    """Refuse a metric that no trial has.

    Raises:
        HypothesisError: says which there are.
    """
    known = list(dict.fromkeys(n for row in rows for n in row.metrics))
    if known and name not in known:
        raise HypothesisError(f"no trial has a metric {name!r}; {nearest(name, known)}")
