"""`pieces at initialisation`: how many of the possible pieces a random network has."""

from collections.abc import Sequence
from math import log2

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import most_pieces, random_chords
from depthsep.analysis.regions import along
from depthsep.claims import TrainingPlan
from depthsep.dynamics import train_from
from depthsep.evidence import Rigour
from depthsep.exact import rational
from depthsep.jobs._fields import REAL, REQUIRED, TEXT, WHOLE, Parameter
from depthsep.jobs._job import Job, Result, Values
from depthsep.laws import Box, Segment
from depthsep.near_init import draw
from depthsep.networks import Network

Layers = list[tuple[np.ndarray, np.ndarray]]
Chords = Sequence[Sequence[Sequence[fmpq]]]
STARTS = ("he", "pytorch", "gaussian")
LABELS = ("random", "wave")

PARAMETERS = (
    Parameter("dim", WHOLE, 2, "number of inputs", 1, 10**4),
    Parameter("depth", WHOLE, REQUIRED, "number of affine layers", 2, 200),
    Parameter("width", WHOLE, REQUIRED, "width of every hidden layer", 1, 4096),
    Parameter(
        "init", TEXT, "he", "law of the initial weights and biases", choices=STARTS
    ),
    Parameter(
        "bias",
        REAL,
        0.0,
        "standard deviation of a Gaussian that is added to every initial bias",
        0,
    ),
    Parameter(
        "reach", REAL, 1.0, "half the side of the box [-reach, reach]^dim", 1e-9, 1e9
    ),
    Parameter("lines", WHOLE, 16, "number of random lines through the box", 1, 10**5),
    Parameter(
        "steps", WHOLE, 0, "number of steps of Adam; 0 for no training", 0, 10**8
    ),
    Parameter(
        "labels", TEXT, "wave", "labels that the network is trained on", choices=LABELS
    ),
    Parameter(
        "points", WHOLE, 512, "number of training points, uniform in the box", 1, 10**6
    ),
    Parameter("batch", WHOLE, 128, "of Adam", 1, 10**6),
    Parameter("rate", REAL, 1e-2, "learning rate of Adam at the start", 1e-12),
)


def _layers(values: Values, seed: int) -> Layers:
    p = values
    sizes = [p["dim"], *[p["width"]] * (p["depth"] - 1), 1]
    rng = np.random.default_rng([seed, 1])
    found = []
    for weight, bias in draw(p["init"], sizes, seed):
        own = np.zeros(len(weight)) if bias is None else bias
        noise = p["bias"] * rng.standard_normal(len(weight))
        found.append((weight, own + noise))
    return found


def _chords(values: Values, seed: int) -> Chords:
    """Random lines through the box; of one input, the interval itself."""
    reach, dim = values["reach"], values["dim"]
    if dim == 1:
        return [[[rational(-reach)], [rational(reach)]]]
    box = Box.cube(Segment(-reach, reach), dim)
    return random_chords(box, values["lines"], seed)


def _data(values: Values, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng, p = np.random.default_rng([seed, 2]), values
    x = rng.uniform(-p["reach"], p["reach"], (p["points"], p["dim"]))
    if p["labels"] == "random":
        return x, rng.choice([-1.0, 1.0], p["points"])
    return x, np.sin(np.pi * x.sum(axis=1) / (p["reach"] * p["dim"] ** 0.5))


def _run(values: Values, seed: int) -> Result:
    p = values
    layers = _layers(p, seed)
    chords = _chords(p, seed)
    widths = [p["width"]] * (p["depth"] - 1)
    before = _counted(layers, chords)
    metrics = {
        "units": sum(widths),
        "log2_most_pieces": log2(most_pieces(widths)),
        **before,
        "pieces_per_unit": before["pieces"] / sum(widths),
        "log2_pieces": log2(before["pieces"]),
    }
    if p["steps"]:
        x, y = _data(p, seed)
        plan = TrainingPlan(
            steps=p["steps"], batch=p["batch"], rate=p["rate"], seed=seed
        )
        trained = train_from(layers, x, y, plan)
        after = _counted(trained, chords)
        metrics |= {f"{name}_trained": value for name, value in after.items()}
        metrics["mse_start"] = _mean_square(layers, x, y)
        metrics["mse_trained"] = _mean_square(trained, x, y)
        metrics["growth"] = after["pieces"] / before["pieces"]
    rigours = {"units": Rigour.EXACT, "log2_most_pieces": Rigour.ENCLOSED}
    return Result(metrics, rigours)


def _counted(layers: Layers, chords: Chords) -> dict[str, float]:
    """Means over lines; each count is exact."""
    network = Network.from_arrays(*(part for layer in layers for part in layer))
    found = [along(network, *ends) for ends in chords]
    return {
        "pieces": float(np.mean([f.pieces for f in found])),
        "pieces_max": max(f.pieces for f in found),
        "crossings": float(np.mean([f.crossings for f in found])),
    }


def _mean_square(layers: Layers, x: np.ndarray, y: np.ndarray) -> float:
    for weight, bias in layers[:-1]:
        x = np.maximum(x @ weight.T + bias, 0)
    weight, bias = layers[-1]
    return float((((x @ weight.T + bias)[:, 0] - y) ** 2).mean())


def _check(values: Values) -> None:
    p = values
    if p["init"] == "he" and not p["bias"] and p["dim"] == 1:
        raise HypothesisError(
            "with init = he, all biases are 0, so a network of one input has at most "
            "one kink; give `bias`, the standard deviation of random biases"
        )


def _seconds(values: Values) -> float:
    p = values
    weights = p["width"] * (p["dim"] + p["width"] * (p["depth"] - 2))
    counting = p["lines"] * p["depth"] * (5e-4 + p["width"] * 2e-5)
    training = (2 + p["steps"] * p["batch"] * weights * 2e-9) if p["steps"] else 0
    return 0.2 + (2 if p["steps"] else 1) * counting + training


JOB = Job(
    "pieces at initialisation",
    "1",
    PARAMETERS,
    _run,
    "pieces of random networks along lines, before and after training",
    _check,
    _seconds,
    (
        *("units", "pieces", "pieces_max", "crossings", "pieces_per_unit"),
        *("log2_pieces", "log2_most_pieces", "pieces_trained", "pieces_max_trained"),
        *("crossings_trained", "growth", "mse_start", "mse_trained"),
    ),
)
