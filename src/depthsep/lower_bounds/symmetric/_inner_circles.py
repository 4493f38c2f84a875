"""Functions of inner products at every depth: their changes of sign on circles."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flint import fmpq

from depthsep._plural import plural
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.laws import SpherePair
from depthsep.lower_bounds._pieces import RELU_SETTING
from depthsep.lower_bounds.symmetric._arcs import (
    arcs_of_profile,
    arcs_of_wave,
    least_units_of_arcs,
    least_width_of_arcs,
)
from depthsep.problems import Problem
from depthsep.targets import InnerProduct


@lru_cache(maxsize=64)
def arcs_needed(target: InnerProduct, accuracy: fmpq, norm: str) -> int:
    """Arcs on a circle that any network within the accuracy has."""
    if target.wave is not None:
        return arcs_of_wave(target.wave, target.dim, accuracy, norm)
    return arcs_of_profile(target, accuracy, norm)


def _evaluate(dim: int, multiple: fmpq, accuracy: fmpq, layers: int) -> Value:
    target = InnerProduct(f"sin(pi*({multiple})*t)", dim)
    width = least_width_of_arcs(arcs_needed(target, accuracy, "l2"), layers)
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class InnerCircles(AbstractLowerBound):
    """A network has few arcs on a circle of the sphere, f many changes of sign."""

    statement: ClassVar[Statement] = Statement(
        "circles",
        "Width needed at any depth for sin(pi m <x, x'>) on two spheres, in L2",
        (
            "x and x' are independent and uniform on S^(d-1)",
            RELU_SETTING,
        ),
        Source("depthsep", "Theorem M"),
        (
            Parameter("dim", "integer", "d, the dimension", "3", most=200, least=2),
            Parameter(
                "multiple", "rational", "m, the factor in sin(pi m <x, x'>)", "27"
            ),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
            LAYERS,
        ),
        _evaluate,
        sample="dim=6 multiple=216 accuracy=1/10 layers=2",
        tex=(
            r"P = 2 m_1 \prod_{i=2}^{L} (1 + 2 m_i) \ge c - 1 - "
            r"\frac{E^2}{w} \text{ for the } c \text{ half-waves in } "
            r"\left\lvert t \right\rvert \le \frac{c}{2 m} "
            r"\text{ if half the integral of the squared target, under the law of the "
            r"inner product } "
            r"t, \text{ is at least } w \text{ on each}; \quad P \ge 2 "
            r"\, (\text{number of extrema} - 1) \text{ in } \ell_\infty"
        ),
        proof=proved("inner-circles"),
    )

    scope = Scope(
        "this bound covers only functions of inner products", InnerProduct, SpherePair
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.norm == "l1":
            return Inapplicable("this bound covers only errors in l2 and linf")
        target, layers = problem.target_as(InnerProduct), depth - 1
        arcs = arcs_needed(target, problem.accuracy, problem.norm)
        if arcs == 0:
            return Inapplicable(
                "too few of the target's changes of sign are large "
                "enough, compared with the accuracy, for this bound"
            )
        return Lower(
            width=least_width_of_arcs(arcs, layers),
            units=least_units_of_arcs(arcs, layers),
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            detail=f"Theorem M with {plural(arcs, 'arc')} on a circle",
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(InnerProduct("sin(pi*d**3*t)", 20), norm="l2", accuracy="1/10"),
            Problem(InnerProduct("cos(40*t)", 3), accuracy="1/10"),
            Problem(InnerProduct("t*sin(30*t)", 4), norm="l2", accuracy="1/50"),
        ]
