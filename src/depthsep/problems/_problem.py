"""`Problem`: what a table is about."""

from collections.abc import Mapping
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, text
from depthsep.laws import (
    AbstractLaw,
    AbstractRadialLaw,
    Box,
    SignCube,
    SpherePair,
    SquaredTransform,
    Uniform,
    law_from_text,
)
from depthsep.targets import (
    AbstractTarget,
    InnerProduct,
    Parity,
    Radial,
    Sawtooth,
    target_from_text,
)

NORMS = ("linf", "l1", "l2")


@dataclass(frozen=True)
class Problem:
    """Approximate `target` under `law` up to `accuracy` in `norm`.

    The accuracy is an error, never a squared error; l1 and l2 are taken with respect
    to the law, a probability, so they are means over the interval. A weight bound, if
    given, is on every weight and bias of the networks that are asked about.

    Raises:
        HypothesisError: an accuracy that is not a positive number, an unknown norm, a
            law that does not fit the target, a formula that is not proved to be defined
            wherever the law lives.
    """

    target: AbstractTarget
    law: AbstractLaw
    norm: str
    accuracy: fmpq
    weight_bound: fmpq | None

    def __init__(
        self,
        target: AbstractTarget | str,
        law: AbstractLaw | None = None,
        norm: str = "linf",
        accuracy: object = "1e-3",
        weight_bound: object = None,
    ) -> None:
        given = target_from_text(target) if isinstance(target, str) else target
        chosen = _default_law(given) if law is None else _on_every_input(law, given)
        error = rational(accuracy, name="the accuracy")
        if error <= 0:
            raise HypothesisError(f"the accuracy is {error}; it must be positive")
        if norm not in NORMS:
            raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
        bound = None if weight_bound is None else _positive(weight_bound)
        _check_fit(given, chosen)
        given.check_defined(chosen)
        values = (
            ("target", given),
            ("law", chosen),
            ("norm", norm),
            ("accuracy", error),
            ("weight_bound", bound),
        )
        for name, value in values:
            object.__setattr__(self, name, value)

    @property
    def interval(self) -> Uniform:
        """The law, for problems on an interval.

        Raises:
            HypothesisError: the input has more than one dimension.
        """
        if not isinstance(self.law, Uniform):
            raise HypothesisError(f"{self.target} lives on {self.law}, not an interval")
        return self.law

    def to_json(self) -> dict[str, str]:
        """Text fields that `from_json` reads back exactly."""
        return {
            "target": self.target.text,
            "law": self.law.text,
            "norm": self.norm,
            "accuracy": text(self.accuracy),
            **self._bounded,
        }

    @property
    def _bounded(self) -> dict[str, str]:
        bound = self.weight_bound
        return {} if bound is None else {"weight_bound": text(bound)}

    @staticmethod
    def from_json(document: Mapping[str, object]) -> "Problem":
        """Read what `to_json` wrote."""
        missing = {"target", "law", "norm", "accuracy"} - set(document)
        if missing:
            raise HypothesisError(f"the problem lacks {', '.join(sorted(missing))}")
        law = law_from_text(str(document["law"]))
        return Problem(
            target_from_text(str(document["target"]), _dim_of(law)),
            law,
            str(document["norm"]),
            document["accuracy"],
            document.get("weight_bound"),
        )

    def __str__(self) -> str:
        bound = self.weight_bound
        weights = "" if bound is None else f", weights up to {text(bound)}"
        return (
            f"{self.target} under {self.law}, {self.norm} <= {self.accuracy}{weights}"
        )


def _positive(weight_bound: object) -> fmpq:
    bound = rational(weight_bound, name="the weight bound")
    if bound <= 0:
        raise HypothesisError(f"the weight bound is {bound}; it must be positive")
    return bound


def _dim_of(law: AbstractLaw) -> int:
    return law.dim if isinstance(law, SpherePair) else law.in_dim


def _default_law(target: AbstractTarget) -> AbstractLaw:
    if isinstance(target, InnerProduct):
        return SpherePair(target.dim)
    if isinstance(target, Radial):
        return SquaredTransform(target.dim)
    if isinstance(target, Parity):
        return SignCube(target.inputs)
    side = Uniform(*target.default_interval)
    return side if target.in_dim == 1 else Box.cube(side, target.in_dim)


def _on_every_input(law: AbstractLaw, target: AbstractTarget) -> AbstractLaw:
    """An interval, for a target of several inputs on a box, is meant for each."""
    if (
        isinstance(law, Uniform)
        and target.in_dim > 1
        and not isinstance(target, Parity | InnerProduct | Radial)
    ):
        return Box.cube(law, target.in_dim)
    return law


def _check_fit(target: AbstractTarget, law: AbstractLaw) -> None:
    if isinstance(target, InnerProduct) != isinstance(law, SpherePair):
        raise HypothesisError(f"{target} does not live on {law}; leave out --on")
    if isinstance(target, Radial) != isinstance(law, AbstractRadialLaw):
        raise HypothesisError(
            f"{target} does not live on {law}; leave out --on, or choose --law phi2:D"
        )
    if isinstance(target, Parity) != isinstance(law, SignCube):
        raise HypothesisError(f"{target} does not live on {law}; leave out --on")
    if target.in_dim != law.in_dim:
        raise HypothesisError(
            f"{target} has {target.in_dim} inputs, {law} another number"
        )
    if isinstance(target, Sawtooth) and law != Uniform(0, 1):
        raise HypothesisError(f"{target} lives on [0, 1]; leave out --on")
