"""The gallery's scripts say what they show, use public names alone, and run."""

import ast
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from support.places import ROOT

GALLERY = ROOT / "docs" / "gallery"
SCRIPTS = sorted(GALLERY.glob("[0-9][0-9]_*.py"))
ALLOWED = {"depthsep", "itertools", "matplotlib", "numpy", "style"}


def imported(tree):
    """Every module that is imported, with the names taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module or "", [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)


def test_there_are_enough_pictures_and_no_number_twice():
    numbers = [path.name[:2] for path in SCRIPTS]
    assert len(numbers) >= 24
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_a_script_is_short_says_what_it_shows_and_imports_public_names(path):
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    title, gap, caption = (ast.get_docstring(tree) or "").partition("\n\n")
    assert 0 < len(title) < 60 and "\n" not in title and not title.endswith(".")
    assert gap and re.search(r"\.\n\nTags: [a-z, ]+\.$", caption)
    assert 15 <= len(source.splitlines()) <= 47
    for module, names in imported(tree):
        parts = module.split(".")
        assert parts[0] in ALLOWED
        if parts[0] == "depthsep":
            assert not [p for p in parts + names if p.startswith("_")]
    code = tree.body[1:]
    last = code.pop()
    assert all(
        isinstance(n, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.Assign)
        for n in code
    ), "nothing but definitions may run on import"
    assert f'"{path.stem}.svg"' in ast.unparse(last).replace("'", '"')
    functions = [n for n in code if isinstance(n, ast.FunctionDef)]
    assert functions[-1].name == "picture"
    assert ast.unparse(functions[-1].returns) == "Figure"


@pytest.mark.slow
def test_pictures_are_made_the_same_each_time(tmp_path):
    """Some, without a warning; the site draws them all."""
    run, some = [sys.executable, "-W", "error", str(GALLERY / "make.py")], SCRIPTS[::10]
    names = [path.stem for path in some]
    done = subprocess.run([*run, tmp_path, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    for path in some:
        root = ElementTree.parse(tmp_path / f"{path.stem}.svg").getroot()
        assert root.tag.endswith("}svg")
        assert root.find(".//{http://www.w3.org/2000/svg}path") is not None
    again = tmp_path / "again"
    done = subprocess.run(
        [*run, again, SCRIPTS[0].stem], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-800:]
    name = f"{SCRIPTS[0].stem}.svg"
    assert (again / name).read_bytes() == (tmp_path / name).read_bytes()
