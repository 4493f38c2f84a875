"""In which inputs an output never falls, never rises, or does not change."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.analysis.bounds._gradients import PartialDerivative, Slopes
from depthsep.analysis.bounds._search import largest
from depthsep.analysis.facts._lipschitz import slopes_in_regions
from depthsep.analysis.facts._subject import Subject, stop_after
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.evidence import Rigour

RISES, FALLS, CONSTANT = "never falls", "never rises", "does not change"
NEITHER, OPEN = "rises and falls", "not decided"
MOST_INPUTS = 16
APART = 2.0**-20


@dataclass(frozen=True)
class Monotone(AbstractFact):
    """What an output does where one input grows and the others stay.

    Attributes:
        inputs: a sentence's end for each input: see this module's constants.
        rigour: exact: from all regions; enclosed: bounds of slopes, or exact values at
            two points.
    """

    output: int
    inputs: tuple[str, ...]
    rigour: Rigour

    def rows(self) -> Rows:
        """Inputs that behave alike together."""
        rows = []
        for kind in dict.fromkeys(self.inputs):
            which = [f"x{k + 1}" for k, word in enumerate(self.inputs) if word == kind]
            name = f"output {self.output + 1} in {', '.join(which)}"
            rigour = "" if kind == OPEN else f" ({self.rigour})"
            rows.append((name, f"{kind}{rigour}"))
        return rows

    def to_json(self) -> dict[str, object]:
        """One entry an input."""
        claims = any(word != OPEN for word in self.inputs)
        rigour = str(self.rigour) if claims else None
        entry = {"inputs": list(self.inputs), "rigour": rigour}
        return {f"monotone_{self.output + 1}": entry}


def monotone(subject: Subject, output: int, share: float) -> Monotone | LeftOut:
    """From all regions, or from bounds of the slopes."""
    if not subject.network.is_continuous:
        return LeftOut(
            "the inputs in which the output is monotone, as the "
            "network is discontinuous"
        )
    if subject.regions is not None:
        slopes = slopes_in_regions(subject, output)[0]
        words = [_word(column.min() < 0, column.max() > 0) for column in slopes.T]
        return Monotone(output, tuple(words), Rigour.EXACT)
    count = subject.network.in_dim
    if count > MOST_INPUTS:
        return LeftOut(
            "the inputs in which the output is monotone, as the "
            f"network has {count} inputs and the limit is {MOST_INPUTS}"
        )
    words = [_by_bounds(subject, output, k, share / (count - k)) for k in range(count)]
    return Monotone(output, tuple(words), Rigour.ENCLOSED)


def _word(falls: bool, rises: bool) -> str:
    if falls and rises:
        return NEITHER
    return FALLS if falls else RISES if rises else CONSTANT


def _by_bounds(subject: Subject, output: int, axis: int, share: float) -> str:
    """What bounds of the partial derivative say; OPEN where they do not settle it."""
    found: dict[int, bool | None] = {}
    for sign in (1, -1):
        row = sign * subject.row(output)
        slopes = Slopes(subject.net, row)
        low, high = subject.ends
        search = largest(
            PartialDerivative(subject.net, row, axis, slopes),
            *(low[None], high[None]),
            stop_at=stop_after(share / 2),
            threshold=0.0,
        )
        found[sign] = None
        if search.upper <= 0:
            found[sign] = False
        elif _moves(subject, output, axis, search.point, sign):
            found[sign] = True
    rises, falls = found[1], found[-1]
    if rises is None or falls is None:
        return NEITHER if rises and falls else OPEN
    return _word(falls, rises)


def _moves(
    subject: Subject, output: int, axis: int, point: np.ndarray, sign: int
) -> bool:
    """Whether the output rises (1) or falls (-1) between two points, proved."""
    low, high = subject.inner
    step = np.zeros(len(low))
    step[axis] = APART * (high - low)[axis]
    first, second = (subject.point(point + s * step) for s in (-1, 1))
    a, b = (subject.value(p, output) for p in (first, second))
    apart: fmpq = b.lower - a.upper if sign > 0 else a.lower - b.upper
    return apart > 0
