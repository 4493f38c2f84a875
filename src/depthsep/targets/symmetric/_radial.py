"""Radial functions on R^d with a bounded support."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, ball_upper, least, nearest_float, rational
from depthsep.exact.jets import unbounded
from depthsep.laws import AbstractLaw, AbstractRadialLaw, SquaredTransform
from depthsep.targets._base import AbstractTarget
from depthsep.targets.line._on_line import AbstractLineTarget
from depthsep.targets.symmetric._polygon import (
    line_of,
    piece_floats,
    polygon,
)
from depthsep.targets.symmetric._profiles import (
    FormulaPiece,
    Profile,
    ProfilePiece,
    profile_from_text,
)

MAX_DIM = 1000
MAX_CORNERS = 64


@dataclass(frozen=True)
class Radial(AbstractTarget):
    """x -> G(unit * |x|), G in pieces (see `profile_from_text`), 0 beyond the last.

    Raises:
        HypothesisError: what profiles refuse; a dimension that is not 1 to 1000.
    """

    settings: ClassVar[tuple[str, ...]] = ("radial",)

    written: str
    dim: int

    def __post_init__(self) -> None:
        if not 1 <= self.dim <= MAX_DIM:
            raise HypothesisError(
                f"radial functions in {self.dim} dimensions are not "
                f"supported; give 1 to {MAX_DIM} dimensions",
                parameter="dim",
            )
        _ = self.profile

    def default_law(self) -> AbstractLaw:
        return SquaredTransform(self.dim)

    @cached_property
    def profile(self) -> Profile:
        """G."""
        return profile_from_text(self.written, self.dim)

    @property
    def text(self) -> str:
        return f"radial:{self.profile.text}"

    @property
    def in_dim(self) -> int:
        return self.dim

    def unit(self) -> arb:
        """p / |x|, enclosed at flint's current precision."""
        return _unit(self, ctx.prec)

    @cached_property
    def jumps(self) -> tuple[fmpq, ...]:
        """The p > 0 at which G is not proved to be continuous, in order."""
        pieces, found = self.profile.pieces, []
        for k, piece in enumerate(pieces):
            near = pieces[max(k - 1, 0) : k + 2]
            for end in (piece.start, piece.stop):
                if end != 0 and end not in found[-1:] and not _meets(near, end):
                    found.append(end)
        return tuple(found)

    @property
    def is_formula(self) -> bool:
        """Whether G is given by a formula in r, not by name."""
        return all(isinstance(p, FormulaPiece) for p in self.profile.pieces)

    @property
    def is_polygon(self) -> bool:
        """Whether it is continuous and piecewise affine: `corners` are then exact."""
        affine = all(line_of(p) is not None for p in self.profile.pieces)
        return affine and not self.jumps

    def corners(self, most: int = MAX_CORNERS) -> list[tuple[fmpq, fmpq]]:
        """A continuous polygon, as pairs (|x|, value) from |x| = 0 on.

        Exact where G is continuous and piecewise affine. Else curves become chords, and
        jumps ramps (see `polygon`); how near that is depends on the law.

        Raises:
            HypothesisError: more than `most` corners.
        """
        with ctx.workprec(96):
            unit = rational(float(self.unit().mid()))
        found = polygon(self.profile.pieces, self.jumps, most)
        return [(p / unit, value) for p, value in found]

    @property
    def along(self) -> "RadialLine":
        """G as a function of s = |x|^2."""
        return RadialLine(self, self.profile.pieces)

    @property
    def on_ball(self) -> "RadialOnBall":
        """G on the unit ball as a function of 2 |x|^2 - 1.

        The piece that reaches |x| = 1 goes on beyond: what G is there is not asked.
        """
        with ctx.workprec(96):
            far = [bool(p.stop >= self.unit()) for p in self.profile.pieces]
        pieces = list(self.profile.pieces)
        if True in far:
            last = far.index(True)
            pieces = [*pieces[:last], replace(pieces[last], stop=pieces[last].stop + 1)]
        return RadialOnBall(RadialLine(self, tuple(pieces)))

    def line_on_ball(self, law: AbstractLaw) -> "RadialLine | None":
        """G as a function of |x|^2 in [0, 1] if a law asks no more of it.

        That is so for laws on the unit ball, unless G jumps before |x| = 1; what G is
        at |x| = 1 and beyond is then its continuous continuation.
        """
        inside = isinstance(law, AbstractRadialLaw) and law.is_in_unit_ball
        return self.on_ball.along if inside and not self.jumps_inside else None

    @property
    def jumps_inside(self) -> tuple[fmpq, ...]:
        """The jumps in |x| < 1, as values of p."""
        with ctx.workprec(96):
            return tuple(p for p in self.jumps if not bool(p >= self.unit()))

    def floats(self, x: np.ndarray) -> np.ndarray:
        with ctx.workprec(64):
            unit = float(self.unit().mid())
        return profile_floats(self.profile.pieces, unit * np.linalg.norm(x, axis=1))


