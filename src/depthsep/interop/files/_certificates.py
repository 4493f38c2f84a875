"""Certificates on disk, and the check that a stranger can repeat."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import DepthsepError, FileFormatError, NotDefinedError
from depthsep._files import one_line, quoted, read_bounded, reading, write_atomically
from depthsep.analysis import Examination, examine
from depthsep.evidence import Certificate, Inapplicable, Rigour
from depthsep.exact import format_of, rational, readable, weights_from_text
from depthsep.interop.onnx._read import read_onnx
from depthsep.networks import Network, has_weights, network_digest, network_from_json
from depthsep.problems import Problem

Location = str | os.PathLike[str]
SLACK = fmpq(101, 100)


@dataclass(frozen=True)
class Verdict(Displayed):
    """Whether a certificate holds, and why not if it does not."""

    valid: bool
    reason: str
    examination: Examination | None = None


def onnx_reference(onnx: Location, network: Network) -> dict[str, object]:
    """How a certificate beside an ONNX file refers to it: name, hash and weights."""
    path = Path(onnx)
    data = read_bounded(path)
    return {
        "onnx": path.name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "weights_sha256": network_digest(network),
    }


def write_certificate(certificate: Certificate, path: Location) -> None:
    """Write a certificate atomically.

    Raises:
        OSError: the folder is missing, not writable or full; names `path`.
    """
    write_atomically(path, certificate.to_json().encode())


def read_certificate(path: Location) -> Certificate:
    """Read a certificate.

    Raises:
        FileFormatError: missing, damaged, or no certificate.
    """
    file = Path(path)
    with reading(file, "a certificate"):
        return Certificate.from_json(read_bounded(file).decode("utf-8"))


def certified_network(certificate: Certificate, folder: Location) -> Network:
    """The network a certificate is about; `folder` is where the certificate lies.

    Raises:
        FileFormatError: the file it refers to is missing, damaged or not in `folder`.
    """
    entry = certificate.network
    if "onnx" not in entry:
        return network_from_json(dict(entry))
    return read_onnx(_beside(str(entry["onnx"]), folder), may_round=False)


def is_plain(name: str) -> bool:
    """Whether a certificate may refer to a file by this name."""
    return name.isprintable() and "\\" not in name


def _beside(name: str, folder: Location) -> Path:
    parts, path = PurePosixPath(name).parts, Path(folder) / name
    if (
        not is_plain(name)
        or len(parts) != 1
        or name in ("", ".", "..")
        or os.path.islink(path)
    ):
        raise FileFormatError(
            f"the certificate refers to {quoted(name)}; this must be a "
            "file beside the certificate, and not a link"
        )
    return path


def verify(
    path: Location,
    *,
    seconds: float = 60.0,
) -> Verdict:
    """Derive a certificate's claim again, from the network and the problem alone.

    No construction is imported or consulted. Checked are: the file hash of an ONNX
    network, the accuracy, the claimed error, its rigour and the widths against what the
    examiner finds, and at last the digest of the document.

    Args:
        seconds: for networks on boxes that only branch and bound can follow.

    Raises:
        FileFormatError: the certificate or the network cannot be read at all.
    """
    file = Path(path)
    with reading(file, "a certificate"):
        written = read_bounded(file).decode("utf-8")
        certificate = Certificate.from_json(written)
        try:
            problem = Problem.from_json(certificate.problem)
        except NotDefinedError as error:
            return Verdict(False, one_line(f"the claim cannot be checked: {error}"))
        network = certified_network(certificate, file.parent)
        wrong = _wrong_file(certificate.network, file.parent, network)
    if wrong:
        return Verdict(False, wrong)
    try:
        named = certificate.claim.get("arithmetic")
        form = None if named is None else format_of(str(named))
        found = examine(network, problem, seconds=seconds, arithmetic=form)
        wrong = _wrong_weights(certificate.claim.get("weights"), network)
    except DepthsepError as error:  # such as a target that is not finite somewhere
        found = Inapplicable(str(error))
    if isinstance(found, Inapplicable):
        return Verdict(False, one_line(f"the claim cannot be checked: {found.reason}"))
    wrong = wrong or _wrong_claim(certificate.claim, network, problem, found)
    if wrong:
        return Verdict(False, one_line(wrong), found)
    if not Certificate.digest_matches(written):
        reason = "the certificate was altered after it was written: its digest differs"
        return Verdict(False, reason, found)
    return Verdict(True, f"the error is at most {problem.accuracy}", found)


def _wrong_file(entry: Mapping[str, object], folder: Path, network: Network) -> str:
    if "onnx" not in entry:
        return ""
    if set(entry) != {"onnx", "sha256", "weights_sha256"}:
        return (
            "the entry `network` of the certificate must have the keys "
            "onnx, sha256 and weights_sha256, and no others"
        )
    data = read_bounded(_beside(str(entry["onnx"]), folder))
    if hashlib.sha256(data).hexdigest() != entry.get("sha256"):
        return f"{entry['onnx']} is not the file that was certified: its hash differs"
    if network_digest(network) != entry["weights_sha256"]:
        return "the weights are not those that were certified: their hash differs"
    return ""


def _wrong_weights(named: object, network: Network) -> str:
    """A weight that is none of the numbers that are claimed."""
    if named is None:
        return ""
    if has_weights(network, weights_from_text(str(named))):
        return ""
    return f"a weight cannot be represented in {named}, contrary to the claim"


def _wrong_claim(
    claim: Mapping[str, object], network: Network, problem: Problem, found: Examination
) -> str:
    """What is wrong with the claim, or an empty text."""
    try:
        error = rational(claim["error"], name="the claimed error")
        rigour, widths = Rigour(claim["rigour"]), claim["widths"]
    except KeyError as missing:
        return f"the claim is damaged: it has no entry {missing}"
    except (ValueError, DepthsepError) as problem_with_it:
        return f"the claim is damaged: {problem_with_it}"
    if not found.error.is_at_most(problem.accuracy):
        return found.error.against(problem.accuracy, problem.norm)
    if not found.error.is_at_most(error):
        claimed = readable(error)
        return (
            f"the error is {found.error}, which does not prove the claimed "
            f"error {claimed}"
        )
    slack = 1 if found.error.rigour is Rigour.EXACT else SLACK
    if error > found.error.upper * slack:
        return (
            f"the claimed error {readable(error)} is not the error found, {found.error}"
        )
    if error > problem.accuracy:
        limit = readable(problem.accuracy)
        return f"the claimed error {readable(error)} is above the accuracy {limit}"
    if rigour.rank < found.error.rigour.rank:
        return (
            f"the claim says that the error is {rigour}, but the check only "
            f"gives an error that is {found.error.rigour}"
        )
    if not isinstance(widths, list) or any(type(w) is not int for w in widths):
        return "the claim is damaged: the widths are not a list of whole numbers"
    if widths != list(network.widths):
        return f"the network's widths are {list(network.widths)}, not {widths}"
    return ""
