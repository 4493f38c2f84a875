"""`depthsep study`: run a grid of trials, show what there is, export it, report it."""

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from depthsep._errors import HypothesisError
from depthsep.cli._options import json_option, print_json, refuse_unused
from depthsep.cli._separate import check_folder
from depthsep.cli._study_show import (
    plan_lines,
    points_document,
    print_failures,
    print_points,
    print_trials,
    state_document,
    state_line,
)

if TYPE_CHECKING:
    from depthsep.studies import Progress, Row, Study

EVERY = 10.0  # seconds between lines where there is no terminal

study_file = click.argument("file", type=click.Path(dir_okay=False))
where_option = click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help='Only trials such as "dim >= 8"; several must all hold.',
)
everything_option = click.option(
    "--all-code", is_flag=True, help="Also trials of older code or grids, one by one."
)


@click.group()
def study() -> None:
    """A grid of problems or runs, from one file, on one machine or a cluster.

    \b
    depthsep study run finite-width.toml --workers 2
    depthsep study show finite-width.toml
    depthsep study report finite-width.toml -o page

    What is done is kept in finite-width.sqlite beside the file; the same command goes
    on where it was stopped, or killed.
    """


@study.command()
@study_file
@click.option("--workers", type=click.IntRange(1, 4096), help="Trials at a time here.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Of Dask, such as tcp://host:8786."
)
@click.option("--dry-run", is_flag=True, help="Print the trials and an estimate only.")
@click.option("--retry-failed", is_flag=True, help="Also those that failed for good.")
@json_option
def run(
    file: str,
    workers: int | None,
    scheduler: str | None,
    dry_run: bool,
    retry_failed: bool,
    as_json: bool,
) -> int:
    """Run what is missing. Exit code 1 if trials failed."""
    from depthsep.studies import read_study, run_study, store_of

    chosen = read_study(file)
    if dry_run:
        _show_plan(chosen, workers, retry_failed, as_json)
        return 0
    with _stoppable(), _following(chosen) as follow:
        try:
            state = run_study(
                chosen,
                workers=workers,
                scheduler=scheduler,
                retry_failed=retry_failed,
                progress=follow,
            )
        except KeyboardInterrupt:
            click.echo(f"what is done is kept in {store_of(chosen)}", err=True)
            raise click.exceptions.Abort from None
    if as_json:
        document = {"study": chosen.name, "store": str(store_of(chosen))}
        print_json(document | state_document(state))
    else:
        click.echo(f"{chosen.name}: {state_line(state)} in {store_of(chosen)}")
        if state.failed:
            click.echo(f"see why: depthsep study show {file} --failed")
    return 1 if state.failed else 0


@study.command()
@study_file
@where_option
@everything_option
@click.option("--by", metavar="P1,P2", help="Group by these parameters only.")
@click.option("--metrics", metavar="M1,M2", help="Show these metrics only.")
@click.option("--trials", is_flag=True, help="One line a trial, not one a point.")
@click.option("--failed", is_flag=True, help="Trials that failed, with their errors.")
@json_option
def show(
    file: str,
    where: tuple[str, ...],
    all_code: bool,
    by: str | None,
    metrics: str | None,
    trials: bool,
    failed: bool,
    as_json: bool,
) -> None:
    """List trials, or what they say together over seeds: median, least, most."""
    from depthsep.studies import check_metric, table_of

    chosen, rows = _rows(file, where, all_code)
    names = None if metrics is None else tuple(m.strip() for m in metrics.split(","))
    for name in names or ():
        check_metric(rows, name)
    grouped = _grouped(chosen, by)
    if as_json:
        shown = [row for row in rows if not (failed and row.is_done)]
        document = {"study": chosen.name, "trials": chosen.count}
        document["rows"] = table_of(shown, chosen.varied).records()
        print_json(document | {"points": points_document(shown, grouped, names)})
        return
    click.echo(_counts(chosen, rows, where))
    if failed:
        print_failures(rows, chosen.varied)
    elif trials or all_code:
        print_trials(rows, chosen.varied, names)
    else:
        print_points(rows, grouped, names)


@study.command()
@study_file
@click.argument("output", metavar="OUT.csv|OUT.parquet")
@where_option
@everything_option
@click.option("--all-parameters", is_flag=True, help="Fixed ones, too.")
@json_option
def export(
    file: str,
    output: str,
    where: tuple[str, ...],
    all_code: bool,
    all_parameters: bool,
    as_json: bool,
) -> None:
    """Write the trials as CSV or Parquet."""
    from depthsep.studies import table_of, write_table

    chosen, rows = _rows(file, where, all_code)
    names = None if not all_parameters else [p.name for p in chosen.job.parameters]
    place = write_table(table_of(rows, names or chosen.varied), output)
    if as_json:
        print_json({"study": chosen.name, "trials": len(rows), "file": str(place)})
    else:
        click.echo(f"wrote {len(rows)} trials to {place}")


