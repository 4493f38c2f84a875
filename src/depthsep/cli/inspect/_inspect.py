"""`depthsep inspect`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from depthsep._cores import cores
from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.analysis import Plan
from depthsep.analysis import inspect as look
from depthsep.cli._completions import files
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    WHICH_OUTPUT,
    Command,
    batch_option,
    file_option,
    given_options,
    json_option,
    logits_option,
    print_json,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.cli.inspect._inspect_show import Told
from depthsep.interop import chosen_output, onnx_head, read_network
from depthsep.jobs import Values
from depthsep.laws import AbstractLaw, Box, Segment, law_from_text
from depthsep.networks import Network
from depthsep.problems import NORMS, domain_from_text
from depthsep.reports import write_inspection
from depthsep.targets import AbstractTarget, target_from_text

ON_A_LINE = ("line", "float64")
ON_A_BOX = ("slice", "lines", "slices", "seed", "most")
EXAMPLES = {2: ("two", "0,0;1,1"), 3: ("three", "0,0,0;1,0,0;0,1,0")}


def _of_plan(name: str, help: str) -> Callable[[Command], Command]:
    """An option whose default is that of `Plan`."""
    default = getattr(Plan, name)
    return click.option(f"--{name}", default=default, show_default=True, help=help)


@click.command()
@click.argument("net", metavar="NET", shell_complete=files)
@click.option(
    "--on",
    "--box",
    "on",
    metavar='"A,B[;C,D...]"',
    help="One interval for all inputs, or one for each; if not given, all "
    "of R for one input and -1,1 for several.",
)
@click.option(
    "--line",
    metavar='"X0;X1"',
    help='Examine only the segment between two points, such as "0,0;1,1".',
)
@click.option(
    "--slice",
    metavar='"X0;X1;X2"',
    help="Examine only the parallelogram with a corner X0 and its two "
    "neighbouring corners X1 and X2.",
)
@_of_plan("lines", "Number of random lines; 0 for none.")
@click.option(
    "--slices",
    type=int,
    help="Number of random slices; if not given, 3 for more than two inputs "
    "and 0 for two.",
)
@_of_plan("seed", "Seed of the random lines and slices.")
@_of_plan("most", "Count at most this many regions.")
@click.option(
    "--target", metavar="TARGET", help="Also measure the distance to this target."
)
@file_option(
    "--against", help="Also measure the distance to this network, in place of a target."
)
@click.option(
    "--dim",
    type=int,
    help="Dimension d of an inner: or radial: target; if not given, it "
    "follows from the number of inputs of NET.",
)
@click.option(
    "--law",
    metavar="LAW",
    help="Law of an inner: or radial: target; its default law if not given.",
)
@click.option(
    "--norm",
    type=click.Choice(NORMS),
    help="Norm in which the distance is measured; linf if not given.",
)
@seconds_option
@click.option(
    "--level",
    default="1/2",
    show_default=True,
    help="Count how often the output crosses this level, and the parts "
    "where it is above or below the level.",
)
@click.option("--output", metavar="WHICH", default="1", help=WHICH_OUTPUT)
@logits_option
@batch_option
@click.option(
    "--float64",
    is_flag=True,
    help="Compute in float64: faster, but rounded, so it proves nothing.",
)
@click.option(
    "--report",
    metavar="FOLDER",
    help="Also write a page with a map of the regions into this folder.",
)
@json_option
def inspect(net: str, report: str | None, as_json: bool, **given: Any) -> None:
    """Examine a network: an .onnx, .npz (W1, b1, W2, ...) or certificate file.

    With one input, or along --line, the command lists all affine pieces; with several
    inputs it counts regions on a box or in slices, pieces along random lines, and
    units that do nothing.

    \b
    depthsep inspect net.onnx --on 0,1 --target square
    depthsep inspect net.npz --box -1,1 --report page
    depthsep inspect net.npz --line "0,0;1,1"
    depthsep inspect net.onnx --target "inner:sin(pi*d*t)" --norm l2
    """
    for one, two in (("target", "against"), ("on", "line"), ("slice", "slices")):
        if len(given_options(one, two)) > 1:
            raise HypothesisError(f"give --{one} or --{two}, not both")
    if given["dim"] is not None and given["target"] is None:
        raise HypothesisError("--dim needs an inner: or radial: target; give --target")
    if given["norm"] and not (given["target"] or given["against"]):
        raise HypothesisError(
            "--norm needs a distance to measure; give --target or --against"
        )
    network, head = _read(net, given)
    along = network.in_dim == 1 or given["line"]
    where = (
        "a network of one input, or along --line"
        if along
        else "several inputs unless --line is given"
    )
    _refuse(ON_A_BOX if along else ON_A_LINE, where)
    on, plan = (_along if along else _on_a_box)(network, given)
    if head is not None and not as_json:
        echo(f"{net} ends in a {head}; the facts below are about the logits before it")
    with waiting("looking") as bar:
        seen = look(network, on, plan, told=Told(net, None if as_json else bar))
    document = seen.to_json()
    if head is not None:
        document = {"logits_of": head, **document}
    if report is not None:
        write_inspection(seen, report, net, document)
    if as_json:
        print_json(document)
    elif report is not None:
        echo(f"  report written to {report}/index.html")


def _read(net: str, given: dict[str, Any]) -> tuple[Network, str | None]:
    """The network, of its logits where the file ends in class probabilities.

    `given["output"]` becomes the number that is followed, counted from 1.
    """
    chosen = chosen_output(net, given["output"])
    given["output"] = 1 if chosen.number is None else chosen.number
    # a distance is that of what the file computes, unless the logits are asked for
    measured = given["target"] or given["against"]
    may_end = Path(net).suffix.lower() == ".onnx" and (given["logits"] or not measured)
    head = onnx_head(net, chosen.name) if may_end else None
    network = read_network(
        net,
        logits=given["logits"] or head is not None,
        output=chosen.name,
        batch=given["batch"],
    )
    return network, head


def _along(network: Network, given: Values) -> tuple[Segment | None, Plan]:
    if given["dim"] is not None or given["law"] is not None:
        raise HypothesisError(
            "--dim and --law cannot be given for a network of one "
            "input or with --line; leave them out"
        )
    written = given["line"]
    line = None if written is None else _points(written, 2, "--line")
    plan = replace(
        _plan(network, given),
        line=None if line is None else (line[0], line[1]),
        exact=not given["float64"],
    )
    on = domain_from_text(given["on"])
    if isinstance(on, Box):
        raise HypothesisError("--on is a box; give one interval A,B")
    return on, plan


def _on_a_box(network: Network, given: Values) -> tuple[Box | None, Plan]:
    if given["seed"] < 0 or given["most"] < 1:
        raise HypothesisError("--seed must be 0 or more, and --most 1 or more")
    part = given["slice"]
    plan = replace(
        _plan(network, given),
        given=() if part is None else (_points(part, 3, "--slice"),),
        law=_law(given),
        **{name: given[name] for name in ("lines", "slices", "seed", "most")},
    )
    return _box(domain_from_text(given["on"]), network.in_dim), plan


def _plan(network: Network, given: Values) -> Plan:
    return Plan(
        output=given["output"] - 1,
        level=given["level"],
        against=_other(network, given),
        norm=given["norm"] or "linf",
        seconds=given["seconds"],
        jobs=cores(),
    )


def _other(network: Network, given: Values) -> Network | AbstractTarget | None:
    if given["against"] is not None:
        return read_network(given["against"])
    if given["target"] is None:
        return None
    return target_from_text(given["target"], _dim(network, given))


def _dim(network: Network, given: Values) -> int | None:
    """The dimension that a target leaves open: half the inputs, for pairs of points."""
    if given["dim"] is not None:
        return given["dim"]
    pairs = given["target"].strip().startswith("inner:")
    if pairs and network.in_dim % 2:
        raise HypothesisError(
            f"the network has {plural(network.in_dim, 'input')}, but inner: targets "
            "take two "
            "points of d numbers each; give a network with an even number of inputs"
        )
    if pairs:
        return network.in_dim // 2
    return network.in_dim if network.in_dim > 1 else None


def _law(given: Values) -> AbstractLaw | None:
    return None if given["law"] is None else law_from_text(given["law"])


def _refuse(names: tuple[str, ...], where: str) -> None:
    """Refuse options that do nothing here."""
    for flag in given_options(*names):
        raise HypothesisError(f"{flag} has no effect on {where}; leave it out")


def _box(on: Segment | Box | None, dim: int) -> Box | None:
    """With the same side for all inputs, if one is given."""
    if on is None:
        return None
    box = Box.cube(on, dim) if isinstance(on, Segment) else on
    if box.in_dim != dim:
        raise HypothesisError(
            f"--on has {box.in_dim} intervals, but the network has "
            f"{plural(dim, 'input')}; give one interval or {dim}"
        )
    return box


def _points(written: str, count: int, option: str) -> tuple[list[str], ...]:
    points = tuple(point.split(",") for point in written.split(";"))
    if len(points) != count:
        words, example = EXAMPLES[count]
        raise HypothesisError(
            f'{option} is {written[:40]!r}; give {words} points, such as "{example}"'
        )
    return points
