"""How the error of sampled networks falls with the width, beside its bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.infinite_width._representation import Representation
from depthsep.infinite_width._transforms import unit_vectors

POINTS_A_BLOCK = 1 << 23


@dataclass(frozen=True)
class WidthError:
    """The error of sampled networks of one width: `sampled`, with its uncertainty.

    Attributes:
        mean_squared_error: over seeds and points, of f - network in L2.
        standard_error: of that mean, from the spread over seeds (0 for one seed).
        bound: what the expectation of the squared error is proved to be at most.
    """

    width: int
    mean_squared_error: float
    standard_error: float
    bound: float
    seeds: int


def error_against_width(
    representation: Representation,
    f: Callable[[np.ndarray], np.ndarray],
    widths: Sequence[int],
    *,
    seeds: Sequence[int] = tuple(range(8)),
    points: np.ndarray | None = None,
    centred: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[WidthError]:
    """Draw networks of every width and measure them on points.

    Args:
        f: (n, d) to (n,), the function represented.
        points: (n, d), the law P; 2,000 uniform points of the domain if not given.
        progress: called with each width once it is done.
    """
    if not len(widths) or not len(seeds):
        raise HypothesisError("give at least one width and one seed")
    x = ball_points(representation, 2000, seed=0) if points is None else points
    truth, out = np.asarray(f(x)), []
    if truth.shape != (len(x),):
        raise HypothesisError(
            f"f maps shape {x.shape} to shape {truth.shape}; it has to "
            f"return shape ({len(x)},)"
        )
    for width in widths:
        squares = np.array(
            [_squared_error(representation, x, truth, width, s, centred) for s in seeds]
        )
        spread = squares.std(ddof=1) / len(seeds) ** 0.5 if len(seeds) > 1 else 0.0
        limit = representation.expected_error(width, centred=centred) ** 2
        mean = float(squares.mean())
        out.append(WidthError(width, mean, float(spread), limit, len(seeds)))
        if progress is not None:
            progress(width)
    return out


def slope(errors: Sequence[WidthError]) -> float:
    """The least-squares slope of log(root mean squared error) against log(width)."""
    if len(errors) < 2:
        raise HypothesisError("a slope needs at least two widths")
    x = np.log([e.width for e in errors])
    y = np.log([e.mean_squared_error for e in errors]) / 2
    return float(np.polyfit(x, y, 1)[0])


def ball_points(representation: Representation, count: int, seed: int) -> np.ndarray:
    """Uniform points of the domain, shape (count, d): a ball, or an interval."""
    rng, d = np.random.default_rng(seed), representation.in_dim
    if d == 1:
        r = representation.radius
        low, high = representation.interval or (-r, r)
        return low + (high - low) * rng.random((count, 1))
    length = representation.radius * rng.random(count) ** (1 / d)
    return length[:, None] * unit_vectors(rng, count, d)


def _squared_error(
    representation: Representation,
    x: np.ndarray,
    truth: np.ndarray,
    width: int,
    seed: int,
    centred: bool,
) -> float:
    network = representation.network(width, seed, centred=centred)
    block = max(1, POINTS_A_BLOCK // (width + 2))
    square = 0.0
    for start in range(0, len(x), block):
        part = slice(start, start + block)
        square += float(((network.floats(x[part])[:, 0] - truth[part]) ** 2).sum())
    return square / len(x)