@study.command()
@study_file
@click.option(
    "-o", "--output", metavar="DIR", help="The folder; NAME-report if not given."
)
@click.option("--x", help="A parameter: with --y, a figure instead of the file's.")
@click.option("--y", help="A metric, or several between commas.")
@click.option("--by", help="A parameter: one curve for each of its values.")
@click.option("--facet", help="A parameter: one panel for each of its values.")
@click.option("--log", default="none", type=click.Choice(["none", "x", "y", "xy"]))
@click.option("--fit", is_flag=True, help="Fit slopes, with 95 % intervals.")
@where_option
@json_option
def report(
    file: str,
    output: str | None,
    where: tuple[str, ...],
    as_json: bool,
    **figure: Any,
) -> None:
    """Write an HTML page with figures, from what is stored."""
    from depthsep.reports import write_study
    from depthsep.studies import check_metric, figure_of

    chosen, rows = _rows(file, where, False)
    figures = chosen.figures
    if not (figure["x"] or figure["y"]):
        refuse_unused("--x and --y", "by", "facet", "log", "fit")
    else:
        asked = {k: v for k, v in figure.items() if v is not None}
        asked["y"] = [m.strip() for m in (figure["y"] or "").split(",") if m.strip()]
        figures = (figure_of(chosen, asked),)
    for f in figures:
        for name in f.y:
            check_metric(rows, name)
    place = output or f"{chosen.name}-report"
    check_folder(place)
    written = write_study(chosen, rows, place, figures=figures, conditions=where)
    if as_json:
        print_json({"study": chosen.name, "files": [str(p) for p in written]})
    else:
        for path in written:
            click.echo(f"wrote {path}")


def _rows(
    file: str, where: tuple[str, ...], all_code: bool
) -> "tuple[Study, list[Row]]":
    """The study, and its rows that meet the conditions, in the order of its trials."""
    from depthsep.studies import Store, read_study, store_of, table_of

    chosen = read_study(file)
    with Store(store_of(chosen)) as store:
        everything = store.rows()
    own = {row.key: row for row in everything}
    kept = [own[t.key] for t in chosen.trials() if t.key in own]
    rows = everything if all_code else kept
    if len(rows) < len(everything):
        click.echo(
            f"{len(everything) - len(rows)} trials of older code or grids are left out "
            "(study show --all-code lists them)",
            err=True,
        )
    if where:
        names = [p.name for p in chosen.job.parameters]
        meeting = set(table_of(rows, names).where(where).columns["key"])
        rows = [row for row in rows if row.key in meeting]
        if not rows:
            raise HypothesisError(f"no trial meets {' and '.join(where)}; ask for less")
    return chosen, rows


def _grouped(chosen: "Study", by: str | None) -> tuple[str, ...]:
    if by is None:
        return chosen.varied
    names = tuple(name.strip() for name in by.split(","))
    for name in names:
        chosen.job.parameter(name)
    return names


def _counts(chosen: "Study", rows: "list[Row]", where: tuple[str, ...]) -> str:
    done = sum(row.is_done for row in rows)
    found = f"{done} done, {len(rows) - done} failed"
    which = (
        f"of those that meet {', '.join(where)}"
        if where
        else (f"of {chosen.count} trials")
    )
    return f"{chosen.name} ({chosen.job.name}): {found}, {which}"


def _show_plan(
    chosen: "Study", workers: int | None, retry_failed: bool, as_json: bool
) -> None:
    from depthsep.studies import Store, estimate, missing, store_of

    trials, known = chosen.trials(), {}
    if store_of(chosen).is_file():
        with Store(store_of(chosen)) as store:
            known = store.of(trials)
    todo = missing(chosen, trials, known, retry_failed=retry_failed)
    guess = estimate(chosen, todo, known)
    if as_json:
        points = [
            {**{name: t.parameters[name] for name in chosen.varied}, "seed": t.seed}
            for t in todo
        ]
        document = {"study": chosen.name, "trials": len(trials), "missing": points}
        print_json(document | {"seconds": guess.seconds, "basis": guess.basis})
        return
    for line in plan_lines(chosen, trials, todo, guess, workers):
        click.echo(line)


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM stops as Ctrl-C does: workers end, what is done stays."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _following(chosen: "Study") -> "Iterator[Callable[[Progress], None]]":
    """A bar with done, failed and the time left; a line at times without a terminal."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(chosen.name, total=chosen.count, failed="")

        def follow(state: "Progress") -> None:
            failed = f"{state.failed} failed" if state.failed else ""
            ended = state.done + state.failed
            bar.update(task, completed=ended, failed=failed)

        yield follow


def _lines() -> "Callable[[Progress], None]":
    said = [time.monotonic()]

    def follow(state: "Progress") -> None:
        if time.monotonic() - said[0] >= EVERY and state.latest is not None:
            said[0] = time.monotonic()
            click.echo(state_line(state), err=True)

    return follow
