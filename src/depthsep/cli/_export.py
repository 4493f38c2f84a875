"""`depthsep export`."""

import click

from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import file_option
from depthsep.cli._written import FORM_HELP, save_table, written
from depthsep.export import format_of
from depthsep.tables import read_table


@click.command()
@click.argument("file", shell_complete=files)
@file_option("-o", "--output", help="Where to write it.")
@click.option("--to", metavar="FORM", help=FORM_HELP)
@click.option(
    "--arithmetic",
    metavar="FORMAT",
    default="double",
    show_default=True,
    help="Numbers that the code computes with: double, float32 or fixed:16.12.",
)
def export(file: str, output: str | None, to: str | None, arithmetic: str) -> None:
    """A table of pieces as code, data or a model, with a bound of all its errors.

    FILE is what `depthsep pieces ... -o table.json` wrote.

    \b
    depthsep export table.json -o sigmoid.c --arithmetic float32
    depthsep export table.json -o cost.lp
    depthsep export table.json -o cost.py --to pyomo
    """
    if output is None:
        raise click.UsageError("give -o FILE")
    table = read_table(file)
    code = save_table(table, output, to, format_of(arithmetic))
    echo(written(output, to, code))
