"""Units that do nothing on the box, and a smaller network that is equal there.

A ReLU that is never on is left out. Of ReLUs that are never off on the box, the values
are affine in the layer before: those whose weights depend on others' are computed by
whoever reads them. Of units that are multiples of one another one is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep._plural import plural
from depthsep.analysis.bounds._backward import layers_on
from depthsep.analysis.facts._subject import Subject
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._sizes import layers_words
from depthsep.evidence import Rigour
from depthsep.exact import rationals
from depthsep.networks import RELU, Affine, Network

MOST_SOLVED = 256  # units of a layer whose weights are compared exactly

Row = tuple[fmpq, ...]


@dataclass(frozen=True)
class Idle(AbstractFact):
    """ReLUs that are never on, never off, and what follows.

    Attributes:
        off, on: how many of each layer, at least.
        smaller: an equal network on the box; None if none follows.
        rigour: exact: from all regions, so that there are no more; enclosed: from
            bounds.
    """

    off: tuple[int, ...]
    on: tuple[int, ...]
    smaller: Network | None
    rigour: Rigour

    def rows(self) -> Rows:
        """Both counts, and the widths of the smaller network."""
        least = "" if self.rigour is Rigour.EXACT else "at least "
        rows = [
            (
                name,
                (
                    f"{least}{sum(counts)} ({layers_words(counts)} by layer; "
                    f"{self.rigour})"
                ),
            )
            for name, counts in (("never on", self.off), ("never off", self.on))
        ]
        if self.smaller is not None:
            units = plural(self.smaller.units, "unit")
            widths = layers_words(self.smaller.widths)
            rows.append(
                (
                    "smaller network, equal on the domain",
                    f"{units}, widths {widths} (exact)",
                )
            )
        return rows

    def to_json(self) -> dict[str, object]:
        """Lists, a number a layer."""
        entry = {
            "never_on": list(self.off),
            "never_off": list(self.on),
            "rigour": str(self.rigour),
            "equal_network": self.smaller and {"widths": list(self.smaller.widths)},
        }
        return {"idle_units": entry}


def idle(subject: Subject) -> Idle | None:
    """Of ReLU networks; None for others."""
    network = subject.network
    if not network.activations or any(a is not RELU for a in network.activations):
        return None
    off, on, rigour = _states(subject)
    found = _smaller(network, off, on)
    counts = [tuple(int(s.sum()) for s in states) for states in (off, on)]
    smaller = found if found.units < network.units else None
    return Idle(counts[0], counts[1], smaller, rigour)


States = list[np.ndarray]


def _states(subject: Subject) -> tuple[States, States, Rigour]:
    """Which units are never on, and which of the others never off."""
    found = subject.regions
    off: States
    on: States
    if found is not None:
        cells = found.complex
        off = [np.logical_not(p.any(axis=0)) for p in cells.patterns]
        on = [np.logical_not(n.any(axis=0)) for n in cells.negative]
        rigour = Rigour.EXACT
    else:
        low, high = subject.ends
        layers = layers_on(subject.net, low[None], high[None])
        off = [np.asarray(b[0] <= 0) for _, b in layers]
        on = [np.asarray(a[0] >= 0) for a, _ in layers]
        rigour = Rigour.ENCLOSED
    return off, [b & ~a for a, b in zip(off, on, strict=True)], rigour


def _smaller(
    network: Network, off: Sequence[np.ndarray], on: Sequence[np.ndarray]
) -> Network:
    """Layer by layer; every hidden layer keeps a unit."""
    layers = list(network.layers)
    for k, (dead, linear) in enumerate(zip(off, on, strict=True)):
        keep = np.flatnonzero(~dead)
        if not len(keep):  # a unit for the depth's sake
            bias = layers[k + 1].bias
            layers[k] = Affine(np.zeros((1, layers[k].shape[1])), np.zeros(1))
            layers[k + 1] = Affine(np.zeros((len(bias), 1)), bias)
            continue
        layer, after = _restricted(layers[k], layers[k + 1], keep)
        if 1 < len(keep) <= MOST_SOLVED:
            layer, after = _merged(layer, after, linear[keep])
        layers[k], layers[k + 1] = layer, after
    return Network(layers, network.activations)


def _restricted(
    layer: Affine, after: Affine, keep: np.ndarray
) -> tuple[Affine, Affine]:
    return (
        Affine(layer.weight[keep], layer.bias[keep]),
        Affine(after.weight[:, keep], after.bias),
    )


def _merged(layer: Affine, after: Affine, linear: np.ndarray) -> tuple[Affine, Affine]:
    """Units that follow from others are read off these."""
    rows: list[Row] = [(*row, b) for row, b in layer.rational_rows()]
    combined = _multiples(rows, linear) | _dependent(rows, linear)
    if not combined:
        return layer, after
    weight, bias = rationals(after.weight).copy(), rationals(after.bias).copy()
    for unit, (parts, constant) in combined.items():
        bias = bias + weight[:, unit] * constant
        for other, factor in parts.items():
            weight[:, other] = weight[:, other] + weight[:, unit] * factor
    # where all are constant, the first stays for the depth's sake
    keep = [k for k in range(len(rows)) if k not in combined] or [0]
    if keep == [0] and 0 in combined:
        weight[:, 0] = weight[:, 0] * 0
    return _restricted(layer, Affine(weight, bias), np.array(keep))


Combined = dict[int, tuple[dict[int, fmpq], fmpq]]
"""Of a unit: factors of others' values, and a constant."""


def _multiples(rows: list[Row], linear: np.ndarray) -> Combined:
    """Units that are a positive multiple of an earlier one."""
    found: Combined = {}
    known: dict[Row, tuple[int, fmpq]] = {}
    for unit, row in enumerate(rows):
        if linear[unit]:
            continue
        size = next((abs(v) for v in row if v != 0), fmpq(1))
        key = tuple(v / size for v in row)
        if key in known:
            other, base = known[key]
            found[unit] = ({other: size / base}, fmpq(0))
        else:
            known[key] = (unit, size)
    return found


def _dependent(rows: list[Row], linear: np.ndarray) -> Combined:
    """Units never off whose weights are a combination of others' that are never off."""
    units = np.flatnonzero(linear).tolist()
    if len(units) < 2:
        return {}
    weights = [rows[u][:-1] for u in units]
    columns = fmpq_mat([list(column) for column in zip(*weights, strict=True)])
    reduced, rank = columns.rref()
    table = [reduced.entries()[i * len(units) :][: len(units)] for i in range(rank)]
    leads = [next(j for j, v in enumerate(row) if v != 0) for row in table]
    found: Combined = {}
    for j, unit in enumerate(units):
        if j in leads:
            continue
        parts = {
            units[lead]: row[j]
            for lead, row in zip(leads, table, strict=True)
            if row[j] != 0
        }
        read = sum((c * rows[u][-1] for u, c in parts.items()), fmpq(0))
        found[unit] = (parts, rows[unit][-1] - read)
    return found
