"""One page for each command, from click's own help."""

import click

from depthsep.cli import commands as group


def pages():
    """The list of commands, and a page for each."""
    commands = list(_commands(group, ("depthsep",)))
    rows = [
        f"| [`{' '.join(path)}`]({'-'.join(path[1:])}.md) | {command.get_short_help_str(100).replace('|', '&#124;')} |"
        for path, command in commands
    ]
    head = "| command | what it does |\n|---|---|\n"
    intro = (
        "# Commands\n\nWhat does each command do, and with which options? What all commands have in "
        "common (JSON, exit codes, files, numbers, completion) is on the page "
        "[The command line](../command_line.md).\n\n"
    )
    yield "commands/index.md", intro + head + "\n".join(rows) + "\n"
    for path, command in commands:
        yield f"commands/{'-'.join(path[1:])}.md", _page(path, command)


def names() -> list[dict[str, str]]:
    """Titles and pages of all commands."""
    return [
        {" ".join(path[1:]): f"commands/{'-'.join(path[1:])}.md"}
        for path, _ in _commands(group, ("depthsep",))
    ]


def _commands(within, path):
    """Commands that do something, depth first."""
    context = click.Context(within)
    for name in within.list_commands(context):
        command = within.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield (*path, name), command


def _page(path, command) -> str:
    context = click.Context(command, info_name=" ".join(path))
    words = _prose(command.help or "")
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [
        f"# {' '.join(path)}",
        words,
        f"```console\n$ {' '.join(path)} {usage}\n```",
    ]
    rows = [_row(p, context) for p in command.get_params(context)]
    rows = [row for row in rows if row]
    if rows:
        parts.append("| option | meaning |\n|---|---|\n" + "\n".join(rows))
    parts.append(
        "[All commands](index.md) · [what they have in common](../command_line.md)"
    )
    return "\n\n".join(parts) + "\n"


def _row(parameter, context) -> str | None:
    record = parameter.get_help_record(context)
    if record is None:
        return None
    names, meaning = record
    if "--help" in names:
        names = ", ".join(context.help_option_names)
    return f"| `{names}` | {meaning.replace('|', '&#124;')} |"


def _prose(text: str) -> str:
    """Help as Markdown: what stands as it is (after \\b) is an example."""
    parts = []
    for part in text.split("\n\n"):
        part = part.strip()
        if part.startswith("\b"):  # click marks what keeps its lines
            parts.append(f"```console\n{_commands_of(part[1:])}\n```")
        else:
            parts.append(part)
    return "\n\n".join(parts)


def _commands_of(part: str) -> str:
    lines = [line.strip() for line in part.strip().split("\n")]
    return "\n".join(f"$ {x}" if x.startswith("depthsep") else f"  {x}" for x in lines)
