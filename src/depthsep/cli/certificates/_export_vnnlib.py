"""`depthsep export-vnnlib`."""

import click

from depthsep._plural import plural
from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, print_json, read_range
from depthsep.cli._progress import waiting
from depthsep.exact import text
from depthsep.interop.vnnlib import FAMILIES, Exported
from depthsep.interop.vnnlib import export_vnnlib as export


@click.command("export-vnnlib")
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--family",
    "families",
    multiple=True,
    type=click.Choice(["sawtooth", "product", "error"]),
    help="Kind of instances; if neither this nor --certificate is given, all kinds.",
)
@click.option(
    "--certificate",
    "certificates",
    multiple=True,
    metavar="FILE",
    help="Make instances about the network of this certificate, whose error "
    "must be in linf, on an interval or on a box of up to 4 inputs.",
)
@click.option(
    "--levels",
    default="1:3",
    show_default=True,
    help="Levels of difficulty, from 1 to 6, such as 2 or 1:3.",
)
@click.option(
    "--timeout",
    default=120,
    show_default=True,
    help="Time limit in instances.csv for each instance, in seconds.",
)
@json_option
def export_vnnlib(
    folder: str,
    families: tuple[str, ...],
    certificates: tuple[str, ...],
    levels: str,
    timeout: int,
    as_json: bool,
) -> None:
    """Write instances for network verifiers, with proved answers.

    The command writes ONNX networks, VNN-LIB 1.0 properties and instances.csv as in
    VNN-COMP, the competition of network verifiers, and beside them the answers,
    counterexamples and certificates.

    \b
    depthsep export-vnnlib instances --levels 1:4
    depthsep export-vnnlib mine --certificate cert.json
    """
    chosen = families or (() if certificates else tuple(FAMILIES))
    with waiting("instances"):
        made = export(
            folder,
            families=chosen,
            certificates=certificates,
            levels=read_range(levels, "--levels", 1, 6),
            timeout=timeout,
        )
    held = sum(i.witness is None for i in made.instances)
    count = len(made.instances)
    if as_json:
        print_json(_document(made))
        return
    echo(f"{plural(count, 'instance')} in {made.folder}:")
    echo(f"  unsat: {held}, where the property holds")
    echo(f"  sat: {count - held}, each with a counterexample that was checked exactly")
    echo(f"  answers and proofs: {made.folder / 'answers.csv'}")


def _document(made: Exported) -> dict[str, object]:
    rows = [
        {
            "name": i.name,
            "network": f"onnx/{i.network_name}.onnx",
            "property": f"vnnlib/{i.name}.vnnlib",
            "answer": i.answer,
            "margin": text(i.margin),
            "regions": i.regions,
            "proof": i.proof,
        }
        for i in made.instances
    ]
    return {"folder": str(made.folder), "instances": rows, "rigour": "exact"}
