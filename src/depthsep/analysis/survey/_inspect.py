"""What a given network is: sizes, pieces, crossings, distance to a target."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._deadline import deadline, seconds_left
from depthsep._display import Displayed
from depthsep._errors import HypothesisError, OutOfTimeError, TooLargeError
from depthsep.analysis._smooth_error import smooth_distance
from depthsep.analysis.line._examine import SECONDS, pieces_of_split
from depthsep.analysis.line.pieces._crossings import crossings
from depthsep.analysis.line.pieces._enumerate import on_interval, on_line
from depthsep.analysis.line.pieces._piece_counts import most_pieces
from depthsep.analysis.regions import Integrals, subdivide
from depthsep.analysis.survey._unit_states import UnitStates, states_in_regions
from depthsep.approximation import (
    Residual,
    distance,
    distance_to_form,
    distance_to_target,
)
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, rational
from depthsep.laws import Uniform
from depthsep.networks import (
    RELU,
    Network,
    Size,
    as_relu,
    restrict,
    single_output,
    size,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, AbstractTarget

Points = tuple[Sequence[object], Sequence[object]]
FINE_SUP, FINE_MEAN = 1e-9, 1e-5  # width of an error bar, as a share of the error
SMOOTH = "its units are smooth: it has no affine pieces"
FEW = 20_000  # pieces up to which units are looked at one by one


@dataclass(frozen=True)
class Inspection(Displayed):
    """What the examiner says about a network along a line.

    Attributes:
        size: depth, widths, units, weights, largest weight, bits.
        where: the interval or line, in words.
        pieces: affine pieces there; None for smooth units, which have none, and where
            the time was not enough.
        most_pieces: what Theorem A allows networks of these widths.
        function: knots and values; None if counted by splitting only.
        crossings: of the level; None if not enumerated.
        distance: to the target, if one was given.
        rigour: exact, or sampled for the float64 engine.
        units: dead ones and ones that never bend there; None on all of R, and of
            networks of other units than ReLUs, leaky ones and |z|.
        reason: why something is missing; empty if nothing is.
    """

    size: Size
    where: str
    pieces: int | None
    most_pieces: int | None
    function: PiecewiseAffine | None
    level: fmpq
    crossings: int | None
    distance: Enclosure | None
    norm: str
    rigour: Rigour
    units: UnitStates | None = None
    reason: str = ""

    @property
    def integrals(self) -> Integrals | None:
        """Of f, |f| and f^2 over the interval, exact; None without an exact function.

        On a line they are over [0, 1], its parameter; on all of R there are none.
        """
        f = self.function
        if f is None or not f.is_exact or f.is_on_whole_line:
            return None
        return _integrals(f)


def _integrals(f: PiecewiseAffine) -> Integrals:
    whole = absolute = square = fmpq(0)
    ends = zip(f.knots.tolist(), f.values.tolist(), strict=True)
    for (x, a), (y, b) in pairwise([(fmpq(x), fmpq(v)) for x, v in ends]):
        if x == y:  # a jump
            continue
        piece = Residual(y - x, a, (b - a) / (y - x), fmpq(0))
        whole += piece.integral(y - x)
        absolute += piece.absolute_integral()[0]  # exact: the root is rational
        square += piece.square_integral()
    length = fmpq(f.knots[-1]) - fmpq(f.knots[0])
    points = (Enclosure(v, v, Rigour.EXACT) for v in (length, whole, absolute, square))
    return Integrals(*points, largest=max(abs(fmpq(v)) for v in f.values.tolist()))


def inspect(
    network: Network,
    *,
    on: Uniform | None = None,
    line: Points | None = None,
    target: AbstractTarget | None = None,
    against: Network | None = None,
    norm: str = "linf",
    level: object = "1/2",
    output: int = 0,
    exact: bool = True,
    seconds: float = SECONDS,
    told: Callable[[Inspection], None] = lambda known: None,
) -> Inspection:
    """Inspect a network on an interval, on all of R, or on a segment in R^d.

    Args:
        network: ReLU, leaky ReLU, |z| or threshold units; of smooth ones the size and
            the distance to a target alone.
        on: the interval, for one input; all of R if neither it nor a target is given.
        line: two points; the segment between them, parametrised by [0, 1].
        target: measure the distance to it, on `on` or its default interval.
        against: measure the distance to this network, on `on`.
        norm: of the distance.
        level: whose crossings are counted.
        output: which output is followed.
        exact: rational arithmetic; else float64, and the rigour is `sampled`.
        seconds: for everything together; what they are not enough for is left out, and
            named.
        told: called with what is known so far whenever a fact is added, the quick ones
            first.

    Raises:
        HypothesisError: several inputs without a line, or a target on a line.
        TooLargeError: more pieces than can be enumerated, and the network does not
            split into functions of one variable.
    """
    if on is None and isinstance(target, AbstractLineTarget):
        on = target.default_law().interval
    asked = _Asked(network, on, line, target, against, norm, output)
    asked.check()
    at = rational(level, name="the level")
    known = Inspection(
        size(network),
        _where(on, line),
        None,
        None,
        None,
        at,
        None,
        None,
        norm,
        Rigour.EXACT if exact else Rigour.SAMPLED,
    )
    smooth = not all(a.pieces for a in network.activations)
    facts = asked.of_smooth_units(known) if smooth else asked.facts(known)
    try:
        with deadline(seconds):
            told(known)
            for fuller in facts:
                told(known := fuller)
    except OutOfTimeError:
        reason = f"the rest is missing: {seconds:g} s were not enough (--seconds)"
        known = replace(known, reason=reason)
        told(known)
    return known


@dataclass(frozen=True)
class _Asked:
    """What is inspected, where, and against what."""

    network: Network
    on: Uniform | None
    line: Points | None
    target: AbstractTarget | None
    against: Network | None
    norm: str
    output: int

    def check(self) -> None:
        """Refuse what does not fit together."""
        on_a_line = self.target is not None and self.line is not None
        if on_a_line or not isinstance(self.target, AbstractLineTarget | None):
            raise HypothesisError(
                "a distance needs a target of one input and no line", parameter="target"
            )
        if self.against is not None and (self.target is not None or self.on is None):
            raise HypothesisError(
                "a distance to a network needs an interval and no target",
                parameter="on",
            )
        dim = self.network.in_dim
        if self.line is None and dim != 1:
            raise HypothesisError(
                f"the network has {dim} inputs; give a line, for example from "
                f"{_example(dim, 0)} to {_example(dim, 1)}",
                parameter="line",
            )

    def facts(self, known: Inspection) -> Iterator[Inspection]:
        """Pieces, then units, then the distance."""
        network, exact = self.network, known.rigour is Rigour.EXACT
        try:
            f = self._function(exact)
        except OutOfTimeError:
            raise
        except TooLargeError as error:
            yield self._counted(known, error)
            return
        known = replace(
            known,
            pieces=f.pieces,
            most_pieces=most_pieces(network.widths) if network.widths else 1,
            function=f,
            crossings=crossings(f, known.level),
        )
        yield known
        if exact and f.pieces <= FEW:
            known = replace(known, units=_units(network, self.on, self.line))
            yield known
        yield replace(known, distance=self._distance(f))

    def _function(self, exact: bool) -> PiecewiseAffine:
        if exact:
            return _function(self.network, self.on, self.line, True, self.output)
        return _sampled(self.network, self.on, self.line, self.output)

    def _counted(self, known: Inspection, refusal: TooLargeError) -> Inspection:
        """Too many pieces to enumerate: count them by splitting, where that works."""
        if self.target is not None or self.against is not None:
            raise _too_large(refusal, "no distance can be found") from refusal
        network, on = single_output(self.network, self.output), self.on
        pieces = None if on is None else pieces_of_split(network, on)
        if pieces is None:
            found = "the network does not split into functions of one variable"
            raise _too_large(refusal, found) from refusal
        most = most_pieces(network.widths)
        return replace(known, pieces=pieces, most_pieces=most, rigour=Rigour.EXACT)

    def of_smooth_units(self, known: Inspection) -> Iterator[Inspection]:
        """The distance alone: there are no pieces."""
        known = replace(known, reason=SMOOTH, rigour=Rigour.ENCLOSED)
        yield known
        if self.against is not None:
            raise HypothesisError(
                "networks with smooth units are not compared with others",
                parameter="against",
            )
        if self.target is None:
            return
        if self.norm != "linf":
            raise HypothesisError(
                "distances of networks with smooth units are found in linf alone",
                parameter="norm",
            )
        problem = Problem(self.target, self.on, self.norm)
        network = single_output(self.network, self.output)
        yield replace(known, distance=smooth_distance(network, problem, seconds_left()))

    def _distance(self, f: PiecewiseAffine) -> Enclosure | None:
        on, target, against = self.on, self.target, self.against
        if on is None or (target is None and against is None):
            return None
        if against is not None:
            if against.out_dim != 1:
                raise HypothesisError("give a network of one output to measure against")
            other = on_interval(against, on.start, on.stop, exact=f.is_exact)
            return distance(f, other, self.norm, on)
        assert isinstance(target, AbstractLineTarget)
        target.check_defined(on)
        form = target.exact_form()
        if form is not None:
            return distance_to_form(f, form, self.norm, on)
        fine = FINE_SUP if self.norm == "linf" else FINE_MEAN
        return distance_to_target(f, target, self.norm, on, relative=fine)


def _example(dim: int, value: int) -> str:
    return ",".join([str(value)] * min(dim, 3) + ["..."] * (dim > 3))


def _function(
    network: Network,
    on: Uniform | None,
    line: Points | None,
    exact: bool,
    output: int,
) -> PiecewiseAffine:
    if line is not None:
        return on_line(network, *line, exact=exact, output=output)
    ends = (None, None) if on is None else (on.start, on.stop)
    return on_interval(network, *ends, exact=exact, output=output)


def _units(
    network: Network, on: Uniform | None, line: Points | None
) -> UnitStates | None:
    relus = as_relu(network)
    if any(a is not RELU for a in relus.activations):
        return None
    if line is not None:
        ends = [[rational(x) for x in point] for point in line]
        step = [b - a for a, b in zip(*ends, strict=True)]
        relus, on = restrict(relus, ends[0], step), Uniform(0, 1)
    if on is None:
        return None
    cells = subdivide(relus, on).complex
    return states_in_regions(network, cells.patterns, cells.negative)


def _sampled(
    network: Network, on: Uniform | None, line: Points | None, output: int
) -> PiecewiseAffine:
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            return _function(network, on, line, False, output)
    except FloatingPointError as error:
        raise HypothesisError(
            "the network's values leave the range of float64; inspect it exactly"
        ) from error


def _where(on: Uniform | None, line: Points | None) -> str:
    if line is not None:
        ends = [", ".join(str(rational(x)) for x in point) for point in line]
        return f"the segment from ({ends[0]}) to ({ends[1]})"
    return "all of R" if on is None else f"[{on.start}, {on.stop}]"


def _too_large(refusal: TooLargeError, found: str) -> TooLargeError:
    return TooLargeError(
        f"{refusal}, and {found}; give a shorter interval", parameter="on"
    )
