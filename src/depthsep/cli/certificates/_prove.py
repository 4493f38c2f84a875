"""`depthsep prove`: why no network is narrower, for others to check."""

from dataclasses import replace
from functools import partial

import click

from depthsep._errors import CertificationError, HypothesisError
from depthsep._files import write_atomically
from depthsep._plural import plural
from depthsep.cli._echo import echo
from depthsep.cli._every_dimension import prove_for_all
from depthsep.cli._options import (
    file_option,
    json_option,
    option,
    print_json,
    problem_options,
)
from depthsep.cli._progress import waiting
from depthsep.cli.certificates._outputs import check_folders
from depthsep.evidence import Inapplicable
from depthsep.jobs import DEPTH
from depthsep.problems import Problem
from depthsep.witnesses import Proof, prove_lower, run_checker
from depthsep.witnesses.rocq import rocq_lower, rocq_width


@click.command()
@partial(problem_options, skips="any", every=prove_for_all)
@option(
    replace(DEPTH, default=2),
    help="Number of affine layers; depth 2 has one hidden layer.",
)
@file_option("-o", "--output", help="Where to write the proof: .json.")
@file_option(
    "--rocq", help="Also write a .v file for the proof assistant Rocq (Coq); linf only."
)
@json_option
def prove(
    problem: Problem,
    depth: int,
    output: str | None,
    rocq: str | None,
    as_json: bool,
) -> None:
    """Prove the width that every network needs, in a form that others can check.

    \b
    depthsep prove square --accuracy 1e-6 --depth 3 -o proof.json
    python checker/depthsep_check.py proof.json    # without depthsep
    depthsep prove "expr:exp(x)" --accuracy 1e-3 --depth 2 --rocq exp.v
    depthsep prove "inner:sin(pi*d**3*t)" --dim all --accuracy 1/2 -o every_d.json

    The checker is one file that needs only Python; docs/trust.md says
    how to get it and what you have to trust.
    """
    check_folders(output, rocq)
    with waiting("proving"):
        found = prove_lower(problem, depth, skips=problem.networks.skips)
    if isinstance(found, Inapplicable):
        raise HypothesisError(f"no proof is written: {found}")
    file = None if rocq is None else rocq_lower(found)
    said = _written(found, output)
    if rocq is not None and file is not None:
        write_atomically(rocq, file.encode())
    if as_json:
        print_json(
            {
                "problem": problem.to_json(),
                "claim": found.claim,
                "kind": found.kind,
                "proof": output,
                "rocq": rocq,
            }
        )
        return
    networks = problem.networks
    plain = "" if networks.skips else " without skip connections"
    echo(f"{problem}")
    kind, width = networks.units.network, plural(found.claim["width"], "unit")
    echo(
        f"  every {kind} of depth {depth}{plain} within that accuracy has a hidden "
        f"layer of {width} or more"
    )
    if output is None:
        echo("  give -o FILE to write the proof")
    else:
        echo(f"  proof written to {output}; the checker says {said}")
    if rocq is not None:
        width = rocq_width(found)
        echo(
            f"  file for Rocq written to {rocq}; it proves that some hidden layer has "
            f"width {width} or more (to check it, run make formal in the depthsep "
            f"repository, then coqc -Q formal DepthSep {rocq})"
        )


def _written(proof: Proof, output: str | None) -> str:
    """Write a proof and ask the checker about it."""
    if output is None:
        return ""
    proof.write(output)
    with waiting("checking"):
        answer = run_checker(output)
    if not answer.valid:
        raise CertificationError(
            f"the checker refuses {output}: {answer.words}; this is a bug, please "
            "report it"
        )
    return answer.words
