"""Certificates: true ones must be valid, those made false must not, none may crash."""

import contextlib
import json
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from mpmath import mp, mpf

from ._call import Answer, call
from ._lines import against_square, pieces, segments
from ._mutations import MUTATIONS, digest, seal
from ._networks import Net
from ._problems import built, judged_certificate
from ._questions import polynomial
from ._referee import Finding, fault

MUTANTS = 6
DIGITS = (5, 12, 18, 22, 23, 24, 25, 30, 60, 400, 1300)
RANKS = ("sampled", "cited", "enclosed", "exact")


def certificates_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One certificate, as it was built and then altered in several ways."""
    if rng.random() < 0.2:
        yield from _near_the_root(rng, folder)
        return
    options = _options(rng)
    yield from built(options, None, rng, folder)
    path = folder / "c.json"
    if not path.exists():
        return
    original = json.loads(path.read_text())
    for _ in range(MUTANTS):
        mutate = rng.choice(MUTATIONS)
        written = mutate(json.loads(path.read_text()), original, rng)
        mutant = folder / "m.json"
        mutant.write_text(written, errors="surrogatepass")
        answer = call("verify", "m.json", "--seconds", "3", "--json")
        yield from _judged(answer, mutant, original, rng, options)


def _options(rng: random.Random) -> tuple[str, ...]:
    """A problem that is served quickly, of any kind of target."""
    norm = rng.choice(("linf", "l1", "l2"))
    kinds = (
        (f"expr:sin({rng.randint(1, 4)}*x)+x/3", "--on=-1,1"),
        ("expr:exp(x)*x", "--on=-2,1"),
        ("square",),
        ("square", "--on=-3/2,2"),
        (f"sawtooth:{rng.randint(1, 5)}",),
        ("product",),
        (f"poly:{polynomial(rng)}",),
        (f"inner:sin({rng.randint(1, 3)}*t)", "--dim", str(rng.randint(2, 3))),
        ("radial:triangle:1", "--dim", "2"),
        ("radial:1-r on 0,1", "--dim", "2"),
        (f"parity:{rng.randint(2, 6)}",),
    )
    accuracy = rng.choice(("1/3", "1/5", "0.07"))
    bound = ("--weight-bound", rng.choice(("50", "2^9"))) if rng.random() < 0.15 else ()
    return (*rng.choice(kinds), "--norm", norm, *bound, "--accuracy", accuracy)


def _judged(
    answer: Answer, path: Path, original: dict, rng: random.Random, options: tuple
) -> Iterator[Finding]:
    """A verdict on an altered certificate."""
    written = path.read_text(errors="surrogatepass")
    shown = f"verify, altered from build {' '.join(options)}"
    for finding in fault(answer):
        detail = f"{finding.detail}; {written[:1500]!r}"
        yield Finding(finding.what, shown, detail)
    if answer.code != 0:
        return
    try:
        document = json.loads(written)
        true = document["sha256"] == digest(document)
        with long_integers():
            found = list(judged_certificate(path, rng, shown))
    except Exception as error:
        yield Finding(
            "valid, but not readable", shown, f"{error!r}; {written[:1500]!r}"
        )
        return
    if not true:
        yield Finding("valid with a wrong digest", shown, written[:1500])
    same = document["problem"] == original["problem"]
    ranks = (RANKS.index(d["claim"]["rigour"]) for d in (document, original))
    if (
        same
        and document["network"] == original["network"]
        and next(ranks) > next(ranks)
    ):
        yield Finding("valid with too much rigour", shown, document["claim"]["rigour"])
    for finding in found:
        what = f"valid, but false: {finding.what}"
        yield Finding(what, shown, f"{finding.detail}; {written[:1500]!r}")


def _near_the_root(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """l2 errors of x^2 are roots: accuracies just above one hold, just below do not."""
    a, b = rng.choice(((0, 1), (-1, 1), (-3, 2), (1, 3)))
    fixed = ("square", f"--on={a},{b}", "--norm", "l2")
    first = call(
        *("build", *fixed, "--accuracy", f"1/{rng.randint(4, 60)}"),
        *("--depth", str(rng.randint(2, 4)), "--certificate", "first.json"),
    )
    yield from fault(first)
    if first.code != 0:
        return
    document = json.loads((folder / "first.json").read_text())
    square = _squared_error(document, folder, a, b)
    digits = rng.choice(DIGITS)
    above, below = _beside_root(square, digits)
    options = (*fixed, "--accuracy", str(above))
    yield from built(options, None, rng, folder)
    for limit in (below, below * Fraction(999, 1000)):
        document["problem"]["accuracy"] = document["claim"]["error"] = str(limit)
        (folder / "m.json").write_text(seal(document))
        answer = call("verify", "m.json", "--json")
        yield from fault(answer)
        if answer.code == 0:
            detail = f"below the root of {square} by 1e-{digits}"
            yield Finding("valid, but false: an error below the true one", "", detail)


def _squared_error(document: dict, folder: Path, a: int, b: int) -> Fraction:
    net = Net.certified(document, folder)
    ends = Fraction(a), Fraction(b)
    found = pieces(segments(net, [Fraction(0)], [Fraction(1)], *ends))
    return against_square(found)[1]


def _beside_root(square: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Rationals just above and below the root, by one part in 10**digits."""
    with mp.workdps(digits + 30):
        root = mp.sqrt(mpf(square.numerator) / square.denominator)
        scale = mpf(10) ** (digits + 20)
        near = Fraction(int(mp.floor(root * scale)), 10 ** (digits + 20))
    step = near / 10**digits
    return near + step, near - step


@contextlib.contextmanager
def long_integers() -> Iterator[None]:
    """Let Python read integers of any length: an alteration may have made one."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
