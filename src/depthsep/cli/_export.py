"""`depthsep export`."""

from pathlib import Path

import click
from flint import fmpq

from depthsep._deadline import deadline
from depthsep._errors import CertificationError, HypothesisError
from depthsep._files import read_bounded
from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import file_option, seconds_option
from depthsep.cli._progress import waiting
from depthsep.cli._written import FORM_HELP, save_table, written
from depthsep.evidence import json_document
from depthsep.exact import decimal, format_of, plain, rational
from depthsep.export import export_network
from depthsep.interop import certified_network, read_certificate, read_network, verify
from depthsep.networks import Network
from depthsep.problems import Problem, domain_from_text
from depthsep.surfaces import FORMAT as TRIANGLES
from depthsep.surfaces import read_triangles
from depthsep.tables import FORMAT, read_table


@click.command()
@click.argument("file", shell_complete=files)
@file_option("-o", "--output", help="File to write the code, data or model to.")
@click.option("--to", metavar="FORM", help=FORM_HELP)
@click.option(
    "--on",
    metavar='"A,B[;C,D...]"',
    help="Box that a network's inputs lie in; needed for networks only.",
)
@click.option(
    "--arithmetic",
    metavar="FORMAT",
    default="double",
    show_default=True,
    help="Number format of the code: double, float32 or fixed:16.12 (16 bits, 12 of "
    "them after the point).",
)
@seconds_option
def export(
    file: str,
    output: str | None,
    to: str | None,
    on: str | None,
    arithmetic: str,
    seconds: float,
) -> None:
    """Export a table, a network or a certificate as code, data or a model.

    FILE is what `depthsep pieces ... -o table.json` wrote, a certificate, or a ReLU
    network. The export comes with a proved bound on the error; the bound covers the
    rounding of all numbers and, for code, of all operations.

    \b
    depthsep export table.json -o sigmoid.c --arithmetic float32
    depthsep export table.json -o cost.lp
    depthsep export certificate.json -o net.c
    depthsep export net.onnx --on=-1,1 -o net.py --to torch
    """
    if output is None:
        raise HypothesisError("give a file to write: -o FILE")
    form = format_of(arithmetic)
    read = {FORMAT: read_table, TRIANGLES: read_triangles}.get(str(_format(file)))
    if read is not None:
        if on is not None:
            raise HypothesisError("a table has its own interval; leave out --on")
        with waiting("examining"), deadline(seconds):
            code = save_table(read(file), output, to, form)
        echo(written(output, code))
        return
    network, problem, error = _network(file, on, seconds)
    code = export_network(network, problem, output, to=to, arithmetic=form, error=error)
    off = plain(decimal(code.rounding, 4, upward=True))
    echo(
        f"written: {output}; in {form.name} all roundings together add at "
        f"most {off} to the error"
    )
    if code.error is not None:
        total = plain(decimal(code.error, 4, upward=True))
        echo(f"  with these roundings, the result is within {total} of {code.claim}")


def _format(file: str) -> object:
    """Of a JSON document; None for other files."""
    if not file.lower().endswith(".json") or not Path(file).is_file():
        return None
    document = json_document(read_bounded(Path(file)))
    return document.get("format") if isinstance(document, dict) else None


def _network(
    file: str, on: str | None, seconds: float
) -> tuple[Network, Problem, fmpq | None]:
    """A network and where its inputs lie; the error that its certificate claims."""
    if _format(file) is not None:
        certificate = read_certificate(file)
        with waiting("verifying"):
            verdict = verify(file, seconds=seconds)
        if not verdict.valid:
            raise CertificationError(
                f"the certificate {file} is not valid: {verdict.reason}"
            )
        if on is not None:
            raise HypothesisError("a certificate has its own domain; leave out --on")
        network = certified_network(certificate, Path(file).parent)
        problem = Problem.from_json(certificate.problem)
        return network, problem, rational(certificate.claim["error"])
    network = read_network(file)
    if on is None:
        raise HypothesisError(
            'say where the inputs of the network lie, such as --on "-1,1"'
        )
    names = [f"x{k + 1}" for k in range(network.in_dim)]
    target = "expr:x" if network.in_dim == 1 else f"expr:{'+'.join(names)}"
    domain = domain_from_text(on)
    return network, Problem(target, domain, accuracy=1), None
