"""Bounds for every d, with the base cases of their inductions, for the checker."""

from collections.abc import Sequence

from depthsep.every_dimension import ForAll
from depthsep.exact import text
from depthsep.witnesses._proof import FORMAT, Entry, digest


def every_dimension_document(theorems: Sequence[ForAll]) -> Entry:
    """Of both sides of one target, with a digest over everything else in it."""
    document: Entry = {
        "format": FORMAT,
        "kind": "every_dimension",
        "target": theorems[0].target,
        "theorems": [_entry(theorem) for theorem in theorems],
    }
    return document | {"sha256": digest(document)}


def _entry(theorem: ForAll) -> Entry:
    return {
        "statement": theorem.id,
        "law": theorem.law,
        "depth": theorem.depth,
        "side": theorem.side,
        "norm": theorem.norm,
        "from_dim": theorem.start,
        "step": theorem.step,
        "best_accuracy": text(theorem.best),
        "accuracy_falls": theorem.falls,
        "formula": theorem.statement.formula,
        "constants": {name: text(c) for name, c in theorem.constants},
        "base_cases": [[text(c) for c in o.base_cases] for o in theorem.obligations],
    }
