"""Proofs of both sides of a row that others check without depthsep.

A proof is a document with the claim and its witnesses; `checker/depthsep_check.py`, one
file on the standard library alone, checks it.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:
    from depthsep.witnesses._checker import checker as checker
    from depthsep.witnesses._checker import run_checker as run_checker
    from depthsep.witnesses._proof import Proof as Proof
    from depthsep.witnesses._proof import is_proof as is_proof
    from depthsep.witnesses._rows import Written as Written
    from depthsep.witnesses._rows import write_proofs as write_proofs
    from depthsep.witnesses._verify import verify_proof as verify_proof
    from depthsep.witnesses.lower._every_dimension import (
        every_dimension_document as every_dimension_document,
    )
    from depthsep.witnesses.lower._prove import prove_lower as prove_lower
    from depthsep.witnesses.upper._prove import prove_upper as prove_upper

__getattr__, __dir__, __all__ = lazily(__name__, globals())
