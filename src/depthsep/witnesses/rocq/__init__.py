"""Proofs as files for Rocq (Coq): closed statements that its kernel checks."""

from depthsep.witnesses.rocq._lower import rocq_lower as rocq_lower
from depthsep.witnesses.rocq._lower import rocq_width as rocq_width
from depthsep.witnesses.rocq._upper import rocq_upper as rocq_upper
