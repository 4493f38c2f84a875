"""`python tests/support/bare_install.py dist`: what was built, on every Python here.

Each Python of `VERSIONS` that the path, pyenv or uv has gets a fresh environment with
the wheels of `dist` and nothing but their dependencies, as pinned in constraints.txt.
There the commands run, every module is imported that needs no extra, and the checker
checks a proof. A line for each Python says how that went. Exit code 1: one of them
failed, or it passed and the classifiers of pyproject.toml do not name it.
"""

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PLACES = (  # besides the path
    "~/.pyenv/versions/{0}.*/bin/python{0}",
    "~/.local/share/uv/python/cpython-{0}.*/bin/python{0}",
)
COMMANDS = (
    "depthsep --version",
    "depthsep separate square --accuracy 1e-3 --depths 2:4 --json",
    "depthsep demo",
    "depthsep prove square --accuracy 1e-3 --depth 3 -o proof.json",
    "depthsep-check proof.json",
    "python imports.py",
)
IMPORTS = """\
import importlib, pkgutil, depthsep
extras = {"cryptography", "dask", "distributed", "onnxruntime", "pandas", "pyarrow"}
extras |= {"sklearn", "starlette", "torch", "uvicorn", "xarray"}
extras |= {"jax", "jaxlib", "equinox", "jaxtyping", "optax", "diffrax", "h11"}
for module in pkgutil.walk_packages(depthsep.__path__, "depthsep."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ModuleNotFoundError as missing:
        if missing.name not in extras:
            raise
    except depthsep.HypothesisError as missing:  # says which extra brings it
        if "run: pip install 'depthsep[" not in str(missing):
            raise
"""


class FailedError(Exception):
    """A command ended with another exit code than 0; its words."""


def run(command: list[str], folder: Path) -> None:
    """Run a command away from the checkout."""
    kept = {n: v for n, v in os.environ.items() if n != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True)
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise FailedError(f"{' '.join(command)}\n{said}")


def interpreter(version: str) -> str | None:
    """A Python of this version that can make environments."""
    found = (p for place in PLACES for p in _glob(place.format(version)))
    for path in (f"python{version}", *found):
        try:
            run([path, "-c", "import ensurepip"], ROOT)
        except (FailedError, FileNotFoundError):
            continue
        return path
    return None


def _glob(pattern: str) -> list[str]:
    home, rest = Path.home(), pattern.removeprefix("~/")
    return sorted(map(str, home.glob(rest)))


def check(python: str, wheels: list[Path]) -> None:
    """Install the wheels, then run all that has to work."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run([python, "-m", "venv", "venv"], folder)
        install = [str(scripts / "python"), "-m", "pip", "install", "--quiet"]
        install += ["--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
        run([*install, *map(str, wheels)], folder)
        (folder / "imports.py").write_text(IMPORTS, "utf-8")
        for command in COMMANDS:
            program, *arguments = command.split()
            run([str(scripts / program), *arguments], folder)


def listed() -> set[str]:
    """The Pythons that the classifiers name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    last = (c.rpartition(" :: ")[2] for c in project["classifiers"] if "Python" in c)
    return {version for version in last if "." in version}


def main(dist: Path) -> int:
    """Check every version; a line for each."""
    wheels, bad = [p.resolve() for p in sorted(dist.glob("*.whl"))], False
    for version in VERSIONS:
        python, started = interpreter(version), time.perf_counter()
        if python is None:
            print(f"{version}  not installed here", flush=True)
            continue
        try:
            check(python, wheels)
        except FailedError as failure:
            bad, outcome = True, f"failed: {failure}"
        else:
            outcome = "passed" if version in listed() else "passed, but is not listed"
            bad |= version not in listed()
        seconds = time.perf_counter() - started
        print(f"{version}  {outcome}  ({seconds:.0f} s)", flush=True)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
