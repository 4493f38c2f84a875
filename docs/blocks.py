"""Run the blocks of the pages and compare, or refresh, what they print.

    python docs/blocks.py PAGE ...          compare: exit code 1 and the difference
    python docs/blocks.py --write PAGE ...  put what was printed into the pages, and
                                            what was drawn into their pictures

The blocks of one page share a new folder and one Python:

* a block with title="NAME" is a file of that name;
* a `python` block runs, and a `text` block right after it holds what it printed;
* a `console` block has commands, `$ depthsep ...`, each followed by what it printed.

A line that is `...` stands for any number of lines, and --write keeps such blocks.
If the blocks save NAME.svg, and the page shows images/NAME.svg or
images/tutorial-NAME.svg, both must hold the same words.
The folder has a link `checker` to ours, as the reader's copy of the repository has.
"""

import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"\]\(([\w./-]*images/[\w-]+\.svg)\)")
TITLE = re.compile(r'title="([\w./-]+)"')
BIN = Path(sys.executable).parent
CHECKER = Path(__file__).resolve().parents[1] / "checker"
WIDTH = "100"  # columns of terminal tables


class Page:
    """A page while its blocks run, one after the other."""

    def __init__(self, path: Path):
        self.path, self.names = path, {"__name__": "__main__"}
        self.printed: str | None = None  # by the python block right before

    def run(self, block: re.Match[str]) -> str:
        """What the block should be."""
        kind, rest, body = block.groups()
        printed, self.printed = self.printed, None
        if title := TITLE.search(rest):
            Path(title[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(title[1]).write_text(body, "utf-8")
        elif kind == "python":
            self.printed = self._python(body)
        elif kind == "text" and printed is not None:
            body = kept(body, printed)
        elif kind == "console":
            body = self._console(body)
        return f"```{kind}{rest}\n{body}```"

    def _python(self, body: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(body, self.path.name, "exec"), self.names)
        return out.getvalue()

    def _console(self, body: str) -> str:
        parts = re.split(r"^(\$ (?:.*\\\n)*.*\n)", body, flags=re.MULTILINE)
        done = parts[0]
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            done += command + kept(shown, printed_by(command[2:]))
        return done


def printed_by(command: str) -> str:
    """What a command prints; tools of the environment come first."""
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    out, err, code = in_process(words[1:]) if words[0] == "depthsep" else outside(words)
    says = out + (err if code else "")
    return "".join(line.rstrip() + "\n" for line in says.splitlines())


def in_process(arguments: list[str]) -> tuple[str, str, object]:
    """Output, errors and exit code of `depthsep`, which this Python imports once."""
    from depthsep.cli import main

    out, err, given = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(arguments)
    except SystemExit as stop:
        return out.getvalue(), err.getvalue(), stop.code
    finally:
        sys.stdin = given
    raise AssertionError("the command did not exit")


def outside(words: list[str]) -> tuple[str, str, object]:
    """The same for any other program."""
    found = BIN / words[0]
    ran = subprocess.run(
        [str(found) if found.exists() else words[0], *words[1:]],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    return ran.stdout, ran.stderr, ran.returncode


def kept(shown: str, printed: str) -> str:
    """What is shown, if that is what was printed, else what was printed."""
    if "...\n" in shown:
        pattern = "(?:.*\n)*".join(
            re.escape(p) for p in re.split(r"^\.\.\.\n", shown, flags=re.M)
        )
        return shown if re.fullmatch(pattern, printed) else printed
    return printed


def words_in(picture: Path) -> set[str]:
    """All that is written in a picture, except the powers of ten at its axes."""
    found = re.findall(r"<!-- (.*?) -->", picture.read_text("utf-8"))
    return {t for t in found if t[:2] != "$\\" and re.search("[A-Za-z]", t)}


def drawn(page: Path, text: str, folder: Path) -> dict[Path, Path]:
    """The page's pictures that its blocks saved again, each with the new one."""
    saved = {path.name: path for path in folder.rglob("*.svg")}
    saved |= {f"tutorial-{name}": path for name, path in saved.items()}
    shown = (page.parent / link for link in PICTURE.findall(text))
    return {path: saved[path.name] for path in shown if path.name in saved}


def renewed(pictures: dict[Path, Path], write: bool) -> list[str]:
    """What differs in their words; with `write` the new ones are kept."""
    other = []
    for shown, own in pictures.items():
        if differing := words_in(shown) ^ words_in(own):
            other.append(f"{shown.name}, old or new: {sorted(differing)}")
        if write:
            shown.write_bytes(own.read_bytes())
    return other


def made(path: Path, write: bool = False) -> tuple[str, list[str]]:
    """The page with its blocks as they came out, and its pictures that differ."""
    page, here = Page(path), Path.cwd()
    text = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("checker").symlink_to(CHECKER)
        try:
            done = BLOCK.sub(page.run, text)
            return done, renewed(drawn(path, text, Path(folder)), write)
        finally:
            os.chdir(here)


def main(arguments: list[str]) -> int:
    """Compare or refresh; the number of pages that differ is more than 0: 1."""
    os.environ |= {"COLUMNS": WIDTH, "NO_COLOR": "1"}
    write, different = "--write" in arguments, 0
    for name in arguments:
        if name == "--write":
            continue
        path = Path(name).resolve()
        old, (new, pictures) = path.read_text("utf-8"), made(path, write)
        if write:
            path.write_text(new, "utf-8")
        elif old != new or pictures:
            different += 1
            lines = difflib.unified_diff(
                old.split("\n"), new.split("\n"), name, "run", lineterm=""
            )
            print("\n".join([*lines, *pictures]))
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
