"""Radial profiles as polygons: chords in place of curves, ramps in place of jumps."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import nearest_float, rational
from depthsep.special import RadialPiece
from depthsep.targets.symmetric._profiles import FormulaPiece, ProfilePiece

Corner = tuple[fmpq, fmpq]
RAMP = 32  # ramps take 1/RAMP of the shortest piece, on either side of a jump
FEWEST, MOST_CHORDS = (
    4,
    24,
)  # of a curve: 24 on a unit err by 1/4608 of its second slope


def polygon(
    pieces: Sequence[ProfilePiece], jumps: Sequence[fmpq], most: int
) -> list[Corner]:
    """Corners (p, value) of a continuous polygon near pieces that are 0 outside.

    Continuous, piecewise affine pieces are kept exactly. Curves become chords of equal
    length, as many as there is room for; a jump becomes a ramp around it.

    Raises:
        HypothesisError: it has more than `most` corners.
    """
    parts = _filled(pieces)
    curved = sum(line_of(p) is None for p in parts)
    found = _corners(parts, jumps, 1)
    chords = min(1 + (most - len(found)) // curved, MOST_CHORDS) if curved else 1
    if len(found) > most or (curved and chords < FEWEST):
        raise HypothesisError(
            f"the profile has {plural(len(parts), 'piece')} ({curved} of them curved); "
            f"a piecewise linear function with at most {most} corners is too coarse "
            "for it; choose a profile that oscillates less"
        )
    return _corners(parts, jumps, chords) if curved else found


def _corners(
    parts: Sequence[ProfilePiece], jumps: Sequence[fmpq], chords: int
) -> list[Corner]:
    """With so many chords for each curve."""
    width = min(p.stop - p.start for p in parts) / RAMP
    found: list[Corner] = []
    for part in parts:
        start, stop = (
            end + sign * width * (end in jumps)
            for end, sign in ((part.start, 1), (part.stop, -1))
        )
        places = _places(start, stop, 1 if line_of(part) is not None else chords)
        found += zip(places, _values(part, places), strict=True)
    last = found[-1]
    if parts[-1].stop in jumps:
        found.append((parts[-1].stop + width, fmpq(0)))
    elif last[1] != 0:  # a formula that vanishes there, up to rounding
        found[-1] = (last[0], fmpq(0))
    return _merged(found)


def _filled(pieces: Sequence[ProfilePiece]) -> list[ProfilePiece]:
    """Pieces from 0 on without gaps: 0 between them."""
    found, at = [], fmpq(0)
    for piece in pieces:
        if piece.start > at:
            found.append(RadialPiece(at, piece.start, (fmpq(0),)))
        found.append(piece)
        at = piece.stop
    return found


def line_of(piece: ProfilePiece) -> Corner | None:
    """Level and slope of a piece that is affine as it is written, else None."""
    return None if isinstance(piece, FormulaPiece) else piece.line()


def _places(start: fmpq, stop: fmpq, chords: int) -> list[fmpq]:
    return [start + (stop - start) * k / chords for k in range(chords + 1)]


def _values(piece: ProfilePiece, places: list[fmpq]) -> list[fmpq]:
    line = line_of(piece)
    if line is not None:
        return [line[0] + line[1] * p for p in places]
    at = np.array([nearest_float(p) for p in places])
    return [rational(v) for v in piece_floats(piece, at).tolist()]


def piece_floats(piece: ProfilePiece, p: np.ndarray) -> np.ndarray:
    """A piece in float64, as if it went on."""
    if isinstance(piece, FormulaPiece):
        return np.asarray(piece.formula.floats(p))
    coefficients = [nearest_float(c) for c in piece.coefficients]
    whole = np.polynomial.polynomial.polyval(p, coefficients)
    return whole * np.cos(nearest_float(piece.frequency) * p)


def _merged(corners: list[Corner]) -> list[Corner]:
    """Each place once, without corners on a straight line."""
    kept: list[Corner] = []
    for corner in corners:
        if kept and corner[0] == kept[-1][0]:
            continue
        while len(kept) > 1 and _is_straight(kept[-2], kept[-1], corner):
            kept.pop()
        kept.append(corner)
    return kept


def _is_straight(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[1] - a[1]) * (c[0] - b[0]) == (c[1] - b[1]) * (b[0] - a[0])
