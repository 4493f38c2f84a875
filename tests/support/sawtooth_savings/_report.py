"""How an attempt to prove a saving constant ends."""

from dataclasses import dataclass

from flint import fmpq


@dataclass(frozen=True)
class ProofReport:
    """A proof that no affine piece saves more than `constant`, on any interval.

    `boxes` of the branch and bound were proved, after at most `depth` bisections
    each; `lemmas` are the steps of the proof, in words.
    """

    constant: fmpq
    boxes: int
    depth: int
    lemmas: tuple[str, ...]

    def __str__(self) -> str:
        steps = "".join(f"\n  - {lemma}" for lemma in self.lemmas)
        return f"no saving exceeds {self.constant}, by {self.boxes} boxes:{steps}"


@dataclass(frozen=True)
class Refusal:
    """No proof: a box around `start`, `length` could not be closed, for `reason`.

    `saving` is the exact saving of an affine piece there (a good one, not
    necessarily the best). When it exceeds `constant`, the constant is false.
    """

    constant: fmpq
    start: fmpq
    length: fmpq
    saving: fmpq
    reason: str

    @property
    def is_counterexample(self) -> bool:
        """Whether the interval disproves the constant."""
        return self.saving > self.constant
