"""`python -m tests.attack --seconds 600 --seed 1`: exit code 1 if anything is found."""

import argparse
import sys
from collections.abc import Sequence

from ._referee import Report, Strategy, attack, play
from ._strategies import STRATEGIES


def main() -> int:
    """Attack for a while, print every finding on a line and a summary."""
    names = [s.name for s in STRATEGIES]
    parser = argparse.ArgumentParser(prog="python -m tests.attack")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=names, action="append", default=[])
    parser.add_argument("--round", type=int, help="play this one again")
    given = parser.parse_args()
    chosen = [s for s in STRATEGIES if s.name in (given.only or names)]
    if given.round is not None:
        return replay(chosen, given.round)
    report = attack(
        chosen,
        given.seconds,
        given.seed,
        say=lambda line: print(line, flush=True),
        progress=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(report.summary())
    return 1 if report.findings else 0


def replay(strategies: Sequence[Strategy], seed: int) -> int:
    """Play one round of each strategy, and print all that it finds."""
    found = [f for s in strategies for f in play(s, seed, Report())]
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
