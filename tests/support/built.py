"""`python tests/support/built.py dist`: the archives hold what they should.

The wheel in `dist` was built from the sdist; one built here from the checkout has the
same files. The sdist holds every file that git keeps, but for those whose names begin
with a dot and those in such folders, and nothing else that is not made for it.
"""

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {"PKG-INFO", ".gitignore"}  # by the build


def wheel(path: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sdist(path: Path) -> set[str]:
    """The names of the files of an sdist, below its one folder."""
    with tarfile.open(path) as archive:
        return {m.name.partition("/")[2] for m in archive if m.isfile()}


def kept() -> set[str] | None:
    """What git keeps, and would keep after `git add`; None in a folder without git."""
    if not (ROOT / ".git").exists():
        return None
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(git, cwd=ROOT, text=True).splitlines()
    there = (name for name in names if (ROOT / name).exists())
    return {n for n in there if not any(p[0] == "." for p in n.split("/"))}


def straight(package: Path) -> dict[str, bytes]:
    """The files of the wheel that is built from the checkout, without an sdist."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
        build += ["--outdir", folder, str(package)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        return wheel(next(Path(folder).glob("*.whl")))


def differences(one: set, other: set) -> list[str]:
    """The first few things that only one side has."""
    return [str(thing)[:80] for thing in sorted(one ^ other)[:5]]


def main(dist: Path) -> int:
    """Compare, and say what differs."""
    found = sdist(next(dist.glob("depthsep-*.tar.gz")))
    names, wrong = kept(), []
    if names is None:
        print("there is no git here: the sdist is not compared with what it keeps")
    else:
        wrong += differences(found - MADE, names)
    for name, package in (("depthsep", ROOT), ("depthsep_check", ROOT / "checker")):
        one = wheel(next(dist.glob(f"{name}-*.whl")))
        other = straight(package)
        wrong += differences(set(one.items()), set(other.items()))
        print(f"{name}: {len(one)} files in the wheel")
    print(f"{len(found)} files in the sdist")
    print(f"differences: {', '.join(wrong)}" if wrong else "no differences")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
