"""`depthsep learn`: what gradient descent finds."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._learn_options import (
    radial_options,
    read_each,
    read_subspace,
    run_option,
)
from depthsep.cli._options import (
    json_option,
    print_json,
    problem_options,
    read_depths,
    read_integers,
    read_plan,
    read_problem,
    training_options,
)
from depthsep.cli._separate import check_folder, share_and_line

if TYPE_CHECKING:
    from depthsep.dynamics import RadialRun, RadialTask, TwoLayerResult
    from depthsep.problems import Problem

Compared = tuple["RadialRun", Sequence["TwoLayerResult"]]


@click.group()
def learn() -> None:
    """Train networks and lay what training finds beside what is proven.

    Training proves nothing: every number here is sampled.
    """


@learn.command()
@radial_options
@run_option
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

    Killed in the middle, the same command continues from its last checkpoint.
    """
    dims = read_integers(dim, "--dim", 1, 10**6)
    widths = read_integers(width, "--width", 1, 10**9)
    check_folder(run)
    tasks = [_task(d, m, options) for d, m in product(dims, widths)]
    goals = None if accuracy is None else [_accuracy(accuracy, t.dim) for t in tasks]
    budget = _budget(compare_steps, compare_seeds) if compare else None
    places = [_place(run, task, len(tasks)) for task in tasks]
    pairs, documents = [], []
    for task, place in zip(tasks, places, strict=True):
        pair = _one_run(task, place, checkpoint, compare, budget)
        pairs.append(pair)
        documents.append(_written(pair, place))
    if len(tasks) > 1:
        _write_overview(places[0].parent, pairs, goals, documents)
    for document, goal in zip(documents, goals or [None] * len(tasks), strict=True):
        if goal is not None:
            _judge(document, goal)
    if as_json:
        print_json(documents[0] if len(documents) == 1 else {"runs": documents})
        return
    for document in documents:
        _print_radial(document)


@learn.command()
@click.option("--data", default="synthetic", show_default=True, metavar="NAME")
@click.option("--power", default=4, show_default=True, help="p of the l_p loss.")
@click.option("--depths", default="1,2,3", show_default=True, metavar="N1,N2,...")
@click.option("--steps", default=4000, show_default=True)
@click.option("--seed", default=0, show_default=True)
@run_option
@json_option
def linear(
    data: str,
    power: int,
    depths: str,
    steps: int,
    seed: int,
    run: str | None,
    checkpoint: float,
    as_json: bool,
) -> None:
    """Linear regression by products of layers: does depth speed up descent?

    NAME is synthetic (condition number 100) or diabetes, which comes with scikit-learn.
    Every method runs at 41 rates and is shown at its best.
    """
    check_folder(run)
    from depthsep.dynamics import AccelerationPlan, accelerate, regression
    from depthsep.reports import acceleration_document, acceleration_figure, write_run

    chosen = read_integers(depths, "--depths", 1, 12)
    plan = AccelerationPlan(power=power, depths=chosen, steps=steps, seed=seed)
    with share_and_line("methods") as progress:
        result = accelerate(regression(data, seed=seed), plan, progress=progress)
    document = acceleration_document(result)
    place = Path(run or f"runs/linear-{data}-l{power}-s{seed}")
    document["run"] = str(place)
    arrays = {m.method: m.losses for m in result.methods} | {"steps": result.steps}
    write_run(place, document, arrays, {"losses": acceleration_figure(result)})
    if as_json:
        print_json(document)
        return
    click.echo(
        f"l_{power} regression on {data}, {steps} steps, least loss "
        f"{result.best_loss:.6g}"
    )
    heads = "".join(f"{f'to {100 * (t - 1):g} %':>12}" for t in plan.targets)
    click.echo(f"{'':12}{'rate':>10}{'loss':>14}{heads}")
    for m in result.methods:
        steps_to = "".join(f"{'never' if t < 0 else t:>12}" for t in m.steps_to)
        click.echo(f"{m.method:12}{m.rate:>10.2g}{m.losses[-1]:>14.6g}{steps_to}")
    click.echo(result.verdict())
    click.echo(f"wrote {place}")


