"""Text on a terminal: what a terminal would obey is shown, not sent."""

import click

from depthsep._files import lines_shown_safely


def echo(text: object = "", *, err: bool = False) -> None:
    """Print text; control characters in names and labels come out as ``\\x1b``."""
    click.echo(lines_shown_safely(str(text)), err=err)
