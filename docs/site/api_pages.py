"""The interface: every public name of every package, from its docstring.

A name is taught where a page, a notebook or a figure of the gallery imports it. Those
come first and stay; the others are what packages of depthsep share.
"""

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import depthsep

ROOMS = {"depthsep.analysis": ("depthsep.analysis.regions",)}
"""Packages within packages that have names of their own."""
ROOT = Path(__file__).parents[2]
IMPORT = re.compile(r"^\s*from (depthsep[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def packages():
    """The packages with public names, the front door first."""
    yield "depthsep"
    for module in pkgutil.iter_modules(depthsep.__path__, "depthsep."):
        name = module.name.rpartition(".")[2]
        if not name.startswith("_") and name not in ("cli", "proofs"):
            yield module.name
            yield from ROOMS.get(module.name, ())


def names(package: str) -> list[str]:
    """What a package offers: names without underscore that are not modules of others."""
    module = importlib.import_module(package)
    return sorted(
        name
        for name in dir(module)
        if not name.startswith("_")
        and not inspect.ismodule(getattr(module, name))
        and name not in ("TYPE_CHECKING", "lazily", "annotations")
    )


@cache
def taught() -> dict[str, frozenset[str]]:
    """The names of each package that the documentation imports."""
    found = defaultdict(set)
    places = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    places += [
        p
        for room in ("gallery", "notebooks")
        for p in (ROOT / "docs" / room).glob("*.py")
    ]
    for place in places:
        for package, listed in IMPORT.findall(place.read_text()):
            words = re.sub(r" as \w+|#.*|\(|\)", "", listed)
            found[package] |= set(words.replace(",", " ").split())
    return {package: frozenset(listed) for package, listed in found.items()}


def pages():
    """The list of packages, and a page for each."""
    rows = []
    for package in packages():
        doc = inspect.getdoc(importlib.import_module(package)) or ""
        first = " ".join(doc.split("\n\n")[0].split())
        rows.append(
            f"| [`{package}`]({package}.md) | {first} | {len(_divided(package)[0])} | {len(names(package))} |"
        )
        yield f"api/{package}.md", _page(package, first)
    yield (
        "api/index.md",
        "# Python interface\n\nWhich functions and classes are there, with which shapes, units, errors and "
        "sources? One page for each package; `depthsep` has the names that most people need. What these pages, "
        "the notebooks and the gallery use comes first on each page and keeps its name; the rest is what packages "
        "of depthsep share, and may change.\n\n"
        "| package | what it holds | names that are taught | all |\n|---|---|---:|---:|\n"
        + "\n".join(rows)
        + "\n",
    )


def _page(package: str, first: str) -> str:
    module = importlib.import_module(package)
    own, shared = (
        "\n\n".join(_block(package, module, name) for name in part)
        for part in _divided(package)
    )
    if own and shared:
        shared = f"## Shared with other packages\n\n{shared}"
    return f"# {package}\n\n{first}\n\n{own}\n\n{shared}\n"


def _divided(package: str) -> tuple[list[str], list[str]]:
    """Names that are taught, and the others. All of the front door is taught."""
    module = importlib.import_module(package)
    ordered = sorted(names(package), key=lambda name: _rank(getattr(module, name)))
    mine = taught().get(package, frozenset())
    own = [name for name in ordered if name in mine or package == "depthsep"]
    return own, [name for name in ordered if name not in own]


def _rank(found: object) -> int:
    """Functions, then records, then errors."""
    if inspect.isclass(found):
        return 2 if issubclass(found, Exception) else 1
    return 0


def _block(package: str, module, name: str) -> str:
    """One name; by its own place if a room of the same name hides it."""
    found = getattr(module, name)
    home = getattr(found, "__module__", "")
    if inspect.isfunction(found) and f".{name}." in f"{home}.":
        return f"::: {home}.{name}\n    options:\n      heading: {name}"
    return f"::: {package}.{name}"
