"""A study as a page that needs nothing but itself, from its rows alone."""

from collections.abc import Collection, Sequence
from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.reports._files import write_folder
from depthsep.reports.figures._canvas import picture_files, svgs_of
from depthsep.reports.figures._study_curves import slopes_of
from depthsep.reports.figures._study_figure import study_figure
from depthsep.reports.pages._environment import inline_svg, rendered
from depthsep.reports.words._problem import duration
from depthsep.studies import (
    Figure,
    Row,
    Spread,
    Study,
    points_of,
    pooled,
    pooled_words,
    rigour_words,
    table_of,
    write_table,
)

Table = list[list[str]]

LONGEST = 400  # points of the table on the page; all trials are in rows.csv
FAILURES = 20
GENERATOR = "depthsep study report"
MARK = f'<meta name="generator" content="{GENERATOR}">'
SCALES = {"xy": "log against log", "y": "log against linear", "x": "linear against log"}


def write_study(
    study: Study,
    rows: Sequence[Row],
    folder: str | Path,
    *,
    figures: Sequence[Figure] | None = None,
    conditions: Sequence[str] = (),
) -> list[Path]:
    """Write index.html, figures (.svg, .png), rows.csv and study.toml into a folder.

    Args:
        folder: a new or empty one, or one of an earlier report, whose figures go.
        figures: those of the study file if not given.
        conditions: by which the rows were chosen, for the page to say.

    Raises:
        HypothesisError: the folder holds other files, or cannot be made or written.
    """
    old = _old_files(Path(folder))
    asked = study.figures if figures is None else figures
    drawn = {
        f"figure-{k}": study_figure(a, rows, study.job.seedless)
        for k, a in enumerate(asked, start=1)
    }
    svgs = svgs_of(drawn)
    page = _page(study, rows, dict(zip(svgs, asked, strict=True)), svgs, conditions)
    files = {"index.html": page.encode(), "study.toml": study.text.encode()}
    files |= picture_files(drawn, svgs)
    written = write_folder(folder, files)
    table = table_of(rows, [p.name for p in study.job.parameters])
    for path in old:
        if path.name not in files:
            path.unlink(missing_ok=True)
    return [*written, write_table(table, Path(folder) / "rows.csv")]


def _old_files(folder: Path) -> list[Path]:
    """The figures of an earlier report; refuse a folder of anything else."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return []
    try:
        with (folder / "index.html").open(encoding="utf-8") as stream:
            is_ours = MARK in stream.read(1000)
    except (OSError, UnicodeDecodeError):
        is_ours = False
    if not is_ours:
        raise HypothesisError(
            f"{folder} holds files that are not a study's report; choose a new folder"
        )
    return [*folder.glob("figure-*.svg"), *folder.glob("figure-*.png")]


def _page(
    study: Study,
    rows: Sequence[Row],
    figures: dict[str, Figure],
    svgs: dict[str, bytes],
    conditions: Sequence[str],
) -> str:
    """The page around figures that are already drawn."""
    meaning, spent = study.job.meaning, duration(sum(row.seconds for row in rows))
    failed = [row for row in rows if not row.is_done]
    points, rest, rigours = _points(study, rows, [*figures.values()])
    drawn = [
        {
            "svg": inline_svg(svgs[name], name, _label(one)),
            "slopes": _slopes(one, rows, study.job.seedless),
        }
        for name, one in figures.items()
    ]
    return rendered(
        "study.html",
        study.title or study.name,
        generator=GENERATOR,
        done=len(rows) - len(failed),
        job=study.job.name,
        beside=_beside(study, rows, len(failed), conditions),
        meaning=f"{meaning[0].upper()}{meaning[1:]}. " if meaning else "",
        spent=f"{spent[0].upper()}{spent[1:]}",
        figures=drawn,
        points=points,
        pooled=pooled_words(pooled(rows, study.varied)),
        more_points=(
            f"; points that this table leaves out: {rest} (their trials are "
            "in rows.csv)"
        )
        if rest > 0
        else "",
        rigours=rigours,
        failures=[_failure(study, row) for row in failed[:FAILURES]],
        more_failures=len(failed) - FAILURES,
        file=study.text,
        made_by=_versions(rows),
    )


def _beside(
    study: Study, rows: Sequence[Row], failed: int, conditions: Sequence[str]
) -> str:
    """What else there is beside the trials that are done."""
    said = f", {failed} failed" if failed else ""
    if conditions:
        return f"{said}; only trials with {', '.join(conditions)} are shown"
    missing = study.count - len(rows)
    return f"{said}; trials that have not run yet: {missing}" if missing > 0 else said


def _label(asked: Figure) -> str:
    return asked.title or f"{', '.join(asked.y)} against {asked.x}"


def _slopes(asked: Figure, rows: Sequence[Row], seedless: Collection[str]) -> Table:
    if not asked.fit:
        return []
    head = f"slope ({SCALES.get(asked.log, 'linear')})"
    return [
        ["curve", head, "95 % interval", "over"],
        *(
            [
                name,
                f"{found.value:.4g}",
                f"{found.low:.4g} to {found.high:.4g}" if found.has_interval else "–",
                f"{found.count} {found.way}",
            ]
            for name, found in slopes_of(asked, rows, seedless)
        ),
    ]


def _points(
    study: Study, rows: Sequence[Row], figures: Sequence[Figure]
) -> tuple[Table, int, str]:
    """Points, the metrics of the figures first; how many are left out; rigours."""
    points = points_of(rows, study.varied, study.job.seedless)
    known = dict.fromkeys(name for p in points for name in p.metrics)
    drawn = [name for f in figures for name in f.y if name in known]
    names = list(dict.fromkeys([*drawn, *known]))
    table = [[*study.varied, "n", *names]]
    for p in points[:LONGEST]:
        cells = [_plain(p.parameters[name]) for name in study.varied] + [str(p.done)]
        table.append([*cells, *(_cell(p.metrics.get(name), p.done) for name in names)])
    return table, len(points) - LONGEST, rigour_words(rows, names)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(spread: Spread | None, done: int) -> str:
    if spread is None:
        return "–"
    some = f" ({spread.count} of {done})" if spread.count < done else ""
    if spread.is_truth:
        return spread.share_words + some
    if spread.least == spread.most:
        return f"{spread.median:.4g}{some}"
    return f"{spread.median:.4g} [{spread.least:.3g}, {spread.most:.3g}]{some}"


def _failure(study: Study, row: Row) -> dict[str, object]:
    point = [f"{n} = {_plain(row.parameters.get(n))}" for n in study.varied]
    return {
        "where": ", ".join([*point, f"seed = {row.seed}"]),
        "first": row.failure.splitlines()[0] if row.failure else "no reason was kept",
        "attempts": plural(row.attempts, "attempt"),
        "failure": row.failure,
    }


def _versions(rows: Sequence[Row]) -> str:
    known: dict[str, set[str]] = {}
    for row in rows:
        for name, number in row.versions.items():
            known.setdefault(name, set()).add(number)
    codes = sorted({row.code for row in rows})
    named = [f"{name} {' and '.join(sorted(v))}" for name, v in known.items()]
    return f"{'; '.join(codes)}. {', '.join(named)}"
