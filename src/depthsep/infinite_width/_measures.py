"""Discrete signed measures over features, and their Jordan decomposition."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, total
from depthsep.infinite_width._maurey import FiniteLaw
from depthsep.networks import RELU, Activation, Affine, Network

Atom = tuple[tuple[fmpq, ...], fmpq]


@dataclass(frozen=True)
class DiscreteMeasure:
    """Finitely many atoms (direction, offset), each with a signed rational mass.

    Equal atoms are merged and masses of zero dropped, so that the two Jordan parts
    never share an atom.
    """

    atoms: tuple[Atom, ...]
    masses: tuple[fmpq, ...]

    def __init__(self, atoms: Iterable[Atom], masses: Iterable[object]) -> None:
        merged: dict[Hashable, fmpq] = {}
        for (direction, offset), mass in zip(atoms, masses, strict=True):
            key = (
                tuple(rational(w, name="a direction") for w in direction),
                rational(offset, name="an offset"),
            )
            merged[key] = merged.get(key, fmpq(0)) + rational(mass, name="a mass")
        kept = {key: mass for key, mass in merged.items() if mass != 0}
        if len({len(key[0]) for key in kept}) > 1:  # type: ignore[index]
            raise HypothesisError("the atoms have directions of different dimensions")
        object.__setattr__(self, "atoms", tuple(kept))
        object.__setattr__(self, "masses", tuple(kept.values()))

    @property
    def total_variation(self) -> fmpq:
        """The mass of |mu|."""
        return total(abs(m) for m in self.masses)

    def jordan(self) -> tuple["DiscreteMeasure", "DiscreteMeasure"]:
        """(mu+, mu-): nonnegative, without a common atom, mu = mu+ - mu-."""
        pairs = list(zip(self.atoms, self.masses, strict=True))
        positive = [(a, m) for a, m in pairs if m > 0]
        negative = [(a, -m) for a, m in pairs if m < 0]
        return tuple(  # type: ignore[return-value]
            DiscreteMeasure([a for a, _ in part], [m for _, m in part])
            for part in (positive, negative)
        )

    def network(self, activation: Activation = RELU) -> Network:
        """The integral of the feature against the measure: one unit for each atom."""
        self._check_not_zero()
        directions = [list(direction) for direction, _ in self.atoms]
        offsets = [-offset for _, offset in self.atoms]
        last = Affine([list(self.masses)], [fmpq(0)])
        return Network([Affine(directions, offsets), last], [activation])

    def law(
        self, points: object, activation: Activation = RELU, weights: object = None
    ) -> FiniteLaw:
        """The law of s |mu| feature(x; w), w drawn from |mu| / its mass, at points.

        Lemma 2.17: its mean is the function, at each of the points (m, d); the inner
        product is that of L2(P), P uniform on the points unless weights are given.

        Raises:
            HypothesisError: a measure of zero, or points of another shape.
        """
        self._check_not_zero()
        given = np.asarray(points, dtype=object)
        dim = len(self.atoms[0][0])
        if given.ndim != 2 or not len(given) or given.shape[1] != dim:
            raise HypothesisError(
                f"the points have shape {given.shape}; give one or "
                f"more, in shape (number of points, {dim})"
            )
        mass = self.total_variation
        rows = [
            [
                (1 if m > 0 else -1) * mass * activation.exact(_at(atom, x))
                for x in given.tolist()
            ]
            for atom, m in zip(self.atoms, self.masses, strict=True)
        ]
        count = len(given)
        chosen = [fmpq(1, count)] * count if weights is None else weights
        chances = [abs(m) / mass for m in self.masses]
        return FiniteLaw(_objects(rows), _objects(chances), _objects(chosen))

    def _check_not_zero(self) -> None:
        if not self.atoms:
            raise HypothesisError(
                "the measure is zero; give at least one atom whose mass is not 0"
            )


def _at(atom: Atom, x: list[object]) -> fmpq:
    direction, offset = atom
    return total(w * rational(v) for w, v in zip(direction, x, strict=True)) - offset


def _objects(rows: object) -> np.ndarray:
    array = np.array(rows, dtype=object)
    flat = np.empty(array.size, dtype=object)
    flat[:] = [rational(v) for v in array.ravel().tolist()]
    return flat.reshape(array.shape)