@learn.command()
@problem_options
@click.option("--depths", default="2:4", show_default=True, metavar="A:B")
@training_options
@click.option("--seed", default=0, show_default=True)
@run_option
@json_option
def target(
    target: str,
    on: str | None,
    dim: int | None,
    law: str | None,
    scale: str | None,
    weight_bound: str | None,
    norm: str,
    accuracy: str,
    depths: str,
    learn_widths: str | None,
    learn_steps: int,
    learn_restarts: int,
    seed: int,
    run: str | None,
    checkpoint: float,
    as_json: bool,
) -> None:
    """Any TARGET by ReLU networks of given depths; on an interval measured exactly.

    \b
    depthsep learn target sawtooth:3 --accuracy 0.1 --depths 2:5
    depthsep learn target square --accuracy 1e-3 --learn-widths 4,8,16
    """
    check_folder(run)
    from depthsep.dynamics import learn_target
    from depthsep.reports import write_run

    if weight_bound is not None:
        raise HypothesisError("training keeps to no --weight-bound; leave it out")
    problem = read_problem(target, on, norm, accuracy, dim, law, scale)
    chosen = read_depths(depths)
    plan = read_plan(learn_widths, learn_steps, learn_restarts, seed)
    found = {}
    with share_and_line("depths") as progress:
        for k, depth in enumerate(chosen):
            step = _part(progress, k, len(chosen))
            found[depth] = learn_target(problem, depth, plan, progress=step)
    rows = [{"depth": d, **r.to_json()} for d, r in found.items()]
    name = "".join(c if c.isalnum() else "-" for c in problem.target.text)[:40]
    place = Path(run or f"runs/target-{name}-{norm}-s{seed}")
    document = {"problem": problem.to_json(), "rows": rows, "run": str(place)}
    arrays, figures = _target_files(problem, {d: r.network for d, r in found.items()})
    write_run(place, document, arrays, figures)
    if as_json:
        print_json(document)
        return
    click.echo(str(problem))
    click.echo("depth  width      error  rigour    meets the accuracy")
    for depth, r in found.items():
        met = (
            "yes"
            if r.met
            else f"no, of widths {', '.join(str(a.width) for a in r.tried)}"
        )
        click.echo(f"{depth:5d}  {r.width:5d}  {r.error:9.3g}  {r.rigour!s:8}  {met}")
    click.echo("what training misses may exist: this proves nothing")
    click.echo(f"wrote {place}")


def _task(dim: int, width: int, options: dict[str, Any]) -> "RadialTask":
    from depthsep.dynamics import RadialTask

    given = dict(options)
    law = given.pop("law")
    given["law"] = law.replace("D", str(dim)) if law else None
    given["subspace"] = read_subspace(given["subspace"])
    given["slope"] = read_each(given["slope"], "--slope")
    given["offset"] = read_each(given["offset"], "--offset")
    given["rates"] = (given.pop("first_rate"), given.pop("second_rate"))
    return RadialTask(dim, width, **given)


def _place(run: str | None, task: "RadialTask", count: int) -> Path:
    """The run's folder: the same command, the same folder."""
    from depthsep.dynamics import fingerprint

    name = f"radial-d{task.dim}-m{task.width}-s{task.seed}"
    if run is None:
        return Path("runs") / f"{name}-{fingerprint(task.describe())[:8]}"
    return Path(run) if count == 1 else Path(run) / name


def _accuracy(written: str, dim: int) -> float:
    from depthsep.targets import value_in_dimension

    value = value_in_dimension(written.replace("^", "**"), dim, name="--accuracy")
    return float(value.p) / float(value.q)


def _budget(steps: int, seeds: int) -> Any:
    from depthsep.dynamics import TwoLayerBudget

    return TwoLayerBudget(steps=steps, seeds=seeds)


def _one_run(
    task: "RadialTask", place: Path, every: float, compare: str | None, budget: Any
) -> Compared:
    from depthsep.dynamics import (
        equal_compute,
        equal_parameters,
        learn_radial,
        learn_two_layer,
    )

    place.mkdir(parents=True, exist_ok=True)
    with share_and_line(f"d = {task.dim}, width {task.width}") as progress:
        found = learn_radial(
            task, checkpoint=place / "checkpoint.eqx", every=every, progress=progress
        )
    if found.failure is not None:
        raise HypothesisError(f"d = {task.dim}, width {task.width}: {found.failure}")
    if compare is None:
        return found, ()
    width = (
        equal_parameters(task)
        if compare == "parameters"
        else equal_compute(task, budget)
    )
    with share_and_line(f"two layers of width {width}") as progress:
        return found, learn_two_layer(task, width, budget, progress=progress)


