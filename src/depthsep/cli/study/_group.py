"""`depthsep study`: a grid of problems or runs from one file."""

import click

from depthsep.cli.study._read import export, report, show
from depthsep.cli.study._run import run


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


for command in (run, show, export, report):
    study.add_command(command)
