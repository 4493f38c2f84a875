"""The lines that `depthsep learn radial` prints about a run.

A loss that is not finite is None there.
"""

from collections.abc import Sequence

from depthsep._plural import plural
from depthsep.cli._echo import echo
from depthsep.reports import Document


def judge(document: Document, goal: float) -> None:
    """Whether each learner met the accuracy, an L2 error."""
    document["accuracy"] = goal
    gap = document.get("target_gap", 0.0)  # against the three layers, for the two
    document["meets"] = _meets(document["half_mse"], goal - gap)
    for row in document.get("two_layer", ()):
        row["meets"] = _meets(_least(row["losses"]), goal + gap)


def _meets(loss: float | None, goal: float) -> bool:
    return loss is not None and (2 * loss) ** 0.5 <= goal


def _least(losses: Sequence[float | None]) -> float | None:
    return min((x for x in losses if x is not None), default=None)


def show_radial(document: Document) -> None:
    """Print a run."""
    task = document["task"]
    error = document["half_mse_standard_error"]
    echo(
        f"d = {task['dim']}, width {task['width']}, law {task['law']}: "
        f"half-MSE {document['half_mse']:.4g} +- {error:.1g} on fresh "
        f"directions ({document['half_mse_train']:.4g} on the training "
        f"directions), {document['seconds']:.1f} s"
    )
    if "target_gap" in document:
        gap = document["target_gap"]
        echo(
            "  the networks learn a piecewise linear function of |x|; "
            f"its L2 distance from the target is {gap:.3g}"
        )
    _show_limit(document)
    what = (
        "N = E(F/alpha - 1)^2 over unit vectors, where F is the output "
        "of the first layer and alpha its mean: how far the first "
        "layer is from a radial one, at the start and at the end"
    )
    if task.get("subspace") is not None:
        what = (
            "N = E(F - F~)^2 / E F~^2, where F is the output of the "
            "first layer and F~ its mean over the rotations that keep "
            "|A^T x|, the length of the part of x that the target sees"
        )
    echo(f"  {what}: {document['n_initial']:.4g} -> {document['n_final']:.4g}")
    for row in document.get("two_layer", ()):
        _show_two_layers(row)
    if "measured" in document:
        _show_measured(document["measured"])
    if "meets" in document:
        _show_verdict(document)
    if "two_layer_says" in document:
        echo(f"  {document['two_layer_says']}")
    echo(f"  wrote {document['run']}")


def _show_measured(found: Document) -> None:
    if found["half_mse"] is None:
        echo(
            f"  under {found['law']} the error is infinite, because a unit of the "
            "second layer is unbounded and the mean of |x|^2 is infinite"
        )
        return
    error = found["half_mse_standard_error"]
    gap = (
        (
            ", measured against a piecewise linear function of |x| whose distance "
            f"from the target is {found['target_gap']:.3g}"
        )
        if found["target_gap"]
        else ""
    )
    echo(
        f"  under {found['law']}: half-MSE {found['half_mse']:.4g} +- {error:.1g}{gap}"
    )


def _show_limit(document: Document) -> None:
    if document["alpha_infinite"] is None:
        echo(f"  no infinite-width curve: {document['inapplicable']}")
        return
    echo(
        "  alpha, the mean output of the first layer over unit vectors, is "
        f"{document['alpha']:.6g}; at infinite width it is "
        f"{document['alpha_infinite_same_steps']:.6g} with the same steps and "
        f"{document['alpha_infinite']:.6g} in continuous time, where the half-MSE is "
        f"{document['half_mse_infinite']:.3g}"
    )
    echo(
        "  at all recorded times the slopes and offsets of the second "
        f"layer are within {document['second_gap']:.2g} of those at "
        "infinite width with the same steps"
    )


def _show_two_layers(row: Document) -> None:
    edge = ", at the end of the range tried" if row["at_edge"] else ""
    head = f"  two layers of width {row['width']} by {row['optimiser']}: "
    found = [loss for loss in row["losses"] if loss is not None]
    if not found or row["falling"] is None:
        echo(f"{head}at every rate, training diverged for at least one start")
        return
    diverged = len(row["losses"]) - len(found)
    lost = f"; {plural(diverged, 'more seed')} diverged" if diverged else ""
    stop = (
        "stopped by its stopping rule" if row["converged"] else "stopped by the budget"
    )
    echo(
        f"{head}half-MSE {min(found):.4g} for the best of "
        f"{plural(len(found), 'seed')}, {max(found):.4g} for the worst{lost} (rate "
        f"{row['rate']:g}{edge}; {plural(row['steps'], 'step')}, {stop}; doubling the "
        f"steps lowered the validation half-MSE by {100 * row['falling']:.1f} %)"
    )


def _show_verdict(document: Document) -> None:
    met = "meet" if document["meets"] else "miss"
    line = f"  L2 accuracy {document['accuracy']:.4g}: three layers {met} it"
    rows = document.get("two_layer", ())
    if rows:
        names = ", ".join(r["optimiser"] for r in rows if r["meets"]) or "none"
        line += f"; two-layer optimisers whose best seed meets it: {names}"
    echo(line)
