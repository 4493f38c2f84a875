"""Work and outcomes of trials, and how they travel between processes."""

import io
import json
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

import msgspec
import numpy as np

from depthsep._errors import HypothesisError
from depthsep.exact import json_integer
from depthsep.jobs import Result, Scalar

HEAD = struct.Struct(">Q")
GARBLED = (
    "the trial's answer cannot be read, as something else was written "
    "into the pipe that carries it; check what the job writes to file "
    "descriptors that it did not open"
)
MOST_BYTES = 1 << 32
MOST_METRICS = 10_000
MOST_WRITTEN = 1 << 21  # bytes of all metrics as JSON
LONGEST_TEXT = 20_000


@dataclass(frozen=True)
class Work:
    """A trial as it is described to a worker.

    Attributes:
        code: the version of depthsep and the job that the study asks for.
        folder: of the study file; bytes, as not every path is text.
        limit: seconds; None for no limit.
        partial: a folder of the trial's own, for what a killed attempt leaves.
    """

    job: str
    parameters: Mapping[str, object]
    seed: int
    code: str
    folder: bytes
    limit: float | None
    keep_files: bool
    partial: bytes


@dataclass(frozen=True)
class Outcome:
    """One attempt: results, or an error.

    Attributes:
        files: name to bytes.
        error: empty if it succeeded; else the traceback, or why there is none.
        lost: the process that ran the trial vanished with its worker, so that not even
            the error is known.
    """

    metrics: Mapping[str, Scalar] = field(default_factory=dict)
    rigours: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    error: str = ""
    seconds: float = 0.0
    worker: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    lost: bool = False


def outcome_of(result: Result, *, keep_files: bool) -> Outcome:
    """The outcome of a job that ran: its numbers made fit for JSON, its files bytes.

    Raises:
        HypothesisError: metrics of names or values that cannot be kept.
    """
    metrics = {_name(name): _plain(str(name), v) for name, v in result.metrics.items()}
    if len(metrics) > MOST_METRICS or len(json.dumps(metrics)) > MOST_WRITTEN:
        raise HypothesisError(
            f"too many metrics ({len(metrics)}), or metrics that are "
            "too long; keep arrays in Result.arrays"
        )
    rigours = {str(name): str(v) for name, v in result.rigours.items()}
    files: dict[str, bytes] = {}
    if keep_files and result.arrays:
        stream = io.BytesIO()
        np.savez_compressed(stream, **result.arrays)  # type: ignore[arg-type]
        files["trajectory.npz"] = stream.getvalue()
    for name, document in result.documents.items() if keep_files else ():
        if not name.replace("-", "").replace("_", "").isalnum():
            raise HypothesisError(
                f"a document is named {name[:40]!r}; use letters, digits, - and _"
            )
        written = json.dumps(document, indent=1, allow_nan=False)
        files[f"{name}.json"] = (written + "\n").encode()
    return Outcome(metrics, rigours, files)


def _name(name: object) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"\w[\w .+\-]{0,79}", name):
        raise HypothesisError(
            f"a metric is named {repr(name)[:60]}; use up to 80 letters, digits, "
            "spaces and _ . + -, beginning with a letter, a digit or _"
        )
    return name


def _plain(name: str, value: object) -> Scalar:
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return json_integer(value)
    if isinstance(value, str):
        return clean(value)[:LONGEST_TEXT]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    raise HypothesisError(
        f"the metric {name[:40]!r} is of type {type(value).__name__}; "
        "give a number, string, boolean or None"
    )


def clean(text: str) -> str:
    """Text that UTF-8 holds: lone surrogates are written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def shortened(text: str) -> str:
    """A traceback whose middle may be left out, as UTF-8 holds it."""
    text = clean(text)
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n...\n{text[-half:]}"


def send(stream: BinaryIO, data: bytes) -> None:
    """Write one message: how long it is, and its bytes."""
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> bytes | None:
    """The next message; None once the other side is gone."""
    head = _exactly(stream, HEAD.size)
    if head is None:
        return None
    (length,) = HEAD.unpack(head)
    return _exactly(stream, length) if length <= MOST_BYTES else None


def complete(said: bytearray) -> Outcome | None:
    """The outcome in some bytes once all of it is there; an error if it is garbled."""
    if len(said) < HEAD.size:
        return None
    (length,) = HEAD.unpack_from(said)
    if length > MOST_BYTES:
        return Outcome(error=GARBLED)
    if len(said) < HEAD.size + length:
        return None
    return unpacked(bytes(said[HEAD.size : HEAD.size + length]))


def packed(outcome: Outcome) -> bytes:
    """An outcome as it travels."""
    return msgspec.msgpack.encode(outcome)


def unpacked(data: bytes) -> Outcome:
    """The outcome that came; an error if it is garbled."""
    try:
        return msgspec.msgpack.decode(data, type=Outcome)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Outcome(error=GARBLED)


def _exactly(stream: BinaryIO, count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
