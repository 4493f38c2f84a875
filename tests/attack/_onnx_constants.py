"""ONNX files whose constants are huge, tiny or cancel, read and compared.

What the library reads must equal the file in exact arithmetic, at every point.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ._call import call, gist
from ._graphs import evaluate
from ._networks import Net, nearest
from ._random_graphs import cancelling_graph, random_graph, spoiled
from ._referee import Finding, fault


def onnx_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One graph: read by the library and by the referee, compared at some points."""
    make = cancelling_graph if rng.random() < 0.1 else random_graph
    model, path = make(rng), folder / "net.onnx"
    path.write_bytes(model.SerializeToString())
    kinds = " ".join(sorted({n.op_type for n in model.graph.node}))
    command = f"read_network of a graph of {kinds}"
    try:
        net = _read(path)
    except Exception as error:
        yield Finding("reading fails", command, gist(error))
        return
    if net is None:
        return
    path.write_bytes(spoiled(rng, model).SerializeToString())
    if _read(path) is not None:
        yield Finding("a file without meaning is read", command, "")
    path.write_bytes(model.SerializeToString())
    for x in _points(rng, net.inputs):
        want, got = evaluate(model, x), net.exact(x)
        if want != got:
            gap = max(abs(a - b) for a, b in zip(want, got, strict=True))
            detail = f"at {[str(v) for v in x]} wrong by {nearest(gap):.3g}"
            yield Finding("network read wrongly", command, detail)
            break
    if rng.random() < 0.1 and net.inputs == 1:
        yield from fault(call("inspect", str(path), "--on", "-1,1", "--json"))


def _read(path: Path) -> Net | None:
    """What the library reads; None if it refuses."""
    from depthsep import DepthsepError, read_network

    try:
        return Net.of_library(read_network(path))
    except DepthsepError:
        return None


def _points(rng: random.Random, inputs: int) -> Iterator[list[Fraction]]:
    for scale in (0, 1, 1, Fraction(10) ** 17, Fraction(1, 10**17)):
        yield [scale * Fraction(rng.randint(-99, 99), 7) for _ in range(inputs)]
