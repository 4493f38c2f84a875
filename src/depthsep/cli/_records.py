"""`depthsep records`: the narrowest networks found so far."""

import sys
from dataclasses import replace

import click

from depthsep._errors import DepthsepError, HypothesisError
from depthsep._progress import followed
from depthsep.claims import SearchPlan
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    file_option,
    json_option,
    option,
    print_json,
    refuse_unused,
)
from depthsep.cli._progress import waiting
from depthsep.cli.certificates._outputs import check_places, save
from depthsep.constructions import RECORDS, Record, record_named
from depthsep.interop import Verdict, verify
from depthsep.jobs import SEARCH
from depthsep.separation import Built, narrower_than

PATIENCE = 1200.0  # seconds for one record: a slow machine refuses none


@click.command()
@click.option(
    "--check", is_flag=True, help="Verify all records; the exit code is 1 if one fails."
)
@click.option(
    "--beat", metavar="ID", help="Search for a network narrower than this record."
)
@option(replace(SEARCH, default=60.0), help="Time that --beat searches, in seconds.")
@file_option(
    "-o",
    "--output",
    help="Where --beat writes the certificate; ID.json if not given.",
)
@json_option
def records(
    check: bool, beat: str | None, search: float, output: str | None, as_json: bool
) -> None:
    """List, check or beat the narrowest certified networks for standard problems.

    \b
    depthsep records
    depthsep records --check
    depthsep records --beat exp-linf-1e-4-depth-4 --search 120 -o better.json
    """
    if beat is None:
        refuse_unused("--beat", "search", "output")
        (_check if check else _list)(as_json)
        return
    if check:
        raise HypothesisError("--check and --beat are two tasks; give one of them")
    if search == 0:
        raise HypothesisError("--search is 0; give more than 0 seconds")
    _beat(record_named(beat), search, output or f"{beat}.json", as_json)


def _list(as_json: bool) -> None:
    if as_json:
        print_json([_document(record) for record in RECORDS])
        return
    longest = max(len(record.id) for record in RECORDS)
    echo(f"{'record':<{longest}}  width  problem")
    for record in RECORDS:
        width = record.network.width
        echo(f"{record.id:<{longest}}  {width:>5}  {record.problem}")
    echo("\ndepthsep records --beat ID searches for a narrower network.")


def _document(record: Record) -> dict[str, object]:
    return {
        "id": record.id,
        "problem": record.problem.to_json(),
        "depth": record.depth,
        "width": record.network.width,
        "widths": list(record.network.widths),
        "file": str(record.file),
    }


def _check(as_json: bool) -> None:
    """Verify every record; exit code 1 if one fails."""
    verdicts: list[tuple[str, Verdict]] = []
    with waiting("records"):
        for record in followed(RECORDS, len(RECORDS), lambda record: record.id):
            verdicts.append((record.id, _verdict(record)))
    failed = [(id, verdict) for id, verdict in verdicts if not verdict.valid]
    if as_json:
        print_json(
            [{"id": id, "valid": v.valid, "reason": v.reason} for id, v in verdicts]
        )
    elif not failed:
        echo(f"valid: all {len(verdicts)} records")
    for id, verdict in failed:
        echo(f"depthsep: refused: {id}: {verdict.reason}", err=True)
    if failed:
        sys.exit(1)


def _verdict(record: Record) -> Verdict:
    """Whether a record's certificate holds, and is about the record's problem."""
    try:
        _ = record.network
        return verify(record.file, seconds=PATIENCE)
    except DepthsepError as fault:
        return Verdict(False, str(fault))


def _beat(record: Record, seconds: float, output: str, as_json: bool) -> None:
    """Write the certificate of a narrower network, if the search finds one."""
    check_places(None, output)
    width = record.network.width
    with waiting("search"):
        found = narrower_than(record, SearchPlan(seconds))
    if isinstance(found, Built):
        save(found, None, output)
        new = found.network.width
        said = f"width {new} instead of {width}; certificate written to {output}"
    else:
        new = None
        said = f"nothing narrower than width {width} was found: {found.reason}"
    if as_json:
        written = None if new is None else output
        print_json(
            {"id": record.id, "width": width, "narrower": new, "certificate": written}
        )
    else:
        echo(f"{record.id}: {said}")
