"""A command group that loads a command when it is asked for.

Commands import what they need at the top of their files; this keeps `depthsep --help`
and every other command from loading it.
"""

from collections.abc import Mapping
from importlib import import_module

import click

from depthsep._errors import DepthsepError

Homes = Mapping[str, tuple[str, str]]
"""Command name to the module that defines it, and one line of help."""

ALSO = {"law": ("on", "law")}
"""A parameter to the options that give it, where these have other names."""


class LazyGroup(click.Group):
    """A group whose commands are `homes`; each is a function named as its command."""

    def __init__(self, *args: object, homes: Homes, **options: object) -> None:
        super().__init__(*args, **options)  # pyrefly: ignore[bad-argument-type] (click's)
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.homes:
            return None
        module = import_module(self.homes[cmd_name][0])
        return getattr(module, cmd_name.replace("-", "_"))

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an error about a parameter is told which option that is."""
        try:
            return super().invoke(ctx)
        except DepthsepError as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if command is not None and (flag := option_of(command, error.parameter)):
                error.add_note(f"({flag})")
            raise

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """The list of commands, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, home[1]) for name, home in self.homes.items()])


def option_of(command: click.Command, parameter: str | None) -> str:
    """The option of a command for a parameter of the library; empty if it has none."""
    names = ALSO.get(parameter or "", (parameter,))
    flags = [
        option.opts[0]
        for option in command.params
        if option.name in names or _declared(option) in names
    ]
    return " or ".join(flag for flag in flags if flag.startswith("-"))


def _declared(option: click.Parameter) -> str | None:
    """The name of the parameter that an option was made from, if it was."""
    return getattr(getattr(option.type, "parameter", None), "name", "")
