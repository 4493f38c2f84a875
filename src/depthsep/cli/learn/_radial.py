"""`depthsep learn radial`: three-layer mean-field networks on radial functions."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._options import json_option, print_json, read_integers, refuse_unused
from depthsep.cli._separate import check_folder, share_and_line
from depthsep.cli.learn._options import (
    checkpoint_option,
    radial_options,
    read_each,
    read_subspace,
    run_option,
)
from depthsep.cli.learn._show import judge, show_radial
from depthsep.dynamics import (
    WIDEST_TWO_LAYER,
    RadialTask,
    TwoLayerBudget,
    check_two_layer,
    equal_compute,
    equal_parameters,
    fingerprint,
    learn_radial,
    learn_two_layer,
)
from depthsep.exact import nearest_float
from depthsep.reports import (
    check_run,
    comparison_figure,
    radial_arrays,
    radial_document,
    radial_figures,
    spread_figure,
    write_run,
)
from depthsep.targets import value_in_dimension

if TYPE_CHECKING:
    from depthsep.dynamics import (
        RadialRun,
        RadialTask,
        TwoLayerBudget,
        TwoLayerResult,
    )


@dataclass(frozen=True)
class Asked:
    """One run: what is learned, with what it is compared, what it is judged by."""

    task: "RadialTask"
    compare: str | None
    budget: "TwoLayerBudget"
    goal: float | None

    @property
    def identity(self) -> str:
        """The same for the same work."""
        work: dict[str, Any] = {"task": self.task.describe()}
        return f"radial-{fingerprint(work | self.comparison)}"

    @property
    def comparison(self) -> dict[str, Any]:
        """What run.json says about two layers."""
        if self.compare is None:
            return {}
        return {"compare": self.compare, "two_layer_budget": vars(self.budget)}

    @property
    def name(self) -> str:
        """Of the run's folder."""
        task = self.task
        return f"radial-d{task.dim}-m{task.width}-s{task.seed}"


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

    Killed in the middle, the same command continues from the last checkpoint of the
    three layers; two-layer networks start anew. A list of dimensions or widths makes
    one run each in a common folder, and figures over all of them.
    """
    dims = read_integers(dim, "--dim", 2, 10**6)
    widths = read_integers(width, "--width", 1, 10**9)
    check_folder(run)
    if not 0 <= checkpoint < float("inf"):
        raise HypothesisError(f"--checkpoint is {checkpoint}; give seconds from 0 on")
    if compare is None:
        refuse_unused("--compare", "compare_steps", "compare_seeds")

    budget = TwoLayerBudget(steps=compare_steps, seeds=compare_seeds)
    jobs = [
        Asked(_task(d, m, options), compare, budget, _accuracy(accuracy, d))
        for d, m in product(dims, widths)
    ]
    _check_compared(jobs)
    folder, places = _places(run, jobs)
    for place, job in zip(places, jobs, strict=True):
        check_run(place, job.identity)
    if len(jobs) > 1:
        check_run(folder, _together(jobs))
    pairs, documents = [], []
    for place, job in zip(places, jobs, strict=True):
        pair = _one_run(job, place, checkpoint)
        pairs.append(pair)
        documents.append(_written(job, pair, place))
    shown = documents[0]
    if len(jobs) > 1:
        shown = _write_overview(folder, jobs, pairs, documents)
    if as_json:
        print_json(shown)
        return
    for document in documents:
        show_radial(document)
    if len(jobs) > 1:
        click.echo(f"figures over all of them: {folder}")


def _task(dim: int, width: int, options: dict[str, Any]) -> "RadialTask":
    given = dict(options)
    given["subspace"] = read_subspace(given["subspace"])
    given["slope"] = read_each(given["slope"], "--slope")
    given["offset"] = read_each(given["offset"], "--offset")
    given["rates"] = (given.pop("first_rate"), given.pop("second_rate"))
    return RadialTask(dim, width, **given)


def _accuracy(written: str | None, dim: int) -> float | None:
    if written is None:
        return None

    value = value_in_dimension(written.replace("^", "**"), dim, name="--accuracy")
    if value <= 0:
        raise HypothesisError(f"--accuracy is {value} for d = {dim}; it is positive")
    return nearest_float(value)


def _check_compared(jobs: list[Asked]) -> None:
    for job in jobs:
        if job.compare is None:
            continue
        check_two_layer(job.task)
        width = _width_of_two_layers(job)
        if width > WIDEST_TWO_LAYER:
            raise HypothesisError(
                f"--compare {job.compare}: two layers would have {width} neurons, more "
                f"than {WIDEST_TWO_LAYER}; give more --compare-steps or a smaller task"
            )


def _together(jobs: list[Asked]) -> str:
    return f"radial-list-{fingerprint({'runs': [job.identity for job in jobs]})}"


def _places(run: str | None, jobs: list[Asked]) -> tuple[Path, list[Path]]:
    """The common folder, and each run's: the same command, the same folders."""
    if len(jobs) == 1:
        name = f"{jobs[0].name}-{jobs[0].identity[7:15]}"
        place = Path("runs") / name if run is None else Path(run)
        return place, [place]
    folder = Path("runs") / _together(jobs)[:20] if run is None else Path(run)
    return folder, [folder / job.name for job in jobs]


