"""Segments of several directions: units that bend upwards, and units that do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._plural import plural
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.lower_bounds.box.segments._bent_segments import STEPS
from depthsep.lower_bounds.box.segments._packer import (
    BOTH,
    Need,
    Packed,
    SegmentPacker,
    packer_of,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

WIDEST_DEEP = 32  # width up to which several layers are looked at


def _whole(x: fmpq) -> int:
    return int(x.ceil())


def packings_of_one_layer(packer: SegmentPacker) -> tuple[Packed, ...]:
    """Each sign's segments by themselves."""
    return tuple(packer.best(_bends, (sign,)) for sign in BOTH)


def least_width_of_one_layer(packings: Iterable[Packed]) -> int:
    """Each sign's units are counted by themselves."""
    return sum(_whole(packed.value(_bends)) for packed in packings)


def _bends(sign: int, pieces: int) -> int:
    """That one layer needs of its own sign, whichever it is."""
    return pieces - 1


def least_width_of_layers(packer: SegmentPacker, layers: int) -> int:
    """Of equal hidden layers, two or more."""

    def is_allowed(width: int) -> bool:
        return width > WIDEST_DEEP or any(
            _first_layer(packer, up, width - up, layers) <= width
            for up in range(width + 1)
        )

    width = 0
    while not is_allowed(width):
        width += 1
    return width


def packings_of_layers(packer: SegmentPacker, layers: int) -> list[Packed]:
    """That exclude one unit less than the least width, however the units are signed."""
    width = least_width_of_layers(packer, layers) - 1
    ways = (_cuts(up, width - up, layers) for up in range(width + 1))
    return list(dict.fromkeys(packer.best(cuts, BOTH, width) for cuts in ways))


def _first_layer(packer: SegmentPacker, up: int, down: int, layers: int) -> fmpq:
    """Units that the first layer needs, if so many of the last bend up and down."""
    cuts = _cuts(up, down, layers)
    return packer.best(cuts, BOTH, up + down).value(cuts)


def _cuts(up: int, down: int, layers: int) -> Need:
    """What a run needs of the first layer, if so many of the last bend up and down."""
    between = (up + down + 1) ** (layers - 2)

    def cuts(sign: int, pieces: int) -> int:
        units = up if sign > 0 else down
        return -(-pieces // (between * (units + 1))) - 1

    return cuts


def _evaluate(up: fmpq, down: fmpq) -> Value:
    width = _whole(up) + _whole(down)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SignedSegments(AbstractLowerBound):
    """Segments in all directions, weighed so that no hyperplane crosses too many.

    The segments lie between points of a grid; floats propose weights, and rationals
    count pieces and look at all hyperplanes. With two hidden layers or more, the first
    has to cut what the last ones cannot bend.
    """

    statement: ClassVar[Statement] = Statement(
        "signed-segments",
        "Width that one hidden layer needs for a function that bends "
        "on several segments",
        (
            (
                "the network is a ReLU network with any weights and any "
                "skip connections; m_1 is the width of the hidden layer if "
                "there is only one"
            ),
            "f is convex (sign s_j = +) or concave (s_j = -) on each segment S_j",
            (
                "N_j is the least number of affine pieces, jumps "
                "allowed, that are within the accuracy E of f on S_j"
            ),
            (
                "the weights a_j >= 0 are such that, for every hyperplane and each "
                "sign, the segments of that sign that the hyperplane crosses have a "
                "total weight of at most 1"
            ),
        ),
        Source("depthsep", "Theorem J"),
        (
            Parameter(
                "up",
                "rational",
                "the sum of a_j (N_j - 1) over the convex segments",
                least=0,
            ),
            Parameter(
                "down",
                "rational",
                "the sum of a_j (N_j - 1) over the concave segments",
                least=0,
            ),
        ),
        _evaluate,
        sample="up=11 down=11",
        tex=(
            r"m_1 \ge \left\lceil \sum_{s_j = +} a_j (N_j - 1) \right\rceil "
            r"+ \left\lceil \sum_{s_j = -} a_j (N_j - 1) \right\rceil"
        ),
        proof=proved("signed-segments"),
    )

    scope = Scope(
        "this bound covers only functions on a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim not in STEPS:
            return Inapplicable(
                f"this bound covers only functions of up to {max(STEPS)} variables"
            )
        layers = depth - 1
        packer = packer_of(problem, min(layers, 2))
        if (refusal := packer.refusal()) is not None:
            return refusal
        detail = "Theorem J"
        if layers == 1:
            packings = packings_of_one_layer(packer)
            width = least_width_of_one_layer(packings)
            detail += _where(packings, problem)
        else:
            width = least_width_of_layers(packer, layers)
        if width == 0:
            return Inapplicable(
                "no segment was found on which more than one piece is needed"
            )
        return Lower(
            width=width,
            units=width + layers - 1,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=detail,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("product", accuracy="1e-3"),
            Problem("expr:x1**2+x2**2", accuracy="1e-2"),
            Problem("expr:x1*x2+x3**2", accuracy="1e-2"),
        ]


def _where(packings: Iterable[Packed], problem: Problem) -> str:
    """How many segments, and the one that needs most."""
    chosen = [pair for packed in packings for pair in packed.chosen]
    if not chosen:
        return ""
    run, _ = max(chosen, key=lambda pair: pair[1] * (pair[0].pieces - 1))
    sides = problem.law.box.sides
    a, b = (
        ", ".join(str(s.start + s.length * x) for s, x in zip(sides, end, strict=True))
        for end in run.ends
    )
    return f" on {plural(len(chosen), 'segment')}, such as the one from ({a}) to ({b})"
