"""Names that are loaded when they are used: one mechanism for every package.

A package lists them once, as imports under ``if TYPE_CHECKING:``, where type checkers
read them; `lazily` reads the same lines.
"""

import ast
from collections.abc import Callable
from importlib.util import find_spec

from depthsep._extras import loaded
from depthsep._syntax_tree import syntax_tree

Namespace = dict[str, object]


def lazily(
    package: str, names: Namespace
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Args:
        package: its ``__name__``.
        names: its ``globals()``, where a name is kept once it is loaded.
    """
    homes = _homes(package)
    eager = [n for n in names if not n.startswith("_") and n not in _TOOLS]
    every = sorted({*homes, *eager})

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = homes[name]
        names[name] = getattr(loaded(module), original)
        return names[name]

    return get, lambda: every, every


_TOOLS = ("TYPE_CHECKING", "lazily")


def _homes(package: str) -> dict[str, tuple[str, str]]:
    """Module and name behind every name that is imported for type checkers only."""
    spec = find_spec(package)
    loader = None if spec is None else spec.loader
    source = loader.get_source(package) if loader is not None else ""  # type: ignore[attr-defined]
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for block in syntax_tree(source or "").body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
