"""Certified networks as closed statements for Rocq."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis import sign_changes
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import Expression, Square
from depthsep.witnesses.rocq._formula import formula
from depthsep.witnesses.rocq._numbers import filled, rational, real
from depthsep.witnesses.rocq._templates import TARGET, UPPER

MOST_CELLS = 2000


def rocq_upper(network: Network, problem: Problem) -> str:
    """A file that states and proves that a network is within the accuracy.

    Raises:
        HypothesisError: another norm than linf, or a target that is not x^2 or a
            formula that coq-interval knows, or too many pieces.
    """
    target, on = problem.target, problem.interval
    if problem.norm != "linf" or not isinstance(target, Square | Expression):
        raise HypothesisError(
            "files for Rocq are written only for x^2 and formulas, in linf"
        )
    cuts = [x for x, _ in sign_changes(network, on.start, on.stop)]
    if len(cuts) > MOST_CELLS:
        raise HypothesisError(
            "the network has too many pieces; a file for Rocq holds at "
            f"most {MOST_CELLS}"
        )
    given = {
        "layers": _layers(network),
        "out": _form(network, network.depth - 1, 0, "  "),
        "points": filled([rational(x) for x in cuts[1:-1]], "   "),
        "E": real(problem.accuracy),
        "a": real(on.start),
        "b": real(on.stop),
        "widths": "; ".join(map(str, network.widths)),
    }
    ends = " ".join(rational(x, argument=True) for x in (on.start, on.stop))
    if isinstance(target, Square):
        accuracy = rational(problem.accuracy, argument=True)
        return UPPER.format(
            **given,
            title=f"A network for x^2 at accuracy {given['E']}",
            modules="Network Certificate",
            target="",
            name="x^2",
            f="x ^ 2",
            proof=f"  apply (square_upper layers out {accuracy} {ends} points);\n"
            "    [vm_compute; reflexivity | unfold Q2R; simpl; lra ..].",
        )
    return UPPER.format(
        **given,
        title=f"A network for a formula at accuracy {given['E']}",
        modules="Network Certificate Formula",
        target=TARGET.format(text=formula(target)),
        name="the target",
        f="target x",
        proof=f"  eapply (formula_upper target layers out {ends} points);\n"
        "    [vm_compute; reflexivity | unfold Q2R; simpl; lra "
        "| unfold Q2R; simpl; lra |].\n"
        "  unfold target; fits_by_interval.",
    )


def _layers(network: Network) -> str:
    """Every unit of every hidden layer, over x and all earlier units."""
    return ";\n   ".join(
        "["
        + ";\n    ".join(_form(network, k, unit, "    ") for unit in range(width))
        + "]"
        for k, width in enumerate(network.widths)
    )


def _form(network: Network, layer: int, unit: int, indent: str) -> str:
    """Weights of x and all earlier units, 0 where there is no connection; a bias."""
    affine = network.layers[layer]
    w, b, scale = affine.integers
    skipped = 0 if layer == 0 else 1 + sum(network.widths[: layer - 1])
    numbers = [fmpq(0)] * skipped
    numbers += [fmpq(int(v), int(scale)) for v in w[unit]]
    weights = filled([rational(v) for v in numbers], indent + "  ")
    return f"([{weights}], {rational(fmpq(int(b[unit]), int(scale)))})"
