"""Networks that exist against widths that are proven: no bound may exceed them.

The referee builds the best network of few units that it finds, measures its error and
asks the library how wide networks within a slightly larger error must be.
"""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from mpmath import mp

from ._call import Answer, call
from ._formulas import tame
from ._functions import DIGITS, Doubtful, Undefined, real
from ._problems import NORMS, judged_table
from ._referee import Finding
from ._splines import Spline, best_spline, error
from ._targets import truth

COARSE, FINE = 90, 1200
SLACK = 1.004  # sampling misses this little of an error


def pieces_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One target and the widths that networks of one hidden layer reach."""
    if rng.random() < 0.2:
        yield from _sawtooth(rng)
        return
    if rng.random() < 0.1:
        yield from _parity(rng)
        return
    target, on = _line_target(rng)
    norm, units = rng.choice(NORMS), rng.randint(1, 6)
    a, b = on
    try:
        x, f = values(target, a, b, COARSE if norm != "l1" else COARSE // 2)
        fine_x, fine_f = values(target, a, b, FINE)
    except (Undefined, Doubtful):
        return
    spline = best_spline(x, f, units, norm, rng)
    reached = error(fine_x, fine_f, spline, norm) * SLACK
    if reached < 1e-9:
        return
    accuracy = Fraction(reached).limit_denominator(10**12)
    options = (f"--on={a},{b}", "--norm", norm, "--accuracy", str(accuracy))
    answer = call("separate", target, *options, "--depths", "2:3", "--json")
    yield from judged_table(answer, None)
    for finding in widths_checked(answer, {2: units, 3: max(units, 2)}):
        said = _confirmed(spline, folder, target, a, b, norm)
        yield Finding(finding.what, finding.command, f"{finding.detail}; {said}")


def values(
    target: str, a: Fraction, b: Fraction, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Points of [a, b], both ends included, and the target there."""
    function = truth(target, "uniform")
    assert function is not None
    points = [a + (b - a) * Fraction(k, count) for k in range(count + 1)]
    with mp.workdps(DIGITS):
        found = [float(real(function([x]))) for x in points]
    return np.array([float(x) for x in points]), np.array(found)


def widths_checked(answer: Answer, reached: dict[int, int]) -> Iterator[Finding]:
    """No proven width above one that a known network of that depth has."""
    if answer.code != 0 or answer.document is None:
        return
    for row in answer.document["rows"]:
        proven = int(row["lower"].get("width", 0))
        most = reached.get(row["depth"], proven)
        if proven > most:
            detail = f"depth {row['depth']}: width {proven} is proven, {most} is enough"
            yield Finding("a lower bound is too large", answer.command, detail)


def _confirmed(
    spline: Spline, folder: Path, target: str, a: Fraction, b: Fraction, norm: str
) -> str:
    """What the library itself says about the distance of the referee's network."""
    (folder / "spline.json").write_text(json.dumps(spline.net().document()))
    options = (f"--on={a},{b}", "--target", target, "--norm", norm, "--json")
    said = call("inspect", "spline.json", *options).document or {}
    return f"the library finds the error {said.get('distance')}; {spline}"


def _line_target(rng: random.Random) -> tuple[str, tuple[Fraction, Fraction]]:
    half = Fraction(rng.randint(1, 8), rng.choice((2, 3)))
    if rng.random() < 0.5:
        k = rng.randint(1, 4)
        even = rng.choice(
            (f"cos({k}*x)", "x**2", f"exp(-{k}*x**2)", "abs(x)", "x**4-x**2", "cosh(x)")
        )
        return rng.choice(("square", f"expr:{even}")), (-half, half)
    start = Fraction(rng.randint(-6, 4), 2)
    return f"expr:{tame(rng)}", (start, start + half)


def _sawtooth(rng: random.Random) -> Iterator[Finding]:
    """Zigzags of 2**j pieces take 2**j units; folded into each other they multiply."""
    folds = rng.randint(1, 9)
    accuracy = rng.choice(("1e-3", "0.05", "1/5", "1/4", "0.3", "0.49", "1e-60"))
    norm = rng.choice(NORMS)
    options = ("--norm", norm, "--accuracy", accuracy, "--depths", "2:6", "--json")
    answer = call("separate", f"sawtooth:{folds}", *options)
    yield from judged_table(answer, None)
    reached = {depth: 1 << -(-folds // (depth - 1)) for depth in range(2, 7)}
    yield from widths_checked(answer, reached)


def _parity(rng: random.Random) -> Iterator[Finding]:
    """A zigzag of the sum takes one unit for each sign; half of it after a fold."""
    signs, accuracy = rng.randint(2, 9), rng.choice(("1/2", "1e-9", "0.99"))
    options = ("--norm", rng.choice(NORMS), "--accuracy", accuracy)
    answer = call("separate", f"parity:{signs}", *options, "--depths", "2:4", "--json")
    yield from judged_table(answer, None)
    yield from widths_checked(answer, dict.fromkeys(range(2, 5), signs))
