"""`Proof`: a claim and why it holds, as a document that others can check."""

import hashlib
import json
import os
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depthsep._errors import DepthsepError
from depthsep._files import read_bounded, write_atomically
from depthsep.problems import Problem

FORMAT = "depthsep proof 1"
HOLDS_FORMAT = "depthsep-holds"  # that a network has a property
Entry = dict[str, Any]  # of JSON: its values are of many types


@dataclass(frozen=True)
class Proof:
    """Of one side of a row, for `checker/depthsep_check.py`.

    Attributes:
        side: lower or upper.
        kind: how a lower bound is witnessed: points, mean, square, sawtooth, lines,
            ranks or arcs; parts for an upper bound.
        claim: depth, and width (lower) or widths and error (upper).
        evidence: what makes the claim checkable without a search.
        network: its weights, or a file beside the proof; of an upper bound only.
    """

    side: str
    kind: str
    problem: Problem
    claim: Entry
    evidence: Entry
    network: Entry | None = None

    @property
    def document(self) -> Entry:
        """The JSON document, with a digest over everything else in it."""
        network = {} if self.network is None else {"network": self.network}
        document: Entry = {
            "format": FORMAT,
            "side": self.side,
            "kind": self.kind,
            "problem": self.problem.to_json(),
            "claim": deepcopy(self.claim),
            "evidence": deepcopy(self.evidence),
            **network,
        }
        return document | {"sha256": digest(document)}

    def to_json(self) -> str:
        """As it is written."""
        return json.dumps(self.document) + "\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it, whole or not at all."""
        write_atomically(path, self.to_json().encode())


def digest(document: Entry) -> str:
    """Of everything but the digest; against damage, not fraud."""
    rest = {name: part for name, part in document.items() if name != "sha256"}
    written = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def is_proof(path: str | os.PathLike[str]) -> bool:
    """Whether a file says that it is a proof; files that cannot be read are not."""
    return proof_format(path) in (FORMAT, HOLDS_FORMAT)


def proof_format(path: str | os.PathLike[str]) -> str | None:
    """What a file says that it is; None where it says nothing that can be read."""
    try:
        document = json.loads(read_bounded(Path(path)))
    except (DepthsepError, OSError, ValueError, RecursionError):
        return None
    found = document.get("format") if isinstance(document, dict) else None
    return found if isinstance(found, str) else None
