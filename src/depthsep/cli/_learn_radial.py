"""`depthsep learn radial`: three-layer mean-field networks on radial functions."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._learn_options import (
    checkpoint_option,
    radial_options,
    read_each,
    read_law,
    read_subspace,
    run_option,
)
from depthsep.cli._options import json_option, print_json, read_integers, refuse_unused
from depthsep.cli._separate import check_folder, share_and_line

if TYPE_CHECKING:
    from depthsep.dynamics import RadialRun, RadialTask, TwoLayerResult

Compared = tuple["RadialRun", Sequence["TwoLayerResult"]]


@click.command()
@radial_options
@run_option
@checkpoint_option
@json_option
def radial(
    dim: str,
    width: str,
    compare: str | None,
    compare_steps: int,
    compare_seeds: int,
    accuracy: str | None,
    run: str | None,
    checkpoint: float,
    as_json: bool,
    **options: Any,
) -> None:
    """relu(1 - |x|), or another radial function, by three-layer mean-field networks.

    \b
    depthsep learn radial --dim 32 --width 1024
    depthsep learn radial --dim 8 --width 64,256,1024 --solver heun
    depthsep learn radial --dim 4,8,16 --width 256 --compare parameters --accuracy 1/d

    Killed in the middle, the same command continues from its last checkpoint. A list
    of dimensions or widths makes one run each, and a figure over all of them.
    """
    dims = read_integers(dim, "--dim", 2, 10**6)
    widths = read_integers(width, "--width", 1, 10**9)
    check_folder(run)
    if not 0 <= checkpoint < float("inf"):
        raise HypothesisError(f"--checkpoint is {checkpoint}; give seconds from 0 on")
    if compare is None:
        refuse_unused("--compare", "compare_steps", "compare_seeds")
    tasks = [_task(d, m, options) for d, m in product(dims, widths)]
    if compare is not None:
        _check_compared(tasks)
    goals = [_accuracy(accuracy, t.dim) for t in tasks]
    budget = _budget(compare_steps, compare_seeds)
    places = [_place(run, task, len(tasks)) for task in tasks]
    _check_places(places, tasks)
    pairs, documents = [], []
    for task, place, goal in zip(tasks, places, goals, strict=True):
        pair = _one_run(task, place, checkpoint, compare, budget)
        pairs.append(pair)
        documents.append(_written(pair, place, goal))
    if len(tasks) > 1:
        _write_overview(places[0].parent, pairs, goals)
    if as_json:
        print_json(documents[0] if len(documents) == 1 else {"runs": documents})
        return
    for document in documents:
        _print(document)


def _task(dim: int, width: int, options: dict[str, Any]) -> "RadialTask":
    from depthsep.dynamics import RadialTask

    given = dict(options)
    given["law"] = read_law(given["law"], dim)
    given["subspace"] = read_subspace(given["subspace"])
    given["slope"] = read_each(given["slope"], "--slope")
    given["offset"] = read_each(given["offset"], "--offset")
    given["rates"] = (given.pop("first_rate"), given.pop("second_rate"))
    return RadialTask(dim, width, **given)


def _check_compared(tasks: list["RadialTask"]) -> None:
    from depthsep.dynamics import check_two_layer

    for task in tasks:
        check_two_layer(task)


def _identity(task: "RadialTask") -> str:
    from depthsep.dynamics import fingerprint

    return f"radial-{fingerprint(task.describe())}"


def _place(run: str | None, task: "RadialTask", count: int) -> Path:
    """The run's folder: the same command, the same folder."""
    name = f"radial-d{task.dim}-m{task.width}-s{task.seed}"
    if run is None:
        return Path("runs") / f"{name}-{_identity(task)[7:15]}"
    return Path(run) if count == 1 else Path(run) / name


def _check_places(places: list[Path], tasks: list["RadialTask"]) -> None:
    from depthsep.reports import check_run

    for place, task in zip(places, tasks, strict=True):
        check_run(place, _identity(task))


def _accuracy(written: str | None, dim: int) -> float | None:
    if written is None:
        return None
    from depthsep.exact import nearest_float
    from depthsep.targets import value_in_dimension

    value = value_in_dimension(written.replace("^", "**"), dim, name="--accuracy")
    if value <= 0:
        raise HypothesisError(f"--accuracy is {value} for d = {dim}; it is positive")
    return nearest_float(value)


def _budget(steps: int, seeds: int) -> Any:
    from depthsep.dynamics import TwoLayerBudget

    return TwoLayerBudget(steps=steps, seeds=seeds)


