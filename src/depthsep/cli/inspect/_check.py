"""`depthsep check`."""

import sys
from pathlib import Path

import click

from depthsep._errors import HypothesisError
from depthsep._files import read_bounded, write_atomically
from depthsep._plural import plural
from depthsep.analysis import Checked, float32_outputs
from depthsep.analysis import check as look
from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    batch_option,
    json_option,
    logits_option,
    print_json,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.exact import nearest_float, text
from depthsep.interop import (
    check_provable,
    holds_proof,
    read_network,
    read_query,
)
from depthsep.networks import Network

EXIT = {"holds": 0, "violated": 1}


@click.command()
@click.argument("net", metavar="NET", shell_complete=files)
@click.argument("property_file", metavar="PROPERTY", shell_complete=files)
@click.option(
    "--proof",
    metavar="FILE",
    help="Write a proof that checker/depthsep_holds.py can check.",
)
@seconds_option
@logits_option
@batch_option
@json_option
def check(
    net: str,
    property_file: str,
    proof: str | None,
    seconds: float,
    logits: bool,
    batch: bool,
    as_json: bool,
) -> None:
    """Check whether a network has a property that is written in VNN-LIB 1.0 or 2.0.

    The file PROPERTY describes which outputs must not occur for which inputs. The
    answer is "holds", "not decided", or "violated" with a counterexample that is
    confirmed in exact arithmetic.

    \b
    depthsep check net.onnx property.vnnlib
    depthsep check net.onnx property.vnnlib --proof holds.json

    The exit code is 0 for holds, 1 for violated and 3 for not decided.
    """
    query = read_query(property_file)
    network = read_network(net, logits=logits, batch=batch)
    sizes = (query.inputs, query.outputs), (network.in_dim, network.out_dim)
    if sizes[0] != sizes[1]:
        raise HypothesisError(
            f"{property_file} has {plural(query.inputs, 'input')} and "
            f"{plural(query.outputs, 'output')}, but {net} has {network.in_dim} "
            f"and {network.out_dim}; give a property of this network"
        )
    if proof is not None:
        check_provable(network)
    with waiting("checking"):
        found = look(network, query.cases, seconds=seconds)
    if as_json:
        print_json(_document(network, found))
    else:
        _show(network, found)
    if proof is not None:
        echo(_prove(network, net, property_file, found, proof), err=as_json)
    sys.exit(EXIT.get(found.answer, 3))


def _prove(
    network: Network, net: str, property_file: str, found: Checked, proof: str
) -> str:
    """Write the proof, if there is one, and say so."""
    written = read_bounded(Path(property_file)).decode()
    try:
        document = holds_proof(network, written, found, net)
    except HypothesisError as reason:
        return f"  no proof is written: {reason}"
    write_atomically(proof, document.encode())
    return f"  proof written to {proof}; to check it, run depthsep verify {proof}"


def _document(network: Network, found: Checked) -> dict[str, object]:
    document: dict[str, object] = {
        "answer": found.answer,
        "rigour": "exact" if found.answer == "violated" else "enclosed",
        "cases": found.cases,
        "boxes": found.boxes,
    }
    if found.witness is not None:
        point, outputs = found.witness.point, found.witness.outputs
        document["witness"] = {
            "inputs": [text(x) for x in point],
            "outputs": [text(y) for y in outputs],
            "is_float32": found.witness.single,
            "float32_outputs": float32_outputs(network, point),
        }
    elif found.answer != "holds":
        document["bound"] = found.bound
        document["open_cases"] = [n + 1 for n in found.open_cases]
    return document


def _show(network: Network, found: Checked) -> None:
    if found.answer == "holds":
        boxes = "1 box" if found.boxes == 1 else f"{found.boxes} boxes"
        echo(
            f"holds (proved in {plural(found.cases, 'case')} of the "
            f"property, with the outputs bounded over {boxes} of inputs)"
        )
        return
    if found.witness is None:
        echo("not decided: allow more time (--seconds)")
        echo(f"  cases not decided     {len(found.open_cases)} of {found.cases}")
        echo(f"  bound falls short by  {found.bound:.4g}, in the worst box of inputs")
        return
    witness = found.witness
    kind = "a float32 input" if witness.single else "an input"
    echo(f"violated (exact) by {kind}:")
    for name, values in (("X", witness.point), ("Y", witness.outputs)):
        for k, value in enumerate(values):
            echo(f"  {name}_{k:<20} {nearest_float(value)!r}")
    runs = ", ".join(f"{y:.7g}" for y in float32_outputs(network, witness.point))
    echo(f"  outputs in float32, computed layer by layer: {runs}")
