"""What a picture of a network needs: exact pieces, sampled or as an envelope."""

from dataclasses import dataclass, replace

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import TooLargeError
from depthsep.analysis import on_interval
from depthsep.exact import PiecewiseAffine, midpoint
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports.words._numbers import as_floats
from depthsep.targets import AbstractLineTarget, ExactForm, sawtooth_value

MOST_PIECES = 1 << 16
MOST_POINTS = 4000
COLUMNS = 720
COARSE_COLUMNS = 180
SOLID = 0.45
ZOOM_PIECES = 8
DEEPEST_ZOOM = 256


@dataclass(frozen=True)
class Curve:
    """Points of network and target on an interval, from left to right.

    Attributes:
        start, stop: the interval shown.
        pieces: the network's affine pieces on it.
        place: 0 at `start`, 1 at `stop`.
        network, target: the values.
        error: network minus target, in units of the accuracy; from exact differences.
        knots: which points are ends of pieces.
        zoomed: whether this is a small part of the problem's interval.
        whole: the pieces on all of it, where they were counted.
    """

    start: fmpq
    stop: fmpq
    pieces: int
    place: np.ndarray
    network: np.ndarray
    target: np.ndarray
    error: np.ndarray
    knots: np.ndarray
    zoomed: bool = False
    whole: int | None = None

    @property
    def needs_offsets(self) -> bool:
        """Whether x is told apart only by its last digits, or a part is shown."""
        length = self.stop - self.start
        return self.zoomed or length * 10**6 < max(abs(self.start), abs(self.stop))

    @property
    def is_dense(self) -> bool:
        """Whether there are more points than a line can show."""
        return len(self.place) > MOST_POINTS

    @property
    def is_solid(self) -> bool:
        """Whether the curve swings up and down so often that it fills an area."""
        _, low, high = envelope(self.place, self.network, COARSE_COLUMNS)
        return bool(np.mean(high - low) > SOLID * np.ptp(self.network))


def curve(problem: Problem, network: Network) -> Curve | None:
    """The network on the problem's interval, or on a part of it that can be shown.

    None if even a tiny part of the interval has too many pieces.
    """
    on = problem.interval
    f = _pieces(network, on.start, on.stop, MOST_PIECES)
    if f is None:
        return close_up(problem, network)
    found = _sampled(problem, f)
    return (close_up(problem, network, f.pieces) or found) if found.is_solid else found


def close_up(
    problem: Problem, network: Network, whole: int | None = None
) -> Curve | None:
    """The longest dyadic part right of the middle with few pieces."""
    on = problem.interval
    middle, length = (on.start + on.stop) / 2, on.stop - on.start
    shallow, deep, best = 1, DEEPEST_ZOOM, None
    while shallow <= deep:
        halvings = (shallow + deep) // 2
        stop = middle + length / (fmpq(2) ** halvings)
        f = _pieces(network, middle, stop, ZOOM_PIECES)
        if f is None:
            shallow = halvings + 1
        else:
            best, deep = f, halvings - 1
    if best is None:
        return None
    return replace(_sampled(problem, best), zoomed=True, whole=whole)


def _pieces(
    network: Network, start: fmpq, stop: fmpq, most: int
) -> PiecewiseAffine | None:
    try:
        f = on_interval(network, start, stop, max_pieces=most)
    except TooLargeError:
        return None
    return f if f.pieces <= most else None


def _sampled(problem: Problem, f: PiecewiseAffine) -> Curve:
    f = f.to_exact()
    gaps = len(f.knots) - 1
    inside = (
        1 if gaps > MOST_POINTS // 4 else max(3, min(64, MOST_POINTS // (2 * gaps)))
    )
    shares = [fmpq(j, inside + 1) for j in range(inside + 1)]
    x, y = (_refined(values, shares) for values in (f.knots, f.values))
    target = _values(problem.line_target, x, problem.accuracy)
    known = np.array([value is not None for value in target])
    error = np.full(len(x), np.nan)
    error[known] = as_floats((y[known] - target[known]) / problem.accuracy)
    drawn = np.full(len(x), np.nan)
    drawn[known] = as_floats(target[known])
    start, stop = f.knots[0], f.knots[-1]
    knots = np.zeros(len(x), dtype=bool)
    knots[:: inside + 1] = True
    return Curve(
        start,
        stop,
        f.pieces,
        as_floats((x - start) / (stop - start)),
        as_floats(y),
        drawn,
        error,
        knots,
    )


def _refined(values: np.ndarray, shares: list[fmpq]) -> np.ndarray:
    """Values at the knots and between them, at these shares of each gap."""
    rises = values[1:] - values[:-1]
    table = np.stack([values[:-1] + rises * share for share in shares], axis=1)
    return np.append(table.ravel(), values[-1:])


def _values(target: AbstractLineTarget, x: np.ndarray, accuracy: fmpq) -> np.ndarray:
    """The target at rational points: exact, or far closer than the accuracy.

    None where it has no value, such as 1/x at 0.
    """
    form = target.exact_form()
    out = np.empty(len(x), dtype=object)
    if form is not None:
        out[:] = [_value_of_form(form, t) for t in x]
        return out
    bits = 96 + int(accuracy.q).bit_length()
    with ctx.workprec(bits):
        out[:] = [_middle(target.jet(arb(t)).value) for t in x]
    return out


def _value_of_form(form: ExactForm, x: fmpq) -> fmpq:
    smooth = (form.alpha * x + form.beta) * x + form.gamma
    if form.amplitude == 0:
        return smooth
    return smooth + form.amplitude * sawtooth_value(
        form.folds, form.rho * x + form.sigma
    )


def _middle(ball: arb) -> fmpq | None:
    return midpoint(ball) if ball.is_finite() else None


def envelope(
    place: np.ndarray, values: np.ndarray, columns: int = COLUMNS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest value in each of many columns: centres, least, largest."""
    column = np.minimum((place * columns).astype(int), columns - 1)
    used = np.unique(column)
    low, high = np.full(columns, np.inf), np.full(columns, -np.inf)
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    return (used + 0.5) / columns, low[used], high[used]
