"""`depthsep build --constructions`: what --by takes."""

import click

from depthsep.claims import AbstractConstruction
from depthsep.cli._echo import echo
from depthsep.constructions import BY_NAME, CONSTRUCTIONS


def list_constructions(
    context: click.Context, parameter: object, is_asked: bool
) -> None:
    """Every construction, with the settings of its examples."""
    if not is_asked:
        return
    rows = [
        (c.statement.id, settings_of(c), c.statement.title)
        for c in (*CONSTRUCTIONS, *BY_NAME)
    ]
    wide = [max(len(row[k]) for row in rows) for k in range(2)]
    for name, settings, title in rows:
        echo(f"{name:<{wide[0]}}  {settings:<{wide[1]}}  {title}")
    echo(
        f"\nThe last {len(BY_NAME)} constructions are used only if you name "
        "them: build TARGET --by ID."
    )
    context.exit()


def settings_of(construction: AbstractConstruction) -> str:
    """Where it builds: line, box, signs, spheres, radial."""
    of_target = getattr(construction.scope.target, "settings", ())
    found = {problem.law.setting for problem in construction.examples()}
    return ", ".join(of_target or sorted(found))
