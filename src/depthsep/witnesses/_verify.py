"""A proof checked twice: by the independent checker, and by depthsep's own means."""

import json
import os
from pathlib import Path

from depthsep._errors import DepthsepError, FileFormatError
from depthsep._files import one_line, read_bounded
from depthsep.analysis import examine
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import rational, readable
from depthsep.interop import Verdict, read_onnx
from depthsep.networks import Network, network_from_json
from depthsep.problems import Problem
from depthsep.separation import best_lower
from depthsep.witnesses._checker import run_checker
from depthsep.witnesses._proof import Entry


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
            one_line(f"the checker says {answer.words!r}, but {against}: one is wrong"),
        )
    return Verdict(True, answer.words.removeprefix("valid: "))


def _against(document: Entry, folder: Path) -> str:
    """What depthsep has against the claim; empty if nothing."""
    problem = Problem.from_json(document["problem"])
    claim = document["claim"]
    if document["side"] == "lower":
        found = best_lower(problem, claim["depth"])
        if claim["width"] <= 1 or (
            isinstance(found, Lower) and found.width >= claim["width"]
        ):
            return ""
        known = "no bound" if isinstance(found, Inapplicable) else f"{found.width}"
        return f"depthsep proves {known} at depth {claim['depth']}"
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


def _network(entry: Entry, folder: Path) -> Network:
    if "onnx" in entry:
        return read_onnx(folder / entry["onnx"], may_round=False)
    return network_from_json(entry)
