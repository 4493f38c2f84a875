"""Examine a network of one input: the distance to the target on an interval.

What examiners of other settings rest on; it knows none of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError, TooLargeError, UndecidedError
from depthsep.analysis.line.pieces._composition import Composed
from depthsep.analysis.line.pieces._enumerate import MAX_PIECES, on_interval
from depthsep.analysis.line.pieces._rank_one import Block, split
from depthsep.approximation import distance, distance_to_form, distance_to_target
from depthsep.evidence import Enclosure, Inapplicable
from depthsep.exact import PiecewiseAffine
from depthsep.laws import AbstractLineLaw, Segment
from depthsep.networks import RELU, THRESHOLD, Network, as_relu
from depthsep.problems import Problem
from depthsep.targets import ExactForm

RELATIVE = 1e-3
SHARP = 1e-4  # relative bars of parts, which add up
SECONDS = 60.0
MAX_MEASURED_PIECES = 1 << 15


@dataclass(frozen=True)
class Examination(Displayed):
    """What the examiner found.

    Attributes:
        error: the network's distance to the target in the problem's norm.
        pieces: affine pieces on the interval; None where the input is not an interval.
        method: "enumerated", "split", "signs", "box", "spheres" or "radial".
    """

    error: Enclosure
    pieces: int | None
    method: str


def examination(
    method: str, measure: Callable[[], Enclosure | Inapplicable]
) -> Examination | Inapplicable:
    """What `measure` finds of a network whose pieces are not counted."""
    try:
        error = measure()
    except (HypothesisError, UndecidedError) as refusal:
        return Inapplicable(str(refusal))
    if isinstance(error, Inapplicable):
        return error
    return Examination(error, None, method)


@dataclass(frozen=True)
class Effort:
    """How long and how finely to look.

    Attributes:
        max_pieces: beyond which pieces are not enumerated.
        relative: width of an error bar against a formula, as a share of the error.
        seconds: for loops that may end early.
    """

    max_pieces: int = MAX_PIECES
    relative: float = RELATIVE
    seconds: float = SECONDS


def examine_line(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """Split into functions of one variable where layers allow it, else enumerate."""
    examined = examine_split(network, problem, relative=effort.relative)
    if isinstance(examined, Examination):
        return examined
    return examine_enumerated(
        network, problem, max_pieces=effort.max_pieces, relative=effort.relative
    )


def line_error(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    """The distance of a network of one input to a target of one input, finely."""
    network = as_relu(network)
    found = unexamined_units(network) or examine_line(
        network, problem, Effort(relative=SHARP)
    )
    return found if isinstance(found, Inapplicable) else found.error


def unexamined_units(network: Network) -> Inapplicable | None:
    """Why a network is not examined: units other than ReLU and threshold."""
    for activation in network.activations:
        if activation not in (RELU, THRESHOLD):
            return Inapplicable(
                f"networks with {activation.name} units are not examined"
            )
    return None


def examine_enumerated(
    network: Network,
    problem: Problem,
    *,
    max_pieces: int = MAX_PIECES,
    relative: float = RELATIVE,
) -> Examination | Inapplicable:
    """Enumerate all pieces on the interval, then measure."""
    ends = problem.law_as(AbstractLineLaw).ends
    if problem.exact_form is None:
        max_pieces = min(max_pieces, 2 * MAX_MEASURED_PIECES)
    try:
        f = on_interval(network, *ends, max_pieces=max_pieces)
        return _measured(f, problem, "enumerated", relative)
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))


def _measured(
    f: PiecewiseAffine, problem: Problem, method: str, relative: float
) -> Examination | Inapplicable:
    form, on = problem.exact_form, problem.interval
    weight = problem.weight
    if form is not None:
        error = distance_to_form(f, form, problem.norm, on)
    elif (
        weight is None and (exact := problem.line_target.affine_pieces(on)) is not None
    ):
        error = distance(f, exact, problem.norm, on)
    elif len(f.knots) > MAX_MEASURED_PIECES:
        return Inapplicable(
            f"the network has {f.pieces} pieces, too many for measuring "
            "its error against a formula"
        )
    else:
        small = problem.accuracy / (1 << 20)
        error = distance_to_target(
            f,
            problem.line_target,
            problem.norm,
            on,
            relative=relative,
            negligible=small,
            enough=problem.accuracy,
            weight=weight,
        )
    return Examination(error, f.pieces, method)


def examine_split(
    network: Network, problem: Problem, *, relative: float = RELATIVE
) -> Examination | Inapplicable:
    """Examine by splitting into blocks of one variable and composing exactly.

    Against an exact form the error is composed without enumerating; against a formula
    the blocks are composed into one list of pieces first.
    """
    on, law = problem.interval, problem.law
    form = problem.exact_form
    blocks = None if law.has_open_ends else split(network, on.start, on.stop)
    if blocks is None:
        return Inapplicable("the maps between hidden layers have too high a rank")
    try:
        if not _carries_are_nonnegative(blocks, form, on):
            return Inapplicable(
                "some ReLUs should pass a sum on unchanged to later layers, but this "
                "sum may be negative, and a ReLU sets negative values to 0"
            )
        composed = Composed(blocks)
        if form is None:
            f = composed.function(on).simplified()
            return _measured(f, problem, "split", relative)
        error = composed.distance(form, problem.norm, on)
        return Examination(error, composed.pieces(on), "split")
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))


def pieces_of_split(network: Network, on: Segment) -> int | None:
    """Pieces by composition, for networks that split without a carried sum."""
    blocks = split(network, on.start, on.stop)
    if blocks is None or any(block.gain != 0 for block in blocks):
        return None
    return Composed(blocks).pieces(on)


def _carries_are_nonnegative(
    blocks: Sequence[Block], form: ExactForm | None, on: Segment
) -> bool:
    """Whether each carried sum is >= 0, so that its ReLU does nothing.

    Three tries: the sum of the blocks' minima; the sum c, scaled by the factor w with
    which it reaches the output, against the target T (w c - T is self-similar where
    the network is: inf (w c - T) + inf T >= 0 suffices); the sum itself.
    """
    for j in range(1, len(blocks)):
        factor = prod((b.gain for b in blocks[j:]), start=fmpq(1))
        if blocks[j].gain == 0 or _sum_of_least(blocks[:j]) >= 0:
            continue
        if factor != 0 and form is not None:
            sided = form if factor > 0 else _scaled(form, fmpq(-1))
            above = Composed(_cut(blocks[:j], abs(factor))).extremes(sided, on)[0]
            if above + _least_value(sided, on) >= 0:
                continue
        zero = ExactForm(fmpq(0), fmpq(0), fmpq(0))
        if Composed(_cut(blocks[:j], fmpq(1))).extremes(zero, on)[0] < 0:
            return False
    return True


def _cut(blocks: Sequence[Block], factor: fmpq) -> list[Block]:
    """The network that outputs `factor` times the sum carried past these blocks."""
    last = blocks[-1]
    outer = [factor * v for v in last.outer]
    return [*blocks[:-1], Block(last.knots, None, outer, factor * last.gain)]


def _scaled(form: ExactForm, factor: fmpq) -> ExactForm:
    return replace(
        form,
        alpha=factor * form.alpha,
        beta=factor * form.beta,
        gamma=factor * form.gamma,
        amplitude=factor * form.amplitude,
    )


def _least_value(form: ExactForm, on: Segment) -> fmpq:
    """A lower bound of the form: its quadratic part's least value, and 0 or -|saw|."""
    quadratic = ExactForm(form.alpha, form.beta, form.gamma)
    nothing = Block([on.start, on.stop], None, [fmpq(0), fmpq(0)], fmpq(0))
    return -Composed([nothing]).extremes(quadratic, on)[1] + min(
        fmpq(0), form.amplitude
    )


def _sum_of_least(blocks: Sequence[Block]) -> fmpq:
    """A crude lower bound of the carried sum: the sum of the blocks' minima."""
    least = fmpq(0)
    for block in blocks:
        if block.gain < 0:
            return fmpq(-1)
        least = least * block.gain + min(block.outer)
    return least
