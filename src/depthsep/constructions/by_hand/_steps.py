"""Functions of one variable by one layer of thresholds (steps)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import monotone_runs, total_variation
from depthsep.claims import Scope
from depthsep.constructions.by_hand._made import AbstractMade, Made
from depthsep.constructions.by_hand._parameters import ACCURACY, LIPSCHITZ
from depthsep.evidence import Rigour, Source, Statement, Value, proved
from depthsep.exact import halved, nearest_float, rational
from depthsep.laws import Segment
from depthsep.networks import THRESHOLD, Affine, Network
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

FORMS = ("printed", "mid-range", "adaptive")
MAX_STEPS = 1 << 20
BISECTIONS = 80
MOST_STEPS = 1 << 16
EXAMINED = fmpq(999, 1000)
"""The share of the accuracy that is used: the examiner's bars are a thousandth wide."""


def step_count(lipschitz: object, accuracy: object, form: str = "printed") -> int:
    """Thresholds for a rho-Lipschitz function on [0, 1] up to a sup error.

    "printed": max(1, ceil(rho / E)), values at the left ends. "mid-range":
    max(1, ceil(rho / (2 E))), the least possible for rho x.

    Source:
        Telgarsky (2023), Proposition 2.1; for rho = 0 the printed width is 0, which
        cannot compute a constant. Counted in rationals: in doubles the ceiling comes
        out one too small for many rho and E.
    """
    rho, error = rational(lipschitz, name="rho"), rational(accuracy, name="accuracy")
    if rho < 0 or error <= 0:
        raise HypothesisError(
            f"lipschitz = {rho}, accuracy = {error}: give lipschitz >= 0 "
            "and accuracy > 0"
        )
    if form not in FORMS[:2]:
        raise HypothesisError(f"unknown form {form!r}; use printed or mid-range")
    share = rho / error if form == "printed" else rho / (2 * error)
    return max(1, int(share.ceil()))


def step_network(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: object,
    *,
    lipschitz: object = None,
    form: str = "adaptive",
) -> Network:
    """A threshold network with sup error at most the accuracy, up to float64 rounding.

    Knots and values are float64; the first knot is not above the start.

    "printed" and "mid-range" cut the interval into equal pieces and need a Lipschitz
    constant; "adaptive" extends each piece as far as max - min <= 2 E allows, which is
    optimal among piecewise constants and uses at most max(1, ceil(TV / (2 E))) pieces.
    The first threshold is at the start, so the network is that function on the interval
    only (right-continuous; 0 to the left).

    Raises:
        HypothesisError: no Lipschitz constant, more than 2^20 steps, a jump.
    """
    error = rational(accuracy, name="the accuracy")
    if error <= 0:
        raise HypothesisError(f"the accuracy is {error}; it must be positive")
    if form == "adaptive":
        knots, values = _adaptive(target, on, error)
    else:
        if lipschitz is None:
            raise HypothesisError(f"the form `{form}` needs a Lipschitz constant")
        steps = step_count(rational(lipschitz) * on.length, error, form)
        if steps > MAX_STEPS:
            raise HypothesisError(
                f"{steps} steps are needed; at most {MAX_STEPS} are built"
            )
        ends = np.linspace(nearest_float(on.start), nearest_float(on.stop), steps + 1)
        at = ends[:-1] if form == "printed" else (ends[:-1] + ends[1:]) / 2
        knots, values = ends[:-1], target.floats(at)
    if rational(float(knots[0])) > on.start:
        knots[0] = np.nextafter(knots[0], -np.inf)
    first = Affine(np.ones((len(knots), 1)), -knots)
    last = Affine(np.diff(values, prepend=0.0)[None, :], np.zeros(1))
    return Network([first, last], [THRESHOLD])


def _adaptive(
    target: AbstractLineTarget, on: Segment, error: fmpq
) -> tuple[np.ndarray, np.ndarray]:
    """Greedy pieces in float64: starts and mid-range values."""
    room = 2 * nearest_float(error)
    if total_variation(target, on).lower > MAX_STEPS * 4 * error:
        raise HypothesisError(
            f"more than {MAX_STEPS} steps, the most that are built, may "
            "be needed; allow a larger error"
        )
    runs = monotone_runs(target, on)
    ends = [nearest_float(r.start) for r in runs] + [nearest_float(on.stop)]
    values = target.floats(np.array(ends))
    knots, levels = [ends[0]], []
    low = high = float(values[0])
    for (a, b), (_, after) in zip(pairwise(ends), pairwise(values), strict=True):
        start = a
        while max(high, after) - min(low, after) > room:
            bound = low + room if after > high else high - room
            start = _crossing(target, start, b, bound)
            levels.append((low + room / 2) if after > high else (high - room / 2))
            knots.append(start)
            low = high = bound
            if len(knots) > MAX_STEPS:
                raise HypothesisError(
                    f"more than {MAX_STEPS} steps, the most that are built, "
                    "are needed; allow a larger error"
                )
        low, high = min(low, float(after)), max(high, float(after))
    levels.append((low + high) / 2)
    return np.array(knots), np.array(levels)


def _crossing(target: AbstractLineTarget, a: float, b: float, level: float) -> float:
    """Where a monotone target reaches the level between a and b."""
    rising = target.floats(np.array([b]))[0] > level

    def is_before(x: float) -> bool:
        return bool((target.floats(np.array([x]))[0] < level) == rising)

    return halved(is_before, a, b, BISECTIONS)[1]


def _steps(lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(step_count(lipschitz, accuracy), Rigour.EXACT)


THRESHOLDS = Statement(
    "telgarsky-2.1",
    "Number of threshold units that is enough to approximate a "
    "Lipschitz function on [0, 1] within E in the sup norm",
    ("|f(x) - f(y)| <= rho |x - y|",),
    Source("telgarsky2023", "Proposition 2.1"),
    (LIPSCHITZ, ACCURACY),
    _steps,
    errata=(
        (
            "for rho = 0 the printed width is 0, and such a network computes "
            "no constant but 0"
        ),
    ),
    sample="lipschitz=10 accuracy=1/100",
    tex=r"\max \left( 1, \left\lceil \frac{\rho}{E} \right\rceil \right)",
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class Thresholds(AbstractMade):
    """The fewest steps within the accuracy, at most ceil(TV / (2 E)).

    Sharper than printed: steps end where the function has moved by 2 E, and no
    Lipschitz constant is needed.
    """

    statement = THRESHOLDS
    scope = Scope(
        "this construction builds networks only for functions on an interval",
        AbstractLineTarget,
    )

    def made(self, problem: Problem) -> Made:
        target, on = problem.target_as(AbstractLineTarget), problem.law.interval
        error = problem.accuracy * EXAMINED
        steps = total_variation(target, on).lower / (2 * error)
        if steps > MOST_STEPS:
            raise TooLargeError(
                f"about {int(steps.ceil())} steps may be needed; at "
                f"most {MOST_STEPS} are built. Allow a larger error"
            )
        return Made(step_network(target, on, error), problem.accuracy)

    def examples(self) -> Sequence[Problem]:
        return [
            Problem("square", accuracy="1/20"),
            Problem("expr:sin(20*x)", accuracy="1/50"),
        ]
