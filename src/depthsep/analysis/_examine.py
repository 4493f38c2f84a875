"""Examine a network against a problem, from the network alone.

This is the check behind every certificate. It knows no construction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product as cartesian
from math import prod

import numpy as np
from flint import fmpq

from depthsep._errors import CertificationError, TooLargeError
from depthsep.analysis.box._branch_and_bound import Progress
from depthsep.analysis.box._ridge_error import box_error
from depthsep.analysis.line._composition import Composed
from depthsep.analysis.line._distance import distance_to_form, from_square
from depthsep.analysis.line._distance_to_formula import distance_to_target
from depthsep.analysis.line._enumerate import MAX_PIECES, on_interval
from depthsep.analysis.line._rank_one import Block, split
from depthsep.analysis.symmetric._radial import radial_error
from depthsep.analysis.symmetric._spheres import sphere_error
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import PiecewiseAffine, total
from depthsep.laws import Box, SignCube, SpherePair, Uniform
from depthsep.networks import RELU, THRESHOLD, Network, as_relu, size
from depthsep.problems import Problem
from depthsep.targets import ExactForm, Radial

MAX_SIGN_INPUTS = 14
RELATIVE = 1e-3
SECONDS = 60.0
MAX_MEASURED_PIECES = 1 << 15


@dataclass(frozen=True)
class Examination:
    """What the examiner found.

    Attributes:
        error: the network's distance to the target in the problem's norm.
        pieces: affine pieces on the interval; None where the input is not an interval.
        method: "enumerated", "split", "signs", "box", "spheres" or "radial".
    """

    error: Enclosure
    pieces: int | None
    method: str


def examine(
    network: Network,
    problem: Problem,
    *,
    max_pieces: int = MAX_PIECES,
    relative: float = RELATIVE,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Examination | Inapplicable:
    """Measure the error of a network, exactly or enclosed; `Inapplicable` if neither.

    A network of one input is split into functions of one variable where its layers
    allow it (see `_split`), and enumerated piece by piece up to `max_pieces` else. On a
    box it is split into functions of one variable each (see `_ridges`), and followed
    over the whole box by branch and bound else (see `_sweep`).

    Args:
        seconds: for branch and bound on a box.
        progress: called with the share of the box that is done.
        relative: width of an error bar against a formula, as a share of the error.
    """
    if network.in_dim != problem.target.in_dim or network.out_dim != 1:
        return Inapplicable(
            f"the network maps {network.in_dim} inputs to {network.out_dim} outputs; "
            f"the target takes {problem.target.in_dim} to 1"
        )
    bound = problem.weight_bound
    if bound is not None and size(network).largest_weight > bound:
        return Inapplicable(f"a weight is above {bound}, the problem's bound")
    network = as_relu(network)
    for activation in network.activations:
        if activation not in (RELU, THRESHOLD):
            return Inapplicable(f"{activation.name} units are not examined")
    if isinstance(problem.law, SignCube):
        return _on_signs(network, problem)
    if isinstance(problem.law, SpherePair):
        error = sphere_error(network, problem, _error_of)
        if isinstance(error, Inapplicable):
            return error
        return Examination(error, None, "spheres")
    if isinstance(problem.target, Radial):
        error = radial_error(network, problem, _error_of)
        if isinstance(error, Inapplicable):
            return error
        return Examination(error, None, "radial")
    if isinstance(problem.law, Box):
        error = box_error(network, problem, _error_of, seconds, progress)
        if isinstance(error, Inapplicable):
            return error
        return Examination(error, None, "box")
    examined = examine_split(network, problem, relative=relative)
    if isinstance(examined, Examination):
        return examined
    return examine_enumerated(
        network, problem, max_pieces=max_pieces, relative=relative
    )


def _error_of(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    found = examine(network, problem, relative=1e-4)
    return found if isinstance(found, Inapplicable) else found.error


def certify(
    network: Network, problem: Problem, *, seconds: float = SECONDS
) -> Examination:
    """`examine`, and insist that the error is at most the problem's accuracy.

    Raises:
        CertificationError: it is not, or that cannot be decided.
    """
    found = examine(network, problem, seconds=seconds)
    if isinstance(found, Inapplicable):
        raise CertificationError(f"not checked: {found.reason}")
    if not found.error.is_at_most(problem.accuracy):
        raise CertificationError(
            f"the network's {problem.norm} error is {found.error}, "
            f"above the accuracy {problem.accuracy}"
        )
    return found


def examine_enumerated(
    network: Network,
    problem: Problem,
    *,
    max_pieces: int = MAX_PIECES,
    relative: float = RELATIVE,
) -> Examination | Inapplicable:
    """Enumerate all pieces on the interval, then measure."""
    on = problem.interval
    if problem.target.exact_form() is None:
        max_pieces = min(max_pieces, 2 * MAX_MEASURED_PIECES)
    try:
        f = on_interval(network, on.start, on.stop, max_pieces=max_pieces)
        return _measured(f, problem, "enumerated", relative)
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))


def _measured(
    f: PiecewiseAffine, problem: Problem, method: str, relative: float
) -> Examination | Inapplicable:
    form, on = problem.target.exact_form(), problem.interval
    if form is not None:
        error = distance_to_form(f, form, problem.norm, on)
    elif len(f.knots) > MAX_MEASURED_PIECES:
        return Inapplicable(
            f"{f.pieces} pieces are too many to measure against a formula"
        )
    else:
        small = problem.accuracy / (1 << 20)
        error = distance_to_target(
            f,
            problem.target,
            problem.norm,
            on,
            relative=relative,
            negligible=small,
            enough=problem.accuracy,
        )
    return Examination(error, f.pieces, method)


def examine_split(
    network: Network, problem: Problem, *, relative: float = RELATIVE
) -> Examination | Inapplicable:
    """Examine by splitting into blocks of one variable and composing exactly.

    Against an exact form the error is composed without enumerating; against a formula
    the blocks are composed into one list of pieces first.
    """
    form, on = problem.target.exact_form(), problem.interval
    blocks = split(network, on.start, on.stop)
    if blocks is None:
        return Inapplicable("the maps between hidden layers have too high a rank")
    try:
        if not _carries_are_nonnegative(blocks, form, on):
            return Inapplicable("a carried sum may be negative")
        composed = Composed(blocks)
        if form is None:
            f = composed.function(on).simplified()
            return _measured(f, problem, "split", relative)
        error = composed.distance(form, problem.norm, on)
        return Examination(error, composed.pieces(on), "split")
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))


def pieces_of_split(network: Network, on: Uniform) -> int | None:
    """Pieces by composition, for networks that split without a carried sum."""
    blocks = split(network, on.start, on.stop)
    if blocks is None or any(block.gain != 0 for block in blocks):
        return None
    return Composed(blocks).pieces(on)


def _carries_are_nonnegative(
    blocks: Sequence[Block], form: ExactForm | None, on: Uniform
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


def _least_value(form: ExactForm, on: Uniform) -> fmpq:
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


def _on_signs(network: Network, problem: Problem) -> Examination | Inapplicable:
    """All sign vectors, or one of each sum if the network sees only the sum."""
    first, d = network.layers[0], network.in_dim
    by_sum = bool(np.all(first.weight == first.weight[:, :1]))
    if by_sum:
        ones = Network(
            [type(first)(first.weight[:, :1], first.bias), *network.layers[1:]],
            network.activations,
        )
        signed = enumerate(_at_sums(ones, d))
        errors = [(abs(value - (-1) ** (d - p)), p) for p, value in signed]
        errors = _weighted([(e, p) for e, p in errors if e != 0], d)
    elif d <= MAX_SIGN_INPUTS:
        points = cartesian((-1, 1), repeat=d)
        errors = [(abs(network(x)[0] - int(np.prod(x))), 1) for x in points]
    else:
        return Inapplicable(
            f"2**{d} sign vectors are too many, and the network does not depend on "
            "their sum alone"
        )
    return Examination(_mean_error(errors, problem.norm, d), None, "signs")


def _at_sums(network: Network, d: int) -> list[fmpq]:
    """Values at -d, 2 - d, ..., d: along the pieces where that is one pass."""
    sums = range(-d, d + 1, 2)
    if not all(a.continuous for a in network.activations):
        return [network([s])[0] for s in sums]
    f = on_interval(network, -d, d)
    knots, at = f.knots.tolist(), 0
    values = []
    for s in sums:
        while at < len(knots) - 2 and knots[at + 1] < s:
            at += 1
        slope = (f.values[at + 1] - f.values[at]) / (knots[at + 1] - knots[at])
        values.append(f.values[at] + slope * (s - knots[at]))
    return values


def _weighted(errors: list[tuple[fmpq, int]], d: int) -> list[tuple[fmpq, int]]:
    """Binomial weights for errors at p of d signs, p ascending."""
    weight, at, out = 1, 0, []
    for error, p in errors:
        while at < p:
            weight, at = weight * (d - at) // (at + 1), at + 1
        out.append((error, weight))
    return out


def _mean_error(errors: list[tuple[fmpq, int]], norm: str, d: int) -> Enclosure:
    if norm == "linf":
        worst = max((e for e, _ in errors), default=fmpq(0))
        return Enclosure(worst, worst, Rigour.EXACT)
    power = 1 if norm == "l1" else 2
    mean = total(e**power * weight for e, weight in errors) / (1 << d)
    if norm == "l2":
        return from_square(mean, Rigour.EXACT)
    return Enclosure(mean, mean, Rigour.EXACT)
