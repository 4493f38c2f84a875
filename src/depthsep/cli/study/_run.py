"""`depthsep study run`: what is missing, with a bar, stoppable at any moment."""

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Generator

import click
from rich import progress as bars
from rich.console import Console

from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, print_json
from depthsep.cli.study._show import plan_lines, state_document, state_line
from depthsep.studies import (
    Progress,
    Store,
    Study,
    estimate,
    missing,
    read_study,
    run_study,
    store_of,
)

EVERY = 10.0  # seconds between lines where there is no terminal


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--workers",
    type=click.IntRange(1, 4096),
    help="Number of trials to run at a time on this machine.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask scheduler, such as tcp://host:8786.",
)
@click.option(
    "--dry-run", is_flag=True, help="Only print the trials and an estimate of the time."
)
@click.option(
    "--retry-failed",
    is_flag=True,
    help="Also rerun failed trials that have no retries left.",
)
@json_option
def run(
    file: str,
    workers: int | None,
    scheduler: str | None,
    dry_run: bool,
    retry_failed: bool,
    as_json: bool,
) -> int:
    """Run the trials that are missing. The exit code is 1 if trials failed."""
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
            echo(f"trials that are done are kept in {store_of(chosen)}", err=True)
            raise click.exceptions.Abort from None
    if as_json:
        document = {"study": chosen.name, "store": str(store_of(chosen))}
        print_json(document | state_document(state))
    else:
        echo(
            f"{chosen.name}: {state_line(state)}; the results are in {store_of(chosen)}"
        )
        if state.failed:
            echo(f"to see why, run depthsep study show {file} --failed")
    return 1 if state.failed else 0


def _show_plan(
    chosen: Study, workers: int | None, retry_failed: bool, as_json: bool
) -> None:
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
        echo(line)


@contextlib.contextmanager
def _stoppable() -> Generator[None, None, None]:
    """SIGTERM stops as Ctrl-C does: workers end, what is done stays.

    Where Ctrl-C is ignored, as in a background job of a shell, that is said.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        echo("SIGINT is ignored here; stop with SIGTERM (kill PID)", err=True)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _following(chosen: Study) -> Generator[Callable[[Progress], None], None, None]:
    """A bar with done, failed and the time left; a line at times without a terminal."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (
        "{task.description}",
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        "{task.fields[failed]}",
        bars.TimeElapsedColumn(),
        "left",
        bars.TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with bars.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(chosen.name, total=chosen.count, failed="")

        def follow(state: Progress) -> None:
            failed = f"{state.failed} failed" if state.failed else ""
            ended = state.done + state.failed
            bar.update(task, completed=ended, failed=failed)

        yield follow


def _lines() -> Callable[[Progress], None]:
    said = [time.monotonic()]

    def follow(state: Progress) -> None:
        if time.monotonic() - said[0] >= EVERY and state.latest is not None:
            said[0] = time.monotonic()
            echo(state_line(state), err=True)

    return follow
