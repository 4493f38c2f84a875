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
        echo(f"  what was learned is a polygon, {gap:.3g} in L2 from the target")
    _show_limit(document)
    what = "N = E(F/alpha - 1)^2, how far the first layer is from radial"
    if task.get("subspace") is not None:
        what = "N = E(F - F~)^2 / E F~^2, F~ the mean over rotations that keep |A^T x|"
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
            f"  {found['law']}: the error is infinite, because a unit is "
            "unbounded and |x|^2 has no mean"
        )
        return
    error = found["half_mse_standard_error"]
    gap = (
        f", for a polygon {found['target_gap']:.3g} from the target"
        if found["target_gap"]
        else ""
    )
    echo(f"  {found['law']}: half-MSE {found['half_mse']:.4g} +- {error:.1g}{gap}")


def _show_limit(document: Document) -> None:
    if document["alpha_infinite"] is None:
        echo(f"  no infinite-width curve: {document['inapplicable']}")
        return
    echo(
        f"  alpha = c_d E|w|^2: {document['alpha']:.6g}; at infinite width "
        f"{document['alpha_infinite']:.6g} (taking the same steps "
        f"{document['alpha_infinite_same_steps']:.6g}), where the half-MSE is "
        f"{document['half_mse_infinite']:.3g}"
    )
    echo(
        f"  second layer: within {document['second_gap']:.2g} of infinite width at all "
        "times, taking the same steps"
    )


def _show_two_layers(row: Document) -> None:
    edge = ", at the edge of those tried" if row["at_edge"] else ""
    head = f"  two layers of width {row['width']} by {row['optimiser']}: "
    found = [loss for loss in row["losses"] if loss is not None]
    if not found or row["falling"] is None:
        echo(f"{head}diverged for some start at every rate")
        return
    stop = "stopped by its rule" if row["converged"] else "stopped by the budget"
    echo(
        f"{head}half-MSE {min(found):.4g} (worst of "
        f"{plural(len(row['losses']), 'seed')} {max(found):.4g}; rate "
        f"{row['rate']:g}{edge}; {plural(row['steps'], 'step')}, "
        f"{stop}; doubling the steps lowered it by "
        f"{100 * row['falling']:.1f} %)"
    )


def _show_verdict(document: Document) -> None:
    met = "meet" if document["meets"] else "miss"
    line = f"  L2 accuracy {document['accuracy']:.4g}: three layers {met} it"
    rows = document.get("two_layer", ())
    if rows:
        names = ", ".join(r["optimiser"] for r in rows if r["meets"]) or "none"
        line += f"; of the optimisers of two layers, by their best seed: {names}"
    echo(line)
