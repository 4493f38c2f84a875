"""The page on the sources names only what there is."""

import importlib
import re
import shlex

import pytest

from depthsep.cli._main import COMMANDS
from depthsep.every_dimension import bounds_for
from depthsep.problems import problem_from_text
from depthsep.separation import statement_named
from support.places import ROOT
from support.slow import mostly_slow

TEXT = (ROOT / "docs" / "sources.md").read_text("utf-8")
ROWS = "\n".join(line for line in TEXT.splitlines() if line.startswith("|"))
QUOTED = re.findall(r"`(depthsep[^`]*)`", ROWS)
NAMES = sorted({q for q in QUOTED if re.fullmatch(r"depthsep(\.\w+)+", q)})
LINES = sorted({q for q in QUOTED if q.startswith("depthsep ")})
BOUNDS = [line for line in LINES if line.startswith("depthsep bound ")]
HEAVY = ("sphere-rank", "daniely", "telgarsky-2.12")
QUICK = [line for line in BOUNDS if not any(name in line for name in HEAVY)]


@pytest.mark.parametrize("name", NAMES)
def test_python_names_are_public(name):
    found, *rest = name.split(".")
    thing = importlib.import_module(found)
    for part in rest:
        if not hasattr(thing, part) and part in getattr(
            thing, "__dataclass_fields__", {}
        ):
            return  # a field without default
        inner = f"{getattr(thing, '__name__', '')}.{part}"
        thing = (
            getattr(thing, part)
            if hasattr(thing, part)
            else importlib.import_module(inner)
        )
        assert not part.startswith("_")


@pytest.mark.parametrize("line", mostly_slow(QUICK, BOUNDS))
def test_bounds_on_the_page_have_a_value(line):
    _, _, name, *values = shlex.split(line)
    given = dict(value.split("=", 1) for value in values)
    assert statement_named(name).evaluate_text(given).text


@pytest.mark.parametrize("line", LINES)
def test_commands_on_the_page_exist(line):
    _, command, *rest = shlex.split(line)
    assert command in COMMANDS
    if command == "results":
        assert statement_named(rest[0])
    if command == "study":
        assert (ROOT / rest[1]).exists()
    if command in ("separate", "build"):
        given = dict(zip(rest[1::2], rest[2::2], strict=False))
        at = next((r.split("=", 1)[1] for r in rest if r.startswith("--on=")), None)
        dim = given.get("--dim")
        if dim == "all":
            assert bounds_for(rest[0])
            return
        problem = problem_from_text(
            rest[0],
            at or given.get("--on"),
            given.get("--norm", "linf"),
            given.get("--accuracy", "1/10"),
            None if dim is None else int(dim),
            given.get("--law"),
            given.get("--scale"),
        )
        assert problem.target


def test_every_row_says_what_runs_it():
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")]
    heads = [row for row in rows if row.startswith("| Statement |")]
    assert len(heads) == 5
    for row in rows:
        cells = [c.strip() for c in row.strip("|").split(" | ")]
        assert len(cells) == 3, row
        served = "`depthsep" in cells[2]
        assert served or cells[2] in ("not served", "notation", "Command or call"), row
