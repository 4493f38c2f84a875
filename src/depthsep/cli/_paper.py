"""`depthsep paper`: the tables of papers, recomputed."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import click
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._progress import followed
from depthsep.cli._echo import echo
from depthsep.cli._every_dimension import all_rows, print_sentences, question
from depthsep.cli._options import (
    check_kit_folder,
    command_line,
    given_options,
    json_option,
    paper_option,
    print_json,
    read_integers,
)
from depthsep.cli._progress import waiting
from depthsep.every_dimension import bounds_for
from depthsep.evidence import Statement, short_reference
from depthsep.exact import rational
from depthsep.papers import (
    PaperRow,
    daniely_row,
    eldan_shamir_row,
    safran_shamir_row,
    sample_dims,
    shown_row,
)
from depthsep.problems import bound_from_text
from depthsep.reports import (
    dimension_figure,
    growth_figure,
    print_rows,
    save_figure,
    write_paper_kit,
)
from depthsep.separation import statement_named

MOST_DIM = 120
TARGETS = "triangle:4;triangle:8;cos:4;shells:4;ball;relu"
EVERY = {
    "daniely": "inner:sin(pi*d**3*t)",
    "eldan-shamir": "radial:cos(2*pi*3*R*r)",
}
NATURAL = "ball;cos(4*r);relu"
KEYS = {
    "daniely": "daniely2017",
    "eldan-shamir": "eldan2016",
    "safran-shamir": "safran2017",
}
NEGATIVE = "Where such a logarithm is negative, one unit may be enough."
LEGEND = {
    "daniely": (
        "At depth 2, the three columns for weights up to 2^d show three forms of "
        "Daniely's bound: the one in his theorem, one that is linear in E, and one "
        "that is optimised over degrees. The two columns named rank bound hold for "
        "any weights. Two columns show the paper's own widths; at depth 2, a "
        "misprinted denominator is corrected."
    ),
    "eldan-shamir": (
        "g is the target and phi^2 the density. The share beyond 2 R is the share of "
        "the squared norm |g phi|^2 that the Fourier transform of g phi has outside "
        "the ball of radius 2 R, where R is the radius of the ball of volume 1. The "
        "lemma uses the radius 2 R, the other bound for depth 2 the radius kappa R "
        "with the best kappa."
    ),
}
ABOUT = (
    "The table lists the logarithms to base 2 of lower bounds on the "
    "width that depth 2 needs and of widths that are enough at depth 3."
)
USED = {  # statements behind the columns
    "daniely": ("sphere-rank", "daniely-weights", "daniely-upper", "inner-folds"),
    "eldan-shamir": ("radial-tubes", "radial-upper"),
    "safran-shamir": ("ball-directions", "gauss-directions", "radial-upper"),
}


@click.command()
@click.argument("name", type=click.Choice(["daniely", "eldan-shamir", "safran-shamir"]))
@click.option(
    "--dims",
    default="3,5,10",
    show_default=True,
    metavar="D1,D2,...|all",
    help="Dimensions; the word all (for daniely and eldan-shamir only) "
    "gives formulas in d.",
)
@click.option("--accuracy", default="1/10", show_default=True, metavar="E1,E2,...")
@click.option(
    "--powers",
    default="3",
    show_default=True,
    metavar="P1,P2,...",
    help="For daniely: the powers P, each from 0 to 3, in sin(pi d^P t), "
    "where t is the inner product of the two inputs.",
)
@click.option(
    "--targets",
    default=None,
    metavar="G1;G2;...",
    help="Radial profiles. For eldan-shamir: profiles on |x| <= 1, scaled "
    f"as --edge says [default: {TARGETS}]. For safran-shamir: formulas "
    "in r = |x|, or ball, the indicator of the ball that holds half "
    f"the mass of the law [default: {NATURAL}].",
)
@click.option(
    "--laws",
    default="ball,gaussian",
    show_default=True,
    metavar="L1,L2",
    help="For safran-shamir: the laws, which are ball, gaussian or both.",
)
@click.option(
    "--edge",
    default="d*7071/10000",
    show_default=True,
    metavar="T",
    help="For eldan-shamir: the phase t at |x| = 1, which is the argument "
    "of the Bessel function in the density of the law; a formula in d.",
)
@click.option(
    "--figure",
    metavar="FILE",
    help="Draw log2 of the widths against d into a .png, .svg or .pdf file.",
)
@paper_option
@json_option
def paper(
    name: str,
    dims: str,
    accuracy: str,
    powers: str,
    targets: str | None,
    laws: str,
    edge: str,
    figure: str | None,
    kit: str | None,
    as_json: bool,
) -> None:
    """Recompute the tables of Daniely (2017), Eldan and Shamir (2016) and Safran and
    Shamir (2017, natural functions), with proven enclosures.

    \b
    depthsep paper daniely --dims 3,4,5,10,20,50,100
    depthsep paper daniely --dims all --accuracy 1/2
    depthsep paper eldan-shamir --dims all --accuracy 1/2
    depthsep paper eldan-shamir --dims 3,5,10,20 --targets "triangle:4;ball"
    depthsep paper safran-shamir --dims 5,10,20 --targets "ball;cos(20*r)"
    """
    errors = [rational(e, name="the accuracy") for e in accuracy.split(",")]
    if min(errors) <= 0:
        raise HypothesisError(f"the accuracy is {min(errors)}; it must be positive")
    check_kit_folder(kit)
    if dims.strip() == "all":
        refuse_fixed(name)
        theorems = bounds_for(EVERY[name])
        chosen = sample_dims(theorems)
        asked = [(d, e) for e in errors for d in chosen]
        check_figures(figure, kit, chosen)
        rows: Sequence[PaperRow] = all_rows(theorems, asked)
    else:
        theorems, chosen = (), list(read_integers(dims, "--dims", 2, MOST_DIM))
        check_figures(figure, kit, chosen)
        rows = fixed_rows(name, chosen, errors, powers, targets, edge, laws)
    shown = [shown_row(row) for row in rows]
    columns = "" if theorems else LEGEND.get(name, "")
    legend = f"{ABOUT} {NEGATIVE}\n{columns}".rstrip()
    if as_json:
        listed = {"theorems": [t.to_json() for t in theorems]} if theorems else {}
        print_json({"paper": name} | listed | {"rows": shown})
    else:
        if theorems:
            print_sentences(theorems, range(2, 4), question(theorems))
        echo(legend)
        print_rows(shown, rows[0].at_most)
    if figure is None and kit is None:
        return
    every = growth_figure(theorems, list(map(constant, errors))) if theorems else None
    drawn = every or dimension_figure(rows)
    if figure is not None:
        save_figure(drawn, figure)
        echo(f"wrote {figure}", err=as_json)
    if kit is not None:
        used = [t.statement for t in theorems] or _used(name, laws)
        title = f"The bounds of {short_reference(KEYS[name])}, computed"
        given = {"about": legend, "keys": [KEYS[name]], "command": command_line()}
        for path in write_paper_kit(title, rows, used, kit, drawn, **given):
            echo(f"wrote {path}", err=as_json)


def fixed_rows(
    name: str,
    dims: list[int],
    errors: list[fmpq],
    powers: str,
    targets: str | None,
    edge: str,
    laws: str,
) -> list[PaperRow]:
    """The rows of one paper."""
    if name == "daniely":
        return _daniely(dims, errors, list(read_integers(powers, "--powers", 0, 3)))
    if name == "eldan-shamir":
        return _eldan_shamir(dims, errors, _profiles(targets or TARGETS), edge)
    return _safran_shamir(dims, errors, _profiles(targets or NATURAL), laws)


def _used(name: str, laws: str) -> list[Statement]:
    """The theorems behind the columns of a paper's table."""
    left_out = {"ball": "gauss-directions", "gaussian": "ball-directions"}
    ids = [i for i in USED[name] if i != left_out.get(laws.strip())]
    return [*map(statement_named, ids)]


