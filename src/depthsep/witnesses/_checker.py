"""The independent checker, run as a program of its own."""

import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from depthsep._errors import DepthsepError

HERE = Path(__file__).resolve().parent
NAME = "depthsep_check.py"
HOLDS = "depthsep_holds.py"
"""Of properties of networks: see `depthsep check --proof`."""
PLACES = (HERE, HERE.parents[2] / "checker")  # installed, or a checkout
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


def checker(name: str = NAME) -> Path:
    """Where the checker lies.

    Raises:
        DepthsepError: it is not installed.
    """
    found = next((p / name for p in PLACES if (p / name).is_file()), None)
    if found is None:
        raise DepthsepError(
            f"{name} is not installed; it comes with depthsep, so install "
            "depthsep again"
        )
    return found


@cache
def checker_module() -> Any:
    """The checker as a module, to ask it about parts of a proof; it has no types.

    Raises:
        DepthsepError: it is not installed.
    """
    spec = spec_from_file_location("depthsep_check", checker())
    if spec is None or spec.loader is None:
        raise DepthsepError(f"{checker()} cannot be read")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_checker(
    path: str | Path, *, seconds: float = SECONDS, name: str = NAME
) -> Answer:
    """Run it on a file, in a Python that sees the standard library only.

    Raises:
        DepthsepError: it is not installed, or takes longer than so many seconds.
    """
    command = [sys.executable, "-I", "-S", str(checker(name)), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise DepthsepError(
            f"the checker took longer than {seconds:g} s and was stopped"
        ) from None
    words = (done.stdout or done.stderr).strip()
    return Answer(done.returncode == 0, words, done.returncode in (0, 1))
