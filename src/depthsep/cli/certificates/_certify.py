"""`depthsep certify`: a certificate for a network of one's own."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.analysis import Sizes
from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    WHICH_OUTPUT,
    batch_option,
    file_option,
    json_option,
    logits_option,
    print_json,
    problem_options,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.cli.certificates._outputs import can_refer, check_folders
from depthsep.exact import decimal, format_of, plain, rational
from depthsep.interop import onnx_reference, read_network, write_certificate
from depthsep.problems import Problem
from depthsep.separation import certificate_of


@click.command()
@click.argument("net", metavar="NET", shell_complete=files)
@partial(problem_options, without=("activation", "skips"))
@seconds_option
@click.option("--net-output", metavar="WHICH", help=WHICH_OUTPUT)
@logits_option
@batch_option
@click.option(
    "--arithmetic",
    metavar="FORMAT",
    help="Certify an error that includes the rounding errors of this number "
    "format: float32, double or fixed:16.12 (16 bits, 12 of them after "
    "the point).",
)
@click.option(
    "--weights",
    metavar="FORMAT",
    help="Also certify that all weights and biases are numbers of this "
    "format: float32, q4.12 or int8 (as in `build --weights`).",
)
@file_option("-o", "--output", help="Where to write the certificate: .json.")
@json_option
def certify(
    net: str,
    problem: Problem,
    seconds: float,
    net_output: str | None,
    logits: bool,
    batch: bool,
    arithmetic: str | None,
    weights: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Examine a network of your own, and certify that it meets an accuracy.

    NET is an .onnx, .npz (W1, b1, W2, ...) or .json file. The exit code is 1 if the
    error is above the accuracy, or if this could not be decided.

    \b
    depthsep certify net.onnx square --accuracy 1e-3 -o certificate.json
    depthsep verify certificate.json
    """
    check_folders(net, output)
    network = read_network(net, logits=logits, output=net_output, batch=batch)
    as_written = not (logits or net_output) and batch
    if (network.in_dim, network.out_dim) != (problem.target.in_dim, 1):
        raise HypothesisError(
            f"{net} maps {plural(network.in_dim, 'input')} to "
            f"{plural(network.out_dim, 'output')}, but {problem.target} needs "
            f"{plural(problem.target.in_dim, 'input')} and 1 output; give another "
            "target, or choose one of the outputs (--net-output 1)"
        )
    with waiting("examining"):
        form = None if arithmetic is None else format_of(arithmetic)
        found = certificate_of(
            network,
            problem,
            Path(net).name,
            seconds=seconds,
            arithmetic=form,
            weights=weights,
        )
    if output is not None:
        if as_written and can_refer(network, net, output):
            found = replace(found, network=onnx_reference(net, network))
        write_certificate(found, output)
    claim, sizes = found.claim, Sizes(network)
    skips = sizes.skips
    if as_json:
        document = {"problem": problem.to_json(), "certificate": output, **claim}
        print_json({**document, "with_skips": sizes.to_json()["with_skips"]})
        return
    echo(f"{problem}")
    bound = plain(decimal(rational(claim["error"]), 6, upward=True))
    runtime = "" if form is None else f", with the network computed in {form.name}"
    echo(f"  {problem.norm} error at most {bound} ({claim['rigour']}){runtime}")
    if weights is not None:
        echo(f"  all weights and biases fit the format {weights}")
    if skips is not None and skips.units < network.units:
        echo(
            f"  with skip connections the same network has depth {skips.depth} and "
            f"widths {list(skips.widths)}; only lower bounds for networks with skip "
            "connections apply to that form"
        )
    if output is not None:
        echo(f"  certificate written to {output}")
