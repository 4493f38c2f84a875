"""`depthsep learn radial`: three-layer mean-field networks on radial functions."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import click

from depthsep._errors import HypothesisError
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    check_folder,
    given_options,
    json_option,
    print_json,
    read_several,
    refuse_unused,
)
from depthsep.cli._progress import waiting
from depthsep.cli.learn._options import (
    checkpoint_option,
    radial_options,
    read_subspace,
    read_weights,
    run_option,
)
from depthsep.cli.learn._show import judge, show_radial
from depthsep.dynamics import (
    RadialRun,
    TwoLayerResult,
    fingerprint,
    learn_radial,
    learn_two_layer,
    measure_radial,
)
from depthsep.jobs import RADIAL, RadialRequest, Values, named
from depthsep.reports import (
    Document,
    budget_figure,
    check_run,
    comparison_figure,
    measured_document,
    radial_arrays,
    radial_document,
    radial_figures,
    spread_figure,
    write_run,
)


@dataclass(frozen=True)
class Asked:
    """One run, with what identifies it."""

    request: RadialRequest

    @property
    def identity(self) -> str:
        """A text that is the same for the same work."""
        work: Document = {"task": self.request.task.describe()}
        return f"radial-{fingerprint(work | self.comparison)}"

    @property
    def comparison(self) -> Document:
        """The part of run.json about two layers."""
        if self.request.two_layer_width is None:
            return {}
        budget = vars(self.request.budget)
        return {"compare": self.request.compare, "two_layer_budget": budget}

    @property
    def name(self) -> str:
        """The name of the run's folder."""
        task = self.request.task
        return f"radial-d{task.dim}-m{task.width}-s{task.seed}"


Compared = tuple[RadialRun, Sequence[TwoLayerResult]]


@click.command()
@radial_options
@run_option
@checkpoint_option
@json_option
def radial(
    dim: str,
    width: str,
    subspace: str | None,
    weights: str | None,
    run: str | None,
    checkpoint: float,
    as_json: bool,
    **options: object,
) -> None:
    """Learn relu(1 - |x|), or another radial function, with mean-field networks.

    \b
    depthsep learn radial --dim 32 --width 1024
    depthsep learn radial --dim 8 --width 64,256,1024 --solver heun
    depthsep learn radial --dim 4,8,16 --width 256 --compare parameters --accuracy 1/d

    If a run is killed, the same command continues from the last checkpoint of the
    three-layer network; the two-layer networks of --compare start anew. Lists of
    dimensions or widths give one run for each pair of a dimension and a width, all in
    a common folder, with figures over all runs.
    """
    check_folder(run)
    if not 0 <= checkpoint < float("inf"):
        raise HypothesisError(
            f"--checkpoint is {checkpoint}; give a finite number of seconds, 0 or more"
        )
    if options["compare"] == "none":
        refuse_unused("--compare", "compare_steps", "compare_seeds")
    dims = read_several(named(RADIAL, "dim"), dim)
    widths = read_several(named(RADIAL, "width"), width)
    options["subspace"] = read_subspace(subspace)
    options["weights"] = read_weights(weights)
    for flag in given_options("alpha", "start") if weights is not None else ():
        raise HypothesisError(f"{flag} is fixed by --weights; leave it out")
    jobs = [_asked(d, m, options) for d, m in product(dims, widths)]
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
        echo(f"figures over all runs: {folder}")


def _asked(dim: int, width: int, options: Values) -> Asked:
    values = {**options, "dim": dim, "width": width}
    return Asked(RadialRequest.of(values, options["seed"]))


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
    request, made = job.request, _make(place)
    task = request.task
    saved = place / "checkpoint.eqx"
    if saved.exists():
        done = (place / "run.json").exists()
        word = "the run is done; reading" if done else "continuing from"
        echo(f"{word} {saved}", err=True)
    try:
        with waiting(f"d = {task.dim}, width {task.width}"):
            found = learn_radial(task, checkpoint=saved, every=every)
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
    width = request.two_layer_width
    if width is None:
        return found, ()
    with waiting(f"two-layer networks of width {width}"):
        return found, learn_two_layer(task, width, request.budget)


def _make(place: Path) -> list[Path]:
    """Make a folder; those that had to be made for it, deepest first."""
    missing = [p for p in (place, *place.parents) if not p.exists()]
    place.mkdir(parents=True, exist_ok=True)
    return missing


def _written(job: Asked, pair: Compared, place: Path) -> Document:
    found, two = pair
    document = {"id": job.identity} | radial_document(found, two) | job.comparison
    document["run"] = str(place)
    if job.request.measure is not None:
        law = job.request.measure
        measured = measure_radial(found.network, found.task, law)
        document["measured"] = measured_document(found.task.read_law(law), measured)
    goal = job.request.goal
    if goal is not None:
        judge(document, goal)
    figures = radial_figures(found)
    if two:
        goals = None if goal is None else [goal]
        figures["comparison"] = comparison_figure([pair], goals)
        if found.task.solver != "adaptive":
            figures["budget"] = budget_figure(found, two)
    write_run(place, document, radial_arrays(found), figures)
    return document


def _write_overview(
    folder: Path,
    jobs: list[Asked],
    pairs: list[Compared],
    documents: list[Document],
) -> Document:
    """All runs' documents, and figures over them, in the folder that holds theirs."""
    dims, figures = {job.request.task.dim for job in jobs}, {}
    if len(dims) == 1:
        figures["spread"] = spread_figure([run for run, _ in pairs])
    if jobs[0].comparison and len(dims) == len(jobs):
        asked = [g for job in jobs if (g := job.request.goal) is not None]
        figures["comparison"] = comparison_figure(pairs, asked or None)
    document = {"id": _together(jobs), "run": str(folder), "runs": documents}
    write_run(folder, document, {}, figures)
    return document
