"""Where a job may keep what lets it go on after a kill."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

_place: ContextVar[Path | None] = ContextVar("place", default=None)


@contextmanager
def keeping_at(place: Path) -> Generator[None]:
    """Let jobs inside keep files at a place; it is removed when they end well."""
    token = _place.set(place)
    try:
        yield
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # other trials keep theirs beside it
            place.parent.rmdir()
    finally:
        _place.reset(token)


def partial_folder() -> Path | None:
    """A folder of this trial alone, the same at every attempt; None outside of one.

    None also where it cannot be made: a job then runs as though nothing were kept.
    """
    place = _place.get()
    if place is None:
        return None
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return place
