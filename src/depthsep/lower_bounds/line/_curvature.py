"""Curvature bounds: |f''| >= mu on subintervals, found by ball arithmetic."""

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper
from depthsep.laws import Segment
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds._pieces import from_pieces, width_value
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, interval_ball

PRECISION = 96
PARTITIONS = tuple(1 << k for k in range(12))


@dataclass(frozen=True)
class Bend:
    """|f''| >= mu > 0 on a subinterval of this length."""

    length: fmpq
    mu: arb


@once_for_all_networks
def bends(problem: Problem, cells: int) -> tuple[Bend, ...]:
    """The cells of a uniform partition on which f'' keeps its sign."""
    on, step = problem.interval, problem.interval.length / cells
    found = []
    with ctx.workprec(PRECISION):
        for i in range(cells):
            start = on.start + i * step
            jet = problem.line_target.jet(interval_ball(start, start + step))
            second = jet.second
            if jet.value.is_finite() and (second > 0 or second < 0):
                found.append(Bend(step, arb(abs(second).abs_lower())))
    return tuple(found)


def pieces_from_bends(
    parts: tuple[Bend, ...], accuracy: fmpq, norm: str, length: fmpq
) -> int:
    r"""Pieces that any approximant of this accuracy needs.

    On part j, n_j pieces leave an error of at least mu l^2/(16 n_j^2) (linf),
    mu l^3/(32 n_j^2) (integral of |r|) or mu^2 l^5/(720 n_j^4) (integral of r^2), and
    sum n_j <= N + J - 1. For linf each n_j is bounded by itself; for l1 and l2 the
    least total is found by Hoelder: $(\sum a_j^{1/3})^3/(\sum n_j)^2$ and
    $(\sum b_j^{1/5})^5/(\sum n_j)^4$, over the J largest terms, for the best J.
    """
    with ctx.workprec(PRECISION):
        if norm == "linf":
            each = (arb(p.length) * (p.mu / (16 * arb(accuracy))).sqrt() for p in parts)
            return 1 + sum(_ceiling(n) - 1 for n in each)
        if norm == "l1":
            terms = [(p.mu * arb(p.length) ** 3 / 32).root(3) for p in parts]
            allowed, power = arb(accuracy * length), arb(3) / 2
            scale = 1 / allowed.sqrt()
        else:
            terms = [(p.mu**2 * arb(p.length) ** 5 / 720).root(5) for p in parts]
            allowed, power = arb(accuracy**2 * length), arb(5) / 4
            scale = 1 / allowed.root(4)
        sums = accumulate(sorted(terms, key=lambda t: -float(t.mid())))
        needed = [_ceiling(s**power * scale - spare) for spare, s in enumerate(sums)]
        return max([1, *needed])


def _ceiling(x: arb) -> int:
    """The least integer that is surely >= some number of the ball's lower end."""
    return max(1, -int((ball_upper(-x)).floor()))


def _evaluate(mu: fmpq, length: fmpq, accuracy: fmpq, layers: int) -> Value:
    if mu <= 0 or length <= 0 or accuracy <= 0:
        raise HypothesisError("mu, length and accuracy must be positive")
    parts = (Bend(length, arb(mu)),)
    pieces = pieces_from_bends(parts, accuracy, "linf", length)
    return width_value(pieces, layers, Rigour.ENCLOSED)


@dataclass(frozen=True)
class Curvature(AbstractLowerBound):
    """The best of several uniform partitions, then Theorem A."""

    statement: ClassVar[Statement] = Statement(
        "curvature",
        "Width needed for a function with |f''| >= mu on an interval of length l",
        (
            (
                "the network g is a ReLU network with any weights and any "
                "skip connections; with hidden layers of m_1, ..., m_L "
                "units it has N <= (m_1 + 1) ... (m_L + 1) affine pieces"
            ),
            "|f''| >= mu > 0 on the interval, verified with ball arithmetic",
        ),
        Source("depthsep", "Theorem D with Theorem A"),
        (
            Parameter("mu", "rational", "lower bound of |f''|"),
            Parameter("length", "rational", "length of the interval", "1"),
            Parameter("accuracy", "rational", "E, the allowed error in linf"),
            LAYERS,
        ),
        _evaluate,
        sample="mu=2 length=1 accuracy=1/1000000 layers=1",
        tex=(
            r"\left\lVert f - g \right\rVert_\infty \ge "
            r"\frac{\mu \, l^2}{16 N^2}, \quad \left\lVert f - g "
            r"\right\rVert_1 \ge \frac{\mu \, l^2}{32 N^2}, \quad "
            r"\left\lVert f - g \right\rVert_2 \ge "
            r"\frac{\mu \, l^2}{\sqrt{720} \, N^2} \quad "
            r"\text{for every } g \text{ with } N \text{ affine pieces}"
        ),
        proof=proved("curvature"),
    )

    scope = Scope("this bound covers only functions on an interval", AbstractLineTarget)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form is not None:
            return Inapplicable(
                "an exact bound is used for this target", off_topic=True
            )
        pieces = curvature_pieces(problem)
        if pieces == 1:
            return Inapplicable(
                "no subinterval was found where f'' keeps one sign and "
                "more than one piece is needed"
            )
        return from_pieces(
            pieces, depth, Rigour.ENCLOSED, self.statement, may_jump=True
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", norm=n, accuracy="1e-2")
            for n in ("linf", "l1", "l2")
        ] + [Problem("expr:exp(x)", Segment(-1, 2), accuracy="1e-9")]


@once_for_all_networks
def curvature_pieces(problem: Problem) -> int:
    """The most pieces that any of the partitions proves necessary."""
    best = 1
    for cells in PARTITIONS:
        parts, on = bends(problem, cells), problem.interval
        found = pieces_from_bends(parts, problem.accuracy, problem.norm, on.length)
        best = max(best, found)
        if cells > 16 and cells > 2 * best:
            break
    return best
