"""`depthsep learn target`: ReLU networks of given depths, trained on any target."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click
import numpy as np
from matplotlib.figure import Figure

from depthsep._progress import followed
from depthsep.claims import Learned, TrainingPlan
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    check_folder,
    json_option,
    print_json,
    problem_options,
    read_depths,
    training_options,
)
from depthsep.cli._progress import waiting
from depthsep.cli.learn._options import run_option
from depthsep.dynamics import fingerprint, learn_target
from depthsep.exact import nearest_float
from depthsep.jobs import OF_NETWORKS
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.reports import check_run, learned_document, learned_figure, write_run


@click.command()
@partial(problem_options, without=OF_NETWORKS)
@click.option("--depths", default="2:4", show_default=True, metavar="A:B")
@training_options
@run_option
@json_option
def target(
    problem: Problem,
    plan: TrainingPlan,
    depths: str,
    run: str | None,
    as_json: bool,
) -> None:
    """Train ReLU networks of given depths on any TARGET.

    \b
    depthsep learn target sawtooth:3 --accuracy 0.1 --depths 2:5
    depthsep learn target square --accuracy 1e-3 --learn-widths 4,8,16
    """
    check_folder(run)

    chosen = read_depths(depths)
    asked: dict[str, object] = {
        "problem": problem.to_json(),
        "depths": list(chosen),
        "plan": vars(plan),
    }
    name = f"target-{fingerprint(asked)}"
    short = "".join(c if c.isalnum() else "-" for c in problem.target.text)[:40]
    place = Path(run or f"runs/target-{short}-s{plan.seed}-{name[7:15]}")
    check_run(place, name)
    found = _learned(problem, chosen, plan)
    document = learned_document(problem, plan, found)
    document |= {"id": name, "run": str(place)}
    arrays, figures = _target_files(
        problem, {d: r.network for d, r in found.items() if r.network is not None}
    )
    write_run(place, document, arrays, figures)
    if as_json:
        print_json(document)
        return
    _show(problem, found)
    echo(f"wrote {place}")


def _learned(problem: Problem, depths: range, plan: TrainingPlan) -> dict[int, Learned]:
    with waiting("depths"):
        steps = followed(depths, len(depths), "depths")
        return {depth: learn_target(problem, depth, plan) for depth in steps}


def _show(problem: Problem, found: dict[int, Learned]) -> None:
    echo(str(problem))
    echo("depth  width      error  rigour    meets the accuracy")
    for depth, r in found.items():
        widths = ", ".join(str(a.width) for a in r.tried)
        met = "yes" if r.met else f"no (widths tried: {widths})"
        echo(f"{depth:5d}  {r.width:5d}  {r.error:9.3g}  {r.rigour!s:8}  {met}")
    if not all(r.met for r in found.values()):
        echo("training may miss better networks, so a no proves nothing")


def _target_files(
    problem: Problem, networks: Mapping[int, Network]
) -> tuple[dict[str, np.ndarray], dict[str, Figure]]:
    """Weights by depth, and a picture on an interval."""
    arrays, figures = {}, {}
    for depth, network in networks.items():
        for k, layer in enumerate(network.layers, start=1):
            weight, bias = layer.as_floats
            arrays |= {f"depth{depth}_W{k}": weight, f"depth{depth}_b{k}": bias}
    if problem.law.setting == "line":
        on = problem.interval
        start, stop = nearest_float(on.start), nearest_float(on.stop)
        x = np.linspace(start, stop, 2001)
        curves = {f"depth {d}": n.floats(x[:, None])[:, 0] for d, n in networks.items()}
        figures["learned"] = learned_figure(x, problem.target.floats(x), curves)
    return arrays, figures