def _one_run(
    task: "RadialTask", place: Path, every: float, compare: str | None, budget: Any
) -> Compared:
    from depthsep.dynamics import learn_radial, learn_two_layer

    place.mkdir(parents=True, exist_ok=True)
    saved = place / "checkpoint.eqx"
    if saved.exists():
        click.echo(f"continuing from {saved}", err=True)
    with share_and_line(f"d = {task.dim}, width {task.width}") as progress:
        found = learn_radial(task, checkpoint=saved, every=every, progress=progress)
    if found.failure is not None:
        saved.unlink(missing_ok=True)
        if not any(place.iterdir()):
            place.rmdir()
        raise HypothesisError(f"d = {task.dim}, width {task.width}: {found.failure}")
    if compare is None:
        return found, ()
    width = _width_of_two_layers(task, compare, budget)
    with share_and_line(f"two layers of width {width}") as progress:
        return found, learn_two_layer(task, width, budget, progress=progress)


def _width_of_two_layers(task: "RadialTask", compare: str, budget: Any) -> int:
    from depthsep.dynamics import equal_compute, equal_parameters

    if compare == "parameters":
        return equal_parameters(task)
    return equal_compute(task, budget)


def _written(pair: Compared, place: Path, goal: float | None) -> dict[str, Any]:
    from depthsep.reports import (
        comparison_figure,
        radial_arrays,
        radial_document,
        radial_figures,
        write_run,
    )

    found, two = pair
    document = {"id": _identity(found.task)} | radial_document(found, two)
    document["run"] = str(place)
    if goal is not None:
        _judge(document, goal)
    figures = radial_figures(found)
    if two:
        goals = None if goal is None else [goal]
        figures["comparison"] = comparison_figure([pair], goals)
    write_run(place, document, radial_arrays(found), figures)
    return document


def _write_overview(
    folder: Path, pairs: list[Compared], goals: list[float | None]
) -> None:
    """Figures over several runs, in the folder that holds theirs."""
    from depthsep.reports import comparison_figure, save_figure, spread_figure

    dims = {run.task.dim for run, _ in pairs}
    if len(dims) == 1:
        save_figure(spread_figure([run for run, _ in pairs]), folder / "spread.svg")
    if all(two for _, two in pairs) and len(dims) == len(pairs):
        asked = [g for g in goals if g is not None]
        figure = comparison_figure(pairs, asked or None)
        save_figure(figure, folder / "comparison.svg")


def _judge(document: dict[str, Any], goal: float) -> None:
    """Whether each learner met the accuracy, an L2 error."""
    document["accuracy"] = goal
    document["meets"] = (2 * document["half_mse"]) ** 0.5 <= goal
    for row in document.get("two_layer", ()):
        row["meets"] = (2 * min(row["losses"])) ** 0.5 <= goal


def _print(document: dict[str, Any]) -> None:
    task = document["task"]
    error = document["half_mse_standard_error"]
    click.echo(
        f"d = {task['dim']}, width {task['width']}, law {task['law']}: half-MSE "
        f"{document['half_mse']:.4g} +- {error:.1g} on fresh directions "
        f"({document['half_mse_train']:.4g} on its own), {document['seconds']:.1f} s"
    )
    if document["alpha_infinite"] is None:
        click.echo(f"  no infinite-width curve: {document['inapplicable']}")
    else:
        click.echo(
            f"  alpha = c_d E|w|^2: {document['alpha']:.6g}; at infinite width "
            f"{document['alpha_infinite']:.6g} (taking the same steps "
            f"{document['alpha_infinite_same_steps']:.6g}), where the half-MSE is "
            f"{document['half_mse_infinite']:.3g}"
        )
    click.echo(
        f"  N = E(F/alpha - 1)^2, how far the first layer is from radial: "
        f"{document['n_initial']:.4g} -> {document['n_final']:.4g}"
    )
    for row in document.get("two_layer", ()):
        _print_two_layer(row)
    if "meets" in document:
        _print_verdict(document)
    if "two_layer_says" in document:
        click.echo(f"  {document['two_layer_says']}")
    click.echo(f"  wrote {document['run']}")


def _print_two_layer(row: dict[str, Any]) -> None:
    edge = ", at the edge of those tried" if row["at_edge"] else ""
    click.echo(
        f"  two layers of width {row['width']} by {row['optimiser']}: half-MSE "
        f"{min(row['losses']):.4g} (worst of {len(row['losses'])} seeds "
        f"{max(row['losses']):.4g}; rate {row['rate']:g}{edge}; fell by "
        f"{100 * row['falling']:.1f} % in the last fifth)"
    )


def _print_verdict(document: dict[str, Any]) -> None:
    met = "meet" if document["meets"] else "miss"
    line = f"  L2 accuracy {document['accuracy']:.4g}: three layers {met} it"
    rows = document.get("two_layer", ())
    if rows:
        names = ", ".join(r["optimiser"] for r in rows if r["meets"]) or "none"
        line += f"; of the optimisers of two layers: {names}"
    click.echo(line)
