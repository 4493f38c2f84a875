r"""Radial functions by one hidden layer: how many directions it has to look at.

Units that look along one direction add up to a ridge function. In each degree 2 l the
radial element stays away from every m ridge functions by a share of its size that
depends on m, d and l alone:

    ||f - g||^2 >= sum_(l >= 1) a_l^2 share_l(m).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep._errors import TooLargeError, UndecidedError
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
from depthsep.exact import least_above
from depthsep.laws import RadialLaw
from depthsep.lower_bounds.symmetric._refusals import refusal_for
from depthsep.lower_bounds.symmetric.radial._expansion import (
    Expansion,
    radial_expansion,
)
from depthsep.lower_bounds.symmetric.radial._shares import ball_share, gauss_share
from depthsep.problems import NetworkClass, Problem, Units
from depthsep.targets import Radial

PRECISION = 192
FIRST_COUNT, LAST_COUNT = 24, 192  # of degrees
LEFT = arb(2) ** -40  # of the norm: what may be left beyond them
UNITS = Units(
    "integrable",
    "square-integrable units",
    None,
    includes_kind=lambda other: other.reads_one and other.pieces is not None,
)
CLASS = NetworkClass(units=UNITS, skips=False, hidden_layers=1)
Share = Callable[[int, int, int], fmpq]


def error_squared(found: Expansion, dim: int, share: Share, m: int) -> arb:
    """What m directions leave of f at least; a lower bound."""
    whole, left = arb(0), found.norm_squared - found.masses[0]
    for degree, mass in enumerate(found.masses[1:], start=1):
        whole += share(dim, degree, m) * mass.lower().max(arb(0))
        left -= mass
    if share is ball_share:  # shares grow with l: all that is left has this one or more
        whole += share(dim, len(found.masses), m) * left.lower().max(arb(0))
    return whole.lower()


def directions_needed(target: Radial, law: RadialLaw, accuracy: fmpq) -> int:
    """The fewest directions within the accuracy in L2, as far as this is proved.

    Raises:
        TooLargeError, UndecidedError: see `radial_expansion`.
    """
    rough = radial_expansion(target, law, 1, accuracy)
    with ctx.workprec(PRECISION):
        if not rough.norm_squared - rough.masses[0] > arb(accuracy) ** 2:
            return 0
    found = _expanded(target, law, accuracy)
    share = _SHARES[law.kind]
    with ctx.workprec(PRECISION):
        allowed = (arb(accuracy) + found.slack) ** 2

        def is_enough(m: int) -> bool:
            return not error_squared(found, target.dim, share, m) > allowed

        return 0 if is_enough(0) else least_above(is_enough, 0)


@lru_cache(maxsize=64)
def _expanded(target: Radial, law: RadialLaw, accuracy: fmpq) -> Expansion:
    """As many degrees as hold nearly all of f."""
    count = FIRST_COUNT
    while True:
        found = radial_expansion(target, law, count, accuracy)
        with ctx.workprec(PRECISION):
            left = found.norm_squared - sum(found.masses, arb(0))
            if count >= LAST_COUNT or left < LEFT * found.norm_squared:
                return found
        count *= 2


_SHARES: dict[str, Share] = {"ball": ball_share, "gaussian": gauss_share}


class _Directions(AbstractLowerBound):
    """What both laws share."""

    kind: ClassVar[str]

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, law = problem.target_as(Radial), problem.law_as(RadialLaw)
        if law.kind != self.kind:
            return self.scope.elsewhere
        if refusal := refusal_for(target.dim, problem.norm):
            return refusal
        try:
            width = directions_needed(target, law, problem.accuracy)
        except (TooLargeError, UndecidedError) as refusal:
            return Inapplicable(str(refusal))
        if width == 0:
            return Inapplicable(
                "a constant function may already be within the accuracy"
            )
        return Lower.in_one_layer(width, Rigour.ENCLOSED, self.statement, CLASS)


def _evaluate_in(kind: str) -> Callable[..., Value]:
    def evaluate(dim: int, profile: str, accuracy: fmpq) -> Value:
        target, law = Radial(profile, dim), RadialLaw(kind, dim)
        width = directions_needed(target, law, accuracy)
        return Value(width, Rigour.ENCLOSED, log2(width))

    return evaluate


def _parameters(profile: str) -> tuple[Parameter, ...]:
    return (
        Parameter("dim", "integer", "d, the dimension", "10", most=200, least=2),
        Parameter(
            "profile",
            "name",
            "the profile of a radial target, as in radial:PROFILE",
            profile,
        ),
        Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
    )


@dataclass(frozen=True)
class BallDirections(_Directions):
    """Radial functions under the uniform law of the unit ball, at depth 2."""

    kind: ClassVar[str] = "ball"
    statement: ClassVar[Statement] = Statement(
        "ball-directions",
        "Width that one hidden layer needs for a radial function on "
        "the unit ball, in L2",
        (
            "x is uniform in the unit ball of R^d, d >= 2",
            (
                "the activations have a finite mean square, the weights are "
                "arbitrary, and a linear function of x may be added to the network"
            ),
        ),
        Source("depthsep", "directions of ridge functions (after Petrushev 1998)"),
        _parameters("cos(20*r)"),
        _evaluate_in("ball"),
        sample="dim=5 accuracy=1/20",
        tex=(
            r"\min "
            r"\left\{ m : \sum_{l \ge 1} a_l^2 \max \left( 0, \, 1 - \frac{m}{\binom{l "
            r"+ d - 1}{d - 1}} \right) \le E^2 \right\}, "
            r"\quad a_l "
            r"\text{ is the coefficient of the function for the orthonormal radial "
            r"polynomial of degree } "
            "2 l"
        ),
        proof=proved("radial-directions"),
    )
    scope = Scope(
        "this bound covers only radial functions on the unit ball",
        Radial,
        RadialLaw,
        most_depth=2,
    )

    def examples(self) -> list[Problem]:
        return [
            Problem(Radial("cos(20*r)", 10), RadialLaw("ball", 10), "l2", "1/10"),
            Problem(Radial("1 on 0,1/2", 3), RadialLaw("ball", 3), "l2", "1/10"),
            Problem(Radial("relu", 5), RadialLaw("ball", 5), "linf", "1/50"),
        ]


@dataclass(frozen=True)
class GaussDirections(_Directions):
    """Radial functions under the standard Gaussian law, at depth 2."""

    kind: ClassVar[str] = "gaussian"
    statement: ClassVar[Statement] = Statement(
        "gauss-directions",
        "Width that one hidden layer needs for a radial function under "
        "N(0, I_d), in L2",
        (
            "x has the law N(0, I_d), d >= 2",
            (
                "the activations have a finite mean square, the weights are "
                "arbitrary, and a linear function of x may be added to the network"
            ),
        ),
        Source("depthsep", "rank of flattened symmetric tensors"),
        _parameters("cos(4*r) on 0,20"),
        _evaluate_in("gaussian"),
        sample="dim=5 accuracy=1/20",
        tex=(
            r"\min "
            r"\left\{ m : \sum_{l \ge 1} a_l^2 \operatorname{tail}_l(m) \le E^2 "
            r"\right\}, "
            r"\quad a_l "
            r"\text{ is the coefficient of the function for the orthonormal radial "
            r"polynomial of degree } "
            r"2 l, \quad \operatorname{tail}_l(m) \text{ is } 1 "
            r"\text{ minus the sum of the } m "
            r"\text{ largest squared singular values of this polynomial as a flattened "
            r"tensor of norm 1}"
        ),
        proof=proved("radial-directions"),
    )
    scope = Scope(
        "this bound covers only radial functions under a Gaussian law",
        Radial,
        RadialLaw,
        most_depth=2,
    )

    def examples(self) -> list[Problem]:
        gaussian = [RadialLaw("gaussian", d) for d in (5, 3, 2)]
        return [
            Problem(Radial("cos(4*r) on 0,20", 5), gaussian[0], "l2", "1/10"),
            Problem(Radial("1 on 0,3/2", 3), gaussian[1], "l2", "1/10"),
            Problem(Radial("max(0,2-r) on 0,2", 2), gaussian[2], "linf", "1/50"),
        ]
