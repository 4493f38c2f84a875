"""Problems of every kind put to `separate` and `build`, and the answers judged.

Nothing may be certified for a formula that is undefined on the interval, no certified
error may lie below a sampled one, no proven width above a certified one.
"""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ._call import Answer, call
from ._formulas import formula, interval, tame, trap
from ._measure import error_at_least
from ._networks import Net
from ._questions import target
from ._referee import Finding, fault
from ._undefined import undefined_at

ROUGH = ("1/2", "1/3", "1/5", "0.1", "1/20", "1e-2")
TINY = ("1e-40", "1e-99", "1e-300", "1e-323", "1e-330", "1e-400", "1e-1500")
NORMS = ("linf", "linf", "l1", "l2")


def formula_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """A formula in one variable on an interval."""
    kinds = (formula, formula, trap, tame)
    written, (start, stop) = rng.choice(kinds)(rng), interval(rng)
    hole = undefined_at(written, start, stop)
    options = (f"expr:{written}", f"--on={start},{stop}", "--norm", rng.choice(NORMS))
    tiny = rng.random() < 0.03
    accuracy = rng.choice(TINY if tiny else ROUGH)
    options = (*options, "--accuracy", accuracy)
    if tiny or rng.random() < 0.5:
        first = rng.randint(2, 5)
        depths = f"{first}:{rng.randint(first, 6)}"
        answer = call("separate", *options, "--depths", depths, "--json")
        yield from judged_table(answer, hole)
    else:
        yield from built(options, hole, rng, folder)


def general_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """Targets of all other kinds, at any accuracy."""
    tiny = rng.random() < 0.5
    asked = target(rng)
    slow = tiny and asked[0].startswith("radial")  # l2 takes half a minute there
    options = (*asked, "--norm", "linf" if slow else rng.choice(NORMS))
    if rng.random() < 0.15:
        options += (
            "--weight-bound",
            rng.choice(("2", "1/2", "1e400", "1e-330", "2^d")),
        )
    few = 2 if asked[0].startswith("expr:") else 4  # kinks on boxes take minutes
    options = (*options, "--accuracy", rng.choice(TINY if tiny else ROUGH[:few]))
    if tiny or rng.random() < 0.5:
        depth = rng.randint(2, 6)
        answer = call("separate", *options, "--depths", str(depth), "--json")
        yield from judged_table(answer, None)
    else:
        yield from built(options, None, rng, folder)


def built(
    options: tuple[str, ...], hole: str | None, rng: random.Random, folder: Path
) -> Iterator[Finding]:
    """Build one network, verify its certificate and measure it."""
    files = ["c.json"]
    if rng.random() < 0.5:
        files += ["-o", rng.choice(("n.onnx", "n.npz", "n.json"))]
    depth = ("--depth", str(rng.randint(2, 6))) if rng.random() < 0.5 else ()
    answer = call(
        *("build", *options, *depth, "--seconds", "4", "--json", "--certificate"),
        *files,
    )
    yield from fault(answer)
    if answer.code != 0:
        return
    if hole:
        yield Finding("an undefined formula is certified", answer.command, hole)
        return
    yield from judged_certificate(folder / "c.json", rng, answer.command)
    check = call("verify", "c.json", "--seconds", "8", "--json")
    yield from fault(check)
    if check.code != 0:
        said = check.err.strip() or check.out.strip()
        yield Finding("what was built is not valid", answer.command, said[-300:])


def judged_certificate(
    path: Path, rng: random.Random, command: str
) -> Iterator[Finding]:
    """Whether a certificate's claim survives the referee's own measurement."""
    document = json.loads(path.read_text())
    problem, claim = document["problem"], document["claim"]
    net = Net.certified(document, path.parent)
    if claim["widths"] != net.widths:
        yield Finding("wrong widths", command, f"{claim['widths']}, not {net.widths}")
    if Fraction(claim["error"]) > Fraction(problem["accuracy"]):
        detail = f"{claim['error']} for {problem['accuracy']}"
        yield Finding("a claimed error above the accuracy", command, detail[:300])
    claimed = float(Fraction(claim["error"])) * (1 + 1e-12)
    least = error_at_least(problem, net, rng)
    if least is not None and least > claimed:  # look closer
        least = error_at_least(problem, net, rng, finer=12)
    if least is not None and least > claimed:
        yield Finding("a certified error is too small", command, f"{claimed} < {least}")


def judged_table(answer: Answer, hole: str | None) -> Iterator[Finding]:
    """A table of `separate`: nothing for holes, errors met, lower below upper."""
    yield from fault(answer)
    if answer.code == 1:
        yield Finding(
            "the table contradicts itself", answer.command, answer.err.strip()
        )
    if answer.code != 0 or answer.document is None:
        return
    accuracy = Fraction(answer.document["problem"]["accuracy"])
    for row in answer.document["rows"]:
        upper, lower = row["upper"], row["lower"]
        known = "width" in upper, "width" in lower
        if hole and any(known):
            yield Finding("an undefined formula is certified", answer.command, hole)
            return
        if all(known) and int(upper["width"]) < int(lower["width"]):
            detail = f"depth {row['depth']}: {lower['width']} > {upper['width']}"
            yield Finding("lower above upper", answer.command, detail)
        if known[0] and Fraction(upper["error"]) > accuracy:
            detail = f"depth {row['depth']}: {upper['error'][:100]}"
            yield Finding("an error above the accuracy", answer.command, detail)
