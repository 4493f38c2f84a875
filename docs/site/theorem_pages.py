"""One page for each statement of the catalogue, made from the code."""

import inspect
import posixpath
import re
from functools import cache
from pathlib import Path

from curves import curve
from mathematics import mathml
from typeset import titled, typeset

from depthsep.evidence import Statement, reference_text
from depthsep.separation import STATEMENTS, results

ROOT = Path(__file__).resolve().parents[2]
# where the code of a statement lies: the heading of its group
GROUPS = {
    "lower_bounds": "Lower bounds: how wide every network must be",
    "constructions": "Upper bounds: networks that are built",
    "infinite_width": "Infinite width and sampling",
    "near_init": "Near initialisation",
    "dynamics": "Learning",
}
ROOMS = {
    "line": "on an interval",
    "box": "on a box",
    "signs": "on signs",
    "symmetric": "on spheres and radial",
    "by_hand": "networks written by hand",
    "search": "found by search",
}


def pages():
    """The list of statements, and a page for each."""
    yield "theorems/index.md", _list()
    for statement in results():
        yield f"theorems/{statement.id}.md", _page(statement)


def names() -> dict[str, list[str]]:
    """The pages of each group, in their order."""
    return {
        heading: [f"theorems/{s.id}.md" for s in results() if place(s)[0] == package]
        for package, heading in GROUPS.items()
    }


def place(statement: Statement) -> tuple[str, str]:
    """The package and the room of the code behind a statement."""
    parts = home(statement).relative_to(ROOT / "src" / "depthsep").parts
    return parts[0], parts[1] if len(parts) > 2 else ""


def _list() -> str:
    parts = [
        "# Theorems\n\nWhat is known, under which hypotheses, and where does it come from? Every statement "
        "that depthsep uses has a page: the formula, its source, where the printed statement is wrong, "
        "the proof, and the code. [Which theorem applies?](../theorems.md) orders them by target."
    ]
    for package, heading in GROUPS.items():
        rows = [
            f"| [`{s.id}`]({s.id}.md) | {typeset(s.title)} | {ROOMS.get(place(s)[1], '')} | {typeset(str(s.source))} |"
            for s in results()
            if place(s)[0] == package
        ]
        head = "| id | what it bounds | where | source |\n|---|---|---|---|\n"
        parts.append(f"## {heading}\n\n{head}" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _page(s: Statement) -> str:
    """The statement first; then where it is from, its numbers, its neighbours, its code."""
    parts = [
        f"# {typeset(s.title)}",
        f'<div class="formula">{mathml(s.tex, "block")}</div>',
        "The setting:\n\n" + _items(s.hypotheses),
        f"Source: {s.source}. {typeset(reference_text(s.source.key))}. {_proof(s)}",
        f"Its id is `{s.id}`, its formula as text `{s.formula}`.",
    ]
    if s.errata:
        parts.append("## Where the printed statement differs\n\n" + _items(s.errata))
    if s.parameters:
        parts += [_evaluation(s), *_picture(s)]
    parts += [_neighbours(s), _code(s)]
    return titled(s.title, "\n\n".join(parts) + "\n")


def _proof(s: Statement) -> str:
    link = posixpath.relpath(s.proof.page, "docs/theorems")
    return f"Proof: {s.proof.status}, [read it]({link})."


def _evaluation(s: Statement) -> str:
    command = " ".join(f"{name}={value}" for name, value in s.samples.items())
    value = s.evaluate_text(s.samples)
    rows = "\n".join(
        f"| `{p.name}` | {typeset(p.meaning)} | {p.kind} |" for p in s.parameters
    )
    return (
        "## Its numbers\n\n| parameter | meaning | kind |\n|---|---|---|\n"
        f"{rows}\n\n```console\n$ depthsep bound {s.id} {command}\n{value.shown}  ({value.rigour}; {s.source})\n```"
    )


def _picture(s: Statement) -> list[str]:
    drawn = curve(s)
    return [drawn] if drawn else []


def _neighbours(s: Statement) -> str:
    near = [t for t in STATEMENTS if place(t) == place(s) and t.id != s.id]
    rows = "\n".join(
        f"    | [`{t.id}`]({t.id}.md) | {typeset(t.title)} | <code>{typeset(t.formula)}</code> |"
        for t in near
    )
    return (
        f'## Its neighbours\n\n??? note "{len(near)} statements about the same setting"\n'
        f"    | id | what it bounds | formula |\n    |---|---|---|\n{rows}\n\n"
        "[All theorems](index.md) · [which theorem applies?](../theorems.md)"
    )


def _code(s: Statement) -> str:
    file = home(s)
    code = "\n".join("    " + line for line in file.read_text("utf-8").split("\n"))
    name = file.relative_to(ROOT)
    return (
        f'## The code\n\n??? example "{name}"\n    ```python\n{code.rstrip()}\n    ```'
    )


@cache
def home(s: Statement) -> Path:
    """The file that states it."""
    stated = re.compile(rf'tatement\(\s*"{re.escape(s.id)}",')
    for file in sorted((ROOT / "src" / "depthsep").rglob("*.py")):
        if stated.search(file.read_text("utf-8")):
            return file
    return Path(inspect.getfile(s.evaluate))  # its id is made, as for l1 and l2


def _items(lines) -> str:
    return "\n".join(f"* {typeset(line)}" for line in lines)
