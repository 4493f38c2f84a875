"""`depthsep learn linear`: the acceleration experiment on deep linear networks."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import click

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep._progress import followed
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    check_folder,
    given_options,
    json_option,
    options,
    print_json,
    read_integers,
)
from depthsep.cli._progress import waiting
from depthsep.cli.learn._options import run_option
from depthsep.dynamics import (
    Acceleration,
    AccelerationPlan,
    accelerate,
    regression,
    regression_from_file,
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
@click.option(
    "--file",
    metavar="FILE",
    help="Your data: a .csv with the labels in its last column, or an .npz "
    "with arrays x and y; inputs and labels are centred and scaled to "
    "unit variance.",
)
@click.option(
    "--deep",
    multiple=True,
    type=click.Choice(AccelerationPlan.optimisers),
    help="Also use this optimiser for the products of layers that --depths "
    "gives; may be repeated.",
)
@click.option(
    "--starts",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Number of random starts, with the seeds --seed, --seed + 1 and so on.",
)
@run_option
@json_option
def linear(
    data: str,
    power: int,
    depths: str,
    steps: int,
    seed: int,
    file: str | None,
    deep: tuple[str, ...],
    starts: int,
    run: str | None,
    as_json: bool,
) -> None:
    """Fit a linear regression by products of layers: does depth speed up training?

    The data are synthetic (condition number 100), the diabetes data set, which needs
    scikit-learn, or your own (--file). Every method runs at 41 learning rates, and
    is shown at the best of them.

    \b
    depthsep learn linear --power 4
    depthsep learn linear --file mine.csv --starts 5
    """
    check_folder(run)
    if file is not None and given_options("data"):
        raise HypothesisError("give --data or --file, not both")
    given = regression(data, seed=seed) if file is None else regression_from_file(file)
    chosen = read_integers(depths, "--depths", 1, 12)
    pairs = tuple((n, name) for name in dict.fromkeys(deep) for n in chosen if n > 1)
    if deep and not pairs:
        raise HypothesisError(
            "--deep is for products of layers; give --depths of 2 or more"
        )
    plan = AccelerationPlan(
        power=power, depths=chosen, steps=steps, seed=seed, deep=pairs
    )
    layers = "-".join(map(str, chosen))
    source = given.digest[:12] or data
    name = f"linear-{source}-l{power}-n{layers}-t{steps}-s{seed}"
    name += "".join(f"-{optimiser}" for optimiser in dict.fromkeys(deep))
    name += f"-x{starts}" if starts > 1 else ""
    place = Path(run or f"runs/{name}")
    check_run(place, name)
    with waiting("methods"):
        plans = [replace(plan, seed=seed + k) for k in range(starts)]
        each = followed(plans, starts, lambda p: f"start {p.seed}")
        results = [accelerate(given, p) for p in each]
    result = results[0]
    document = acceleration_document(result)
    if starts > 1:
        document["starts"] = [_start(r) for r in results]
    document |= {"id": name, "run": str(place)}
    arrays = {m.method: m.losses for m in result.methods} | {"steps": result.steps}
    write_run(place, document, arrays, {"losses": acceleration_figure(result)})
    if as_json:
        print_json(document)
        return
    if starts > 1:
        echo(f"the start with seed {result.plan.seed}:")
    _show(result)
    if starts > 1:
        _show_starts(results)
    echo(f"wrote {place}")


def _widest(result: Acceleration) -> int:
    """The characters that names of methods take."""
    return max(12, *(len(m.method) + 1 for m in result.methods))


def _start(result: Acceleration) -> dict[str, object]:
    """One start in short: the steps of every method to every target."""
    steps = {m.method: list(m.steps_to) for m in result.methods}
    return {"seed": result.plan.seed, "steps_to": steps}


def _show_starts(results: Sequence[Acceleration]) -> None:
    """Steps to the last target: the median over starts, the least and the most."""
    target = f"+{100 * (results[0].plan.targets[-1] - 1):g} %"
    echo(
        f"steps in the column {target}, over {len(results)} starts: median "
        "[least, most]"
    )
    for k, method in enumerate(results[0].methods):
        found = [r.methods[k].steps_to[-1] for r in results]
        reached = [steps for steps in found if steps >= 0]
        some = (
            f", reached in {len(reached)} of {len(found)} starts"
            if len(reached) < len(found)
            else ""
        )
        words = "never"
        if reached:
            words = f"{median(reached):g} [{min(reached)}, {max(reached)}]{some}"
        echo(f"{method.method:{_widest(results[0])}}{words}")


def _show(result: Acceleration) -> None:
    plan = result.plan
    echo(
        f"l_{plan.power} regression on {result.data}, {plural(plan.steps, 'step')}; "
        f"the least loss of a linear model is {result.best_loss:.6g}"
    )
    heads = "".join(f"{f'+{100 * (t - 1):g} %':>12}" for t in plan.targets)
    echo(
        "columns rate and loss: the rate with the least final loss, and that loss; "
        "each other column has a percentage P in its heading, and shows after how "
        f"many steps the loss stays {result.goal('P')}, each at its own best rate"
    )
    names = _widest(result)
    echo(f"{'':{names}}{'rate':>10}{'loss':>14}{heads}")
    for m in result.methods:
        steps_to = "".join(f"{'never' if t < 0 else t:>12}" for t in m.steps_to)
        edge = (
            (
                "   one of its best rates is at the end of the range "
                "tried, so there may be better ones"
            )
            if m.at_edge
            else ""
        )
        echo(f"{m.method:{names}}{m.rate:>10.2g}{m.losses[-1]:>14.6g}{steps_to}{edge}")
    echo(f"{result.verdict()} (for this data, this start and these rates only)")