@lru_cache(maxsize=64)
def _unit(radial: Radial, precision: int) -> arb:
    with ctx.workprec(precision):
        return radial.profile.unit(radial.dim)


@dataclass(frozen=True)
class RadialLine(AbstractLineTarget):
    """s -> G(unit * sqrt(s)), s >= 0: what a network makes of |x|^2.

    Args:
        radial: where the unit comes from.
        pieces: of G; those of `radial`, or others such as ramps in place of jumps.
    """

    radial: Radial
    pieces: tuple[ProfilePiece, ...]

    @property
    def text(self) -> str:
        return f"{self.radial.text} of |x|^2"

    @cached_property
    def end(self) -> fmpq:
        """A short rational s from which on G is 0."""
        last = self.pieces[-1].stop
        with ctx.workprec(64):
            far = ((arb(last) / self.radial.unit()) ** 2).upper()
            far = ball_upper(far)
        unit = fmpq(1)
        while unit * 2**20 > far:
            unit /= 2
        return ((far / unit).ceil() + 1) * unit

    def floats(self, x: np.ndarray) -> np.ndarray:
        with ctx.workprec(64):
            unit = float(self.radial.unit().mid())
        radii = np.sqrt(np.maximum(np.asarray(x, dtype=np.float64), 0))
        return profile_floats(self.pieces, unit * radii)

    def jet(self, x: arb) -> Jet:
        low, high = arb(0).max(x.lower()), arb(0).max(x.upper())
        s = low.union(high)
        p = self.radial.unit() * low.sqrt().union(high.sqrt())
        outer = profile_jet(self.pieces, p)
        if outer.first == 0 and outer.second == 0:
            return outer
        if not low > 0:
            return Jet(outer.value, unbounded(), unbounded())
        first = p / (2 * s)
        return Jet(
            outer.value,
            outer.first * first,
            outer.second * first * first - outer.first * first / (2 * s),
        )


@dataclass(frozen=True)
class RadialOnBall(AbstractLineTarget):
    """u -> G(unit * sqrt((u + 1) / 2)), -1 <= u <= 1.

    With z = 2 x this is a function of |z|^2 / 2 - 1, |z| <= 2: what functions of inner
    products are of z = x + x' on spheres.
    """

    along: RadialLine

    @property
    def text(self) -> str:
        return f"{self.along.radial.text} of 2 |x|^2 - 1"

    def floats(self, x: np.ndarray) -> np.ndarray:
        return self.along.floats((np.asarray(x, dtype=np.float64) + 1) / 2)

    def jet(self, x: arb) -> Jet:
        jet = self.along.jet((x + 1) / 2)
        return Jet(jet.value, jet.first / 2, jet.second / 4)


def _piece_jet(piece: ProfilePiece, p: arb) -> Jet:
    if isinstance(piece, FormulaPiece):
        return piece.formula.jet(p)
    v, f, s = _polynomial_jet(piece.coefficients, p)
    if not piece.frequency:
        return Jet(v, f, s)
    w = arb(piece.frequency)
    sine, cosine = (w * p).sin(), (w * p).cos()
    return Jet(
        v * cosine,
        f * cosine - w * v * sine,
        (s - w * w * v) * cosine - 2 * w * f * sine,
    )


