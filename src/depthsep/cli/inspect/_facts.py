"""`depthsep facts`."""

import sys

import click

from depthsep._errors import HypothesisError
from depthsep.analysis import facts as look
from depthsep.cli._completions import files
from depthsep.cli._options import (
    WHICH_OUTPUT,
    batch_option,
    file_option,
    json_option,
    logits_option,
    print_json,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.cli.inspect._inspect_show import Told
from depthsep.interop import chosen_output, read_network
from depthsep.networks import Network
from depthsep.problems import domain_from_text


@click.command()
@click.argument("net", metavar="NET", shell_complete=files)
@click.option(
    "--on",
    "--box",
    "on",
    metavar='"A,B[;C,D...]"',
    default="-1,1",
    show_default=True,
    help="One interval for all inputs, or one for each.",
)
@file_option("--against", help="Bound the distance between NET and this network.")
@click.option(
    "--at-most",
    metavar="E",
    help="Decide whether the distance to --against is at most E.",
)
@click.option("--output", metavar="WHICH", help=WHICH_OUTPUT)
@seconds_option
@logits_option
@batch_option
@click.option(
    "--seed",
    default=0,
    show_default=True,
    help="Seed of the random points that are tried.",
)
@json_option
def facts(
    net: str,
    on: str,
    against: str | None,
    at_most: str | None,
    output: str | None,
    seconds: float,
    logits: bool,
    batch: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Find facts about a network on a box; NET is an .onnx, .npz or certificate file.

    These are the range of every output and the inputs where its ends are reached,
    Lipschitz constants, the inputs in which the output is monotone, whether the output
    is convex or concave, zeros, constant parts, units that do nothing, and a smaller
    network that computes the same function.
    Numbers are exact if the network has few regions; otherwise each lies between an
    exact value at a point and a proved bound, and both are shown.

    \b
    depthsep facts net.onnx --on 0,1
    depthsep facts net.onnx --against rounded.onnx --at-most 1e-3

    With --at-most, the exit code is 0 for yes, 1 for no and 3 for not decided.
    """
    if at_most is not None and against is None:
        raise HypothesisError("--at-most needs a network to compare with (--against)")
    if seed < 0:
        raise HypothesisError(f"--seed is {seed}; give 0 or more")
    chosen = chosen_output(net, output or "1")
    network = read_network(net, logits=logits, output=chosen.name, batch=batch)
    given = 1 if chosen.number is None else chosen.number
    number = None if output is None else given - 1
    other = None if against is None else _other(against, logits, batch)
    with waiting("looking") as bar:
        found = look(
            network,
            domain_from_text(on),
            output=number,
            against=other,
            at_most=at_most,
            seconds=seconds,
            seed=seed,
            told=Told(net, None if as_json else bar),
        )
    document = found.to_json()
    if as_json:
        print_json(document)
    if at_most is not None:
        sys.exit(_exit_code(document))


def _other(path: str, logits: bool, batch: bool) -> Network:
    return read_network(path, logits=logits, batch=batch)


def _exit_code(document: dict[str, object]) -> int:
    entry = document.get("against")
    answer = entry.get("answer") if isinstance(entry, dict) else None
    return {"yes": 0, "no": 1}.get(str(answer), 3)
