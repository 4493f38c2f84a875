"""Problems as people write them: target, interval or law, norm, accuracy."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.laws import AbstractLaw, Box, Segment, law_from_text
from depthsep.problems._network_class import networks_from_text
from depthsep.problems._normalised import normalised_law
from depthsep.problems._problem import Problem
from depthsep.targets import Radial, target_from_text, value_in_dimension


def problem_from_text(
    target: str,
    on: str | None,
    norm: str,
    accuracy: str,
    dim: int | None = None,
    law: str | None = None,
    scale: str | None = None,
    weight_bound: str | None = None,
    activation: str = "relu",
    skips: str = "none",
) -> Problem:
    """The problem that texts describe, as on the command line and in study files.

    Raises:
        HypothesisError: what does not fit together, or cannot be read.
    """
    if on is not None and target.startswith("radial:"):
        target, on = f"{target} on {on.strip().strip('[]')}", None
    function = target_from_text(target, dim)
    found = getattr(function, "dim", function.in_dim)
    if dim is not None and found != dim:
        raise HypothesisError(
            f"`dim` is {dim}, but the dimension of {function} is {found}"
        )
    chosen: AbstractLaw | Segment | Box | None = domain_from_text(on)
    if law is not None or scale is not None:
        if on is not None:
            raise HypothesisError("give an interval (on), or a law or scale, not both")
        if isinstance(function, Radial):
            chosen = radial_law_from_text(function, law, scale)
        elif law is None or scale is not None:
            raise HypothesisError(
                "a scale applies only to targets radial:PROFILE, under the law phi2"
            )
        else:
            chosen = law_from_text(law)
    inputs = getattr(function, "dim", function.in_dim)
    bound = None if weight_bound is None else bound_from_text(weight_bound, inputs)
    networks = networks_from_text(activation, skips)
    return Problem(function, chosen, norm, accuracy, bound, networks)


def bound_from_text(written: str, dim: int) -> fmpq:
    """A positive number, or the value of a formula in the dimension d."""
    return value_in_dimension(written.replace("^", "**"), dim, name="weight_bound")


def radial_law_from_text(
    target: Radial, law: str | None, scale: str | None
) -> AbstractLaw:
    """The law of a radial target, scaled.

    A scale S: the law of S x. ``t=T``: |x| = 1 lies at the phase t = T. ``median``:
    half of the mass within |x| <= 1; ``target``: within the target's support.
    """
    if scale is None:
        return law_from_text(law or f"phi2:{target.dim}")
    if law is not None:
        raise HypothesisError(
            "give a scale or a law, not both; the law phi2:D:SCALE contains its scale"
        )
    if scale in ("median", "target"):
        return normalised_law(target, scale)
    return law_from_text(f"phi2:{target.dim}:{scale}")


def domain_from_text(written: str | None) -> Segment | Box | None:
    """The interval ``A,B``, the box ``A,B;C,D;...``; None if there is none."""
    if written is None:
        return None
    sides = [side.strip().strip("[]").split(",") for side in written.split(";")]
    if any(len(ends) != 2 for ends in sides):
        raise HypothesisError(
            f"the interval is {written[:40]!r}; give two numbers, such as 0,1, or two "
            'for each input, such as "0,1;-2,2"'
        )
    parts = [Segment(*ends) for ends in sides]
    return Box(parts) if len(parts) > 1 else parts[0]
