"""Proofs of all rows of a table, in a folder."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from depthsep._errors import DepthsepError, TooLargeError
from depthsep._progress import followed
from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.separation import Row, Separation
from depthsep.witnesses._checker import Answer, run_checker
from depthsep.witnesses._proof import Entry, Proof, is_proof
from depthsep.witnesses.lower._prove import prove_lower
from depthsep.witnesses.upper._prove import prove_upper


@dataclass(frozen=True)
class Written:
    """What became of one side of a row.

    Attributes:
        width: that the proof claims; None where there is no proof.
        row: the width in the table.
        path: of the proof; None where there is none.
        words: what the checker says about it, or why there is none.
    """

    depth: int
    side: str
    width: int | None
    row: int
    path: Path | None
    words: str

    def to_json(self) -> Entry:
        """For `separate --json --proofs`."""
        return {
            "depth": self.depth,
            "side": self.side,
            "width": self.width,
            "row_width": self.row,
            "path": None if self.path is None else str(self.path),
            "words": self.words,
        }


def write_proofs(table: Separation, folder: str | os.PathLike[str]) -> list[Written]:
    """Write a proof for each side of each row, and have the checker read it.

    Proofs of other tables that lie in the folder under such names are removed.

    Raises:
        DepthsepError: the checker refuses a proof that was just written: a bug.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for old in place.glob("depth-*.json"):
        if is_proof(old):
            old.unlink()
    sides = [(row, side) for row in table for side in ("lower", "upper")]
    return [
        written
        for row, side in followed(sides, len(sides), "proofs")
        for written in _side(table, row, side, place)
    ]


def _side(table: Separation, row: Row, side: str, place: Path) -> Iterator[Written]:
    claim = getattr(row, side)
    if isinstance(claim, Inapplicable):
        return
    proof = _lower(table, row) if side == "lower" else _upper(table, claim)
    if isinstance(proof, Inapplicable):
        yield Written(row.depth, side, None, claim.width, None, str(proof))
        return
    path = place / f"depth-{row.depth}-{side}.json"
    proof.write(path)
    answer = run_checker(path)
    _agree(answer, path)
    width = proof.claim["width"] if side == "lower" else max(proof.claim["widths"])
    yield Written(row.depth, side, width, claim.width, path, answer.words)


def _agree(answer: Answer, path: Path) -> None:
    if not answer.valid:
        raise DepthsepError(
            f"the checker refuses {path}, which was just written ({answer.words}); "
            "this is a bug, please report it"
        )


def _lower(table: Separation, row: Row) -> Proof | Inapplicable:
    """With skip connections, or without where the row is about plain networks."""
    assert isinstance(row.lower, Lower)
    plain = row.lower.binds_plain_networks_only
    return prove_lower(table.problem, row.depth, skips=not plain)


def _upper(table: Separation, claim: Upper) -> Proof | Inapplicable:
    try:
        return prove_upper(claim.network, table.problem)
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))
