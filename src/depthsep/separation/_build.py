"""`build`: one network, examined, with its certificate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import CertificationError, HypothesisError
from depthsep.analysis import Examination, certify, examine
from depthsep.claims import AbstractConstruction, Measure, SearchPlan, Upper
from depthsep.constructions import BY_NAME, CONSTRUCTIONS
from depthsep.evidence import Certificate, Inapplicable
from depthsep.exact import Format, nearest_float, text
from depthsep.networks import (
    Activation,
    Affine,
    Network,
    leaky_relu,
    leaky_slope,
    network_to_json,
)
from depthsep.problems import Problem
from depthsep.separation._finite import check_target
from depthsep.separation._in_units import in_class, of_relus, rewritten_from
from depthsep.separation._table import versions
from depthsep.separation._upper import best_upper, with_search

DEPTHS = range(2, 9)
Kind = Literal["float64", "float32"]
SHARES = (1, 1 - fmpq(1, 2**10), 1 - fmpq(1, 2**5), fmpq(3, 4), fmpq(1, 2))
"""Of the accuracy: errors of networks that are rounded to float32, one by one."""


@dataclass(frozen=True)
class Built(Displayed):
    """A network whose claim the examiner has confirmed.

    Attributes:
        least: by which it was chosen among others.
        kind: of numbers that its weights are rounded to: float64 or float32.
        network: float64 weights where these meet the accuracy too, else rational ones.
        examination: what the examiner found about exactly this network.
        upper: the construction's record.
    """

    problem: Problem
    network: Network
    examination: Examination
    upper: Upper
    least: Measure = Measure.WIDTH
    kind: Kind = "float64"

    @property
    def error(self) -> fmpq:
        """The bound of the error that is proved; at most the problem's accuracy."""
        return self.examination.error.proved_bound(self.problem.accuracy)

    def certificate(self, network: dict[str, object] | None = None) -> Certificate:
        """The certificate; `network` may refer to a file instead of listing weights."""
        weights = network or network_to_json(self.network)
        source = str(self.upper.source)
        return _written(self.problem, self.network, self.examination, weights, source)


def certificate_of(
    network: Network,
    problem: Problem,
    source: str = "",
    *,
    seconds: float = 60.0,
    arithmetic: Format | None = None,
) -> Certificate:
    """Examine any network, and write down that it solves the problem.

    Args:
        source: where the network comes from, in words; readers see it.
        seconds: for branch and bound, where the examiner needs it.
        arithmetic: of a runtime: the claim then covers the rounding of every operation,
            in any order of summation, for every x of the format.

    Raises:
        CertificationError: the error is above the accuracy, or that is not decided.
        HypothesisError: `verify` could not read the problem, as for a law or target of
            one's own that is not in `LAWS` or `TARGETS`.
    """
    found = certify(network, problem, seconds=seconds, arithmetic=arithmetic)
    weights = network_to_json(network)
    written = _written(problem, network, found, weights, source or "not said")
    if arithmetic is None:
        return written
    return replace(written, claim={**written.claim, "arithmetic": arithmetic.name})


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
    kind: Kind = "float64",
    seconds: float = 60.0,
    search: SearchPlan | None = None,
) -> Built:
    """The least network of this depth, or of depths 2 to 8.

    Where none of these is served: of the depth that suits a construction best.

    Args:
        by: the id of a construction, to ask no other.
        least: width, units or weights; width if a depth is given, units if none is.
        kind: what weights are rounded to; what is examined is the rounded network. If
            rounding to float32 spoils the accuracy, networks of smaller errors are
            tried, up to half of it. In float64 weights stay rational in such a case.
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
    if kind == "float32":
        return _in_float32(problem, choose, seconds, measure)
    if kind != "float64":
        raise HypothesisError(f"kind is {kind!r}; use float64 or float32")
    return built_from(choose(problem), problem, seconds, measure)


def _measure(least: str | None, depth: int | None) -> Measure:
    if least is None:
        return Measure.UNITS if depth is None else Measure.WIDTH
    try:
        return Measure(least)
    except ValueError:
        raise HypothesisError(
            f"least is {least!r}; use {', '.join(Measure)}", parameter="least"
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
    rounded = _rounded(network) if _is_rational(network) else None
    if rounded is not None:
        again = examine(rounded, problem, seconds=seconds)
        if isinstance(again, Examination) and again.error.is_at_most(problem.accuracy):
            network, found = rounded, again
    return Built(problem, network, found, upper, least)


def _is_rational(network: Network) -> bool:
    slopes = (leaky_slope(a) for a in network.activations)
    return not network.is_float or any(slope is not None for slope in slopes)


def _in_float32(
    problem: Problem,
    choose: Callable[[Problem], Upper],
    seconds: float,
    least: Measure,
) -> Built:
    """The first network whose rounding to float32 keeps the accuracy."""
    for share in SHARES:
        upper = choose(replace(problem, accuracy=problem.accuracy * share))
        network = _rounded(upper.network, np.float32)
        if network is None:
            raise HypothesisError(
                "a weight is beyond the largest float32; build it in float64"
            )
        found = examine(network, problem, seconds=seconds)
        if isinstance(found, Examination) and found.error.is_at_most(problem.accuracy):
            return Built(problem, network, found, upper, least, "float32")
    raise CertificationError(
        "weights in float32 do not keep the accuracy; allow a larger error, or build "
        "it in float64"
    )


Constructions = Sequence[AbstractConstruction]


def _asked(by: str | None) -> Constructions:
    if by is None:
        return CONSTRUCTIONS
    known = (*CONSTRUCTIONS, *BY_NAME)
    chosen = [c for c in known if c.statement.id == by]
    if not chosen:
        names = ", ".join(c.statement.id for c in known)
        raise HypothesisError(f"no construction {by[:40]!r}; there are {names}")
    return chosen


def _chosen(
    problem: Problem,
    depth: int | None,
    asked: Constructions,
    seconds: float,
    least: Measure,
) -> Upper:
    if depth is not None and depth < 2:
        raise HypothesisError(f"depth {depth}: a network with hidden layers needs 2")
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


def _rounded(network: Network, kind: type[np.floating] = np.float64) -> Network | None:
    """With weights and slopes of that kind; None if some are beyond its range."""
    layers: list[Affine] = []
    for layer in network.layers:
        with np.errstate(over="ignore"):
            weight, bias = (a.astype(kind).astype(float) for a in layer.as_floats)
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            return None
        layers.append(Affine(weight, bias))
    return Network(layers, [_rounded_slope(a, kind) for a in network.activations])


def _rounded_slope(activation: Activation, kind: type[np.floating]) -> Activation:
    slope = leaky_slope(activation)
    if slope is None:
        return activation
    return leaky_relu(float(kind(nearest_float(slope))))
