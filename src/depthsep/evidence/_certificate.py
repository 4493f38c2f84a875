"""Certificates: a claim that a stranger can check from the file alone."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from depthsep._errors import FileFormatError

FORMAT = "depthsep certificate 1"
_FIELDS = ("problem", "claim", "network", "source", "versions")


@dataclass(frozen=True)
class Certificate:
    """A claim about one network and one problem, as plain JSON values.

    Attributes:
        problem: target, law, norm and accuracy, as text.
        claim: error (a proven upper bound, ``"p/q"``), rigour and widths.
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
        body = {name: getattr(self, name) for name in _FIELDS}
        document = {"format": FORMAT, **body, "sha256": _digest(body)}
        return json.dumps(document, indent=1) + "\n"

    @staticmethod
    def from_json(written: str) -> "Certificate":
        """Read a certificate.

        Raises:
            FileFormatError: not JSON, not a certificate, or fields are missing.
        """
        try:
            document = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise FileFormatError(f"not a JSON file: {error}") from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FileFormatError(f"not a certificate of the form {FORMAT!r}")
        missing = [name for name in (*_FIELDS, "sha256") if name not in document]
        if missing:
            raise FileFormatError(f"the certificate lacks {', '.join(missing)}")
        for name in ("problem", "claim", "network", "versions"):
            if not isinstance(document[name], dict):
                raise FileFormatError(f"the certificate's {name!r} is not an object")
        return Certificate(**{name: document[name] for name in _FIELDS})

    @staticmethod
    def digest_matches(written: str) -> bool:
        """Whether the digest in a document fits the rest of it."""
        document = json.loads(written)
        body = {name: document[name] for name in _FIELDS}
        return document["sha256"] == _digest(body)


def _digest(body: Mapping[str, object]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
