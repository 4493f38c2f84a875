"""Small networks of one to three inputs: `inspect` against the referee's own counts."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from pathlib import Path

from ._call import call
from ._cells import Counts, cells, counts
from ._lines import against_square, pieces, segments
from ._networks import Layer, Net
from ._referee import Finding, fault

WEIGHTS = tuple(map(Fraction, (-2, -1, -1, 0, 0, 1, 1, 2)))
FINE = (*WEIGHTS, *(Fraction(k, 7) for k in (-9, -4, -1, 3, 5)), Fraction(1, 10**20))
NAMES = ("relu", "relu", "relu", "relu", "abs", "leaky_relu:1/3")
FAR = Fraction(10**400)


def random_net(rng: random.Random, inputs: int) -> Net:
    """One to three hidden layers of a few units, with short weights and many ties."""
    most = {1: 5, 2: 4, 3: 3}[inputs]
    widths = [rng.randint(1, most) for _ in range(rng.randint(1, 3))]
    sizes, choice = [inputs, *widths, 1], rng.choice((WEIGHTS, FINE))
    names = [*(rng.choice(NAMES) for _ in widths), None]
    layers = [
        Layer(
            [[rng.choice(choice) for _ in range(n)] for _ in range(m)],
            [rng.choice(choice) for _ in range(m)],
            name,
        )
        for n, m, name in zip(sizes, sizes[1:], names, strict=False)
    ]
    return Net(layers)


def networks_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One network, examined by both."""
    inputs = rng.choice((1, 1, 2, 2, 3))
    net = random_net(rng, inputs)
    (folder / "n.json").write_text(json.dumps(net.document()))
    judges = {1: _on_interval, 2: _on_box, 3: _on_slice}
    judge = _on_line if inputs > 1 and rng.random() < 0.2 else judges[inputs]
    for finding in judge(rng, net):
        written = json.dumps(net.document(), separators=(",", ":"))
        yield Finding(finding.what, finding.command, f"{finding.detail}; {written}")


def _on_interval(rng: random.Random, net: Net) -> Iterator[Finding]:
    a = Fraction(rng.randint(-6, 3), rng.choice((1, 2, 3)))
    b = a + Fraction(rng.randint(1, 9), rng.choice((1, 2, 5)))
    zero, one = [Fraction(0)], [Fraction(1)]
    if rng.random() < 0.3:
        answer = call("inspect", "n.json", "--json")
        found = pieces(segments(net, zero, one, -FAR, FAR))
        yield from _line_checked(answer, found, net)
        return
    norm = rng.choice(("linf", "l2"))
    options = (f"--on={a},{b}", "--target", "square", "--norm", norm, "--json")
    answer = call("inspect", "n.json", *options)
    found = pieces(segments(net, zero, one, a, b))
    yield from _line_checked(answer, found, net)
    distance = (answer.document or {}).get("distance")
    if distance:
        yield from _distance_checked(answer.command, distance, found, norm)


def _distance_checked(command, distance, found, norm: str) -> Iterator[Finding]:
    largest, square = against_square(found)
    low, high = Fraction(distance["lower"]), Fraction(distance["upper"])
    if norm == "linf" and not low <= largest <= high:
        yield Finding("wrong distance", command, f"{largest}, not {low} to {high}")
    if norm == "l2" and not low * low <= square <= high * high:
        yield Finding("wrong distance", command, f"root of {square}, not {low}..{high}")
    if norm == "l2" and Fraction(distance.get("square", square)) != square:
        yield Finding("wrong square", command, f"{square}, not {distance['square']}")


def _on_line(rng: random.Random, net: Net) -> Iterator[Finding]:
    start, stop = _points(rng, net.inputs, 2)
    answer = call("inspect", "n.json", f"--line={_text(start)};{_text(stop)}", "--json")
    step = [q - p for p, q in zip(start, stop, strict=True)]
    found = pieces(segments(net, start, step, Fraction(0), Fraction(1)))
    yield from _line_checked(answer, found, net, known_knots=False)


def _line_checked(
    answer, found, net: Net, *, known_knots: bool = True
) -> Iterator[Finding]:
    yield from fault(answer)
    if answer.code != 0:
        return
    said, knots = answer.document, [str(s.start) for s in found[1:]]
    if said["pieces"] != len(found):
        detail = f"{said['pieces']} pieces, not {len(found)}"
        yield Finding("wrong number of pieces", answer.command, detail)
    inner = [k for k in said["knots"] if k in knots]
    if known_knots and inner != knots:
        yield Finding("wrong knots", answer.command, f"{said['knots']}, not {knots}")
    most = int(said["most_pieces"])
    if not len(found) <= most <= prod(m + 1 for m in net.widths):
        yield Finding("most_pieces is wrong", answer.command, f"{most}, {len(found)}")


def _on_box(rng: random.Random, net: Net) -> Iterator[Finding]:
    (a, b), (c, d) = (_side(rng) for _ in range(2))
    box = f"--box={a},{b};{c},{d}"
    answer = call("inspect", "n.json", box, "--lines", "1", "--json")
    planes = _planes([(1, 0, 0), (0, 1, 0)])
    found = counts(cells(net, planes, ((a, c), (b, c), (b, d), (a, d))))
    yield from _counts_checked(answer, found)


def _on_slice(rng: random.Random, net: Net) -> Iterator[Finding]:
    x0, x1, x2 = _points(rng, net.inputs, 3)
    given = f"--slice={_text(x0)};{_text(x1)};{_text(x2)}"
    answer = call("inspect", "n.json", given, "--lines", "1", "--json")
    planes = [(q - p, r - p, p) for p, q, r in zip(x0, x1, x2, strict=True)]
    ends = Fraction(0), Fraction(1)
    corners = [(ends[i], ends[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    yield from _counts_checked(answer, counts(cells(net, planes, corners)), area=False)


def _counts_checked(answer, found: Counts, *, area: bool = True) -> Iterator[Finding]:
    yield from fault(answer)
    if answer.code != 0:
        return
    wanted = {
        "activation_regions": found.regions,
        "affine_regions": found.affine_regions,
        "vertices": found.vertices,
        "edges": found.edges,
    }
    said = answer.document
    for name, number in wanted.items():
        if said[name] != number:
            yield Finding(
                f"wrong {name}", answer.command, f"{said[name]}, not {number}"
            )
    written = str(said["integral"])
    if area and not written.startswith("[") and Fraction(written) != found.integral:
        detail = f"{written}, not {found.integral}"
        yield Finding("wrong integral", answer.command, detail)
    if int(said["most_regions"]) < found.regions:
        yield Finding("most_regions is too small", answer.command, said["most_regions"])


def _side(rng: random.Random) -> tuple[Fraction, Fraction]:
    a = Fraction(rng.randint(-4, 2), rng.choice((1, 2)))
    return a, a + Fraction(rng.randint(1, 6), rng.choice((1, 3)))


def _planes(rows) -> list:
    return [tuple(map(Fraction, row)) for row in rows]


def _points(rng: random.Random, inputs: int, count: int) -> list[list[Fraction]]:
    return [
        [Fraction(rng.randint(-6, 6), 3) for _ in range(inputs)] for _ in range(count)
    ]


def _text(point: list[Fraction]) -> str:
    return ",".join(map(str, point))
