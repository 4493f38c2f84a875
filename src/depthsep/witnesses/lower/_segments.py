"""Bends on weighed segments of a box: Theorem J, told by three points each."""

from flint import fmpq

from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.laws import Segment
from depthsep.lower_bounds import (
    Run,
    packer_of,
    packings_of_layers,
    packings_of_one_layer,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget
from depthsep.witnesses._proof import Entry
from depthsep.witnesses.lower._points import three_points


def segments_in_box(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """The segments and weights of the bound, with triples of points on each."""
    packer = packer_of(problem, 1)
    if (refusal := packer.refusal()) is not None:
        return refusal
    packings = packings_of_one_layer(packer)
    chosen = [pair for packed in packings for pair in packed.chosen]
    entries = [_entry(problem, run, weight) for run, weight in chosen]
    kept = [entry for entry in entries if entry["points"]]
    if not kept:
        return Inapplicable(
            "no segment was found on which more than one affine piece is needed"
        )
    return "segments", {"segments": kept}


def packings_in_box(problem: Problem, layers: int) -> tuple[str, Entry] | Inapplicable:
    """A packing for each way to sign the last layer's units, of two layers or more."""
    if problem.norm != "linf":
        return Inapplicable("the bound by pieces on segments is only for linf errors")
    packer = packer_of(problem, min(layers, 2))
    if (refusal := packer.refusal()) is not None:
        return refusal
    entries = [
        [_entry(problem, run, weight) for run, weight in packed.chosen]
        for packed in packings_of_layers(packer, layers)
    ]
    kept = [[e for e in packing if e["points"]] for packing in entries]
    if not any(kept):
        return Inapplicable(
            "no segment was found on which more than one affine piece is needed"
        )
    return "packings", {"packings": [packing for packing in kept if packing]}


def _entry(problem: Problem, run: Run, weight: fmpq) -> Entry:
    sides = problem.law.box.sides
    start, stop = (
        tuple(s.start + s.length * x for s, x in zip(sides, end, strict=True))
        for end in run.ends
    )
    target = problem.target_as(AbstractBoxTarget).on_line(start, stop)
    one = Problem(target, Segment(0, 1), accuracy=problem.accuracy)
    points = three_points(one, one.interval)
    return {
        "ends": [[text(c) for c in end] for end in (start, stop)],
        "weight": text(weight),
        "points": [[text(t) for t in triple] for triple in points],
    }
