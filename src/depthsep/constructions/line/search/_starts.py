"""All starts of a search: folds, folds of one mirror image, and a wider network."""

from collections.abc import Iterator

from depthsep.constructions.line.narrow._fold_onto import (
    folded_network,
    narrowest_folding,
)
from depthsep.constructions.line.narrow._mirrors import Mirrors, mirrors
from depthsep.constructions.line.search._fold_starts import fold_start, zigzags
from depthsep.constructions.line.search._runs import runs_of
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._search import pruned
from depthsep.constructions.line.search._weights import Weights

WARPS = (0.5, 0.35, 0.65)  # powers of |f''| in which cells are equal


def starts(sampled: Sampled, layers: int, width: int) -> Iterator[Weights]:
    """Folds of every kind that fit the width."""
    yield from folds(sampled, layers, width)
    found = mirrors(sampled.f, -1.0, 1.0, 1.0)
    if found is None:
        return
    kept = sampled.on(*found.kept)
    for front in range(1, min(layers - 1, 3) + 1):
        folding = narrowest_folding(found, front)
        if max(folding.widths) > width:
            continue
        for inside in folds(kept, layers - front, width):
            yield _mirrored(found, inside.reading(*found.kept), front)


def _mirrored(found: Mirrors, inside: Weights, front: int) -> Weights:
    folding = narrowest_folding(found, front)
    return Weights.of(folded_network(found, folding, inside.network()))


def folds(sampled: Sampled, layers: int, width: int) -> Iterator[Weights]:
    """Zigzags folded in the layers after the first."""
    for warp in WARPS:
        runs = runs_of(sampled.f, warp)
        signed = len(set(runs.signs)) > 1
        base = width // 2 if signed else width - 1
        for zigzag in zigzags(runs, width - 1):
            found = fold_start(sampled, zigzag, (max(1, base),) * (layers - 1))
            if max(found.widths) <= width:
                yield found


def narrowed(sampled: Sampled, wider: Weights, width: int) -> Weights:
    """A wider network with the units pruned that are missed least."""
    for layer in range(len(wider.widths)):
        while wider.widths[layer] > width:
            wider = pruned(sampled, wider, layer)
    return wider