def _polynomial_jet(coefficients: tuple[fmpq, ...], p: arb) -> tuple[arb, arb, arb]:
    v, f, s = arb(0), arb(0), arb(0)
    for c in reversed(coefficients):
        s = s * p + 2 * f
        f = f * p + v
        v = v * p + arb(c)
    return v, f, s


def profile_jet(pieces: tuple[ProfilePiece, ...], p: arb) -> Jet:
    """G, G' and G'' on a ball: one-sided slopes where it reaches over a kink."""
    low, high = p.lower(), p.upper()
    near = list(_window(pieces, low, high))
    jets = [_piece_jet(pieces[k], _cut(p, pieces[k])) for k in near]
    # p >= 0: a ball that dips below 0 by rounding does not leave a piece from 0 on
    inside = len(near) == 1 and _has_begun(pieces[near[0]], low)
    if inside and high <= pieces[near[0]].stop:
        return jets[0]
    if _leaves(pieces, near, low, high):
        jets.append(Jet(arb(0), arb(0), arb(0)))
    if len(jets) == 1:
        return jets[0]
    value, first = jets[0].value, jets[0].first
    for jet in jets[1:]:
        value, first = value.union(jet.value), first.union(jet.first)
    ends = [e for k in near for e in (pieces[k].start, pieces[k].stop)]
    inner = [e for e in ends if not (high < e or low > e) and e != 0]
    around = tuple(pieces[k] for k in near)
    if not all(_meets(around, e) for e in inner):
        first = unbounded()
    return Jet(value, first, unbounded())


def _window(pieces: tuple[ProfilePiece, ...], low: arb, high: arb) -> range:
    """The pieces that the interval may touch."""
    stop = first = least(lambda k: not low > pieces[k].stop, -1, len(pieces))
    while stop < len(pieces) and not high < pieces[stop].start:
        stop += 1
    return range(first, stop)


def _leaves(
    pieces: tuple[ProfilePiece, ...], near: list[int], low: arb, high: arb
) -> bool:
    """Whether some of the interval may lie outside all pieces."""
    if not near:
        return True
    first, last = pieces[near[0]], pieces[near[-1]]
    gaps = any(pieces[k].stop != pieces[k + 1].start for k in near[:-1])
    return gaps or not _has_begun(first, low) or not high <= last.stop


def _has_begun(piece: ProfilePiece, low: arb) -> bool:
    return piece.start == 0 or bool(low >= piece.start)


def _cut(p: arb, piece: ProfilePiece) -> arb:
    """What of the ball lies within the piece."""
    low = p.lower().max(arb(piece.start).lower())
    high = p.upper().min(arb(piece.stop).upper())
    return low.union(high)


def _meets(pieces: tuple[ProfilePiece, ...], end: fmpq) -> bool:
    """Whether G is proved to be continuous at an end."""
    values = [fmpq(0), fmpq(0)]
    for side, piece in ((0, _ending(pieces, end)), (1, _starting(pieces, end))):
        if piece is None:
            continue
        if isinstance(piece, FormulaPiece):
            if not piece.formula.vanishes_at(end):
                return False
            continue
        if piece.frequency:
            return False
        for c in reversed(piece.coefficients):
            values[side] = values[side] * end + c
    return values[0] == values[1]


def _ending(pieces: tuple[ProfilePiece, ...], end: fmpq) -> ProfilePiece | None:
    return next((p for p in pieces if p.stop == end), None)


def _starting(pieces: tuple[ProfilePiece, ...], end: fmpq) -> ProfilePiece | None:
    return next((p for p in pieces if p.start == end), None)


def profile_floats(pieces: tuple[ProfilePiece, ...], p: np.ndarray) -> np.ndarray:
    """G in float64; at an end that jumps, the piece to the left."""
    starts = np.array([nearest_float(q.start) for q in pieces])
    stops = np.array([nearest_float(q.stop) for q in pieces])
    at = np.clip(np.searchsorted(starts, p, side="right") - 1, 0, None)
    inside = (p >= starts[at]) & (p <= stops[at])
    values = np.zeros(p.shape)
    for k in np.unique(at[inside]):
        rows = inside & (at == k)
        values[rows] = piece_floats(pieces[int(k)], p[rows])
    return values
