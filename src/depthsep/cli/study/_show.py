"""The lines and tables that `depthsep study` prints."""

from collections.abc import Sequence

from depthsep._plural import plural
from depthsep.cli._echo import echo
from depthsep.reports import duration
from depthsep.studies import (
    Estimate,
    Progress,
    Row,
    Spread,
    Study,
    Trial,
    points_of,
    pooled,
    pooled_words,
    rigour_words,
)

SHOWN = 20  # trials of a dry run
WIDEST = 34


def state_document(state: Progress) -> dict[str, int]:
    """Counts as JSON."""
    return {
        "trials": state.total,
        "done": state.done,
        "failed": state.failed,
        "missing": state.missing,
    }


def state_line(state: Progress) -> str:
    """Counts in words."""
    return f"{state.done} of {state.total} done, {state.failed} failed"


def plan_lines(
    study: Study,
    trials: Sequence[Trial],
    missing: Sequence[Trial],
    guess: Estimate,
    workers: int | None,
) -> list[str]:
    """List what would run, and how long it may take."""
    lines = [
        f"{study.name}: {study.job.name}, {plural(len(trials), 'trial')}, "
        f"{len(trials) - len(missing)} done, {len(missing)} to run"
    ]
    for trial in missing[:SHOWN]:
        point = [f"{name} = {_short(trial.parameters[name])}" for name in study.varied]
        lines.append("  " + ", ".join([*point, f"seed = {trial.seed}"]))
    if len(missing) > SHOWN:
        lines.append(f"  ... and {len(missing) - SHOWN} more (--json lists all)")
    if guess.seconds is None:
        lines.append(f"time: {guess.basis}")
    elif missing:
        on = f" on {workers} workers" if workers else " on one worker"
        seconds = guess.seconds / (workers or 1)
        lines.append(f"time: about {duration(seconds)}{on}, {guess.basis}")
    if study.time_limit is not None:
        lines.append(f"a trial is stopped after {duration(study.time_limit)}")
    return lines


def print_points(
    rows: Sequence[Row],
    by: tuple[str, ...],
    metrics: tuple[str, ...] | None,
    seedless: tuple[str, ...],
) -> None:
    """One line a point: how many trials, and each metric over the seeds."""
    points = points_of(rows, by, seedless)
    names = metrics or tuple(dict.fromkeys(n for p in points for n in p.metrics))
    failed = any(p.failed for p in points)
    head = [*by, "n", *(["failed"] if failed else []), *names]
    body = [
        [
            *(_short(p.parameters[name]) for name in by),
            str(p.done),
            *([str(p.failed)] if failed else []),
            *(
                _short(p.texts[name])
                if name in p.texts
                else _spread(p.metrics.get(name), p.done)
                for name in names
            ),
        ]
        for p in points
    ]
    _print_table(head, body)
    if any(spread.count > 1 for p in points for spread in p.metrics.values()):
        what = pooled_words(pooled(rows, by))
        echo(
            f"median [least, greatest] over {what}; only trials with a "
            "value are counted"
        )
        if any(s.share for p in points for s in p.metrics.values()):
            echo(
                "for yes/no values: how many are yes [95 % Clopper-Pearson "
                "interval of their share]"
            )
    echo(f"rigour of the values of single trials: {rigour_words(rows, names)}")


def points_document(
    rows: Sequence[Row],
    by: tuple[str, ...],
    metrics: tuple[str, ...] | None,
    seedless: tuple[str, ...],
) -> list[dict[str, object]]:
    """Points with their statistics as JSON; null for what is not a number."""

    def fields(spread: Spread) -> dict[str, object]:
        return {k: None if v != v else v for k, v in vars(spread).items()}

    return [
        {
            "parameters": dict(p.parameters),
            "done": p.done,
            "failed": p.failed,
            "metrics": {
                name: fields(spread)
                for name, spread in p.metrics.items()
                if metrics is None or name in metrics
            },
        }
        for p in points_of(rows, by, seedless)
    ]


def print_trials(
    rows: Sequence[Row], varied: tuple[str, ...], metrics: tuple[str, ...] | None
) -> None:
    """One line a trial."""
    names = metrics or tuple(dict.fromkeys(n for row in rows for n in row.metrics))
    head = [*varied, "seed", "status", "seconds", *names]
    body = [
        [
            *(_short(row.parameters.get(name)) for name in varied),
            str(row.seed),
            row.status,
            f"{row.seconds:.3g}",
            *(_value(row.metrics.get(name)) for name in names),
        ]
        for row in rows
    ]
    _print_table(head, body)


def print_failures(rows: Sequence[Row], varied: tuple[str, ...]) -> None:
    """Trials that failed, each with its whole error."""
    for row in rows:
        if row.is_done:
            continue
        point = [f"{name} = {_short(row.parameters.get(name))}" for name in varied]
        times = f"{row.attempts} attempt{'s' if row.attempts > 1 else ''}"
        echo(f"\n{', '.join([*point, f'seed = {row.seed}'])} ({times}):")
        for line in row.failure.splitlines():
            echo(f"  {_printable(line)}")


def _print_table(head: list[str], body: list[list[str]]) -> None:
    """Print columns side by side; the terminal wraps those that are too many."""
    table = [[_printable(cell) for cell in row] for row in (head, *body)]
    widths = [max(len(row[k]) for row in table) for k in range(len(head))]
    for row in table:
        cells = [cell.rjust(w) for cell, w in zip(row, widths, strict=True)]
        echo("  ".join(cells))


def _spread(spread: Spread | None, done: int) -> str:
    if spread is None:
        return "-"
    some = f" ({spread.count} of {done})" if spread.count < done else ""
    if spread.is_truth:
        return spread.share_words + some
    if spread.least == spread.most:
        return _value(spread.median) + some
    ends = f"{_value(spread.least)}, {_value(spread.most)}"
    return f"{_value(spread.median)} [{ends}]{some}"


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else _short(value)


def _short(value: object) -> str:
    written = f"{value:g}" if isinstance(value, float) else _printable(str(value))
    return written if len(written) <= WIDEST else written[: WIDEST - 3] + "..."


def _printable(line: str) -> str:
    """Nothing of a stored text steers the terminal."""
    return "".join(c if c.isprintable() else "?" for c in line)
