"""A proof checked twice: by the independent checker, and by depthsep's own means."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from depthsep._errors import DepthsepError, FileFormatError
from depthsep._files import one_line, read_bounded
from depthsep.analysis import check, examine, least_width_without_skips
from depthsep.claims import Lower
from depthsep.every_dimension import bounds_for
from depthsep.evidence import Inapplicable
from depthsep.exact import rational, readable
from depthsep.interop import (
    Verdict,
    file_entry,
    query_from_text,
    read_network,
    read_onnx,
)
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.networks import RELU, Affine, Network, as_relu, network_from_json
from depthsep.problems import Problem, units_from_text
from depthsep.witnesses._checker import HOLDS, NAME, run_checker
from depthsep.witnesses._proof import HOLDS_FORMAT, Entry, Proof, proof_format
from depthsep.witnesses.lower._every_dimension import every_dimension_document
from depthsep.witnesses.lower._prove import prove_lower


def verify_proof(path: str | os.PathLike[str]) -> Verdict:
    """Both answers: valid only if the checker accepts and depthsep finds the same.

    For a lower bound the largest width that depthsep's theorems prove at this depth has
    to be at least the claimed one; or else a proof that is searched for anew has to
    reach it, and then the reason says that the checker alone has judged. For an upper
    bound the examined error has to be at most the claimed one.

    Raises:
        FileFormatError: the file cannot be read, or is of a kind not known.
    """
    file = Path(path)
    is_holds = proof_format(file) == HOLDS_FORMAT
    answer = run_checker(file, name=HOLDS if is_holds else NAME)
    if not answer.readable:
        raise FileFormatError(one_line(answer.words))
    if not answer.valid:
        return Verdict(False, one_line(answer.words.removeprefix("refused: ")))
    document: Entry = json.loads(read_bounded(file))
    who = BOTH
    try:
        if is_holds:
            against = _holds(document, file.parent)
        elif document["kind"] == "every_dimension":
            against = _every_dimension(document)
        elif document["side"] == "lower":
            against, who = _lower(document)
        else:
            against = _upper(document, file.parent)
    except DepthsepError as error:
        against = f"depthsep cannot check the proof: {error}"
    if against:
        return Verdict(
            False,
            one_line(f"the checker says {answer.words!r}, but {against}"),
        )
    return Verdict(True, f"{who}: {answer.words.removeprefix('valid: ')}")


BOTH = "by the checker and by depthsep"


def _lower(document: Entry) -> tuple[str, str]:
    """What depthsep has against a lower bound, if anything; and who confirms it."""
    problem, claim = Problem.from_json(document["problem"]), document["claim"]
    depth, skips = claim["depth"], claim["skips"]
    if "unit_pieces" in claim:
        units = units_from_text(f"piecewise:{claim['unit_pieces']}")
        networks = replace(problem.networks, units=units, skips=True)
        problem = replace(problem, networks=networks)
    known = _proven(problem, depth, skips=skips)
    if known >= claim["width"]:
        return "", BOTH
    only = f"the theorems in depthsep prove only width {known} at depth {depth}"
    proof = prove_lower(problem, depth, skips=skips)
    if isinstance(proof, Proof) and proof.claim["width"] >= claim["width"]:
        return "", f"by the checker alone ({only})"
    return only, BOTH


def _every_dimension(document: Entry) -> str:
    """What depthsep has against bounds for every d; empty if nothing."""
    known = every_dimension_document(bounds_for(document["target"]))["theorems"]
    others = [t["statement"] for t in document["theorems"] if t not in known]
    return f"the statement {others[0]} is not the same as in depthsep" if others else ""


def _upper(document: Entry, folder: Path) -> str:
    """What depthsep has against an upper bound; empty if nothing."""
    problem, claim = Problem.from_json(document["problem"]), document["claim"]
    network = _network(document["network"], folder)
    found = examine(network, problem)
    if isinstance(found, Inapplicable):
        return f"depthsep cannot examine the network: {found.reason}"
    claimed = rational(claim["error"], name="the claimed error")
    if not found.error.is_at_most(problem.accuracy):
        return found.error.against(problem.accuracy, problem.norm)
    if found.error.lower > claimed:
        return (
            f"the error is {found.error}, which is more than the claimed "
            f"{readable(claimed)}"
        )
    return ""


def _proven(problem: Problem, depth: int, *, skips: bool) -> int:
    """The largest width that depthsep's theorems prove; 0 if none.

    With skip connections, bounds of plain networks do not count; without them Theorem
    N is applied to the pieces of every bound.
    """
    asked = replace(problem.networks, skips=skips)
    found = [bound.prove(problem, depth) for bound in LOWER_BOUNDS]
    answers = [a.of(asked) for a in found if isinstance(a, Lower)]
    claims = [lower for lower in answers if isinstance(lower, Lower)]
    widths = [lower.width for lower in claims]
    if not skips:
        counts = [lower.pieces for lower in claims if lower.pieces is not None]
        widths += [least_width_without_skips(n, depth - 1) for n in counts]
    return max(widths, default=0)


def _network(entry: Entry, folder: Path) -> Network:
    if "onnx" in entry:
        return read_onnx(folder / entry["onnx"], may_round=False)
    return network_from_json(entry)


def _holds(document: Entry, folder: Path) -> str:
    """What depthsep says against a property that the checker proves.

    Where the file that the network was read from lies beside the proof, the network of
    the proof has to be that one.
    """
    layers = [
        Affine(
            np.array([[float.fromhex(w) for w in row] for row in layer["weight"]]),
            np.array([float.fromhex(b) for b in layer["bias"]]),
        )
        for layer in document["network"]
    ]
    network = Network(layers, [RELU] * (len(layers) - 1))
    entry = document.get("file")
    file = None if entry is None else folder / Path(entry["name"]).name
    if entry is not None and file is not None and file.is_file():
        if file_entry(file)["sha256"] != entry["sha256"]:
            return f"{file.name} is not the file that the proof is about"
        if as_relu(read_network(file)) != network:
            return f"the network of the proof is not that of {file.name}"
    found = check(network, query_from_text(document["property"]).cases)
    return (
        ""
        if found.answer == "holds"
        else (f'depthsep answers "{found.answer}" for the property, not "holds"')
    )
