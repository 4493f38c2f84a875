"""Checkpoints of a run: one equinox file, replaced whole, read without unpickling."""

import hashlib
import json
import os
from collections.abc import Callable
from importlib.metadata import version
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TypeVar

import equinox as eqx
import jax

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import first_line, replacing

FORMAT = "depthsep-checkpoint-2"
HEADER = 512
Tree = TypeVar("Tree")


def fingerprint(description: dict[str, object]) -> str:
    """A short hash of what a run is: the same task, the same hash."""
    written = json.dumps(description, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def save(path: Path, tree: object, task: str) -> None:
    """Write a tree of arrays and the task's fingerprint, array by array.

    Raises:
        HypothesisError: the place cannot be written; the old file stays as it was.
    """
    try:
        with replacing(path) as stream:
            stream.write(b" " * HEADER)
            hashed = _Hashed(stream)
            eqx.tree_serialise_leaves(hashed, tree)
            head = _head(task) | {"sha256": hashed.digest.hexdigest()}
            stream.seek(0)
            stream.write(json.dumps(head).encode().ljust(HEADER))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise HypothesisError(
            f"cannot write {path}: {reason}; choose another folder for the run"
        ) from error


def load(path: Path, like: Callable[[], Tree], task: str) -> Tree | None:
    """The saved tree, or None if there is no file.

    Args:
        like: makes a tree of the right shapes and types; it is traced, not run.

    Raises:
        HypothesisError: the checkpoint of another task, or of another version.
        FileFormatError: a damaged file.
    """
    for part in path.parent.glob(f".{path.name}.*.part"):  # of kills while writing
        part.unlink(missing_ok=True)
    if not path.exists():
        return None
    wanted = jax.eval_shape(like)
    leaves = jax.tree.leaves(wanted)
    most = HEADER + sum(x.size * x.dtype.itemsize + 1024 for x in leaves)
    try:
        with path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size > most:
                raise ValueError("it is longer than the task's arrays")
            _check_head(path, stream, task)
            return eqx.tree_deserialise_leaves(stream, wanted)
    except HypothesisError:
        raise
    except Exception as error:  # numpy, json and equinox raise many kinds
        raise FileFormatError(
            f"{path} is not a checkpoint that can be read "
            f"({first_line(error)}); remove it to start anew"
        ) from error


class _Hashed:
    """A stream that hashes what is written to it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.digest = stream, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        return self.stream.write(data)


def _head(task: str) -> dict[str, str]:
    return {"format": FORMAT, "depthsep": version("depthsep"), "task": task}


def _check_head(path: Path, stream: BufferedReader, task: str) -> None:
    """Read the header and the hash; leave the stream where the arrays begin."""
    head = json.loads(stream.read(HEADER))
    if any(head.get(key) != value for key, value in _head(task).items()):
        raise HypothesisError(
            f"{path} belongs to another task, or to another version of depthsep; "
            "choose another folder, or remove this file to start anew"
        )
    if head["sha256"] != hashlib.file_digest(stream, "sha256").hexdigest():
        raise ValueError("its contents have changed")
    stream.seek(HEADER)
