"""Syntax trees of Python text, beside other threads that make some."""

import ast
from typing import Literal, overload

ATTEMPTS = 100


@overload
def syntax_tree(source: str | bytes) -> ast.Module: ...
@overload
def syntax_tree(source: str, mode: Literal["eval"]) -> ast.Expression: ...


def syntax_tree(source: str | bytes, mode: str = "exec") -> ast.AST:
    """`ast.parse`, again where another thread disturbed it.

    CPython counts the depth of all trees that are under construction together, so
    two threads may see "AST constructor recursion depth mismatch".

    Raises:
        SyntaxError: and what else `ast.parse` raises.
    """
    for _ in range(ATTEMPTS):
        try:
            return ast.parse(source, mode=mode)
        except SystemError:
            continue
    return ast.parse(source, mode=mode)
