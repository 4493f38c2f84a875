"""`depthsep study`: a grid of problems or runs from one file."""

import click

from depthsep.cli._lazy_group import LazyGroup

COMMANDS = {
    "run": ("depthsep.cli.study._run", "Run the trials that are missing."),
    "show": ("depthsep.cli.study._read", "List trials, or statistics over seeds."),
    "export": ("depthsep.cli.study._read", "Write the trials as CSV or Parquet."),
    "report": ("depthsep.cli.study._read", "Write an HTML page with figures."),
}


@click.group(cls=LazyGroup, homes=COMMANDS)
def study() -> None:
    """Run a grid of problems or training jobs from one file, here or on a cluster.

    \b
    depthsep study run finite-width.toml --workers 2
    depthsep study show finite-width.toml
    depthsep study report finite-width.toml -o page

    Trials that are done are kept in finite-width.sqlite beside the file; if a run is
    stopped or killed, the same command continues it.
    """
