"""The loop: strategies take turns until the time or the rounds are spent."""

import contextlib
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ._call import Answer, gist

SHOWN = 4
"""So many findings of one kind are printed; the others are only counted."""
SLOW = 20.0
"""Rounds of more seconds of processor time are listed in the summary."""


@dataclass(frozen=True)
class Finding:
    """Something that the library must not do: what, how to repeat it, details."""

    what: str
    command: str
    detail: str

    def __str__(self) -> str:
        return f"{self.what}: {self.command}  # {self.detail}"


Round = Callable[[random.Random, Path], Iterator[Finding]]


@dataclass(frozen=True)
class Strategy:
    """One kind of question; `round` asks one and yields what is wrong.

    Of the time of an attack it gets a part in proportion to its share.
    """

    name: str
    round: Round
    share: int = 1


@dataclass
class Report:
    """What was found so far."""

    rounds: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)

    def summary(self) -> str:
        """Rounds and time of every strategy, findings by kind."""
        lines = [
            f"{name}: {n} rounds, {self.seconds[name]:.0f} s"
            for name, n in sorted(self.rounds.items())
        ]
        lines += [f"slow: {line}" for line in self.slow]
        lines += [f"found {n} times: {kind}" for kind, n in self.kinds.most_common()]
        return "\n".join([*lines, f"{len(self.findings)} findings"])


def fault(answer: Answer) -> Iterator[Finding]:
    """What is wrong with an answer, whatever was asked."""
    found = answer.fault()
    if found is not None:
        kind, detail = found
        place = f" ({detail.split(':')[0]})" if kind == "traceback" else ""
        yield Finding(kind + place, answer.command, detail)


def play(strategy: Strategy, seed: int, report: Report) -> list[Finding]:
    """One round in an empty folder; the findings are also put into the report."""
    start, rng = time.process_time(), random.Random(seed)
    temporary = tempfile.TemporaryDirectory(prefix="attack-")
    with temporary as folder, contextlib.chdir(folder):
        try:
            found = list(strategy.round(rng, Path(folder)))
        except Exception as error:
            found = [Finding("the referee itself fails", "", gist(error))]
    spent = time.process_time() - start
    report.rounds[strategy.name] += 1
    report.seconds[strategy.name] += spent
    if spent > SLOW:
        report.slow.append(f"--only {strategy.name} --round {seed}: {spent:.0f} s")
    report.kinds.update(f"{strategy.name}: {f.what}" for f in found)
    report.findings += found
    return found


def attack(
    strategies: Sequence[Strategy],
    seconds: float,
    seed: int,
    say: Callable[[str], None] = print,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Play until the time is over; the strategy most behind its share is next."""
    rng, report = random.Random(seed), Report()
    start, told = time.monotonic(), 0.0
    while (spent := time.monotonic() - start) < seconds:
        if progress is not None and spent - told > 20:
            told = spent
            rounds, found = report.rounds.total(), len(report.findings)
            progress(f"{spent:.0f} s, {rounds} rounds, {found} findings")
        strategy = min(strategies, key=lambda s: report.seconds[s.name] / s.share)
        this = rng.getrandbits(48)
        for finding in play(strategy, this, report):
            if report.kinds[f"{strategy.name}: {finding.what}"] <= SHOWN:
                where = f"{time.monotonic() - start:.0f} s, round {this}"
                say(f"{strategy.name} ({where}): {finding}")
    return report
