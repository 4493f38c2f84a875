"""What is written twice, and how many names a user has to know."""

import ast
import importlib
import inspect
import sys
from collections import defaultdict
from importlib.util import find_spec

import pytest

from support.places import ROOT

sys.path.insert(0, str(ROOT / "docs" / "site"))
import api_pages

SHARED = 6  # lines that stand twice are one place too many
MOST_TAUGHT = 320


def left_out(tree: ast.Module) -> set[int]:
    """Lines of imports, parameter lists, fields of records, long texts."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.AnnAssign():
                found |= set(range(node.lineno, node.end_lineno + 1))
            case ast.Constant(value=str()) if node.end_lineno > node.lineno:
                found |= set(range(node.lineno, node.end_lineno + 1))
            case ast.FunctionDef(body=[first, *_]):
                found |= set(range(node.lineno, first.lineno))
    return found


def code_lines(path):
    text = path.read_text()
    out = left_out(ast.parse(text))
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if number not in out and any(c.isalnum() for c in line) and line[0] not in "#@":
            yield number, line


def test_no_two_places_share_six_lines():
    places = defaultdict(list)
    for path in sorted((ROOT / "src").rglob("*.py")):
        lines = list(code_lines(path))
        for k in range(len(lines) - SHARED + 1):
            run = tuple(line for _, line in lines[k : k + SHARED])
            places[run].append(f"{path.relative_to(ROOT)}:{lines[k][0]}")
    assert [found for found in places.values() if len(found) > 1] == []


def test_the_documentation_teaches_few_names():
    taught = api_pages.taught()
    assert 100 < sum(map(len, taught.values())) < MOST_TAUGHT


@pytest.mark.parametrize("package", list(api_pages.packages()))
def test_what_is_taught_is_public_and_has_a_docstring(package):
    module = importlib.import_module(package)
    for name in api_pages.taught().get(package, ()):
        if find_spec(f"{package}.{name}"):  # a package, which some import as a name
            continue
        found = getattr(module, name)
        if inspect.isfunction(found) or inspect.isclass(found):
            assert inspect.getdoc(found), f"{package}.{name}"


def test_slow_tests_that_are_listed_exist(request):
    """Also with their parameters, where all tests were collected."""
    assert getattr(request.config, "lost", []) == []
    listed = (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()[1:]
    assert listed == sorted(set(listed))
    for line in listed:
        file, _, name = line.partition("::")
        function = name.partition("[")[0]
        assert f"def {function}(" in (ROOT / file).read_text("utf-8"), line
