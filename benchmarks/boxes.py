"""How close both sides are on boxes.

    python benchmarks/boxes.py NORM ACCURACY SECONDS [NAME ...] [--keep FOLDER]

Twelve functions at depths 2 to 6, with a search of SECONDS a row: the proven width, the
certified one, medians of their ratio. Names ask for these functions alone; certificates
of networks that were found by the search go into the folder.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from depthsep.claims import Lower, SearchPlan, Upper
from depthsep.constructions import FUNCTIONS_ON_BOXES, BoxSearch, Record
from depthsep.interop import write_certificate
from depthsep.problems import Problem
from depthsep.separation import Row, certificate_of, table_rows

DEPTHS = range(2, 7)
GROUPS = ((2,), (3,), (4, 5, 6))
SEARCH = BoxSearch.statement


def rows(problem: Problem, seconds: float) -> Iterator[Row]:
    """The rows of a table with a search."""
    yield from table_rows(problem, depths=DEPTHS, search=SearchPlan(seconds))


def shown(row: Row) -> str:
    """Proven width / certified one, of one depth."""
    low = row.lower.width if isinstance(row.lower, Lower) else 0
    high = row.upper.width if isinstance(row.upper, Upper) else "-"
    return f"{low}/{high}"


def main() -> None:
    """Print the table, and the medians of the rows that have both sides."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("norm", choices=("linf", "l1", "l2"))
    parser.add_argument("accuracy")
    parser.add_argument("seconds", type=float)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    ratios: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for name, target, law in FUNCTIONS_ON_BOXES:
        if given.names and name not in given.names:
            continue
        fields = {"target": target, "law": law, "norm": given.norm}
        problem = Problem.from_json({**fields, "accuracy": given.accuracy})
        line = []
        for row in rows(problem, given.seconds):
            line.append(shown(row))
            if row.ratio is not None:
                ratios[row.depth].append(float(row.ratio.p) / float(row.ratio.q))
            if given.keep is not None and is_found(row):
                record = Record(
                    name, target, law, given.norm, given.accuracy, row.depth, given.keep
                )
                keep(row, record)
        print(f"{name:10}", *(f"{s:8}" for s in line), flush=True)
    for group in GROUPS:
        found = [ratio for depth in group for ratio in ratios[depth]]
        if found:
            print(
                f"depths {group}: median {median(found):.3g}, at most {max(found):.3g}"
            )


def is_found(row: Row) -> bool:
    """Whether a search found the network at this depth."""
    upper = row.upper
    return isinstance(upper, Upper) and str(upper.source) == str(SEARCH.source)


def keep(row: Row, record: Record) -> None:
    """Write the certificate, if none in the folder is narrower."""
    assert isinstance(row.upper, Upper)
    if record.file.exists() and record.network.width <= row.upper.width:
        return
    network, source = row.upper.network, str(row.upper.source)
    write_certificate(certificate_of(network, record.problem, source), record.file)


if __name__ == "__main__":
    main()
