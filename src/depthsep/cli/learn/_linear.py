"""`depthsep learn linear`: the acceleration experiment on deep linear networks."""

from pathlib import Path

import click

from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, options, print_json, read_integers
from depthsep.cli._progress import waiting
from depthsep.cli._separate import check_folder
from depthsep.cli.learn._options import run_option
from depthsep.dynamics import (
    Acceleration,
    AccelerationPlan,
    accelerate,
    regression,
)
from depthsep.jobs import LINEAR, SEED
from depthsep.reports import (
    acceleration_document,
    acceleration_figure,
    check_run,
    write_run,
)


@click.command()
@options((*LINEAR, SEED))
@click.option("--depths", default="1,2,3", show_default=True, metavar="N1,N2,...")
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

    Data are synthetic (condition number 100) or diabetes, which needs scikit-learn.
    Every method runs at 41 rates and is shown at its best.
    """
    check_folder(run)

    chosen = read_integers(depths, "--depths", 1, 12)
    plan = AccelerationPlan(power=power, depths=chosen, steps=steps, seed=seed)
    layers = "-".join(map(str, chosen))
    name = f"linear-{data}-l{power}-n{layers}-t{steps}-s{seed}"
    place = Path(run or f"runs/{name}")
    check_run(place, name)
    with waiting("methods"):
        result = accelerate(regression(data, seed=seed), plan)
    document = acceleration_document(result)
    document |= {"id": name, "run": str(place)}
    arrays = {m.method: m.losses for m in result.methods} | {"steps": result.steps}
    write_run(place, document, arrays, {"losses": acceleration_figure(result)})
    if as_json:
        print_json(document)
        return
    _show(result)
    echo(f"wrote {place}")


def _show(result: Acceleration) -> None:
    plan = result.plan
    echo(
        f"l_{plan.power} regression on {result.data}, {plan.steps} steps, least loss "
        f"{result.best_loss:.6g}"
    )
    heads = "".join(f"{f'+{100 * (t - 1):g} %':>12}" for t in plan.targets)
    echo(
        "rate with the least loss at the end, and that loss; steps until the loss "
        f"stays within a share of the {result.reference}, each at its own best rate"
    )
    echo(f"{'':12}{'rate':>10}{'loss':>14}{heads}")
    for m in result.methods:
        steps_to = "".join(f"{'never' if t < 0 else t:>12}" for t in m.steps_to)
        edge = "   at the edge of the rates tried" if m.at_edge else ""
        echo(f"{m.method:12}{m.rate:>10.2g}{m.losses[-1]:>14.6g}{steps_to}{edge}")
    echo(f"{result.verdict()} (this data, this start, these rates)")
