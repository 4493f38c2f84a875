"""`build`: one network, examined, with its certificate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import CertificationError, HypothesisError
from depthsep.analysis import Examination, certify, examine
from depthsep.claims import AbstractConstruction, Measure, SearchPlan, Upper
from depthsep.constructions import BY_NAME, CONSTRUCTIONS
from depthsep.evidence import Certificate, Inapplicable
from depthsep.exact import AbstractWeights, Format, text, weights_from_text
from depthsep.networks import Network, has_weights, leaky_slope, network_to_json
from depthsep.problems import Problem
from depthsep.separation._finite import check_target
from depthsep.separation._in_units import in_class, of_relus, rewritten_from
from depthsep.separation._table import versions
from depthsep.separation._upper import best_upper, with_search
from depthsep.separation._weights import is_far_off, rounded_network, roundings

DEPTHS = range(2, 9)
SHARES = (
    *(1, 1 - fmpq(1, 2**10), 1 - fmpq(1, 2**5)),
    *(fmpq(k, 8) for k in (7, 6, 5, 4, 2)),
)
"""Of the accuracy: errors of networks that are rounded, one by one."""


@dataclass(frozen=True)
class Built(Displayed):
    """A network whose claim the examiner has confirmed.

    Attributes:
        least: by which it was chosen among others.
        weights: which numbers its weights are: float64, float32, q4.12, int8.
        network: float64 weights where these meet the accuracy too, else rational ones.
        examination: what the examiner found about exactly this network.
        upper: the construction's record.
    """

    problem: Problem
    network: Network
    examination: Examination
    upper: Upper
    least: Measure = Measure.WIDTH
    weights: str = "float64"

    @property
    def error(self) -> fmpq:
        """The bound of the error that is proved; at most the problem's accuracy."""
        return self.examination.error.proved_bound(self.problem.accuracy)

    def certificate(self, network: dict[str, object] | None = None) -> Certificate:
        """The certificate; `network` may refer to a file instead of listing weights."""
        entry = network or network_to_json(self.network)
        source = str(self.upper.source)
        found = _written(self.problem, self.network, self.examination, entry, source)
        if self.weights == "float64":
            return found
        return replace(found, claim={**found.claim, "weights": self.weights})


def certificate_of(
    network: Network,
    problem: Problem,
    source: str = "",
    *,
    seconds: float = 60.0,
    arithmetic: Format | None = None,
    weights: str | None = None,
) -> Certificate:
    """Examine any network, and write down that it solves the problem.

    Args:
        source: where the network comes from, in words; readers see it.
        seconds: for branch and bound, where the examiner needs it.
        arithmetic: of a runtime: the claim then covers the rounding of every operation,
            in any order of summation, for every x of the format.
        weights: which numbers all weights and biases are, as for `build`.

    Raises:
        CertificationError: the error is above the accuracy, or that is not decided; a
            weight is none of these numbers.
        HypothesisError: `verify` could not read the problem, as for a law or target of
            one's own that is not in `LAWS` or `TARGETS`.
    """
    more: dict[str, object] = {}
    if weights is not None:
        if not has_weights(network, weights_from_text(weights)):
            raise CertificationError(
                f"some weights or biases of the network are not {weights} numbers"
            )
        more["weights"] = weights
    if arithmetic is not None:
        more["arithmetic"] = arithmetic.name
    found = certify(network, problem, seconds=seconds, arithmetic=arithmetic)
    entry = network_to_json(network)
    written = _written(problem, network, found, entry, source or "not said")
    return replace(written, claim={**written.claim, **more})


def _written(
    problem: Problem,
    network: Network,
    found: Examination,
    weights: dict[str, object],
    source: str,
) -> Certificate:
    document = problem.to_json()
    _check_readable(problem, document)
    return Certificate(
        problem=document,
        claim={
            "error": text(found.error.proved_bound(problem.accuracy)),
            "rigour": str(found.error.rigour),
            "widths": list(network.widths),
        },
        network=weights,
        source=source,
        versions=versions(),
    )


def _check_readable(problem: Problem, document: dict[str, str]) -> None:
    try:
        read = Problem.from_json(document)
    except HypothesisError as refusal:
        raise HypothesisError(
            f"a certificate of this problem could not be read back: {refusal}"
        ) from None
    for given, found in ((problem.target, read.target), (problem.law, read.law)):
        if type(given) is not type(found):
            raise HypothesisError(
                f"a certificate of this problem could not be read back: {given} would "
                f"be read as {type(found).__name__}, not {type(given).__name__}"
            )