def constant(error: fmpq) -> Callable[[int], fmpq]:
    """The same accuracy for every d."""
    return lambda _: error


def refuse_fixed(name: str) -> None:
    """Refuse what has no meaning for all dimensions."""
    if name not in EVERY:
        raise HypothesisError(
            f"{name} has no formulas for all dimensions; give some "
            "dimensions, such as --dims 3,5,10"
        )
    for flag in given_options("powers", "targets", "laws", "edge"):
        raise HypothesisError(
            f"{flag} has no meaning with --dims all, which computes "
            f"{EVERY[name]} only; leave it out"
        )


def check_figures(figure: str | None, kit: str | None, dims: list[int]) -> None:
    """Refuse figures that cannot be made, before any work is done."""
    if (figure or kit) and len(dims) < 2:
        raise HypothesisError("a figure needs two or more values of --dims")
    if figure is None:
        return
    if Path(figure).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise HypothesisError(f"cannot draw {figure}: use .png, .svg or .pdf")
    if not Path(figure).resolve().parent.is_dir():
        raise HypothesisError(f"cannot write {figure}: its folder does not exist")


def _collected(
    steps: Sequence[tuple[object, ...]], row: Callable[..., PaperRow]
) -> list[PaperRow]:
    with waiting("rows"):
        return [row(*each) for each in followed(steps, len(steps), "rows")]


def _daniely(dims: list[int], errors: list[fmpq], powers: list[int]) -> list[PaperRow]:
    steps = [(d, e, p) for p, e, d in product(powers, errors, dims)]
    return _collected(steps, daniely_row)


def _eldan_shamir(
    dims: list[int], errors: list[fmpq], targets: list[str], edge: str
) -> list[PaperRow]:
    steps = [
        (t, d, e, None if ":" in t else bound_from_text(edge, d))
        for t, e, d in product(targets, errors, dims)
    ]
    return _collected(steps, eldan_shamir_row)


def _profiles(written: str) -> list[str]:
    return [t.strip() for t in written.split(";")]


def _safran_shamir(
    dims: list[int], errors: list[fmpq], targets: list[str], laws: str
) -> list[PaperRow]:
    names = {"ball": "ball", "gaussian": "gaussian", "gauss": "gaussian"}
    unknown = [law for law in laws.split(",") if law.strip() not in names]
    if unknown:
        raise HypothesisError(f"the law is {unknown[0][:40]!r}; give ball or gaussian")
    kinds = [names[law.strip()] for law in laws.split(",")]
    steps = [(t, d, e, k) for t, k, e, d in product(targets, kinds, errors, dims)]
    return _collected(steps, safran_shamir_row)
