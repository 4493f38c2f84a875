"""A proof checked twice: by the independent checker, and by depthsep's own means."""

import json
import os
from pathlib import Path

from depthsep._errors import DepthsepError, FileFormatError
from depthsep._files import one_line, read_bounded
from depthsep.analysis import examine, least_width_without_skips
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import rational, readable
from depthsep.interop import Verdict, read_onnx
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.networks import Network, network_from_json
from depthsep.problems import Problem
from depthsep.witnesses._checker import run_checker
from depthsep.witnesses._lower import prove_lower
from depthsep.witnesses._proof import Entry, Proof


def verify_proof(path: str | os.PathLike[str]) -> Verdict:
    """Both answers: valid only if the checker accepts and depthsep finds the same.

    For a lower bound the largest width that depthsep proves at this depth has to be
    at least the claimed one, for an upper bound the examined error at most the claimed.

    Raises:
        FileFormatError: the file cannot be read, or is of a kind not known.
    """
    file = Path(path)
    answer = run_checker(file)
    if not answer.readable:
        raise FileFormatError(one_line(answer.words))
    if not answer.valid:
        return Verdict(False, one_line(answer.words.removeprefix("refused: ")))
    document: Entry = json.loads(read_bounded(file))
    try:
        against = _against(document, file.parent)
    except DepthsepError as error:
        against = f"depthsep cannot check it: {error}"
    if against:
        return Verdict(
            False,
            one_line(f"the checker says {answer.words!r}, but {against}"),
        )
    return Verdict(True, answer.words.removeprefix("valid: "))


def _against(document: Entry, folder: Path) -> str:
    """What depthsep has against the claim; empty if nothing."""
    problem = Problem.from_json(document["problem"])
    claim = document["claim"]
    if document["side"] == "lower":
        known = _proven(problem, claim["depth"], skips=claim["skips"])
        if known >= claim["width"]:
            return ""
        return f"depthsep proves width {known} only at depth {claim['depth']}"
    network = _network(document["network"], folder)
    found = examine(network, problem)
    if isinstance(found, Inapplicable):
        return f"depthsep cannot examine it: {found.reason}"
    claimed = rational(claim["error"], name="the claimed error")
    if not found.error.is_at_most(problem.accuracy):
        return f"the error is {found.error}, above {readable(problem.accuracy)}"
    if found.error.lower > claimed:
        return f"the error is {found.error}, more than {readable(claimed)}"
    return ""


def _proven(problem: Problem, depth: int, *, skips: bool) -> int:
    """The largest width that depthsep proves; 0 if none.

    With skip connections, bounds of plain networks do not count; without them Theorem
    N is applied to the pieces of every bound. A proof is searched for anew, too.
    """
    found = [bound.prove(problem, depth) for bound in LOWER_BOUNDS]
    claims = [lower for lower in found if isinstance(lower, Lower)]
    if skips:
        claims = [c for c in claims if "no skip" not in c.class_of_networks]
    widths = [lower.width for lower in claims]
    if not skips:
        counts = [lower.pieces for lower in claims if lower.pieces is not None]
        widths += [least_width_without_skips(n, depth - 1) for n in counts]
    proof = prove_lower(problem, depth, skips=skips)
    if isinstance(proof, Proof):
        widths.append(proof.claim["width"])
    return max(widths, default=0)


def _network(entry: Entry, folder: Path) -> Network:
    if "onnx" in entry:
        return read_onnx(folder / entry["onnx"], may_round=False)
    return network_from_json(entry)
