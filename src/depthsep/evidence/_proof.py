"""How far a statement is proved, and on which page."""

from dataclasses import dataclass

FOLDER = "docs/proofs"
PROOF_STATUSES = ("complete", "cited", "checked by computation", "not established")


@dataclass(frozen=True)
class Proof:
    """A status and the page that holds the proof, or says where it stands.

    Attributes:
        status: one of `PROOF_STATUSES`. "cited": the proof is in the source only;
            "checked by computation": values were, the statement is not proved.
        page: a file of the documentation, which names the statement by its id.
    """

    status: str
    page: str

    def __post_init__(self) -> None:
        assert self.status in PROOF_STATUSES, self.status

    def __str__(self) -> str:
        return f"{self.status}, {self.page}"


def proved(page: str) -> Proof:
    """Complete, on this page of the proofs."""
    return Proof("complete", f"{FOLDER}/{page}.md")


def cited(page: str) -> Proof:
    """Published elsewhere; the page says where, and what rests on it."""
    return Proof("cited", f"{FOLDER}/{page}.md")


def computed(page: str) -> Proof:
    """Checked by computation; the page says how."""
    return Proof("checked by computation", f"{FOLDER}/{page}.md")
