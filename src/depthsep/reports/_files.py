"""Files, whole or not at all."""

import contextlib
import os
import secrets
from pathlib import Path

from depthsep._errors import HypothesisError


def write_whole(path: Path, data: bytes) -> Path:
    """Write through a temporary file in the same folder that then takes the name.

    Raises:
        HypothesisError: the place cannot be written; the old file stays as it was.
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise refusal(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    return path


def refusal(path: Path, error: OSError) -> HypothesisError:
    """One line on why nothing was written there."""
    reason = error.strerror or type(error).__name__
    return HypothesisError(
        f"cannot write {path}: {reason}; choose a folder that you may write to"
    )
