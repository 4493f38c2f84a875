"""From convex cells to widths: what networks of several inputs can have."""

from math import comb

from depthsep.exact import least_above


def cells_of_layer(units: int, inputs: int) -> int:
    """Convex parts into which so many hyperplanes cut R^n at most."""
    return sum(comb(units, j) for j in range(min(units, inputs) + 1))


def least_width_of_cells(cells: int, inputs: int, layers: int) -> int:
    """The least equal width with which so many convex affine cells are possible.

    On a convex cell of the layers before, what a unit reads is affine, whatever it
    skips; so a layer of m units cuts it into `cells_of_layer` convex parts at most.
    """
    return least_above(lambda m: cells_of_layer(m, inputs) ** layers >= cells, -1)


def least_units_of_cells(cells: int, inputs: int, layers: int) -> int:
    """The fewest hidden units together; equal layers need not be best."""
    return least_above(lambda m: _most_cells(m, inputs, layers) >= cells, -1)


def _most_cells(units: int, inputs: int, layers: int) -> int:
    """The largest product over all ways to share units among layers.

    The parts c(m) of m hyperplanes are log-concave in m (docs/proofs/convex-cells.md),
    so the most equal widths are the best.
    """
    share, more = divmod(units, layers)
    return cells_of_layer(share + 1, inputs) ** more * cells_of_layer(
        share, inputs
    ) ** (layers - more)
