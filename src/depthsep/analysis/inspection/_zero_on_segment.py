"""Exact tests along lines: where a network is 0."""

from collections.abc import Sequence

from depthsep._errors import HypothesisError
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.networks import Network


def is_zero_on_segment(
    network: Network, start: Sequence[object], stop: Sequence[object]
) -> bool:
    """Whether the network is exactly 0 on the whole segment, at the ends too.

    Raises:
        HypothesisError: a network of several outputs.
    """
    if network.out_dim != 1:
        raise HypothesisError(
            f"the network has {network.out_dim} outputs; give a network with one"
        )
    f = on_line(network, start, stop)
    return all(v == 0 for v in f.values.tolist())
