"""`bound` with all kinds of values: never a traceback; Theorem A as it is counted."""

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ._call import call
from ._referee import Finding, fault

VALUES = (
    *("0", "1", "2", "3", "4", "7", "10", "12", "100", "-1", "1/2", "1/3", "0.05"),
    *("1e-6", "1e-330", "1e-400", "1e300", "1e400", "10000000", "2,3", "1,1,1", "3,0"),
    *("", "x", "nan", "1/0", "2^9", "1e-99", "12345678901234567890", "5/4", "3.5"),
)
PLAIN = ("1", "2", "3", "4", "5", "8", "1/2", "1/10", "1e-3", "1e-330", "100")


def bounds_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One statement at random values."""
    if rng.random() < 0.2:
        yield from _theorem_a(rng)
        return
    name, parameters = rng.choice(statements())
    pool = rng.choice((VALUES, PLAIN, PLAIN))
    if name == "radial-tubes":  # takes a minute at large frequencies
        pool = ("0", "1", "2", "3", "4", "1/2", "x", "-1", "1e400")
    given = [f"{p}={rng.choice(pool)}" for p in parameters if rng.random() < 0.97]
    yield from fault(call("bound", name, *given, "--json"))


@lru_cache(maxsize=1)
def statements() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Names and parameters of all statements."""
    catalogue = json.loads(call("results", "--json").out)
    return tuple((s["id"], tuple(s["parameters"])) for s in catalogue)


def _theorem_a(rng: random.Random) -> Iterator[Finding]:
    """The least m with (m + 1)**layers >= pieces."""
    pieces, layers = rng.choice((rng.randint(1, 99), 10**30)), rng.randint(1, 6)
    answer = call(
        "bound", "theorem-a", f"pieces={pieces}", f"layers={layers}", "--json"
    )
    yield from fault(answer)
    low, high = -1, pieces
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if (middle + 1) ** layers >= pieces else (middle, high)
        )
    if answer.code == 0 and int(answer.document["value"]) != high:
        detail = f"{answer.document['value']}, not {high}"
        yield Finding("wrong width", answer.command, detail)
