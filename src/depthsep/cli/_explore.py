"""`depthsep explore`."""

import webbrowser

import click

from depthsep._errors import HypothesisError
from depthsep.cli._echo import echo
from depthsep.cli._options import given_options
from depthsep.cli._progress import waiting
from depthsep.explore import export as write_pages
from depthsep.explore import serve


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port on this machine; if not given, any free one.",
)
@click.option(
    "--no-browser", is_flag=True, help="Print the address, but open no browser."
)
@click.option(
    "--export",
    "folder",
    metavar="DIR",
    help="Write the page to files that need no server; they offer only a "
    "fixed choice of settings.",
)
def explore(port: int, no_browser: bool, folder: str | None) -> None:
    """Open a page with a table of widths, pictures and sliders; only this machine can
    see it.

    \b
    depthsep explore
    depthsep explore --export site/explorer
    """
    if folder is not None:
        for flag in given_options("port", "no_browser"):
            raise HypothesisError(f"{flag} does nothing with --export; leave it out")
        with waiting("states"):
            written = write_pages(folder)
        echo(f"wrote {written}")
        return

    def ready(address: str) -> None:
        echo(f"the explorer is at {address} until you press Ctrl-C", err=True)
        if not no_browser:
            webbrowser.open(address)

    serve(port, ready=ready)
