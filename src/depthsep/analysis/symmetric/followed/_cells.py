r"""Cells of pairs of points of a circle or a sphere in R^3, and affine forms of them.

Parameters lie in [0, 1] and are uniform: x on the circle has the angle 2 pi t, x' is
2 pi t' further on. On the sphere x has a height and an angle, both uniform by
Archimedes, and so has x' if x is taken for the pole: its height is u = <x, x'>, so f(u)
is a function of one parameter. Cells have dyadic centres and half widths: their measure
is exact.
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.analysis.box.followed._affine_forms import Forms

SLACK = 1e-13  # of one float64 step on numbers up to about 100
WIDE = 1 / 8  # half a turn around: wider angles are only known to lie in [-1, 1]
PARAMETERS = {2: 2, 3: 4}
"""How many parameters a pair of points of R^d has, where it is followed."""


@dataclass(frozen=True)
class Cells:
    """Cells of the cube of parameters.

    Attributes:
        centre, half: (B, k) centres and half widths.
    """

    centre: np.ndarray
    half: np.ndarray

    @staticmethod
    def whole(dim: int) -> "Cells":
        """One cell, everything."""
        middle = np.full((1, PARAMETERS[dim]), 0.5)
        return Cells(middle, middle.copy())

    @property
    def measure(self) -> np.ndarray:
        """(B,) shares of the whole: powers of two, exact."""
        return (2 * self.half).prod(axis=1)

    def chosen(self, which: np.ndarray) -> "Cells":
        """Some of them."""
        return Cells(self.centre[which], self.half[which])

    def halved(self, axis: np.ndarray) -> "Cells":
        """Each in two, across an axis of its own; first all lower halves."""
        rows, half, shift = np.arange(len(axis)), self.half.copy(), 0 * self.half
        half[rows, axis] /= 2
        shift[rows, axis] = half[rows, axis]
        both = np.vstack([self.centre - shift, self.centre + shift])
        return Cells(both, np.vstack([half, half]))

    def forms(self) -> tuple[Forms, Forms]:
        """(x, x') in 2 d values, and <x, x'>, as forms in the cell's parameters."""
        return (_circle if self.centre.shape[1] == 2 else _sphere)(self)

    def line(self, axis: int) -> Forms:
        """2 p - 1 for one parameter p, in [-1, 1]."""
        slopes = np.zeros((self.centre.shape[1], len(self.centre), 1))
        slopes[axis, :, 0] = 2 * self.half[:, axis]
        return Forms(
            2 * self.centre[:, [axis]] - 1, slopes, np.zeros((len(slopes[0]), 1))
        )


def product(f: Forms, g: Forms) -> Forms:
    """The product of forms, value by value."""
    across = np.abs(f.slopes).sum(0), np.abs(g.slopes).sum(0)
    size = np.abs(f.centre) + across[0], np.abs(g.centre) + across[1]
    error = across[0] * across[1] + f.error * (size[1] + g.error) + g.error * size[0]
    slopes = f.centre * g.slopes + g.centre * f.slopes
    return Forms(f.centre * g.centre, slopes, error + SLACK * (1 + size[0] * size[1]))


def joined(parts: list[Forms]) -> Forms:
    """Forms of all values of several."""
    return Forms(
        np.concatenate([p.centre for p in parts], axis=1),
        np.concatenate([p.slopes for p in parts], axis=2),
        np.concatenate([p.error for p in parts], axis=1),
    )


def _plus(f: Forms, g: Forms, sign: int = 1) -> Forms:
    error = f.error + g.error + SLACK
    return Forms(f.centre + sign * g.centre, f.slopes + sign * g.slopes, error)


def _circle(cells: Cells) -> tuple[Forms, Forms]:
    """x at the angle t, x' further on by t'; <x, x'> = cos 2 pi t'."""
    cos, sin = _turned(cells, 0)
    u, side = _turned(cells, 1)
    x = [cos, sin]
    y = [
        _plus(product(cos, u), product(sin, side), -1),
        _plus(product(sin, u), product(cos, side)),
    ]
    return joined([*x, *y]), u


def _sphere(cells: Cells) -> tuple[Forms, Forms]:
    """x = (r cos a, r sin a, z), x' = u x + sqrt(1 - u^2) (cos b e + sin b e').

    e = (z cos a, z sin a, -r) and e' = (-sin a, cos a, 0) are orthogonal to x.
    Parameters: z, a, u, b.
    """
    z, u = cells.line(0), cells.line(2)
    (cos, sin), (along, side) = _turned(cells, 1), _turned(cells, 3)
    r, rest = _radius(cells, 0), _radius(cells, 2)
    up, across = product(rest, along), product(rest, side)
    # u r + up z is the part of x' along (cos a, sin a)
    part = _plus(product(u, r), product(up, z))
    y = [
        _plus(product(part, cos), product(across, sin), -1),
        _plus(product(part, sin), product(across, cos)),
        _plus(product(u, z), product(up, r), -1),
    ]
    return joined([product(r, cos), product(r, sin), z, *y]), u


def _turned(cells: Cells, axis: int) -> tuple[Forms, Forms]:
    """cos 2 pi t and sin 2 pi t; errors by the second derivative."""
    cos, sin = _cosines(cells.centre[:, axis])
    step = 2 * np.pi * cells.half[:, axis]
    known = cells.half[:, axis] < WIDE
    error = np.where(known, step * step / 2 + SLACK, 1.0)

    def form(value: np.ndarray, slope: np.ndarray) -> Forms:
        slopes = np.zeros((cells.centre.shape[1], len(value), 1))
        slopes[axis, :, 0] = np.where(known, slope, 0.0)
        return Forms(np.where(known, value, 0.0)[:, None], slopes, error[:, None])

    return form(cos, -sin * step), form(sin, cos * step)


def _cosines(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin of 2 pi t for dyadic t, each rounded from a ball."""
    distinct, place = np.unique(turns, return_inverse=True)
    found = []
    with ctx.workprec(80):
        for t in distinct.tolist():
            angle = arb(2 * fmpq(*t.as_integer_ratio()))
            found.append((float(angle.cos_pi().mid()), float(angle.sin_pi().mid())))
    pairs = np.array(found)[place]
    return pairs[:, 0], pairs[:, 1]


def _radius(cells: Cells, axis: int) -> Forms:
    """sqrt(1 - z^2), z = 2 p - 1: concave, between its chord and a tangent above."""
    line = cells.line(axis)
    z, dz = line.centre, line.slopes[axis]
    low, high = z - dz, z + dz
    at = [np.sqrt(np.maximum((1 - e) * (1 + e), 0.0)) for e in (low, high)]
    slope = (at[1] - at[0]) / (2 * dz)
    # sqrt(1 - z^2) - m z <= sqrt(1 + m^2), for every m
    top = np.sqrt(1 + slope * slope)
    bottom = np.minimum(at[0] - slope * low, at[1] - slope * high)
    error = (top - bottom) / 2 + SLACK * (1 + np.abs(slope))
    return Forms((top + bottom) / 2 + slope * z, line.slopes * slope, error)
