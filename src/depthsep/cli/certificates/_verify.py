"""`depthsep verify`: certificates and proofs, checked from the start."""

import sys

import click

from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import json_option, print_json, seconds_option
from depthsep.cli._progress import waiting
from depthsep.exact import decimal, plain
from depthsep.interop import verify as check
from depthsep.witnesses import is_proof, verify_proof


@click.command()
@click.argument("certificate", metavar="FILE", shell_complete=files)
@seconds_option
@json_option
def verify(certificate: str, seconds: float, as_json: bool) -> None:
    """Check a certificate or a proof from the network and the problem alone.

    A proof that `prove`, `build --proof`, `separate --proofs` or `check --proof` wrote
    is read by the independent checker and derived again by depthsep; both must agree.
    A proof of a property is about the network that it contains; if the file that this
    network was read from lies beside the proof, that file must be unchanged.

    The exit code is 0 if the file is valid, 1 if it is not, and 2 if it cannot be read.
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
        echo(f"valid: {verdict.reason} (error found: {bound}, {error.rigour})")
    if not verdict.valid:
        echo(f"depthsep: refused: {verdict.reason}", err=True)
        sys.exit(1)
