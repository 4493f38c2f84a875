"""`depthsep learn`: what gradient descent finds."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._learn_options import run_option
from depthsep.cli._learn_radial import radial
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
    from depthsep.problems import Problem


@click.group()
def learn() -> None:
    """Train networks, and lay what training finds beside what is proven.

    That training finds no better network proves nothing. What it finds is measured:
    on an interval exactly, else by fresh samples.
    """


learn.add_command(radial)


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
    as_json: bool,
) -> None:
    """Linear regression by products of layers: does depth speed up descent?

    NAME is synthetic (condition number 100) or diabetes, which comes with scikit-learn.
    Every method runs at 41 rates and is shown at its best.
    """
    check_folder(run)
    from depthsep.dynamics import AccelerationPlan, accelerate, regression
    from depthsep.reports import (
        acceleration_document,
        acceleration_figure,
        check_run,
        write_run,
    )

    chosen = read_integers(depths, "--depths", 1, 12)
    plan = AccelerationPlan(power=power, depths=chosen, steps=steps, seed=seed)
    layers = "-".join(map(str, chosen))
    name = f"linear-{data}-l{power}-n{layers}-t{steps}-s{seed}"
    place = Path(run or f"runs/{name}")
    check_run(place, name)
    with share_and_line("methods") as progress:
        result = accelerate(regression(data, seed=seed), plan, progress=progress)
    document = acceleration_document(result)
    document |= {"id": name, "run": str(place)}
    arrays = {m.method: m.losses for m in result.methods} | {"steps": result.steps}
    write_run(place, document, arrays, {"losses": acceleration_figure(result)})
    if as_json:
        print_json(document)
        return
    click.echo(
        f"l_{power} regression on {data}, {steps} steps, least loss "
        f"{result.best_loss:.6g}"
    )
    heads = "".join(f"{f'+{100 * (t - 1):g} %':>12}" for t in plan.targets)
    click.echo(
        "rate with the least loss at the end, and that loss; steps until the loss "
        "stays within a share of the least, each at its own best rate"
    )
    click.echo(f"{'':12}{'rate':>10}{'loss':>14}{heads}")
    for m in result.methods:
        steps_to = "".join(f"{'never' if t < 0 else t:>12}" for t in m.steps_to)
        edge = "   at the edge of the rates tried" if m.at_edge else ""
        click.echo(f"{m.method:12}{m.rate:>10.2g}{m.losses[-1]:>14.6g}{steps_to}{edge}")
    click.echo(f"{result.verdict()} (this data, this start, these rates)")
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
    as_json: bool,
) -> None:
    """Any TARGET by ReLU networks of given depths; on an interval measured exactly.

    \b
    depthsep learn target sawtooth:3 --accuracy 0.1 --depths 2:5
    depthsep learn target square --accuracy 1e-3 --learn-widths 4,8,16
    """
    check_folder(run)
    from depthsep.dynamics import fingerprint, learn_target
    from depthsep.reports import check_run, write_run

    if weight_bound is not None:
        raise HypothesisError("training keeps to no --weight-bound; leave it out")
    problem = read_problem(target, on, norm, accuracy, dim, law, scale)
    chosen = read_depths(depths)
    plan = read_plan(learn_widths, learn_steps, learn_restarts, seed)
    asked = {"problem": problem.to_json(), "depths": list(chosen), "plan": vars(plan)}
    name = f"target-{fingerprint(asked)}"
    short = "".join(c if c.isalnum() else "-" for c in problem.target.text)[:40]
    place = Path(run or f"runs/target-{short}-s{seed}-{name[7:15]}")
    check_run(place, name)
    found = {}
    with share_and_line("depths") as progress:
        for k, depth in enumerate(chosen):
            step = _part(progress, k, len(chosen))
            found[depth] = learn_target(problem, depth, plan, progress=step)
    rows = [{"depth": d, **r.to_json()} for d, r in found.items()]
    document = {"id": name, "problem": problem.to_json(), "rows": rows}
    document["run"] = str(place)
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


def _part(
    progress: Callable[[float, str], None] | None, done: int, count: int
) -> Callable[[float, str], None] | None:
    if progress is None:
        return None
    return lambda share, line: progress((done + share) / count, line)


def _target_files(problem: "Problem", networks: dict[int, Any]) -> tuple[Any, Any]:
    """Weights by depth, and a picture on an interval."""
    import numpy as np

    from depthsep.exact import nearest_float
    from depthsep.laws import Uniform
    from depthsep.reports import learned_figure

    arrays, figures = {}, {}
    for depth, network in networks.items():
        for k, layer in enumerate(network.layers, start=1):
            weight, bias = layer.as_floats
            arrays |= {f"depth{depth}_W{k}": weight, f"depth{depth}_b{k}": bias}
    law = problem.law
    if isinstance(law, Uniform):
        start, stop = (nearest_float(x) for x in (law.start, law.stop))
        x = np.linspace(start, stop, 2001)
        curves = {f"depth {d}": n.floats(x[:, None])[:, 0] for d, n in networks.items()}
        figures["learned"] = learned_figure(x, problem.target.floats(x), curves)
    return arrays, figures
