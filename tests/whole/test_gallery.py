"""The gallery's scripts say what they show, use public names alone, and run."""

import ast
import re
import subprocess
import sys

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
def test_a_picture_is_made_the_same_each_time(tmp_path):
    """In two processes; the site draws them all."""
    run, name = [sys.executable, "-W", "error", str(GALLERY / "make.py")], SCRIPTS[0]
    made = []
    for folder in (tmp_path / "once", tmp_path / "again"):
        done = subprocess.run([*run, folder, name.stem], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-800:]
        made.append((folder / f"{name.stem}.svg").read_bytes())
    assert made[0] == made[1]
