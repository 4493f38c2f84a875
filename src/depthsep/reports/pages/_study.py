"""A study as a page that needs nothing but itself, from its rows alone."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep.reports.figures._canvas import png_bytes, svg_bytes
from depthsep.reports.figures._study_figure import slopes_of, study_figure
from depthsep.reports.pages._environment import details, figure, section
from depthsep.reports.pages._files import write_folder
from depthsep.reports.pages._style import CSS
from depthsep.reports.words._problem import duration
from depthsep.studies import (
    Figure,
    Row,
    Spread,
    Study,
    points_of,
    pooled,
    rigour_words,
    table_of,
    write_table,
)

LONGEST = 400  # points of the table on the page; all trials are in rows.csv
FAILURES = 20
MARK = '<meta name="generator" content="depthsep study report">'


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
    drawn = [study_figure(one, rows) for one in asked]
    svgs = [svg_bytes(one, f"figure-{k}") for k, one in enumerate(drawn, start=1)]
    page = study_page(study, rows, asked, svgs, conditions)
    files = {"index.html": page.encode(), "study.toml": study.text.encode()}
    for k, (one, svg) in enumerate(zip(drawn, svgs, strict=True), start=1):
        files[f"figure-{k}.svg"], files[f"figure-{k}.png"] = svg, png_bytes(one)
    written = write_folder(folder, files)
    names = [p.name for p in study.job.parameters]
    table = table_of(rows, names)
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
            f"{folder} holds files that are no report of a study; choose a new folder"
        )
    return [*folder.glob("figure-*.svg"), *folder.glob("figure-*.png")]


def study_page(
    study: Study,
    rows: Sequence[Row],
    figures: Sequence[Figure],
    svgs: Sequence[bytes],
    conditions: Sequence[str] = (),
) -> str:
    """The page around figures that are already drawn."""
    title = escape(study.title or study.name)
    parts = [f"<h1>{title}</h1>", _lead(study, rows, conditions)]
    for k, (asked, svg) in enumerate(zip(figures, svgs, strict=True), start=1):
        label = asked.title or f"{', '.join(asked.y)} against {asked.x}"
        drawn = figure(svg, f"f{k}", label)  # with its title inside
        parts.append(f"<section>\n{drawn}\n{_slopes(asked, rows)}</section>")
    parts += [
        section("Every point", _points(study, rows, figures)),
        _failures(study, rows),
        section("The study file", f"<pre>{escape(study.text)}</pre>"),
        section("Made by", _versions(rows)),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{MARK}\n<title>{title}</title>\n<style>{CSS}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _lead(study: Study, rows: Sequence[Row], conditions: Sequence[str]) -> str:
    done = sum(row.is_done for row in rows)
    failed, spent = len(rows) - done, duration(sum(row.seconds for row in rows))
    missing = study.count - len(rows)
    said = f"{done} trials of <b>{escape(study.job.name)}</b>"
    said += f", {failed} failed" if failed else ""
    if conditions:
        said += f"; only those with {escape(', '.join(conditions))}"
    elif missing > 0:
        said += f"; {missing} have not run yet"
    meaning = study.job.meaning
    what = f"{meaning[0].upper()}{meaning[1:]}. " if meaning else ""
    return (
        f'<p class="lead">{said}.</p>\n'
        f"<p>{escape(what)}{spent[0].upper()}{spent[1:]} of one core. Numbers are "
        "sampled (medians and ranges over seeds) where nothing else is said.</p>"
    )


def _slopes(asked: Figure, rows: Sequence[Row]) -> str:
    if not asked.fit:
        return ""
    body = "".join(
        f'<tr><td class="words">{escape(name)}</td><td>{found.value:.4g}</td>'
        f"<td>{found.low:.4g} to {found.high:.4g}</td>"
        f"<td>{found.count} {found.way}</td></tr>"
        for name, found in slopes_of(asked, rows)
    )
    what = {
        "xy": "log against log",
        "y": "log against linear",
        "x": "linear against log",
    }
    head = f"slope ({what.get(asked.log, 'linear')})"
    return (
        '<div class="scroll"><table><thead><tr><th class="words">curve</th>'
        f"<th>{head}</th><th>95 % interval</th><th>over</th></tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _points(study: Study, rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """All points; the metrics of the figures first."""
    points = points_of(rows, study.varied)
    known = dict.fromkeys(name for p in points for name in p.metrics)
    drawn = [name for f in figures for name in f.y if name in known]
    names = list(dict.fromkeys([*drawn, *known]))
    head = "".join(f"<th>{escape(name)}</th>" for name in (*study.varied, "n", *names))
    body = []
    for p in points[:LONGEST]:
        cells = [_plain(p.parameters[name]) for name in study.varied] + [str(p.done)]
        cells += [_cell(p.metrics.get(name), p.done) for name in names]
        body.append(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        )
    rest = len(points) - LONGEST
    more = f"; {rest} more points are in rows.csv" if rest > 0 else ""
    sure = f" Single values: {escape(rigour_words(rows, names))}."
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
        f'<p class="muted">Median over {pooled(rows, study.varied)}, with the least '
        'and the most; "2 of 5" '
        f"where only some trials have a value: those are counted{more}.{sure}</p>"
    )


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(spread: Spread | None, done: int) -> str:
    if spread is None:
        return "–"
    some = f" ({spread.count} of {done})" if spread.count < done else ""
    if spread.least == spread.most:
        return f"{spread.median:.4g}{some}"
    return f"{spread.median:.4g} [{spread.least:.3g}, {spread.most:.3g}]{some}"


def _failures(study: Study, rows: Sequence[Row]) -> str:
    failed = [row for row in rows if not row.is_done]
    if not failed:
        return ""
    items = []
    for row in failed[:FAILURES]:
        point = [f"{n} = {_plain(row.parameters.get(n))}" for n in study.varied]
        where = escape(", ".join([*point, f"seed = {row.seed}"]))
        first = row.failure.splitlines()[0] if row.failure else "no reason was kept"
        items.append(
            f"<li>{where}: {escape(first)}"
            + details(f"{row.attempts} attempts", f"<pre>{escape(row.failure)}</pre>")
            + "</li>"
        )
    rest = len(failed) - FAILURES
    more = f"<p>{rest} more in rows.csv.</p>" if rest > 0 else ""
    return section("What failed", f"<ul>{''.join(items)}</ul>{more}")


def _versions(rows: Sequence[Row]) -> str:
    known: dict[str, set[str]] = {}
    for row in rows:
        for name, number in row.versions.items():
            known.setdefault(name, set()).add(number)
    codes = sorted({row.code for row in rows})
    named = [f"{name} {' and '.join(sorted(v))}" for name, v in known.items()]
    return f"<p>{escape('; '.join(codes))}. {escape(', '.join(named))}.</p>"
