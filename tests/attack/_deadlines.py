"""`inspect` and `certify` in little time: what is said is right, the rest is named."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np

from ._call import Answer, call
from ._networks import Net
from ._referee import Finding, fault
from ._small_networks import random_net

ROOM = 6.0  # seconds of processor time beyond the limit: starting, one long step
COUNTS = ("activation_regions", "affine_regions", "distinct_maps", "vertices", "edges")


def deadlines_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One network, looked at twice: with all the time, and with little."""
    net = _net(rng)
    (folder / "n.json").write_text(json.dumps(net.document()))
    if net.inputs == 1:
        options = ("--on=-3,3", "--target", rng.choice(("square", "expr:sin(5*x)")))
    else:
        options = ("--lines", "3", "--slices", str(rng.randint(0, 2)))
    whole = call("inspect", "n.json", *options, "--json")
    yield from fault(whole)
    seconds = rng.choice((0.0, 0.001, 0.01, 0.05, 0.2, 1.0))
    limited = ("--seconds", str(seconds))
    hasty = call("inspect", "n.json", *options, *limited, "--json")
    yield from fault(hasty)
    if hasty.seconds > seconds + ROOM:
        yield Finding("late", hasty.command, f"{hasty.seconds:.1f} s")
    if whole.code == 0 and hasty.code == 0:
        yield from _different(whole.document, hasty)
    if net.inputs == 1:
        yield from _certified(rng, limited)


def _net(rng: random.Random) -> Net:
    """Small, or wide enough to be cut off."""
    if rng.random() < 0.5:
        return random_net(rng, rng.choice((1, 2, 3)))
    from depthsep.networks import Network

    draws, arrays = np.random.default_rng(rng.getrandbits(32)), []
    sizes = [rng.choice((1, 2, 3)), *[rng.randint(6, 14)] * rng.randint(1, 3), 1]
    for fan, units in pairwise(sizes):
        arrays += [draws.normal(size=(units, fan)), draws.normal(size=units)]
    return Net.of_library(Network.from_arrays(*arrays))


def _different(whole: dict, hasty: Answer) -> Iterator[Finding]:
    """What the hasty answer says otherwise than the whole one."""
    said = hasty.document
    names = ("pieces", "crossings", "widths", "weights", *COUNTS)
    pairs = [(name, said.get(name), whole.get(name)) for name in names]
    for name, found, right in pairs:
        if found is not None and found != right:
            yield Finding("wrong in haste", hasty.command, f"{name} {found}, {right}")
    more_than, regions = said.get("more_than"), whole.get("activation_regions")
    if more_than is not None and regions is not None and not more_than < regions:
        yield Finding("wrong in haste", hasty.command, f"more than {more_than}")
    missing = [name for name, found, right in pairs if found is None and right]
    if missing and not (said.get("reason") or said.get("left_out")):
        yield Finding("silent about what is missing", hasty.command, str(missing))
    distance, right = said.get("distance"), whole.get("distance")
    if distance and right and not _overlap(distance, right):
        yield Finding("distances differ", hasty.command, f"{distance}, {right}")


def _overlap(a: dict, b: dict) -> bool:
    (p, q), (r, s) = ((Fraction(d["lower"]), Fraction(d["upper"])) for d in (a, b))
    return p <= s and r <= q


def _certified(rng: random.Random, limited: tuple[str, ...]) -> Iterator[Finding]:
    problem = ("n.json", "square", "--on=-3,3", "--accuracy", rng.choice(("1", "100")))
    whole = call("certify", *problem, "--json")
    hasty = call("certify", *problem, *limited, "--json")
    for answer in (whole, hasty):
        yield from fault(answer)
    if hasty.code == 0 and whole.code != 0:
        yield Finding("certified in haste alone", hasty.command, whole.err)
    if whole.code == 0 and hasty.code != 0 and "not decided" not in hasty.err:
        yield Finding("refuted in haste", hasty.command, hasty.err)
