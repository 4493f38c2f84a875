"""`depthsep demo`: the main job, start to end."""

from pathlib import Path

import click

from depthsep.cli._echo import echo
from depthsep.cli._written import written
from depthsep.cli.certificates._outputs import save
from depthsep.exact import decimal, plain
from depthsep.export import Fixed, export_table
from depthsep.interop import verify
from depthsep.problems import Problem
from depthsep.reports import print_separation, write_report
from depthsep.separation import build, separate
from depthsep.tables import pieces


def show_pieces(file: Path) -> None:
    """An engineer's job: the fewest pieces of a sigmoid, as C for 16 bits."""
    table = pieces("sigmoid(x)", (-8, 8), accuracy="1e-3")
    echo(table.summary)
    form = Fixed(16, 12)
    rounded = pieces(
        "sigmoid(x)", (-8, 8), accuracy="1e-3", fixed=(form.width, form.fraction)
    )
    code = export_table(rounded, file, arithmetic=form)
    echo(written(str(file), code))
    echo()


@click.command()
@click.option(
    "--folder",
    default="demo-report",
    show_default=True,
    help="Folder to write the files into.",
)
def demo(folder: str) -> None:
    """Make a table for a curve, two tables of widths and one certified network."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    show_pieces(place / "sigmoid.c")
    square = Problem("square", norm="linf", accuracy="1e-6")
    sawtooth = Problem("sawtooth:12", norm="l1", accuracy="0.05")
    tables = [separate(problem, depths=range(2, 11)) for problem in (square, sawtooth)]
    for table in tables:
        print_separation(table)
        echo()
    built = build(square, depth=5)
    network, certificate = str(place / "square.onnx"), str(place / "square.json")
    save(built, network, certificate)
    error = built.examination.error.upper
    echo(f"built {built.network}: error {plain(decimal(error, 4, upward=True))}")
    echo(f"  saved as {network}, certified by {certificate}")
    verdict = verify(certificate)
    word = "valid" if verdict.valid else "refused"
    echo(f"  verified from the files alone: {word}, {verdict.reason}")
    write_report(tables[0], place / "square", built.network)
    write_report(tables[1], place / "sawtooth")
    echo(f"report with pictures: {place / 'square' / 'index.html'}")
    echo(f"                      {place / 'sawtooth' / 'index.html'}")
    if not verdict.valid:
        raise click.ClickException("the certificate was not confirmed")
