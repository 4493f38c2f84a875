"""A certified network on an interval: its graph, its error, its layers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from depthsep._errors import HypothesisError
from depthsep.exact import decimal, nearest_float, plain
from depthsep.explore._state import State
from depthsep.networks import Network
from depthsep.reports import Curve, curve
from depthsep.separation import build

MOST_POINTS = 1600  # of a line on the page
MOST_DRAWN = 400  # units whose weights are drawn
LAYER_POINTS = 121
LAYER_UNITS = 64  # of a layer that are shown as functions


def graph(state: State) -> Iterator[dict[str, object]]:
    """The network of the row: widths, weights, graph with knots, error, layers.

    Raises:
        HypothesisError: a target that is not a function of one variable.
    """
    problem = state.problem()
    built = build(problem, depth=state.depth)
    network = built.network
    event: dict[str, object] = {
        "depth": network.depth,
        "widths": list(network.widths),
        "shown": plain(decimal(built.error, 4, upward=True)),
        "rigour": str(built.examination.error.rigour),
        "source": str(built.upper.source),
        "weights": _weights(network),
    }
    if problem.law.setting == "line":
        found = curve(problem, network)
        if found is None:
            raise HypothesisError("the network has too many pieces to be drawn")
        event |= _graph(found)
        event["layers"] = _layers(network, found)
    yield event


def _weights(network: Network) -> list[list[list[float]]] | None:
    """Of every layer, for the drawing; None where there are too many units."""
    if sum(network.widths) > MOST_DRAWN:
        return None
    return [rounded(layer.as_floats[0]) for layer in network.layers]


def _graph(found: Curve) -> dict[str, object]:
    keep = _thinned(found)
    start, stop = nearest_float(found.start), nearest_float(found.stop)
    return {
        "x": rounded(start + (stop - start) * found.place[keep]),
        "network": rounded(found.network[keep]),
        "target": rounded(found.target[keep]),
        "ratio": rounded(found.error[keep]),
        "knots": np.flatnonzero(found.knots[keep]).tolist(),
        "pieces": found.pieces,
        "part": found.zoomed,
        "thinned": len(keep) < len(found.place),
    }


def _thinned(found: Curve) -> np.ndarray:
    """Indices that are kept: all, or the least and largest errors of even buckets."""
    points = len(found.place)
    if points <= MOST_POINTS:
        return np.arange(points)
    buckets = np.array_split(np.arange(points), MOST_POINTS // 2)
    error = found.error
    low = [part[np.argmin(error[part])] for part in buckets]
    high = [part[np.argmax(error[part])] for part in buckets]
    return np.unique([0, *low, *high, points - 1])


def _layers(network: Network, found: Curve) -> list[dict[str, object]]:
    """Every hidden layer's units as functions of x, the first ones of wide layers."""
    x = np.linspace(nearest_float(found.start), nearest_float(found.stop), LAYER_POINTS)
    values, shown = x[:, None], []
    for layer, activation in zip(network.layers, network.activations, strict=False):
        weight, bias = layer.as_floats
        values = activation.floats(values @ weight.T + bias)
        units = values[:, :LAYER_UNITS].T
        shown.append({"units": rounded(units), "width": values.shape[1]})
    return [{"x": rounded(x)}, *shown]


def rounded(values: ArrayLike) -> list:
    """Numbers for a drawing: six digits of their spread, more than a screen shows."""
    values = np.asarray(values, dtype=np.float64)
    known = values[np.isfinite(values)]
    spread = float(np.ptp(known)) if known.size else 0.0
    digits = 6 - int(np.ceil(np.log10(spread or 1.0)))
    return np.nan_to_num(np.round(values, min(digits, 300))).tolist()
