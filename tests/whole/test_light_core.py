"""The core alone: no JAX, and one clear line where it is missing."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LEARN = [Requirement(one).name for one in PROJECT["optional-dependencies"]["learn"]]
BLOCKED = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""
CORE = [
    ("separate", "square", "--accuracy", "1e-2", "--depths", "2:3"),
    ("build", "square", "--accuracy", "1e-2"),
    ("prove", "square", "--accuracy", "1e-2", "--depth", "2"),
    ("results",),
    ("bound", "theorem-a", "pieces=9", "layers=2"),
    ("learn", "--help"),
    ("study", "--help"),
]


def without_jax(code, *arguments):
    blocked = BLOCKED.format(names={*LEARN, "jaxlib"})
    run = [sys.executable, "-c", blocked + code, *arguments]
    return subprocess.run(run, capture_output=True, text=True, timeout=120)


def command(*words):
    return without_jax("from depthsep.cli import main; main()", *words)


@pytest.mark.parametrize("words", CORE, ids=" ".join)
def test_the_core_does_without(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = command(*words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("learn", "target", "square", "--accuracy", "1/10", "--depths", "2:2"),
        ("learn", "linear"),
        ("separate", "square", "--accuracy", "1/10", "--depths", "2:2", "--learn"),
    ],
    ids=" ".join,
)
def test_what_learns_says_in_one_line_what_to_install(words):
    done = command(*words)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "is not installed; run: pip install 'depthsep[learn]'" in done.stderr


def test_every_package_can_be_imported_without():
    done = without_jax(
        "import importlib, pkgutil, depthsep\n"
        "for m in pkgutil.iter_modules(depthsep.__path__):\n"
        "    importlib.import_module(f'depthsep.{m.name}')\n"
        "from depthsep.reports import *\n"  # this package loads what is used
    )
    assert done.returncode == 0, done.stderr


def test_nothing_of_the_extra_is_needed_by_the_core():
    needed = {Requirement(one).name for one in PROJECT["dependencies"]}
    assert not needed & set(LEARN)
