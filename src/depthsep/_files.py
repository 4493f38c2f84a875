"""Read files within bounds, write them atomically, and refuse on one line."""

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

from depthsep._errors import DepthsepError, FileFormatError

MAX_BYTES = 512 * 1024 * 1024
"""The largest file that is read, and the most bytes of weights taken from one."""
MAX_LINE = 600


@contextlib.contextmanager
def reading(path: Path, kind: str) -> Generator[None, None, None]:
    """Turn whatever a damaged file provokes into one line that names the file."""
    try:
        yield
    except DepthsepError as error:
        raise FileFormatError(f"{path}: {with_remedy(error)}") from error
    except OSError as error:
        reason = error.strerror or first_line(error)
        raise FileFormatError(
            f"{path}: the file cannot be read ({reason}); check the path"
        ) from error
    except (NameError, AssertionError):  # our own mistakes stay visible
        raise
    except MemoryError as error:
        raise FileFormatError(
            f"{path}: reading this file needs more memory than there "
            "is; give a smaller file"
        ) from error
    except Exception as error:  # protobuf, zipfile, zlib and numpy raise many kinds
        raise FileFormatError(
            f"{path}: the file is damaged or is not {kind} "
            f"({first_line(error)}); write the file again"
        ) from error


def with_remedy(error: DepthsepError) -> str:
    """A refusal on one line that says what to do."""
    line = one_line(str(error))
    own_words = re.sub(r"'[^']*'", "", line)  # a name in the file may hold anything
    if "; " in own_words:
        return line
    change = "change this and " if "supported" in own_words else ""
    return f"{line}; {change}write the file again"


def shown_safely(text: str) -> str:
    """A text with what a terminal would obey escaped: ``\\x1b`` and the like."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def lines_shown_safely(text: str) -> str:
    """The same for a text of several lines, which it keeps."""
    return "\n".join(shown_safely(line) for line in text.split("\n"))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def one_line(text: str) -> str:
    """A text on one line, its middle left out if it quotes much of a file."""
    line = shown_safely(text)
    if len(line) <= MAX_LINE:
        return line
    return f"{line[: MAX_LINE // 2]} ... {line[-MAX_LINE // 3 :]}"


def first_line(error: BaseException) -> str:
    """The gist of somebody else's exception, short and on one line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return shown_safely(lines[0][:120])


def quoted(name: str) -> str:
    """A name out of a file, fit for a message: quoted, short, on one line."""
    return repr(name if len(name) <= 60 else name[:57] + "...")


def read_bounded(path: Path) -> bytes:
    """The bytes of a regular file of at most `MAX_BYTES`."""
    check_readable(path)
    with path.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise FileFormatError(
            f"the file has more than {MAX_BYTES} bytes, which is the limit; "
            "give a smaller file"
        )
    return data


def check_readable(path: Path) -> None:
    """Refuse devices, pipes, folders and files above `MAX_BYTES` unopened."""
    if path.exists() and not path.is_file():
        raise FileFormatError("this is not a regular file; give the path of one")
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise FileFormatError(
            f"the file has {size} bytes, and the limit is {MAX_BYTES}; "
            "give a smaller file"
        )


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that readers see the old content or the new, never a part.

    The bytes go to a temporary file in the same folder, reach the disk and then take
    the name. If anything fails, the temporary file is removed and `path` is as before.

    Raises:
        OSError: the folder is missing, not writable or full; names `path`.
    """
    with replacing(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Generator[BinaryIO, None, None]:
    """A stream whose bytes become the file when the block ends, if nothing fails.

    Raises:
        OSError: as `write_atomically`.
    """
    target = Path(path)
    if not target.name or target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file", str(path))
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(target)) from error
        raise
