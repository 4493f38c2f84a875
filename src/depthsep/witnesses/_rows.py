"""Proofs of all rows of a table, in a folder."""

import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from depthsep._errors import DepthsepError, TooLargeError
from depthsep._progress import followed
from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.separation import Separation
from depthsep.witnesses._checker import Answer, run_checker
from depthsep.witnesses._proof import Entry, Proof, is_proof
from depthsep.witnesses.lower._prove import prove_lower
from depthsep.witnesses.upper._prove import prove_upper

CHECKERS = 2  # that run beside each other


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
    sides = [
        (row.depth, side, claim)
        for row in table
        for side, claim in (("lower", row.lower), ("upper", row.upper))
        if not isinstance(claim, Inapplicable)
    ]
    with ThreadPoolExecutor(CHECKERS) as pool:  # one proof is checked, the next made
        begun = [
            (depth, side, claim.width, _begun(table, depth, claim, place, pool))
            for depth, side, claim in followed(sides, len(sides), "proofs")
        ]
    return [
        Written(depth, side, None, width, None, str(made))
        if isinstance(made, Inapplicable)
        else _finished(depth, side, width, made)
        for depth, side, width, made in begun
    ]


@dataclass(frozen=True)
class _Begun:
    """A proof that is written and being checked."""

    width: int
    path: Path
    answer: Future[Answer]


def _begun(
    table: Separation,
    depth: int,
    claim: Lower | Upper,
    place: Path,
    pool: ThreadPoolExecutor,
) -> _Begun | Inapplicable:
    is_lower = isinstance(claim, Lower)
    proof = _lower(table, depth, claim) if is_lower else _upper(table, claim)
    if isinstance(proof, Inapplicable):
        return proof
    path = place / f"depth-{depth}-{proof.side}.json"
    proof.write(path)
    width = proof.claim["width"] if is_lower else max(proof.claim["widths"])
    return _Begun(width, path, pool.submit(run_checker, path))


def _finished(depth: int, side: str, row: int, made: _Begun) -> Written:
    answer = made.answer.result()
    _agree(answer, made.path)
    return Written(depth, side, made.width, row, made.path, answer.words)


def _agree(answer: Answer, path: Path) -> None:
    if not answer.valid:
        raise DepthsepError(
            f"the checker refuses {path}, which was just written ({answer.words}); "
            "this is a bug, please report it"
        )


def _lower(table: Separation, depth: int, claim: Lower) -> Proof | Inapplicable:
    """With skip connections, or without where the row is about plain networks."""
    return prove_lower(table.problem, depth, skips=claim.networks.skips)


def _upper(table: Separation, claim: Upper) -> Proof | Inapplicable:
    try:
        return prove_upper(claim.network, table.problem)
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))
