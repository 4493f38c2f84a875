"""Write the table of docs/records.md from the certificates.

    python docs/records_table.py

The proven widths are computed again, which takes about a minute.
"""

from pathlib import Path

from depthsep.claims import Lower
from depthsep.constructions import RECORDS, Record
from depthsep.exact import decimal, plain, rational
from depthsep.problems import Problem
from depthsep.separation import best_lower

PAGE = Path(__file__).with_name("records.md")
START = "<!-- records: written by docs/records_table.py -->\n"
END = "<!-- end of records -->\n"
HEAD = (
    "| target | on | norm, accuracy | depth | needed | found | widths | error | record |\n"
    "|---|---|---|---:|---:|---:|---|---:|---|\n"
)


def certified(record: Record) -> tuple[str, ...]:
    """What a row of the table says before and after the proven width."""
    error = rational(str(record.certificate.claim["error"]), name="the error")
    widths = record.network.widths
    problem = record.problem
    return (
        f"`{record.target.removeprefix('expr:')}`",
        place(problem),
        f"{problem.norm}, {plain(decimal(problem.accuracy, 1, upward=True))}",
        str(record.depth),
        str(max(widths)),
        ", ".join(map(str, widths)),
        plain(decimal(error, 4, upward=True)),
        f"`{record.id}`",
    )


def place(problem: Problem) -> str:
    """The interval, or the box, such as [0, 1]^2."""
    first, *others = (f"[{s.start}, {s.stop}]" for s in problem.sides)
    assert all(side == first for side in others)
    return first + (f"^{len(others) + 1}" if others else "")


def proven(record: Record) -> str:
    """The width that every network of this depth needs; a dash if none is proved."""
    lower = best_lower(record.problem, record.depth)
    return str(lower.width) if isinstance(lower, Lower) else "-"


def row(record: Record) -> str:
    """One line of the table."""
    known = certified(record)
    return "| " + " | ".join((*known[:4], proven(record), *known[4:])) + " |\n"


def written(page: str) -> str:
    """The page with the table made again."""
    before, rest = page.split(START)
    after = rest.split(END)[1]
    return before + START + HEAD + "".join(map(row, RECORDS)) + END + after


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
