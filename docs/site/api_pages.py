"""The interface: every public name of every package, from its docstring."""

import importlib
import inspect
import pkgutil

import depthsep

FEW = ("depthsep",)


def packages():
    """The packages with public names, the front door first."""
    yield "depthsep"
    for module in pkgutil.iter_modules(depthsep.__path__, "depthsep."):
        name = module.name.rpartition(".")[2]
        if not name.startswith("_") and name not in ("cli", "proofs"):
            yield module.name


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


def pages():
    """The list of packages, and a page for each."""
    rows = []
    for package in packages():
        doc = inspect.getdoc(importlib.import_module(package)) or ""
        first = " ".join(doc.split("\n\n")[0].split())
        rows.append(
            f"| [`{package}`]({package}.md) | {first} | {len(names(package))} |"
        )
        yield f"api/{package}.md", _page(package, first)
    yield (
        "api/index.md",
        "# Python interface\n\nWhich functions and classes are there, with which shapes, units, errors and "
        "sources? One page for each package; `depthsep` has the names that most people need.\n\n"
        "| package | what it holds | names |\n|---|---|---:|\n"
        + "\n".join(rows)
        + "\n",
    )


def _page(package: str, first: str) -> str:
    module = importlib.import_module(package)
    ordered = sorted(names(package), key=lambda name: _rank(getattr(module, name)))
    blocks = "\n\n".join(_block(package, module, name) for name in ordered)
    return f"# {package}\n\n{first}\n\n{blocks}\n"


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
