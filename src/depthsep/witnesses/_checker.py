"""The independent checker, run as a program of its own."""

import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from depthsep._errors import DepthsepError

NAME = "depthsep_check"
SECONDS = 600


@dataclass(frozen=True)
class Answer:
    """What the checker said.

    Attributes:
        valid: whether it accepts the proof.
        words: its line: what is proved, or the first thing that is wrong.
        readable: whether it knows this kind of proof at all.
    """

    valid: bool
    words: str
    readable: bool = True


def checker() -> Path:
    """Where the checker lies.

    Raises:
        DepthsepError: it is not installed.
    """
    found = find_spec(NAME)
    if found is None or found.origin is None:
        raise DepthsepError(f"{NAME}.py is not installed; it comes with depthsep")
    return Path(found.origin)


def run_checker(path: str | Path, *, seconds: float = SECONDS) -> Answer:
    """Run it on a file, in a Python that sees the standard library only.

    Raises:
        DepthsepError: it is not installed, or takes longer than so many seconds.
    """
    command = [sys.executable, "-I", "-S", str(checker()), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise DepthsepError(f"the checker takes longer than {seconds:g} s") from None
    words = (done.stdout or done.stderr).strip()
    return Answer(done.returncode == 0, words, done.returncode in (0, 1))
