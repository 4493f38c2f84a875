"""Formulas are read by several threads at a time."""

import ast
import sys
from concurrent.futures import ThreadPoolExecutor

import depthsep_check as checker
import pytest

from depthsep._syntax_tree import syntax_tree

NESTED = "(" * 50 + "x" + "+1)" * 50


class Ring:
    """It refers to itself: whatever is collected runs Python, and threads change."""

    def __init__(self):
        self.own = self

    def __del__(self):
        sum(range(100))


@pytest.fixture
def hasty():
    """Threads that take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def read(read_formula):
    for _ in range(500):
        Ring()
        read_formula(NESTED)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "read_formula", [lambda f: syntax_tree(f, "eval"), checker.Formula]
)
def test_threads_do_not_disturb_each_other(read_formula):
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(read, read_formula) for _ in range(4)]:
            done.result()


@pytest.mark.parametrize(
    "read_formula", [lambda f: syntax_tree(f, "eval"), checker.Formula]
)
def test_what_disturbed_once_is_read_again_and_what_always_does_is_said(
    read_formula, monkeypatch
):
    parse, left = ast.parse, [2]

    def disturbed(*given, **named):
        left[0] -= 1
        if left[0] >= 0:
            raise SystemError("AST constructor recursion depth mismatch")
        return parse(*given, **named)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert read_formula("x+1") and left[0] == -1
    left[0] = 10**9
    with pytest.raises(SystemError):
        read_formula("x+1")
