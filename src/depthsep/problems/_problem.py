"""`Problem`: what a table is about."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError, KindError
from depthsep.exact import rational, readable, text
from depthsep.laws import (
    AbstractDensityLaw,
    AbstractLaw,
    Box,
    Segment,
    law_from_text,
    uniform_on,
)
from depthsep.problems._network_class import (
    PLAIN_RELU,
    NetworkClass,
    networks_from_text,
)
from depthsep.problems._units import RELU_UNITS
from depthsep.targets import (
    AbstractLineTarget,
    AbstractTarget,
    ExactForm,
    target_from_text,
)

TargetT = TypeVar("TargetT", bound=AbstractTarget)
LawT = TypeVar("LawT", bound=AbstractLaw)
NORMS = ("linf", "l1", "l2")


@dataclass(frozen=True)
class Problem(Displayed):
    """Approximate `target` under `law` up to `accuracy` in `norm`.

    The accuracy is an error, never a squared error; l1 and l2 are taken with respect
    to the law, a probability, so they are means over the interval. A weight bound, if
    given, is on every weight and bias of the networks that are asked about.

    Args:
        law: the default one of the target if not given; an interval or a box stands for
            the uniform law there.
        networks: those that are asked about: ReLU networks without skip connections if
            not given. Bounds then say whether skip connections are bound, too.

    Raises:
        HypothesisError: an accuracy that is not a positive number, an unknown norm, a
            law that does not fit the target, a formula that is not proved to be defined
            wherever the law lives.
    """

    target: AbstractTarget
    law: AbstractLaw
    norm: str
    accuracy: fmpq
    networks: NetworkClass

    def __init__(
        self,
        target: AbstractTarget | str,
        law: AbstractLaw | Segment | Box | None = None,
        norm: str = "linf",
        accuracy: object = "1e-3",
        weight_bound: object = None,
        networks: NetworkClass = PLAIN_RELU,
    ) -> None:
        if isinstance(law, Segment | Box):
            law = uniform_on(law)
        given = _read(target, law) if isinstance(target, str) else target
        chosen = given.default_law() if law is None else given.law_for(law)
        error = rational(accuracy, name="the accuracy")
        if error <= 0:
            raise HypothesisError(f"the accuracy is {error}; it must be positive")
        if norm not in NORMS:
            raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
        if weight_bound is not None:
            networks = replace(networks, weight_bound=_positive(weight_bound))
        if norm == "linf" and chosen.has_open_ends:
            raise HypothesisError(
                f"{chosen} has unbounded support, so the linf error "
                "would be a supremum over an unbounded set; use l1 or "
                "l2, or a law with bounded support",
                parameter="law",
            )
        given.check_law(chosen)
        given.check_defined(chosen.sides)
        given.check_means(chosen, norm)
        values = (
            ("target", given),
            ("law", chosen),
            ("norm", norm),
            ("accuracy", error),
            ("networks", networks),
        )
        for name, value in values:
            object.__setattr__(self, name, value)

    @property
    def weight_bound(self) -> fmpq | None:
        """Of every weight and bias of the networks."""
        return self.networks.weight_bound

    @property
    def is_weighted(self) -> bool:
        """Whether the error is a mean that weighs some inputs more."""
        return self.norm != "linf" and self.law.is_weighted

    @property
    def weight(self) -> AbstractDensityLaw | None:
        """The law of an input in an interval, where errors are weighed by it."""
        return self.law_as(AbstractDensityLaw) if self.is_weighted else None

    @property
    def interval(self) -> Segment:
        """Where the input lives, for problems on an interval.

        Raises:
            HypothesisError: the input has more than one dimension.
        """
        try:
            return self.law.interval
        except HypothesisError:
            where = (
                f"the law of the inputs of {self.target} is {self.law}, "
                "which is not a law on an interval"
            )
            raise HypothesisError(where) from None

    @property
    def sides(self) -> tuple[Segment, ...]:
        """An interval for each input, for problems on an interval or a box."""
        return self.law.sides

    @property
    def line_target(self) -> AbstractLineTarget:
        """The target, for problems on an interval; raises what `target_as` does."""
        return self.target_as(AbstractLineTarget)

    @property
    def exact_form(self) -> ExactForm | None:
        """The target on an interval, if errors to it are known exactly."""
        return None if self.is_weighted else self.line_target.exact_form()

    def target_as(self, kind: type[TargetT]) -> TargetT:
        """The target, for code that serves one kind of targets.

        Raises:
            KindError: it is of another kind.
        """
        if not isinstance(self.target, kind):
            raise KindError(f"{self.target} is not an instance of {kind.__name__}")
        return self.target

    def law_as(self, kind: type[LawT]) -> LawT:
        """The law, for code that serves one kind of laws.

        Raises:
            KindError: it is of another kind.
        """
        if not isinstance(self.law, kind):
            raise KindError(f"{self.law} is not of the kind {kind.__name__}")
        return self.law

    def to_json(self) -> dict[str, str]:
        """Text fields that `from_json` reads back exactly."""
        return {
            "target": self.target.text,
            "law": self.law.text,
            "norm": self.norm,
            "accuracy": text(self.accuracy),
            **self._networks_json(),
        }

    def _networks_json(self) -> dict[str, str]:
        """What is not as if nothing had been given."""
        networks, document = self.networks, dict[str, str]()
        if networks.weight_bound is not None:
            document["weight_bound"] = text(networks.weight_bound)
        if networks.units != RELU_UNITS:
            document["activation"] = networks.units.name
        return document | ({"skips": "any"} if networks.skips else {})

    @staticmethod
    def from_json(document: Mapping[str, object]) -> "Problem":
        """Read what `to_json` wrote."""
        missing = {"target", "law", "norm", "accuracy"} - set(document)
        if missing:
            raise HypothesisError(f"the problem lacks {', '.join(sorted(missing))}")
        law = law_from_text(str(document["law"]))
        return Problem(
            target_from_text(str(document["target"]), law.dimension),
            law,
            str(document["norm"]),
            document["accuracy"],
            document.get("weight_bound"),
            networks_from_text(document.get("activation"), document.get("skips")),
        )

    def __str__(self) -> str:
        bound = self.weight_bound
        weights = "" if bound is None else f", weights up to {readable(bound)}"
        units = self.networks.units
        kind = "" if units == RELU_UNITS else f", {units.words}"
        return (
            f"{self.target.words} on {self.law.words}, {self.norm} accuracy "
            f"{readable(self.accuracy)}{kind}{weights}"
        )


def _positive(weight_bound: object) -> fmpq:
    bound = rational(weight_bound, name="the weight bound")
    if bound <= 0:
        raise HypothesisError(f"the weight bound is {bound}; it must be positive")
    return bound


def _read(target: str, law: AbstractLaw | None) -> AbstractTarget:
    """A target from its text; spheres and radial ones take the dimension of the law."""
    named = target.startswith(("inner:", "radial:"))
    return target_from_text(target, law.dimension if named and law else None)
