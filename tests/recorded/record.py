"""Run the recorded commands: `python tests/recorded/record.py FILE` writes their JSON.

What changes from run to run or machine to machine (versions, times) is left out.
"""

import contextlib
import io
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
COMMANDS = (HERE / "commands.txt").read_text().splitlines()
DOCUMENTS = HERE / "documents.json"
LEFT_OUT = {"versions", "seconds", "run", "detail", "speed", "started", "finished"}


def documents() -> dict[str, object]:
    """The JSON document of every command, in an empty folder."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return {line: document(line) for line in COMMANDS}
        finally:
            os.chdir(here)


def document(line: str) -> object:
    """What one command prints with --json; its exit code where that is not 0."""
    from depthsep.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            main([*shlex.split(line), "--json"])
        except SystemExit as stop:
            if stop.code:
                return {"exit": stop.code}
    return kept(json.loads(out.getvalue()))


def kept(value: object) -> object:
    """A document without what is left out."""
    if isinstance(value, dict):
        return {k: kept(v) for k, v in value.items() if k not in LEFT_OUT}
    return [kept(v) for v in value] if isinstance(value, list) else value


if __name__ == "__main__":
    text = json.dumps(documents(), indent=1, sort_keys=True)
    Path(sys.argv[1] if len(sys.argv) > 1 else DOCUMENTS).write_text(text + "\n")
