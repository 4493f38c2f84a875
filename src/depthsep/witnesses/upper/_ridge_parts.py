"""A network as a sum of parts that read one linear form each, by the checker's eyes."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpz

from depthsep.analysis import sign_changes
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._numbers import fmpq_of, fraction

BITS = 40  # of the ends of intervals
Form = tuple[Fraction, ...]
Kinks = tuple[tuple[fmpq, fmpq], ...]
Layer = tuple[list[list[Fraction]], list[Fraction]]


@dataclass(frozen=True)
class Part:
    """What reads one form a.z.

    Attributes:
        on: where a.z lies, a little more.
        kinks: both ends, and where some unit changes its sign; with the values there.
    """

    form: Form
    on: Segment
    kinks: Kinks
    read: Any  # the checker's network, which has no types


def last_of_ridges(network: Any) -> int:
    """Hidden layers before the first one whose units all read the same sum."""
    checker = checker_module()
    for k in range(1, len(network.exact)):
        rows = network.exact[k][0]
        try:
            for row in rows:
                checker.multiple(row, rows[:1])
        except (checker.Refused, StopIteration):
            continue
        return k
    raise checker.Refused(
        "there is no layer whose units all depend on one and the same "
        "weighted sum of the units before it"
    )


def parts_of(problem: Any, inner: Any) -> list[Part]:
    """One for each direction of the first layer.

    Args:
        problem, inner: as the checker reads them.
    """
    forms = _forms(inner.exact[0][0])
    owners = inner.owners(forms)
    reads = [inner.along(forms, owners, number) for number in range(len(forms))]
    known: dict[str, Kinks] = {}  # many forms have the same function
    return [_part(problem, f, r, known) for f, r in zip(forms, reads, strict=True)]


def _forms(rows: list[list[Fraction]]) -> list[Form]:
    """The first of all rows that are multiples of each other."""
    found: dict[Form, Form] = {}
    for row in rows:
        lead = max(row, key=abs)
        if lead:
            found.setdefault(tuple(v / lead for v in row), tuple(row))
    return list(found.values())


def _part(problem: Any, form: Form, read: Any, known: dict[str, Kinks]) -> Part:
    checker = checker_module()
    low, high = (fmpq_of(Fraction(end)) for end in checker.reach(problem, list(form)))
    on = Segment(_down(low), -_down(-high))
    key = str((on, read.exact, read.shared))
    if key not in known:
        known[key] = _kinks(read, on)
    return Part(form, on, known[key], read)


def _kinks(read: Any, on: Segment) -> Kinks:
    own = as_network(_without_shared(read))
    places = [x for x, _ in sign_changes(own, on.start, on.stop)]
    values = [fmpq_of(read.run([fraction(x)])[0]) for x in places]
    return tuple(zip(places, values, strict=True))


def _down(value: fmpq) -> fmpq:
    """Itself if it is short, else a little less."""
    if int(value.q) < 1 << BITS:
        return value
    return fmpq(fmpz((value * 2**BITS).floor()), 1 << BITS)


def _without_shared(read: Any) -> list[Layer]:
    """The units that read one form alone, with any output: their signs are asked."""
    layers: list[Layer] = []
    kept = [0]
    for (rows, biases), shared in zip(read.exact, read.shared, strict=True):
        mine = [i for i, s in enumerate(shared) if not s]
        if not mine:
            break
        layers.append(
            ([[rows[i][j] for j in kept] for i in mine], [biases[i] for i in mine])
        )
        kept = mine
    return [*layers, ([[Fraction(1)] * len(kept)], [Fraction(0)])]


def as_network(layers: list[Layer]) -> Network:
    """Of rational weights."""
    return Network(
        [
            Affine(
                [list(map(fmpq_of, row)) for row in rows], list(map(fmpq_of, biases))
            )
            for rows, biases in layers
        ]
    )
