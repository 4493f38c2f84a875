"""Networks whose second layer sees one combination of the units of the first."""

import numpy as np

from depthsep.networks import Affine


def one_sum(second: Affine) -> tuple[np.ndarray, list[int]] | None:
    """The row v and factors -1, 0 or 1 with rows factor * v; None for other layers."""
    rows = [k for k, row in enumerate(second.weight) if (row != 0).any()]
    if not rows:
        return None
    ahead, factors = second.weight[rows[0]], []
    for row in second.weight:
        if not (row != 0).any():
            factors.append(0)
        elif (row == ahead).all():
            factors.append(1)
        elif (row == -ahead).all():
            factors.append(-1)
        else:
            return None
    return ahead, factors
