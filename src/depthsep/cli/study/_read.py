"""`depthsep study show`, `export` and `report`: what is made of stored trials."""

import click

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.cli._echo import echo
from depthsep.cli._options import check_folder, json_option, print_json, refuse_unused
from depthsep.cli.study._show import (
    points_document,
    print_failures,
    print_points,
    print_trials,
)
from depthsep.reports import write_study
from depthsep.studies import (
    Row,
    Store,
    Study,
    check_metric,
    figure_of,
    read_study,
    store_of,
    table_of,
    write_table,
)

study_file = click.argument("file", type=click.Path(dir_okay=False))
where_option = click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help='Use only trials that meet this condition, such as "dim >= 8"; may '
    "be repeated.",
)
everything_option = click.option(
    "--all-code",
    is_flag=True,
    help="Include trials of older code or older grids, each on its own line.",
)


@click.command()
@study_file
@where_option
@everything_option
@click.option("--by", metavar="P1,P2", help="Group by these parameters only.")
@click.option("--metrics", metavar="M1,M2", help="Show these metrics only.")
@click.option(
    "--trials",
    is_flag=True,
    help="Print one line per trial, not one for all seeds of the same parameters.",
)
@click.option(
    "--failed", is_flag=True, help="List the trials that failed, with their errors."
)
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
    """List trials, or their statistics over seeds: median, least and greatest."""
    chosen, rows = _rows(file, where, all_code)
    names = None if metrics is None else tuple(m.strip() for m in metrics.split(","))
    for name in names or ():
        check_metric(rows, name)
    grouped = _grouped(chosen, by)
    if as_json:
        shown = [row for row in rows if not (failed and row.is_done)]
        document: dict[str, object] = {"study": chosen.name, "trials": chosen.count}
        document["rows"] = table_of(shown, chosen.varied).records()
        points = points_document(shown, grouped, names, chosen.job.seedless)
        print_json(document | {"points": points})
        return
    echo(_counts(chosen, rows, where))
    if failed:
        print_failures(rows, chosen.varied)
    elif trials or all_code:
        print_trials(rows, chosen.varied, names)
    else:
        print_points(rows, grouped, names, chosen.job.seedless)


@click.command()
@study_file
@click.argument("output", metavar="OUT.csv|OUT.parquet")
@where_option
@everything_option
@click.option(
    "--all-parameters",
    is_flag=True,
    help="Also write the parameters that are the same in all trials.",
)
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
    chosen, rows = _rows(file, where, all_code)
    names = None if not all_parameters else [p.name for p in chosen.job.parameters]
    place = write_table(table_of(rows, names or chosen.varied), output)
    if as_json:
        print_json({"study": chosen.name, "trials": len(rows), "file": str(place)})
    else:
        echo(f"wrote {plural(len(rows), 'trial')} to {place}")


@click.command()
@study_file
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help="Folder for the page; NAME-report if not given.",
)
@click.option(
    "--x",
    help="Parameter on the x axis; with --y, draw one figure in place of "
    "those that FILE defines.",
)
@click.option(
    "--y", help="Metric on the y axis, or several metrics separated by commas."
)
@click.option("--by", help="Draw one curve for each value of this parameter.")
@click.option("--facet", help="Draw one panel for each value of this parameter.")
@click.option("--log", default="none", type=click.Choice(["none", "x", "y", "xy"]))
@click.option(
    "--fit",
    is_flag=True,
    help="Fit a slope to each curve, with a 95 % confidence interval.",
)
@where_option
@json_option
def report(
    file: str,
    output: str | None,
    where: tuple[str, ...],
    as_json: bool,
    y: str | None,
    **axes: str | bool | None,
) -> None:
    """Write an HTML page with figures, from what is stored."""
    chosen, rows = _rows(file, where, False)
    figures = chosen.figures
    if not (axes["x"] or y):
        refuse_unused("--x and --y", "by", "facet", "log", "fit")
    else:
        asked = {name: value for name, value in axes.items() if value is not None}
        metrics = [m.strip() for m in (y or "").split(",") if m.strip()]
        figures = (figure_of(chosen, {**asked, "y": metrics}),)
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
            echo(f"wrote {path}")


def _rows(file: str, where: tuple[str, ...], all_code: bool) -> tuple[Study, list[Row]]:
    """The study, and its rows that meet the conditions, in the order of its trials."""
    chosen = read_study(file)
    with Store(store_of(chosen)) as store:
        everything = store.rows()
    own = {row.key: row for row in everything}
    kept = [own[t.key] for t in chosen.trials() if t.key in own]
    rows = everything if all_code else kept
    if len(rows) < len(everything):
        echo(
            f"left out: {plural(len(everything) - len(rows), 'trial')} of older code "
            "or grids (study show --all-code lists them)",
            err=True,
        )
    if where:
        names = [p.name for p in chosen.job.parameters]
        meeting = set(table_of(rows, names).where(where).columns["key"])
        rows = [row for row in rows if row.key in meeting]
        if not rows:
            raise HypothesisError(
                f"no trial meets {' and '.join(where)}; loosen --where"
            )
    return chosen, rows


def _grouped(chosen: Study, by: str | None) -> tuple[str, ...]:
    if by is None:
        return chosen.varied
    names = tuple(name.strip() for name in by.split(","))
    for name in names:
        chosen.job.parameter(name)
    return names


def _counts(chosen: Study, rows: list[Row], where: tuple[str, ...]) -> str:
    done = sum(row.is_done for row in rows)
    found = f"{done} done, {len(rows) - done} failed"
    which = (
        f"of the trials that meet {' and '.join(where)}"
        if where
        else (f"of {plural(chosen.count, 'trial')}")
    )
    return f"{chosen.name} ({chosen.job.name}): {found}, {which}"
