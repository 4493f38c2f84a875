"""`depthsep results` and `depthsep bound`."""

import click

from depthsep._errors import HypothesisError
from depthsep.cli._completions import statements, values
from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, print_json
from depthsep.cli._progress import waiting
from depthsep.evidence import Statement, reference_text
from depthsep.separation import results as catalogue
from depthsep.separation import statement_named


@click.command()
@click.argument("name", metavar="[ID]", required=False, shell_complete=statements)
@json_option
def results(name: str | None, as_json: bool) -> None:
    """List the theorems and constructions; with ID, show one with its errata."""
    chosen = catalogue() if name is None else (statement_named(name),)
    if as_json:
        print_json([_document(s) for s in chosen])
    elif name is None:
        width = max(len(s.id) for s in chosen)
        for statement in chosen:
            echo(f"{statement.id:<{width}}  {statement.title}")
        echo(
            "\ndepthsep results ID shows one of these; depthsep bound ID "
            "evaluates its formula."
        )
    else:
        _print(chosen[0])


def _document(statement: Statement) -> dict[str, object]:
    return {
        "id": statement.id,
        "title": statement.title,
        "hypotheses": list(statement.hypotheses),
        "formula": statement.formula,
        "source": str(statement.source),
        "reference": reference_text(statement.source.key),
        "errata": list(statement.errata),
        "proof": {"status": statement.proof.status, "page": statement.proof.page},
        "parameters": {p.name: p.meaning for p in statement.parameters},
    }


def _print(statement: Statement) -> None:
    echo(f"{statement.id}: {statement.title}")
    echo(f"  formula:     {statement.formula}")
    for hypothesis in statement.hypotheses:
        echo(f"  setting:     {hypothesis}")
    echo(f"  source:      {statement.source.place}")
    echo(f"               {reference_text(statement.source.key)}")
    echo(f"  proof:       {statement.proof}")
    for erratum in statement.errata:
        echo(f"  erratum:     {erratum}")
    usage = " ".join(f"{p.name}={p.default or '...'}" for p in statement.parameters)
    echo(f"  evaluate:    depthsep bound {statement.id} {usage}")
    for parameter in statement.parameters:
        echo(f"               {parameter.name}: {parameter.meaning}")


@click.command()
@click.argument("name", metavar="ID", shell_complete=statements)
@click.argument("values", metavar="[NAME=VALUE]...", nargs=-1, shell_complete=values)
@json_option
def bound(name: str, values: tuple[str, ...], as_json: bool) -> None:
    """Evaluate the formula of one theorem or construction.

    \b
    depthsep bound theorem-a pieces=354 layers=3
    depthsep bound sphere-rank dim=3 multiple=27 accuracy=1/10 --json
    """
    statement, given = statement_named(name), {}
    for item in values:
        key, equals, value = item.partition("=")
        if not equals or key in given:
            raise HypothesisError(
                f"{item[:40]!r}: give each parameter once, as name=value"
            )
        given[key] = value
    with waiting(statement.id):
        found = statement.evaluate_text(given)
    if as_json:
        log2 = {} if found.log2 is None else {"log2": found.log2}
        source = str(statement.source)
        rigour = str(found.rigour)
        print_json({"value": found.text, **log2, "rigour": rigour, "source": source})
    else:
        echo(f"{found.shown}  ({found.rigour}; {statement.source})")
        echo(statement.title)
