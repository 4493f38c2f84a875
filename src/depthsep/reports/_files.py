"""Files that are written whole or not at all, and refusals of one line."""

from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep._files import write_atomically


def write_whole(path: Path, data: bytes) -> Path:
    """Write through a temporary file in the same folder that then takes the name.

    Raises:
        HypothesisError: the place cannot be written; the old file stays as it was.
    """
    try:
        write_atomically(path, data)
    except OSError as error:
        raise refusal(path, error) from error
    return path


def write_folder(folder: str | Path, files: dict[str, bytes]) -> list[Path]:
    """Write files by name, each whole or not at all, into a folder, made if missing.

    Raises:
        HypothesisError: the folder cannot be made or written.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(place, error) from error
    return [write_whole(place / name, data) for name, data in files.items()]


def refusal(path: Path, error: OSError) -> HypothesisError:
    """One line on why nothing was written there."""
    reason = error.strerror or type(error).__name__
    return HypothesisError(
        f"cannot write {path}: {reason}; choose a folder that you may write to"
    )
