"""`depthsep build` and `depthsep verify`."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractConstruction, SearchPlan
from depthsep.cli._completions import constructions, files
from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, option, print_json, problem_options
from depthsep.cli._progress import waiting
from depthsep.constructions import BY_NAME, CONSTRUCTIONS
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, plain, text
from depthsep.interop import (
    is_plain,
    onnx_reference,
    write_atomically,
    write_certificate,
    write_npz,
    write_onnx,
)
from depthsep.interop import verify as check
from depthsep.jobs import DEPTH, SEARCH
from depthsep.networks import Network, SkipNetwork, network_to_json, with_skips
from depthsep.problems import Problem
from depthsep.separation import Built
from depthsep.separation import build as make
from depthsep.witnesses import Proof, is_proof, prove_upper, verify_proof
from depthsep.witnesses.rocq import rocq_upper


def _list_constructions(
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
    echo(f"\nThe last {len(BY_NAME)} are asked by name only: build TARGET --by ID.")
    context.exit()


def settings_of(construction: AbstractConstruction) -> str:
    """Where it builds: line, box, signs, spheres, radial."""
    of_target = getattr(construction.scope.target, "settings", ())
    found = {problem.law.setting for problem in construction.examples()}
    return ", ".join(of_target or sorted(found))


def _not_nan(context: object, parameter: object, seconds: float) -> float:
    if seconds != seconds:
        raise click.BadParameter("give a number")
    return seconds


seconds_option = click.option(
    "--seconds",
    callback=_not_nan,
    type=click.FloatRange(0, 86_400),
    default=60.0,
    show_default=True,
    help="Time for branch and bound over a box, where that is needed.",
)


@click.command()
@problem_options
@option(
    replace(DEPTH, default=None),
    help="Affine layers; the smallest network of depths 2 to 8 if not given.",
)
@click.option(
    "--by",
    metavar="ID",
    shell_complete=constructions,
    help="Ask this construction only (see --constructions).",
)
@click.option(
    "--constructions",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_constructions,
    help="List what --by takes, with what each serves, and stop.",
)
@seconds_option
@option(replace(SEARCH, default=0.0))
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write it: .onnx, .npz or .json."
)
@click.option(
    "--skips",
    is_flag=True,
    help="Write an .onnx with skip connections: without copied and repeated units.",
)
@click.option("--certificate", metavar="FILE", help="Where to write the certificate.")
@click.option(
    "--proof",
    metavar="FILE",
    help="Where to write a proof for the independent checker.",
)
@click.option(
    "--rocq", metavar="FILE", help="Write a file for Rocq (Coq), too: .v (linf)."
)
@json_option
def build(
    problem: Problem,
    depth: int | None,
    by: str | None,
    seconds: float,
    search: float,
    output: str | None,
    skips: bool,
    certificate: str | None,
    proof: str | None,
    rocq: str | None,
    as_json: bool,
) -> None:
    """Build one network, examine it, save it with a certificate.

    \b
    depthsep build square --accuracy 1e-4 --depth 4 -o net.onnx --certificate cert.json
    depthsep verify cert.json
    """
    check_places(output, certificate, proof, rocq)
    if skips and output is not None and not output.lower().endswith(".onnx"):
        raise HypothesisError("networks with skip connections are written as .onnx")
    plan = SearchPlan(search)
    with waiting("building"):
        built = make(problem, depth=depth, by=by, seconds=seconds, search=plan)
    document = None if proof is None else _proof_of(built)
    file = None if rocq is None else rocq_upper(built.network, problem)
    shorter = with_skips(built.network) if skips else None
    save(built, output, certificate, shorter)
    if proof is not None and document is not None:
        document.write(proof)
    if rocq is not None and file is not None:
        write_atomically(rocq, file.encode())
    error = built.examination.error
    if as_json:
        print_json(
            {
                "problem": problem.to_json(),
                "network": output,
                "certificate": certificate,
                "proof": proof,
                "rocq": rocq,
                "depth": built.network.depth,
                "widths": list(built.network.widths),
                **({} if shorter is None else {"with_skips": list(shorter.widths)}),
                "error": text(built.error),
                "rigour": str(error.rigour),
                "source": str(built.upper.source),
            }
        )
        return
    echo(f"{problem}")
    echo(f"  depth {built.network.depth}, widths {list(built.network.widths)}")
    if shorter is not None:
        shape = f"depth {shorter.depth}, widths {list(shorter.widths)}"
        echo(f"  with skip connections: {shorter.units} units, {shape}")
    bound = plain(decimal(built.error, 6, upward=True))
    echo(f"  {problem.norm} error at most {bound} ({error.rigour})")
    echo(f"  by {built.upper.source}")
    places = {"network": output, "certificate": certificate, "proof": proof}
    for name, place in (*places.items(), ("file for Rocq", rocq)):
        if place is not None:
            echo(f"  {name} written to {place}")
    if output is not None and not built.network.is_float:
        echo("  weights are rational; the file holds them rounded to float64")


def _proof_of(built: Built) -> Proof:
    with waiting("proving"):
        found = prove_upper(built.network, built.problem)
    if isinstance(found, Inapplicable):
        raise HypothesisError(f"no proof is written: {found}", parameter="proof")
    return found


def check_places(output: str | None, *others: str | None) -> None:
    """Refuse unusable file names before any work is done."""
    if output is not None and Path(output).suffix.lower() not in (
        ".onnx",
        ".npz",
        ".json",
    ):
        raise HypothesisError(
            f"cannot write {output}: use a name that ends in .onnx, .npz or .json"
        )
    check_folders(output, *others)


def check_folders(*places: str | None) -> None:
    """Refuse files in folders that do not exist, and one file for two things."""
    files = [Path(place).resolve() for place in places if place is not None]
    for file in files:
        if not file.parent.is_dir():
            raise HypothesisError(f"cannot write {file}: its folder does not exist")
    if len(set(files)) < len(files):
        raise HypothesisError("everything that is written needs a file of its own")


def save(
    built: Built,
    output: str | None,
    certificate: str | None,
    skips: SkipNetwork | None = None,
) -> None:
    """Write the network, then the certificate that refers to it or contains it.

    The certificate refers to an ONNX file beside it if that holds the weights exactly
    and has a plain name;
    in every other case it lists the
    weights itself.
    """
    if output is not None and skips is not None:
        write_onnx(skips, output, rounded=not skips.is_float)
    elif output is not None:
        _write_network(built, output)
    if certificate is None:
        return
    reference, beside = None, None if skips else output
    if beside is not None and can_refer(built.network, beside, certificate):
        reference = onnx_reference(beside, built.network)
    write_certificate(built.certificate(reference), certificate)


def _write_network(built: Built, output: str) -> None:
    rounded, suffix = not built.network.is_float, Path(output).suffix.lower()
    if suffix == ".onnx":
        write_onnx(built.network, output, rounded=rounded)
    elif suffix == ".npz":
        write_npz(built.network, output, rounded=rounded)
    else:
        document = json.dumps(network_to_json(built.network), indent=1) + "\n"
        write_atomically(output, document.encode())


def can_refer(network: Network, file: str, certificate: str) -> bool:
    """Whether a certificate can refer to a file beside it in place of weights."""
    place, beside = Path(file).resolve(), Path(certificate).resolve()
    exact = network.is_float and place.suffix.lower() == ".onnx"
    return exact and place.parent == beside.parent and is_plain(place.name)


@click.command()
@click.argument("certificate", metavar="FILE", shell_complete=files)
@seconds_option
@json_option
def verify(certificate: str, seconds: float, as_json: bool) -> None:
    """Check a certificate or a proof from the network and the problem alone.

    A proof (of `prove`, `build --proof` or `separate --proofs`) is read by the
    independent checker and derived again by depthsep; both have to agree.

    Exit code 0 if it holds, 1 if it does not, 2 if it cannot be read.
    """
    if is_proof(certificate):
        with waiting("checking"):
            verdict = verify_proof(certificate)
    else:
        with waiting("the box"):
            verdict = check(certificate, seconds=seconds)
    if as_json:
        print_json({"valid": verdict.valid, "reason": verdict.reason})
    elif verdict.valid and verdict.examination is None:
        echo(f"valid, {verdict.reason}")
    elif verdict.valid and verdict.examination is not None:
        error = verdict.examination.error
        bound = plain(decimal(error.upper, 6, upward=True))
        echo(f"valid: {verdict.reason} (found {bound}, {error.rigour})")
    if not verdict.valid:
        echo(f"depthsep: refused: {verdict.reason}", err=True)
        sys.exit(1)
