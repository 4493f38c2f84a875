"""`Recorded`: a network that was found before, where one fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from depthsep._errors import FileFormatError
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.records._catalogue import RECORDS, record_named
from depthsep.constructions.records._record import Record
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.problems import Problem


def _evaluate(id: str) -> Value:
    width = record_named(id).network.width
    return Value(width, Rigour.SAMPLED, log2(width))


@dataclass(frozen=True)
class Recorded(AbstractConstruction):
    """The narrowest network on record for a problem, or for a finer accuracy.

    A record claims nothing: its network is examined like every other.
    """

    records: tuple[Record, ...] = RECORDS

    statement: ClassVar[Statement] = Statement(
        "record",
        "Width of the narrowest network found so far for a standard problem",
        (
            (
                "the problem is one that `depthsep records` lists, or "
                "the same with a looser accuracy"
            ),
        ),
        Source("depthsep", "docs/records.md"),
        (Parameter("id", "name", "id of the record", "exp-linf-1e-4-depth-4"),),
        _evaluate,
        tex=(
            r"\text{the largest width } \max_i m_i "
            r"\text{ of the network in the certificate, which is examined again}"
        ),
        proof=proved("narrow-networks"),
    )

    scope = Scope("records are kept only for functions on an interval or a box")

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        fitting = [r for r in self.records if r.fits(problem, depth)]
        claims = [self._claim_of(record, problem) for record in fitting]
        found = [claim for claim in claims if isinstance(claim, Upper)]
        if found:
            return min(found, key=lambda claim: (claim.width, claim.units))
        damaged = [claim for claim in claims if isinstance(claim, Inapplicable)]
        nothing = Inapplicable(
            "no record is kept for this problem at this depth", off_topic=True
        )
        return damaged[0] if damaged else nothing

    def _claim_of(self, record: Record, problem: Problem) -> Upper | Inapplicable:
        try:
            network = record.network
        except FileFormatError as fault:
            return Inapplicable(f"the record is not used: {fault}")
        return Upper.of_network(
            network,
            problem.accuracy,
            Rigour.SAMPLED,
            self.statement,
            f"record {record.id}",
        )

    def examples(self) -> Sequence[Problem]:
        return [record.problem for record in self.records if record.depth == 4][:2]
