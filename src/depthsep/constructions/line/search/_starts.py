"""All starts of a search: folds, folds of one mirror image, and a wider network."""

from collections.abc import Iterator

import numpy as np

from depthsep.constructions.line.narrow._fold_onto import (
    folded_network,
    narrowest_folding,
)
from depthsep.constructions.line.narrow._mirrors import Mirrors, mirrors
from depthsep.constructions.line.search._fold_starts import fold_start, zigzags
from depthsep.constructions.line.search._glued_starts import glued_start
from depthsep.constructions.line.search._runs import Runs, runs_of
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.search._weights import Weights

GROUPS = (1, 2, 3, 4)  # kinks of a zigzag between coarse knots
FEW_ZIGZAGS = 3
WARPS = (0.5, 0.35, 0.65)  # powers of |f''| in which cells are equal


def starts(sampled: Sampled, layers: int, width: int) -> Iterator[Weights]:
    """Folds of every kind that fit the width."""
    yield from folds(sampled, layers, width)
    found = mirrors(sampled.f, -1.0, 1.0, 1.0)
    if found is None:
        return
    kept = sampled.on(*found.kept)
    for front in range(1, min(layers - 2, 3) + 1):
        folding = narrowest_folding(found, front)
        if max(folding.widths) > width:
            continue
        for inside in folds(kept, layers - front, width):
            yield _mirrored(found, inside.reading(*found.kept), front)


def _mirrored(found: Mirrors, inside: Weights, front: int) -> Weights:
    folding = narrowest_folding(found, front)
    return Weights.of(folded_network(found, folding, inside.network()))


def folds(sampled: Sampled, layers: int, width: int) -> Iterator[Weights]:
    """Zigzags of one layer or two, folded in the layers behind."""
    for warp in WARPS:
        runs = runs_of(sampled.f, warp)
        signed = len(set(runs.signs)) > 1
        base = max(1, width // 2 if signed else width - 1)
        for last in _last_cuts(runs, width, signed):
            for made in _of_one_zigzag(sampled, runs, layers, width, base, last):
                if max(made.widths) <= width:
                    yield made


def _of_one_zigzag(
    sampled: Sampled,
    runs: Runs,
    layers: int,
    width: int,
    base: int,
    last: tuple[int, int],
) -> Iterator[Weights]:
    for zigzag in zigzags(runs, width - 1):
        yield fold_start(sampled, zigzag, (base,) * (layers - 2), last)
    if layers == 2:
        return
    for group in GROUPS:
        for zigzag in zigzags(runs, width * (group + 1) - 1, FEW_ZIGZAGS):
            yield glued_start(sampled, zigzag, group, (base,) * (layers - 3), last)


def _last_cuts(runs: Runs, width: int, signed: bool) -> Iterator[tuple[int, int]]:
    """Into how many pieces the last layer cuts cells: a + b = width + 1."""
    if not signed:
        yield width, 1
        return
    upward = sum(
        share for share, s in zip(np.diff(runs.ends), runs.signs, strict=True) if s > 0
    )
    near = round(
        (width + 1)
        * float(upward) ** 0.5
        / (float(upward) ** 0.5 + (1 - float(upward)) ** 0.5)
    )
    for a in (near - 1, near, near + 1):
        if 1 <= a <= width:
            yield a, width + 1 - a
