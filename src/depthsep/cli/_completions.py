"""What a shell completes: targets, statements and their parameters, files."""

import click
from click.shell_completion import CompletionItem

from depthsep._errors import DepthsepError


def targets(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of targets, with a colon where something follows."""
    from depthsep.targets import TARGETS

    names = [
        (form.name if form.shown == form.name else f"{form.name}:", form.shown)
        for form in TARGETS
    ]
    return [
        CompletionItem(name, help=shown)
        for name, shown in names
        if name.startswith(incomplete)
    ]


def statements(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The ids of the catalogue."""
    from depthsep.separation import results

    return [
        CompletionItem(s.id, help=s.title)
        for s in results()
        if s.id.startswith(incomplete)
    ]


def constructions(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The ids that `build --by` takes."""
    from depthsep.constructions import BY_NAME, CONSTRUCTIONS

    return [
        CompletionItem(c.statement.id, help=c.statement.title)
        for c in (*CONSTRUCTIONS, *BY_NAME)
        if c.statement.id.startswith(incomplete)
    ]


def values(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The parameters of a statement that have no value yet."""
    from depthsep.separation import statement_named

    try:
        statement = statement_named(str(context.params.get("name")))
    except DepthsepError:
        return []
    given = {v.partition("=")[0] for v in context.params.get("values") or ()}
    return [
        CompletionItem(f"{p.name}=", help=p.meaning)
        for p in statement.parameters
        if p.name not in given and p.name.startswith(incomplete)
    ]


def files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Files, as the shell completes them."""
    return [CompletionItem(incomplete, type="file")]
