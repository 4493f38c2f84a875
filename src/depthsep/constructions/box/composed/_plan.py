"""Networks that are planned by their widths and built when they are chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from depthsep.claims import AbstractConstruction, Upper
from depthsep.evidence import Rigour
from depthsep.networks import Affine, Network, compose, scale, shift
from depthsep.problems import Problem


@dataclass(frozen=True)
class Plan:
    """A network that is not yet built.

    Attributes:
        widths: of its hidden layers.
        make: builds it.
        parts: networks whose errors their theorems do not prove, with their problems.
    """

    widths: tuple[int, ...]
    make: Callable[[], Network]
    parts: tuple[tuple[Upper, Problem], ...] = ()

    @property
    def cost(self) -> tuple[int, int]:
        """Its width, then its units."""
        return max(self.widths), sum(self.widths)

    def behind(self, inner: "Plan") -> "Plan":
        """This network of what another one gives."""
        make = lambda: compose(self.make(), inner.make())  # noqa: E731
        return Plan(inner.widths + self.widths, make, inner.parts + self.parts)

    def beside(
        self, other: "Plan", joined: Callable[[Network, Network], Network]
    ) -> "Plan":
        """Both networks side by side; they have equally many layers."""
        widths = tuple(a + b for a, b in zip(self.widths, other.widths, strict=True))
        make = lambda: joined(self.make(), other.make())  # noqa: E731
        return Plan(widths, make, self.parts + other.parts)

    def moved(self, amount: fmpq) -> "Plan":
        """What it gives, and a constant more."""
        return replace(self, make=lambda: shift(self.make(), amount))

    def times(self, factor: fmpq) -> "Plan":
        """Its multiple."""
        return replace(self, make=lambda: scale(self.make(), factor))


def plan_of(
    constructions: Sequence[AbstractConstruction], problem: Problem, depth: int
) -> Plan | None:
    answers = [construction.prove(problem, depth) for construction in constructions]
    uppers = [a for a in answers if isinstance(a, Upper)]
    best = min(uppers, key=lambda u: (u.width, u.units), default=None)
    if best is None or best.predicted_weights > best.most_weights:
        return None
    parts = ((best, problem),) if best.rigour is Rigour.SAMPLED else ()
    return Plan(best.widths, lambda: best.network, parts=parts)


def narrowest(plans: Sequence[Plan | None]) -> Plan | None:
    found = [plan for plan in plans if plan is not None]
    return min(found, key=lambda plan: plan.cost, default=None)


def largest_of_two(sign: fmpq, low: fmpq, depth: int) -> Plan:
    """(u, v) to sign * max(sign u, sign v), where sign v is never below low."""
    nothing, one = fmpq(0), fmpq(1)
    layers = [Affine([[sign, -sign], [nothing, sign]], [nothing, -low])]
    layers += [Affine([[one] * k], [nothing]) for k in (2, *[1] * depth)][: depth - 2]
    last = [[sign] * (2 if depth == 2 else 1)]
    layers.append(Affine(last, [sign * low]))
    return Plan((2, *[1] * (depth - 2)), lambda: Network(layers))
