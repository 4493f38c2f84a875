"""`depthsep separate`."""

from functools import partial

import click

from depthsep.claims import SearchPlan, TrainingPlan
from depthsep.cli._echo import echo
from depthsep.cli._every_dimension import separate_for_all
from depthsep.cli._options import (
    PLANNED,
    check_folder,
    check_kit_folder,
    command_line,
    json_option,
    option,
    paper_option,
    print_json,
    problem_options,
    read_depths,
    refuse_unused,
    training_options,
)
from depthsep.cli._progress import waiting
from depthsep.jobs import SEARCH, Values
from depthsep.problems import Problem
from depthsep.reports import print_separation, write_kit, write_report
from depthsep.separation import Separation
from depthsep.separation import separate as make_table
from depthsep.witnesses import Written, write_proofs


def _for_all(values: Values, given: Values) -> None:
    check_folder(given["report"])
    check_kit_folder(given["kit"])
    separate_for_all(values, given)


@click.command()
@partial(problem_options, every=_for_all)
@click.option(
    "--depths",
    default="2:8",
    show_default=True,
    metavar="A:B",
    help="Depths, counted in affine layers; depth 2 has one hidden layer.",
)
@click.option(
    "--report",
    metavar="DIR",
    help="Write an HTML page, figures and a LaTeX table into this folder.",
)
@click.option(
    "--proofs",
    metavar="DIR",
    help="Write proofs of both widths of each row into this folder, "
    "replacing proofs that are already there.",
)
@paper_option
@option(SEARCH)
@click.option(
    "--learn", is_flag=True, help="Also train networks of each depth in the table."
)
@training_options
@json_option
def separate(
    problem: Problem,
    plan: TrainingPlan,
    depths: str,
    report: str | None,
    proofs: str | None,
    kit: str | None,
    search: float,
    learn: bool,
    as_json: bool,
) -> None:
    """For each depth, build a network and prove a lower bound on the width of every
    network.

    "Every network" means every network of that depth that meets the accuracy, with
    ReLU units (or those that --activation names), any weights and any skip
    connections, unless the table names another class.
    The networks that are built have no skip connections.

    \b
    depthsep separate square --accuracy 1e-6 --depths 2:10
    depthsep separate sawtooth:12 --norm l1 --accuracy 0.05
    depthsep separate "expr:sin(20*x)" --on 0,1 --accuracy 1e-3
    depthsep separate "inner:sin(pi*d**3*t)" --dim all --norm l2 --accuracy 1/2
    """
    check_folder(report)
    check_folder(proofs)
    check_kit_folder(kit)
    if not learn:
        refuse_unused("--learn", *(f"learn_{p.name}" for p in PLANNED))
    chosen, training = read_depths(depths), plan if learn else None
    with waiting("depths"):
        looking = SearchPlan(search)
        table = make_table(problem, depths=chosen, learn=training, search=looking)
    if not as_json:
        print_separation(table)
    written = None if proofs is None else write_all(table, proofs)
    if as_json:
        listed = {} if written is None else {"proofs": [w.to_json() for w in written]}
        print_json(table.to_json() | listed)
    if report is not None:
        for path in write_report(table, report):
            echo(f"wrote {path}", err=as_json)
    if kit is not None:
        for path in write_kit(table, kit, command_line()):
            echo(f"wrote {path}", err=as_json)
    if written is not None:
        for one in written:
            echo(proof_line(one), err=as_json)
        echo(summary(written), err=as_json)


def write_all(table: Separation, folder: str) -> list[Written]:
    """Proofs of both sides of each row."""
    with waiting("proofs"):
        return write_proofs(table, folder)


def proof_line(one: Written) -> str:
    """What became of the proof of one side of a row."""
    head = f"depth {one.depth}, {one.side}: "
    if one.path is None:
        return f"{head}no proof ({one.words})"
    less = f" (the table says {one.row})" if one.width != one.row else ""
    return f"{head}width {one.width}{less}, {one.path}: {one.words.partition(':')[0]}"


def summary(written: list[Written]) -> str:
    """How many of all sides have a proof."""
    proofs = sum(1 for one in written if one.path is not None)
    return f"{proofs} of {len(written)} widths have a proof"
