"""Starts for a search: signed zigzags, folded, and a sum fitted by least squares."""

from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from depthsep.constructions.line.search._runs import Runs
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.search._weights import Weights

Layer = tuple[np.ndarray, np.ndarray]
MOST_COUNTS, MOST_ZIGZAGS = 5000, 12


@dataclass(frozen=True, eq=False)
class Zigzag:
    """s on [-1, 1]: through 0, 1, 0 on convex runs, 0, -1, 0 on concave ones."""

    knots: np.ndarray
    values: np.ndarray


def zigzags(runs: Runs, kinks: int, most: int = MOST_ZIGZAGS) -> list[Zigzag]:
    """Zigzags with about this many kinks, cells of nearly equal mass.

    Runs between inflections have an even number of cells: s comes from 0 and goes back
    to 0, through which it passes without a kink. The outer runs may end anywhere.
    """
    wanted = np.diff(runs.ends) * (kinks + runs.count)
    options = []
    for j, want in enumerate(wanted):
        inner = 0 < j < runs.count - 1
        near = {max(1, int(want) + d) for d in (-1, 0, 1, 2)}
        options.append(sorted({n + n % 2 if inner else n for n in near}))
    found = [
        counts
        for counts in islice(product(*options), MOST_COUNTS)
        if kinks - 2 <= sum(counts) - runs.count <= kinks
    ]
    found.sort(key=lambda counts: float(np.ptp(np.log(wanted / counts))))
    return [_zigzag(runs, counts) for counts in found[:most]]


def _zigzag(runs: Runs, counts: tuple[int, ...]) -> Zigzag:
    masses, values = [0.0], [float(counts[0] % 2) if runs.count > 1 else 0.0]
    values[0] *= runs.signs[0]
    for j, (count, sign) in enumerate(zip(counts, runs.signs, strict=True)):
        left, right = runs.ends[j : j + 2]
        last = j == runs.count - 1
        for i, mass in enumerate(np.linspace(left, right, count + 1)[1:], start=1):
            if i == count and not last:
                continue  # an inflection
            # counted from the inflection, or from the left if there is none
            steps = count - i if j == 0 and not last else i
            masses.append(mass)
            values.append(float(sign * (steps % 2)))
    return Zigzag(runs.places(np.array(masses)), np.array(values))


def fold_start(
    sampled: Sampled, zigzag: Zigzag, bases: tuple[int, ...], last: tuple[int, int]
) -> Weights:
    """Layer 1 makes the zigzag, the others fold it; all add to a carried sum.

    Args:
        bases: of the layers between the first and the last.
        last: pieces into which the last layer cuts the cells of convex runs, and of
            concave ones.
    """
    x, v = zigzag.knots, zigzag.values
    slopes = np.diff(v) / np.diff(x)
    bend = np.abs(np.diff(slopes)) > 1e-9 * np.abs(slopes).max()
    places = np.concatenate([[x[0]], x[1:-1][bend]])
    turns = np.concatenate([[slopes[0]], np.diff(slopes)[bend]])
    layers = [(np.ones((len(places), 1)), -places)]
    read, constant = turns, float(v[0])
    signed = v.min() < 0 < v.max()
    if v.max() <= 0:
        read, constant = -read, -constant
    layers = folded(layers, read, constant, bases, last, signed=bool(signed))
    return with_sum(sampled, layers)


def folded(
    layers: list[Layer],
    read: np.ndarray,
    constant: float,
    bases: tuple[int, ...],
    last: tuple[int, int],
    *,
    signed: bool,
) -> list[Layer]:
    """The layers, then those that fold what the last of them reads, then cuts."""
    for base in bases:
        thresholds, turns = _folds(base, signed)
        layers.append((np.tile(read, (len(thresholds), 1)), constant - thresholds))
        read, constant = turns, -1.0 if signed and base % 2 else 0.0
    inner = [i / last[0] for i in range(1, last[0])]
    signs = [1.0] * len(inner)
    if signed:
        inner += [i / last[1] for i in range(1, last[1])]
        signs += [-1.0] * (len(inner) - len(signs))
    turned = np.array(signs)
    weight = turned[:, None] * read
    layers.append((weight, turned * constant - np.array(inner)))
    return layers


def _folds(base: int, signed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Where a layer folds, and the slopes' changes: zigzags of slope +-base."""
    steps = np.arange(base) / base
    if not signed:
        turns = np.where(np.arange(base) % 2, -2.0 * base, 2.0 * base)
        turns[0] = base
        return steps, turns
    inner = steps[1:]
    thresholds = np.concatenate([[-1.0], -inner[::-1], inner])
    slope = base * (-1.0) ** (base - 1)
    turns = np.concatenate([[slope], -2 * slope * (-1.0) ** np.arange(base - 1)])
    last = base * (-2.0) * (-1.0) ** np.arange(base - 1)
    return thresholds, np.concatenate([turns, last])


def with_sum(sampled: Sampled, layers: list[Layer]) -> Weights:
    """Add the carried sum: the combination of all units nearest to the target."""
    grid = sampled.grid
    values, features = grid[:, None], []
    for weight, bias in layers:
        values = np.maximum(values @ weight.T + bias, 0.0)
        features.append(values)
    table = np.hstack([*features, np.ones((len(grid), 1))])
    pull = np.sqrt(sampled.shares)[:, None]
    size = np.sqrt((table**2).mean(axis=0)) + 1e-300
    found = np.linalg.lstsq(
        table / size * pull, sampled.values * pull[:, 0], rcond=1e-9
    )
    coefficients = found[0] / size
    parts = np.split(coefficients, np.cumsum([f.shape[1] for f in features]))
    made, total = [layers[0]], float(parts[-1][0]) + features[0] @ parts[0]
    sums, offset = parts[0], float(parts[-1][0])
    for j, (weight, bias) in enumerate(layers[1:], start=1):
        lift = max(0.0, 1e-3 - 1.05 * float(total.min()))
        fold = weight
        if j > 1:
            fold = np.hstack([weight, np.zeros((len(weight), 1))])
        made.append((np.vstack([fold, sums]), np.append(bias, offset + lift)))
        sums, offset = np.append(parts[j], 1.0), -lift
        total = total + features[j] @ parts[j]
    made.append((sums[None, :], np.array([offset])))
    return Weights(tuple(made))
