"""Parameters of tests: what runs in the fast suite, and grids that are thinned out."""

from collections.abc import Iterable

import pytest


def mostly_slow(fast: Iterable[object], every: Iterable[object]) -> list[object]:
    """All of `every`, those that are not in `fast` marked as slow."""
    quick, every = list(fast), list(every)
    assert all(case in every for case in quick), "a fast case that is never run"
    return [
        case
        if case in quick
        else pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow
        )
        for case in every
    ]


def in_turn(rows: Iterable[tuple], columns: Iterable[object]) -> list[tuple]:
    """Every row with one of the columns, which take turns."""
    columns = list(columns)
    return [(*row, columns[k % len(columns)]) for k, row in enumerate(rows)]
