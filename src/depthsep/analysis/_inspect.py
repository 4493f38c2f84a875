"""What a given network is: sizes, pieces, crossings, distance to a target."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.analysis._calculus import most_pieces
from depthsep.analysis._crossings import crossings
from depthsep.analysis._distance import distance_to_form
from depthsep.analysis._examine import pieces_of_split
from depthsep.analysis._lines import on_interval, on_line
from depthsep.analysis._smooth import distance_to_target
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Uniform
from depthsep.networks import Network, Size, size
from depthsep.targets import AbstractTarget

Points = tuple[Sequence[object], Sequence[object]]


@dataclass(frozen=True)
class Inspection:
    """What the examiner says about a network along a line.

    Attributes:
        size: depth, widths, units, weights, largest weight, bits.
        where: the interval or line, in words.
        pieces: affine pieces there.
        most_pieces: what Theorem A allows networks of these widths.
        function: knots and values; None if counted by splitting only.
        crossings: of the level; None if not enumerated.
        distance: to the target, if one was given.
        rigour: exact, or sampled for the float64 engine.
    """

    size: Size
    where: str
    pieces: int
    most_pieces: int
    function: PiecewiseAffine | None
    level: fmpq
    crossings: int | None
    distance: Enclosure | None
    norm: str
    rigour: Rigour


def inspect(
    network: Network,
    *,
    on: Uniform | None = None,
    line: Points | None = None,
    target: AbstractTarget | None = None,
    norm: str = "linf",
    level: object = "1/2",
    exact: bool = True,
) -> Inspection:
    """Inspect a network on an interval, on all of R, or on a segment in R^d.

    Args:
        network: ReLU or threshold units; one output (the first is used).
        on: the interval, for one input; all of R if neither it nor a target is given.
        line: two points; the segment between them, parametrised by [0, 1].
        target: measure the distance to it, on `on` or its default interval.
        norm: of the distance.
        level: whose crossings are counted.
        exact: rational arithmetic; else float64, and the rigour is `sampled`.

    Raises:
        HypothesisError: several inputs without a line, or a target on a line.
        TooLargeError: more pieces than can be enumerated, and the network does not
            split into functions of one variable.
    """
    if target is not None and (line is not None or target.in_dim != 1):
        raise HypothesisError("a distance needs a target of one input and no --line")
    if line is None and network.in_dim != 1:
        raise HypothesisError(
            f"the network has {network.in_dim} inputs; give a line, for example "
            f'--line "{_example(network.in_dim, 0)};{_example(network.in_dim, 1)}"'
        )
    if on is None and target is not None:
        on = Uniform(*target.default_interval)
    at = rational(level, name="the level")
    rigour = Rigour.EXACT if exact else Rigour.SAMPLED
    try:
        f = _function(network, on, line, exact)
    except TooLargeError:
        return _counted(network, on, at, norm, target)
    return Inspection(
        size(network),
        _where(on, line),
        f.pieces,
        most_pieces(network.widths) if network.widths else 1,
        f,
        at,
        crossings(f, at),
        None if target is None or on is None else _distance(f, target, norm, on),
        norm,
        rigour,
    )


def _example(dim: int, value: int) -> str:
    return ",".join([str(value)] * min(dim, 3) + ["..."] * (dim > 3))


def _function(
    network: Network, on: Uniform | None, line: Points | None, exact: bool
) -> PiecewiseAffine:
    if line is not None:
        return on_line(network, *line, exact=exact)
    ends = (None, None) if on is None else (on.start, on.stop)
    return on_interval(network, *ends, exact=exact)


def _where(on: Uniform | None, line: Points | None) -> str:
    if line is not None:
        ends = [", ".join(str(rational(x)) for x in point) for point in line]
        return f"the segment from ({ends[0]}) to ({ends[1]})"
    return "all of R" if on is None else f"[{on.start}, {on.stop}]"


def _distance(
    f: PiecewiseAffine, target: AbstractTarget, norm: str, on: Uniform
) -> Enclosure:
    form = target.exact_form()
    if form is not None:
        return distance_to_form(f, form, norm, on)
    return distance_to_target(f, target, norm, on)


def _counted(
    network: Network,
    on: Uniform | None,
    level: fmpq,
    norm: str,
    target: AbstractTarget | None,
) -> Inspection:
    """Too many pieces to enumerate: count them by splitting, where that works."""
    pieces = None if on is None else pieces_of_split(network, on)
    if pieces is None or target is not None:
        raise TooLargeError(
            "more pieces than can be enumerated, and the network does not split into "
            "functions of one variable; give a shorter interval with --on"
        )
    return Inspection(
        size(network),
        _where(on, None),
        pieces,
        most_pieces(network.widths),
        None,
        level,
        None,
        None,
        norm,
        Rigour.EXACT,
    )
