"""`depthsep inspect`."""

from typing import TYPE_CHECKING

import click

from depthsep._errors import HypothesisError
from depthsep.cli._options import json_option, print_json, read_interval

if TYPE_CHECKING:
    from depthsep.analysis import Inspection

SHOWN_KNOTS = 10_000


@click.command()
@click.argument("net", metavar="NET")
@click.option("--on", metavar="A,B", help="Interval; all of R if not given.")
@click.option("--line", metavar='"X0;X1"', help='Two points, such as "0,0;1,1".')
@click.option("--target", metavar="TARGET", help="Also measure the distance to it.")
@click.option("--norm", help="Of the distance: linf (if not given), l1 or l2.")
@click.option("--level", default="1/2", show_default=True, help="For crossings.")
@click.option("--float64", is_flag=True, help="Faster, rounded; proves nothing.")
@json_option
def inspect(
    net: str,
    on: str | None,
    line: str | None,
    target: str | None,
    norm: str | None,
    level: str,
    float64: bool,
    as_json: bool,
) -> None:
    """Examine a network: an .onnx, .npz (W1, b1, W2, ...) or certificate file.

    \b
    depthsep inspect net.onnx --on 0,1 --target square
    depthsep inspect net.npz --line "0,0;1,1"
    """
    from depthsep.analysis import inspect as examine
    from depthsep.interop import read_network
    from depthsep.problems import NORMS
    from depthsep.targets import target_from_text

    if on is not None and line is not None:
        raise HypothesisError("give --on or --line, not both")
    if norm is not None and target is None:
        raise HypothesisError("--norm needs a --target to measure the distance to")
    if norm is not None and norm not in NORMS:
        raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
    found = examine(
        read_network(net),
        on=read_interval(on),
        line=None if line is None else _points(line),
        target=None if target is None else target_from_text(target),
        norm=norm or "linf",
        level=level,
        exact=not float64,
    )
    if as_json:
        print_json(_document(found))
    else:
        _print(net, found)


def _points(written: str) -> tuple[list[str], list[str]]:
    ends = [point.split(",") for point in written.split(";")]
    if len(ends) != 2:
        raise HypothesisError(
            f'--line is {written[:40]!r}; give two points, such as "0,0;1,1"'
        )
    return ends[0], ends[1]


def _document(found: "Inspection") -> dict[str, object]:
    from depthsep.separation import json_integer

    size = found.size
    return {
        "where": found.where,
        "pieces": json_integer(found.pieces),
        "most_pieces": json_integer(found.most_pieces),
        "knots": _knots(found),
        "crossings": found.crossings,
        "level": str(found.level),
        "depth": size.depth,
        "width": size.width,
        "widths": list(size.widths),
        "units": size.units,
        "weights": size.weights,
        "largest_weight": str(size.largest_weight),
        "bits": size.bits,
        "distance": _distance(found),
        "rigour": str(found.rigour),
    }


def _knots(found: "Inspection") -> object:
    if found.function is None:
        return None
    knots = found.function.knots
    if len(knots) > SHOWN_KNOTS:
        return len(knots)
    return [k if isinstance(k, float) else str(k) for k in knots.tolist()]


def _distance(found: "Inspection") -> dict[str, str] | None:
    if found.distance is None:
        return None
    d = found.distance
    square = {} if d.square is None else {"square": str(d.square)}
    return {
        "norm": found.norm,
        "lower": str(d.lower),
        "upper": str(d.upper),
        **square,
        "rigour": str(d.rigour),
    }


def _print(net: str, found: "Inspection") -> None:
    from depthsep.exact import nearest_float

    size = found.size
    click.echo(f"{net}: depth {size.depth}, widths {_short(size.widths)}")
    click.echo(
        f"  {size.units} units, {size.weights} nonzero weights, "
        f"largest {nearest_float(size.largest_weight):.6g}, up to {size.bits} bits"
    )
    click.echo(
        f"  {found.pieces} affine pieces on {found.where} ({found.rigour}); "
        f"networks of these widths have at most {found.most_pieces}"
    )
    if found.crossings is not None:
        click.echo(f"  crossing number of level {found.level}: {found.crossings}")
    if found.distance is not None:
        value = float(found.distance)
        click.echo(f"  {found.norm} distance {value:.10g} ({found.distance.rigour})")


def _short(widths: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, widths[:12]))
    return f"[{shown}{', ...' if len(widths) > 12 else ''}]"
