"""Checkpoints of a run: one equinox file, replaced whole, read without unpickling."""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import first_line, write_atomically

FORMAT = "depthsep-checkpoint-1"
HEADER = 512
Tree = TypeVar("Tree")


def fingerprint(description: dict[str, object]) -> str:
    """A short hash of what a run is: the same task, the same hash."""
    written = json.dumps(description, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def save(path: Path, tree: Any, task: str) -> None:
    """Write a tree of arrays and the task's fingerprint.

    Raises:
        HypothesisError: the place cannot be written; the old file stays as it was.
    """
    stream = io.BytesIO()
    eqx.tree_serialise_leaves(stream, jax.device_get(tree))
    data = stream.getvalue()
    head = {"format": FORMAT, "task": task, "sha256": _digest(data)}
    try:
        write_atomically(path, json.dumps(head).encode().ljust(HEADER) + data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise HypothesisError(
            f"cannot write {path}: {reason}; choose another folder for the run"
        ) from error


def load(path: Path, like: Callable[[], Tree], task: str) -> Tree | None:
    """The saved tree, or None if there is no file.

    Args:
        like: a tree of the right shapes and types.

    Raises:
        HypothesisError: the checkpoint of another task.
        FileFormatError: a damaged file.
    """
    if not path.exists():
        return None
    wanted = like()
    size = sum(x.nbytes for x in jax.tree.leaves(wanted))
    leaves = len(jax.tree.leaves(wanted))
    try:
        if path.stat().st_size > size + HEADER + 1024 * leaves:
            raise ValueError("longer than the task's arrays")
        with path.open("rb") as stream:
            head, data = json.loads(stream.read(HEADER)), stream.read()
        if (head["format"], head["task"]) != (FORMAT, task):
            raise HypothesisError(
                f"{path} belongs to another task; choose another folder, or remove it "
                "to start anew"
            )
        if head["sha256"] != _digest(data):
            raise ValueError("its contents have changed")
        arrays = jax.tree.map(jnp.asarray, wanted)
        return eqx.tree_deserialise_leaves(io.BytesIO(data), arrays)
    except HypothesisError:
        raise
    except Exception as error:  # numpy, json and equinox raise many kinds
        raise FileFormatError(
            f"{path}: no checkpoint that can be read ({first_line(error)}); remove it "
            "to start anew"
        ) from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