def _one_run(job: Asked, place: Path, every: float) -> Compared:
    task, made = job.task, _make(place)
    saved = place / "checkpoint.eqx"
    if saved.exists():
        done = (place / "run.json").exists()
        word = "the run is done; reading" if done else "continuing from"
        click.echo(f"{word} {saved}", err=True)
    try:
        with share_and_line(f"d = {task.dim}, width {task.width}") as progress:
            found = learn_radial(task, checkpoint=saved, every=every, progress=progress)
        if found.failure is not None:
            saved.unlink(missing_ok=True)
            raise HypothesisError(
                f"d = {task.dim}, width {task.width}: {found.failure}"
            )
    except Exception:
        for folder in made:
            with contextlib.suppress(OSError):  # a checkpoint, or another run, is there
                folder.rmdir()
        raise
    if job.compare is None:
        return found, ()
    width = _width_of_two_layers(job)
    with share_and_line(f"two layers of width {width}") as progress:
        return found, learn_two_layer(task, width, job.budget, progress=progress)


def _make(place: Path) -> list[Path]:
    """Make a folder; those that had to be made for it, deepest first."""
    missing = [p for p in (place, *place.parents) if not p.exists()]
    place.mkdir(parents=True, exist_ok=True)
    return missing


def _width_of_two_layers(job: Asked) -> int:
    if job.compare == "parameters":
        return equal_parameters(job.task)
    return equal_compute(job.task, job.budget)


def _written(job: Asked, pair: Compared, place: Path) -> dict[str, Any]:
    found, two = pair
    document = {"id": job.identity} | radial_document(found, two) | job.comparison
    document["run"] = str(place)
    if job.goal is not None:
        judge(document, job.goal)
    figures = radial_figures(found)
    if two:
        goals = None if job.goal is None else [job.goal]
        figures["comparison"] = comparison_figure([pair], goals)
    write_run(place, document, radial_arrays(found), figures)
    return document


def _write_overview(
    folder: Path,
    jobs: list[Asked],
    pairs: list[Compared],
    documents: list[dict[str, Any]],
) -> dict[str, Any]:
    """All runs' documents, and figures over them, in the folder that holds theirs."""
    dims, figures = {job.task.dim for job in jobs}, {}
    if len(dims) == 1:
        figures["spread"] = spread_figure([run for run, _ in pairs])
    if jobs[0].compare is not None and len(dims) == len(jobs):
        asked = [job.goal for job in jobs if job.goal is not None]
        figures["comparison"] = comparison_figure(pairs, asked or None)
    document = {"id": _together(jobs), "run": str(folder), "runs": documents}
    write_run(folder, document, {}, figures)
    return document
