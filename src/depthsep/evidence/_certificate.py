"""Certificates: a claim that a stranger can check from the file alone."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from depthsep._display import Displayed
from depthsep._errors import FileFormatError

FORMAT = "depthsep certificate 1"
_FIELDS = ("problem", "claim", "network", "source", "versions")
_PROBLEM = ("target", "law", "norm", "accuracy")
_PROBLEM_OPTIONS = ("weight_bound", "activation", "skips")
_CLAIM = ("error", "rigour", "widths")
_CLAIM_OPTIONS = ("arithmetic", "weights")


@dataclass(frozen=True)
class Certificate(Displayed):
    """A claim about one network and one problem, as plain JSON values.

    Attributes:
        problem: target, law, norm and accuracy, as text.
        claim: error (a proven upper bound, ``"p/q"``), rigour and widths; and the
            arithmetic of a runtime, if its rounding is part of the error; and which
            numbers the weights are, if that is claimed.
        network: rational weights, or ``{"onnx": file name, "sha256": ...}``.
        source: the construction's reference; not used by the check.
        versions: of what wrote it.
    """

    problem: Mapping[str, str]
    claim: Mapping[str, object]
    network: Mapping[str, object]
    source: str
    versions: Mapping[str, str]

    def to_json(self) -> str:
        """The document, with a digest over everything else in it."""
        document = {"format": FORMAT, **{n: getattr(self, n) for n in _FIELDS}}
        document["sha256"] = _digest(document)
        return json.dumps(document, indent=1) + "\n"

    @staticmethod
    def from_json(written: str) -> "Certificate":
        """Read a certificate.

        Raises:
            FileFormatError: not JSON, not a certificate, or fields are missing.
        """
        document = json_object(json_document(written)) or {}
        if document.get("format") != FORMAT:
            raise FileFormatError(
                f"the file is not a certificate of the format {FORMAT!r}"
            )
        _check_names(document, ("format", *_FIELDS, "sha256"), "the certificate")
        source = document["source"]
        if not isinstance(source, str):
            raise FileFormatError("the certificate's 'source' is not a string")
        problem, versions = _texts(document, "problem"), _texts(document, "versions")
        claim, network = _part(document, "claim"), _part(document, "network")
        place = "the certificate's 'problem'"
        _check_names(problem, _PROBLEM, place, _PROBLEM_OPTIONS)
        _check_names(claim, _CLAIM, "the certificate's 'claim'", _CLAIM_OPTIONS)
        return Certificate(problem, claim, network, source, versions)

    @staticmethod
    def digest_matches(written: str) -> bool:
        """Whether the digest in a document fits the rest of it."""
        document = json_object(json_document(written)) or {}
        return document.pop("sha256") == _digest(document)


def json_object(value: object) -> dict[str, object] | None:
    """A JSON object as a dict; None for anything else."""
    return cast(dict[str, object], value) if isinstance(value, dict) else None


def json_document(written: str | bytes) -> object:
    """The document; a name given twice and NaN are refused, as readers differ there."""
    try:
        return json.loads(
            written, object_pairs_hook=_without_repetition, parse_constant=_refused
        )
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"the file cannot be read as JSON ({error}); write it again with the "
            "program that made it"
        ) from None


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a name is given twice in one object")
    return document


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is not allowed in JSON")


def _part(document: Mapping[str, object], name: str) -> dict[str, object]:
    found = json_object(document[name])
    if found is None:
        raise FileFormatError(f"the certificate's {name!r} is not a JSON object")
    return found


def _texts(document: Mapping[str, object], name: str) -> dict[str, str]:
    found = _part(document, name)
    texts = {key: value for key, value in found.items() if isinstance(value, str)}
    if len(texts) < len(found):
        raise FileFormatError(
            f"the certificate's {name!r} holds a value that is not a string"
        )
    return texts


def _check_names(
    document: Mapping[str, object],
    names: Sequence[str],
    place: str,
    options: Sequence[str] = (),
) -> None:
    missing = [name for name in names if name not in document]
    if missing:
        raise FileFormatError(f"{place} lacks {', '.join(missing)}")
    more = sorted(set(document) - set(names) - set(options))
    if more:
        raise FileFormatError(f"{place} has an unknown field {more[0][:40]!r}")


def _digest(document: Mapping[str, object]) -> str:
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
