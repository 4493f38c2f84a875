"""Examine a network against a problem, from the network alone.

This is the check behind every certificate. It knows no construction.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from flint import fmpq

from depthsep._deadline import deadline
from depthsep._errors import (
    CertificationError,
    HypothesisError,
    KindError,
    OutOfTimeError,
)
from depthsep._plural import plural
from depthsep.analysis._arithmetic import rounding_error
from depthsep.analysis._constant_error import constant_error, constant_of
from depthsep.analysis._smooth_error import examine_smooth
from depthsep.analysis.box._box_error import examine_box
from depthsep.analysis.line._examine import (
    RELATIVE,
    SECONDS,
    Effort,
    Examination,
    examine_line,
    unexamined_units,
)
from depthsep.analysis.line.pieces._enumerate import MAX_PIECES
from depthsep.analysis.points._examine import examine_points
from depthsep.analysis.signs._examine import examine_signs
from depthsep.analysis.symmetric._radial import examine_radial
from depthsep.analysis.symmetric._spheres import examine_spheres
from depthsep.evidence import Enclosure, Inapplicable, Rigour, weakest
from depthsep.exact import Format, readable
from depthsep.networks import Network, SkipNetwork, as_relu, layered, size
from depthsep.problems import RELU_UNITS, Problem

Examiner = Callable[[Network, Problem, Effort], Examination | Inapplicable]

EXAMINERS: Mapping[str, Examiner] = {
    "line": examine_line,
    "box": examine_box,
    "signs": examine_signs,
    "spheres": examine_spheres,
    "radial": examine_radial,
    "points": examine_points,
}
"""One for each setting of a law."""


def examine(
    network: Network | SkipNetwork,
    problem: Problem,
    *,
    max_pieces: int = MAX_PIECES,
    relative: float = RELATIVE,
    seconds: float = SECONDS,
    arithmetic: Format | None = None,
) -> Examination | Inapplicable:
    """Measure the error of a network, exactly or enclosed; `Inapplicable` if neither.

    A network of one input is split into functions of one variable where its layers
    allow it, and enumerated piece by piece up to `max_pieces` else. On a box it is
    split into functions of one variable each, and followed over the whole box by branch
    and bound else.

    Args:
        seconds: for all of it together.
        relative: width of an error bar against a formula, as a share of the error.
        arithmetic: of a runtime whose rounding counts, too, for every x of the format.
    """
    network = layered(network)
    refused = _misfit(network, problem)
    if refused is not None:
        return refused
    plain = as_relu(network)
    try:
        with deadline(seconds):
            effort = Effort(max_pieces, relative, seconds)
            if arithmetic is None:
                return _examined(plain, problem, effort)
            off = rounding_error(network, problem, arithmetic)
            # a search ends where the accuracy is met: leave room for what is added
            room = problem.accuracy - off
            sharper = replace(problem, accuracy=room) if room > 0 else problem
            found = _examined(plain, sharper, effort)
            return found if isinstance(found, Inapplicable) else _rounded(found, off)
    except KindError as refusal:
        return Inapplicable(
            f"networks are not examined under the law {problem.law}: {refusal}"
        )
    except OutOfTimeError as refusal:
        return Inapplicable(f"{seconds:g} s were not enough: {refusal}")


def _rounded(found: Examination, rounding: fmpq) -> Examination:
    """With what a runtime may be off by: in every norm that is a sup error."""
    low = max(fmpq(0), found.error.lower - rounding)
    rigour = weakest(found.error.rigour, Rigour.ENCLOSED)
    return replace(found, error=Enclosure(low, found.error.upper + rounding, rigour))


def _examined(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    examiner = EXAMINERS.get(problem.law.setting)
    if examiner is None:
        return Inapplicable(f"networks cannot be examined under the law {problem.law}")
    if unexamined_units(network) is not None:
        return examine_smooth(network, problem, effort)
    value = constant_of(network)
    error = None if value is None else constant_error(value, problem)
    if error is not None:
        return Examination(error, None, "constant")
    return examiner(network, problem, effort)


def _misfit(network: Network, problem: Problem) -> Inapplicable | None:
    """Why a network cannot meet the problem: its inputs, outputs or weights."""
    if network.in_dim != problem.target.in_dim or network.out_dim != 1:
        return Inapplicable(
            f"the network maps {plural(network.in_dim, 'input')} to "
            f"{plural(network.out_dim, 'output')}; "
            f"the target maps {problem.target.in_dim} to 1"
        )
    asked = problem.networks.units
    if asked != RELU_UNITS and not all(map(asked.admits, network.activations)):
        return Inapplicable(f"the problem allows only networks of {asked.words}")
    bound = problem.weight_bound
    if bound is not None and size(network).largest_weight > bound:
        return Inapplicable(
            "a weight or bias is larger in absolute value than "
            f"{bound}, the bound that the problem sets"
        )
    return None


def certify(
    network: Network | SkipNetwork,
    problem: Problem,
    *,
    seconds: float = SECONDS,
    arithmetic: Format | None = None,
) -> Examination:
    """`examine`, and insist that the error is at most the problem's accuracy.

    Raises:
        CertificationError: it is not, or that cannot be decided.
        HypothesisError: what is given is not a network and a problem.
    """
    is_network = isinstance(network, Network | SkipNetwork)
    if not (is_network and isinstance(problem, Problem)):
        raise HypothesisError("give a Network and a Problem, in this order")
    found = examine(network, problem, seconds=seconds, arithmetic=arithmetic)
    if isinstance(found, Inapplicable):
        raise CertificationError(
            f"whether the network meets the accuracy {readable(problem.accuracy)} is "
            f"not decided: {found.reason}"
        )
    if not found.error.is_at_most(problem.accuracy):
        raise CertificationError(found.error.against(problem.accuracy, problem.norm))
    return found