def _written(pair: Compared, place: Path) -> dict[str, Any]:
    from depthsep.reports import (
        comparison_figure,
        radial_arrays,
        radial_document,
        radial_figures,
        write_run,
    )

    found, two = pair
    document = radial_document(found, two) | {"run": str(place)}
    figures = radial_figures(found)
    if two:
        figures["comparison"] = comparison_figure([pair])
    write_run(place, document, radial_arrays(found), figures)
    return document


def _write_overview(
    folder: Path, pairs: list[Compared], goals: Any, documents: list[dict[str, Any]]
) -> None:
    """Figures over several runs, in the folder that holds theirs."""
    from depthsep.reports import comparison_figure, save_figure, spread_figure

    dims = {run.task.dim for run, _ in pairs}
    if len(dims) == 1:
        save_figure(spread_figure([run for run, _ in pairs]), folder / "spread.svg")
    if all(two for _, two in pairs) and len(dims) == len(pairs):
        save_figure(comparison_figure(pairs, goals), folder / "comparison.svg")


def _judge(document: dict[str, Any], goal: float) -> None:
    """Whether each learner met the accuracy, an L2 error."""
    document["accuracy"] = goal
    document["meets"] = (2 * document["half_mse"]) ** 0.5 <= goal
    for row in document.get("two_layer", ()):
        row["meets"] = (2 * min(row["losses"])) ** 0.5 <= goal


def _print_radial(document: dict[str, Any]) -> None:
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
            f"  alpha {document['alpha']:.6g}; infinite width "
            f"{document['alpha_infinite']:.6g}, by the same steps "
            f"{document['alpha_infinite_same_steps']:.6g}, half-MSE "
            f"{document['half_mse_infinite']:.3g}"
        )
    click.echo(f"  N {document['n_initial']:.4g} -> {document['n_final']:.4g}")
    for row in document.get("two_layer", ()):
        edge = ", at the edge of the rates" if row["at_edge"] else ""
        click.echo(
            f"  two layers of width {row['width']} by {row['optimiser']}: "
            f"{min(row['losses']):.4g} to {max(row['losses']):.4g} (rate "
            f"{row['rate']:g}{edge}; still falling by {100 * row['falling']:.1f} %)"
        )
    if "meets" in document:
        others = [r for r in document.get("two_layer", ()) if r["meets"]]
        names = ", ".join(r["optimiser"] for r in others) or "none"
        met = "meets" if document["meets"] else "misses"
        click.echo(
            f"  L2 accuracy {document['accuracy']:.4g}: three layers {met} it; of two "
            f"layers: {names}"
        )
    if "two_layer_says" in document:
        click.echo(f"  {document['two_layer_says']}")
    click.echo(f"  wrote {document['run']}")


def _part(
    progress: Callable[[float, str], None] | None, done: int, count: int
) -> Callable[[float, str], None] | None:
    if progress is None:
        return None
    return lambda share, line: progress((done + share) / count, line)


def _target_files(problem: "Problem", networks: dict[int, Any]) -> tuple[Any, Any]:
    """Weights by depth, and a picture on an interval."""
    import numpy as np

    from depthsep.laws import Uniform
    from depthsep.reports import learned_figure

    arrays, figures = {}, {}
    for depth, network in networks.items():
        for k, layer in enumerate(network.layers, start=1):
            weight, bias = layer.as_floats
            arrays |= {f"depth{depth}_W{k}": weight, f"depth{depth}_b{k}": bias}
    law = problem.law
    if isinstance(law, Uniform):
        start, stop = (float(x.p) / float(x.q) for x in (law.start, law.stop))
        x = np.linspace(start, stop, 2001)
        curves = {f"depth {d}": n.floats(x[:, None])[:, 0] for d, n in networks.items()}
        figures["learned"] = learned_figure(x, problem.target.floats(x), curves)
    return arrays, figures
