"""A continuous table as a ReLU network of one hidden layer, in ONNX."""

from pathlib import Path

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import examine
from depthsep.constructions import kink_network
from depthsep.evidence import Inapplicable
from depthsep.exact import FLOAT32, Floating, Format, rational
from depthsep.export._networks import CodedNetwork, coded_network
from depthsep.interop import write_onnx
from depthsep.laws import Uniform
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.tables import PieceTable
from depthsep.targets import PointSet


def write_table_onnx(table: PieceTable, path: str | Path, form: Format) -> CodedNetwork:
    """Write the network, its weights rounded to the format, and examine it.

    Returns:
        The network, with one bound of the rounding of its weights and of a runtime.

    Raises:
        HypothesisError: fixed point, a table that jumps, or one of points or bands.
    """
    if not isinstance(form, Floating):
        raise HypothesisError(
            "ONNX files are written only in double or float32; for fixed point write C"
        )
    target = table.room.target
    if isinstance(target, PointSet):
        raise HypothesisError(
            "a table of points:FILE or of bands cannot be written as a network; "
            "give data:FILE"
        )
    if not table.is_continuous:
        raise HypothesisError(
            "a table with jumps cannot be written as a network; leave out --jumps"
        )
    network = _rounded(kink_network(table.function), form)
    on = table.room.on
    problem = Problem(target, Uniform(on.start, on.stop), accuracy=2 * table.accuracy)
    found = examine(network, problem)
    if isinstance(found, Inapplicable):
        raise HypothesisError(found.reason)
    code = coded_network(network, problem, form, found.error.upper)
    write_onnx(network, path, kind=np.float32 if form == FLOAT32 else np.float64)
    return code


def _rounded(network: Network, form: Floating) -> Network:
    """With weights that are numbers of the format."""
    return Network(
        [
            Affine(_numbers(layer.weight, form), _numbers(layer.bias, form))
            for layer in network.layers
        ]
    )


def _numbers(values: np.ndarray, form: Floating) -> np.ndarray:
    flat = [
        v if isinstance(v, fmpq) else rational(float(v))
        for v in np.ravel(values).tolist()
    ]
    rounded = np.array([form.rounded(v) for v in flat], dtype=object)
    return rounded.reshape(np.shape(values))
