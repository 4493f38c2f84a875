"""A command group that loads a command when it is asked for.

Commands import what they need at the top of their files; this keeps `depthsep --help`
and every other command from loading it.
"""

from collections.abc import Mapping
from importlib import import_module

import click

Homes = Mapping[str, tuple[str, str]]
"""Command name to the module that defines it, and one line of help."""


class LazyGroup(click.Group):
    """A group whose commands are `homes`; each is a function named as its command."""

    def __init__(self, *args: object, homes: Homes, **options: object) -> None:
        super().__init__(*args, **options)  # pyright: ignore[reportArgumentType]
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.homes:
            return None
        module = import_module(self.homes[cmd_name][0])
        return getattr(module, cmd_name.replace("-", "_"))

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """The list of commands, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, home[1]) for name, home in self.homes.items()])
