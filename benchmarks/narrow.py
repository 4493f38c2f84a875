"""How close both sides are: `python benchmarks/narrow.py [SECONDS]` prints the table.

12 formulas, accuracies 1e-2 to 1e-4 in linf, depths 3 to 6; each entry is the proven
width / the certified one / the one with a search of SECONDS a row (none if 0), with a
star where neither the ratio is at most 2 nor the difference at most 3.
"""

import sys
import time

from depthsep.claims import Lower, SearchPlan, Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper
from depthsep.separation._upper import with_search

FORMULAS = (
    ("exp(x)", 0, 1),
    ("log(1+x)", 0, 1),
    ("sqrt(x)", 0, 1),
    ("abs(x-1/3)**1.5", 0, 1),
    ("1/(1+25*x**2)", -1, 1),
    ("sin(20*x)", 0, 1),
    ("x**3", 0, 1),
    ("tanh(5*x)", -1, 1),
    ("exp(-x**2)", -3, 3),
    ("sin(x)+cos(3*x)", 0, 3),
    ("x*log(x)", "1/100", 1),
    ("erf(3*x)*sin(10*x)", -1, 1),
)
DEPTHS = (3, 4, 5, 6)


def row(problem: Problem, depth: int, seconds: float) -> tuple[int, int, int, float]:
    """Proven width, certified widths without and with a search, and its time."""
    lower = best_lower(problem, depth)
    upper = best_upper(problem, depth)
    started = time.perf_counter()
    makers = with_search(CONSTRUCTIONS, SearchPlan(seconds), lower)
    found = best_upper(problem, depth, makers) if seconds else upper
    took = time.perf_counter() - started
    assert isinstance(upper, Upper) and isinstance(found, Upper)
    proven = lower.width if isinstance(lower, Lower) else 0
    return proven, upper.width, found.width, took


def main(seconds: float) -> None:
    """Print all rows and the share of those that are close."""
    close = [0, 0]
    rows, slowest = 0, 0.0
    for formula, start, stop in FORMULAS:
        for accuracy in ("1e-2", "1e-3", "1e-4"):
            problem = Problem(
                f"expr:{formula}", Segment(start, stop), accuracy=accuracy
            )
            shown = []
            for depth in DEPTHS:
                proven, known, found, took = row(problem, depth, seconds)
                good = [m <= 2 * proven or m - proven <= 3 for m in (known, found)]
                close = [a + b for a, b in zip(close, good, strict=True)]
                rows, slowest = rows + 1, max(slowest, took)
                shown.append(f"{proven}/{known}/{found}{'' if good[1] else '*'}")
            print(f"{formula:20}{accuracy:6}", *(f"{s:12}" for s in shown), flush=True)
    print(f"close without a search: {close[0]} of {rows}, {close[0] / rows:.0%}")
    print(f"close with a search:    {close[1]} of {rows}, {close[1] / rows:.0%}")
    print(f"slowest row: {slowest:.1f} s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0)
