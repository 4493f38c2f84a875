"""Functions of small networks with skip connections: no printed row may exclude them.

The target is the function of the network itself, written as a formula, so that its
error is 0. A bound that allows skip connections is at most its width; one that does
not is at most the width of the same function in layers, where every unit that is read
later, and every input, takes up to two units to be carried on.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ._call import call
from ._referee import Finding, fault

WEIGHTS = tuple(Fraction(k, 2) for k in (-4, -3, -2, -1, 1, 2, 3, 4))
ACCURACIES = ("1e-2", "1e-4", "1e-9", "1e-30")
Terms = dict[int, Fraction]  # index of an earlier unit or an input: its weight


@dataclass(frozen=True)
class Unit:
    """max(0, z), or z for the output; z reads inputs and units of earlier layers."""

    terms: Terms
    bias: Fraction


@dataclass(frozen=True)
class SkipNet:
    """Inputs are numbered first, then the units layer by layer."""

    inputs: int
    layers: list[list[Unit]]
    output: Unit

    @property
    def widths(self) -> list[int]:
        """Units of the hidden layers."""
        return [len(layer) for layer in self.layers]

    def carried(self) -> int:
        """A width in which the network can be written without skip connections."""
        first, most = self.inputs, 0
        for k, layer in enumerate(self.layers):
            later = [u for units in self.layers[k + 1 :] for u in units]
            read = {i for unit in (*later, self.output) for i in unit.terms}
            inputs = sum(2 for i in read if i < self.inputs)
            units = sum(1 for i in read if self.inputs <= i < first)
            most = max(most, len(layer) + inputs + units)
            first += len(layer)
        return most

    def text(self) -> str:
        """The function as a formula."""
        one = self.inputs == 1
        names = ["x"] if one else [f"x{i + 1}" for i in range(self.inputs)]
        for layer in self.layers:
            names += [f"max(0,{_sum(unit, names)})" for unit in layer]
        return _sum(self.output, names)


def _sum(unit: Unit, names: list[str]) -> str:
    parts = [f"({weight})*({names[i]})" for i, weight in unit.terms.items()]
    return "+".join([*parts, f"({unit.bias})"])


def random_skip_net(rng: random.Random, inputs: int) -> SkipNet:
    """One to three hidden layers of one or two units."""
    known, layers = inputs, []
    for _ in range(rng.randint(1, 3)):
        layer = [_unit(rng, known, inputs) for _ in range(rng.choice((1, 1, 2)))]
        known += len(layer)
        layers.append(layer)
    return SkipNet(inputs, layers, _unit(rng, known, inputs))


def _unit(rng: random.Random, known: int, inputs: int) -> Unit:
    read = [i for i in range(known) if i >= inputs or rng.random() < 0.7]
    if not read:
        read = [0]
    terms = {i: rng.choice(WEIGHTS) for i in read}
    return Unit(terms, Fraction(rng.randint(-6, 6), 4))


def skips_round(rng: random.Random, folder: Path) -> Iterator[Finding]:
    """One network and the rows of the table of its own function."""
    net = random_skip_net(rng, rng.choice((1, 1, 1, 2, 3)))
    least = len(net.layers) + 1
    answer = call(
        *("separate", f"expr:{net.text()}", "--on=-3,3"),
        *("--norm", rng.choice(("linf", "linf", "l1", "l2"))),
        *("--accuracy", rng.choice(ACCURACIES), "--search", "0"),
        *("--depths", f"{least}:{least + rng.randint(0, 2)}", "--json"),
    )
    yield from fault(answer)
    if answer.code != 0:
        return
    for row in answer.document["rows"]:
        yield from excluded(net, row, answer.command)


def excluded(net: SkipNet, row: dict, command: str) -> Iterator[Finding]:
    width, carried = max(net.widths), max(net.carried(), 2)
    for key in ("lower", "lower_with_skips"):
        bound = row.get(key)
        if not bound or "width" not in bound:
            continue
        allows = key == "lower_with_skips" or "any skip" in bound["class"]
        limit = width if allows else carried
        if int(bound["width"]) > limit:
            detail = f"depth {row['depth']}: {bound} against widths {net.widths}"
            yield Finding("a bound excludes a network", command, detail)