def build(
    problem: Problem,
    *,
    depth: int | None = None,
    by: str | None = None,
    least: str | None = None,
    weights: str = "float64",
    seconds: float = 60.0,
    search: SearchPlan | None = None,
) -> Built:
    """The least network of this depth, or of depths 2 to 8.

    Where none of these is served: of the depth that suits a construction best.

    Args:
        by: the id of a construction, to ask no other.
        least: width, units or weights; width if a depth is given, units if none is.
        weights: which numbers weights are: float64, float32, fixed point such as q4.12
            (4 bits before the point, with the sign, and 12 behind it), or whole numbers
            such as int8 times a power of two for each layer. Examined is the rounded
            network: units are scaled, the read-out is fitted again, and networks of
            smaller errors are tried, down to a quarter, until one keeps the accuracy.
            In float64 weights stay rational where rounding spoils it.
        seconds: for branch and bound, where the examiner needs it.
        search: also search for a narrower network, in this way.

    Raises:
        HypothesisError: no construction serves the problem at this depth.
        TooLargeError: it does, but the network is too large to build.
        CertificationError: the examiner does not confirm the claim.
    """
    check_target(problem)
    measure = _measure(least, depth)
    asked = with_search(_asked(by), search, Inapplicable("not asked"))
    choose = partial(_chosen, depth=depth, asked=asked, seconds=seconds, least=measure)
    numbers = weights_from_text(weights)
    if weights != "float64":
        return _in_format(problem, choose, numbers, seconds, measure)
    return built_from(choose(problem), problem, seconds, measure)


def _measure(least: str | None, depth: int | None) -> Measure:
    if least is None:
        return Measure.UNITS if depth is None else Measure.WIDTH
    try:
        return Measure(least)
    except ValueError:
        raise HypothesisError(
            f"`least` is {least!r}; use {', '.join(Measure)}", parameter="least"
        ) from None


def built_from(
    upper: Upper,
    problem: Problem,
    seconds: float = 60.0,
    least: Measure = Measure.WIDTH,
) -> Built:
    """The network of a claim, examined; in float64 if that meets the accuracy too.

    Raises:
        TooLargeError, CertificationError: as `build` does.
    """
    network = upper.network
    found = certify(network, problem, seconds=seconds)
    double = weights_from_text("float64")
    rounded = rounded_network(network, double) if _is_rational(network) else None
    if rounded is not None:
        again = examine(rounded, problem, seconds=seconds)
        if isinstance(again, Examination) and again.error.is_at_most(problem.accuracy):
            network, found = rounded, again
    return Built(problem, network, found, upper, least)


def _is_rational(network: Network) -> bool:
    slopes = (leaky_slope(a) for a in network.activations)
    return not network.is_float or any(slope is not None for slope in slopes)


def _in_format(
    problem: Problem,
    choose: Callable[[Problem], Upper],
    numbers: AbstractWeights,
    seconds: float,
    least: Measure,
) -> Built:
    """The first network whose rounding keeps the accuracy."""
    is_in_range = False
    for share in SHARES:
        try:
            upper = choose(replace(problem, accuracy=problem.accuracy * share))
        except HypothesisError:
            if share == 1:
                raise
            continue
        for network in roundings(upper.network, problem, numbers):
            is_in_range = True
            if is_far_off(network, problem):
                continue
            found = examine(network, problem, seconds=seconds)
            if isinstance(found, Examination) and found.error.is_at_most(
                problem.accuracy
            ):
                return Built(problem, network, found, upper, least, numbers.name)
    if not is_in_range:
        raise HypothesisError(
            f"a weight or bias is beyond the range of {numbers.name}; "
            "build the network in float64"
        )
    raise CertificationError(
        f"with weights and biases rounded to {numbers.name}, no network was confirmed "
        "to meet the accuracy; allow a larger error, or build the network in float64"
    )


Constructions = Sequence[AbstractConstruction]


def _asked(by: str | None) -> Constructions:
    if by is None:
        return CONSTRUCTIONS
    known = (*CONSTRUCTIONS, *BY_NAME)
    chosen = [c for c in known if c.statement.id == by]
    if not chosen:
        names = ", ".join(c.statement.id for c in known)
        raise HypothesisError(
            f"there is no construction {by[:40]!r}; use one of {names}"
        )
    return chosen


def _chosen(
    problem: Problem,
    depth: int | None,
    asked: Constructions,
    seconds: float,
    least: Measure,
) -> Upper:
    if depth is not None and depth < 2:
        raise HypothesisError(
            f"the depth is {depth}; it must be 2 or more, as a network "
            "with one hidden layer has depth 2"
        )
    depths = DEPTHS if depth is None else [depth]
    relus, makers = of_relus(problem), rewritten_from(problem, asked)

    def best(d: int) -> Upper | Inapplicable:
        found = best_upper(relus, d, makers, seconds=seconds, least=least)
        return in_class(found, problem, d, seconds)

    answers = [best(d) for d in depths]
    if depth is None and not any(isinstance(a, Upper) for a in answers):
        natural = [c.natural_depth(problem) for c in asked]
        answers += [best(d) for d in sorted({d for d in natural if d})]
    found = [a for a in answers if isinstance(a, Upper)]
    if not found:
        reasons = {a.reason: None for a in answers if isinstance(a, Inapplicable)}
        by = f" by {asked[0].statement.id}" if len(asked) == 1 else ""
        raise HypothesisError(f"nothing was built{by}: {'; '.join(reasons)}")
    confirmed = [answer for answer in found if answer.checked]
    return min(confirmed or found, key=least.key)
