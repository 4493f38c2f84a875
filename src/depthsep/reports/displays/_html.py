"""Records in words and as HTML: a title, facts, and a table where there is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch

from depthsep.analysis import AbstractFact, Examination, Facts, Inspection, RiskParts
from depthsep.claims import Learned, Lower, Upper
from depthsep.evidence import Certificate, Inapplicable, Statement, Value
from depthsep.exact import decimal, plain
from depthsep.interop import Verdict
from depthsep.networks import Network, SkipNetwork
from depthsep.problems import Problem
from depthsep.reports.pages._environment import rendered
from depthsep.reports.words._problem import headline
from depthsep.separation import Built, Row, Separation

Pairs = tuple[tuple[str, str], ...]
LARGE = 64  # of log2: beyond, the number itself says little


@dataclass(frozen=True)
class Display:
    """What a notebook shows.

    Attributes:
        tex: a formula, which notebooks typeset.
        head, rows: of a table.
    """

    title: str
    facts: Pairs = ()
    tex: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def record_html(record: object) -> str:
    """A record as a piece of HTML; everything in it is escaped."""
    shown = display(record)
    return rendered("record.html", shown.title, shown=shown)


def record_text(record: object) -> str:
    """A record in words: a line for its title, and one for each fact."""
    shown = display(record)
    facts = [*shown.facts]
    for row in shown.rows:
        cells = zip(shown.head[1:], row[1:], strict=True)
        facts.append(
            (
                f"{shown.head[0]} {row[0]}",
                ", ".join(f"{name} {cell}" for name, cell in cells),
            )
        )
    names = max((len(name) for name, _ in facts), default=0)
    lines = [f"  {name:{names}}  {value}".rstrip() for name, value in facts]
    return "\n".join([shown.title, *lines])


@singledispatch
def display(record: object) -> Display:
    """What is shown of a record: one function for each kind."""
    return Display(type(record).__name__, (("", repr(record)),))


@display.register
def _(record: Problem) -> Display:
    return Display(
        headline(record),
        (
            ("target", str(record.target)),
            ("law", str(record.law)),
            ("norm", record.norm),
            ("accuracy", plain(decimal(record.accuracy, 6, upward=True))),
        ),
    )


@display.register
def _(record: Separation) -> Display:
    head = (
        "depth",
        "proven width ≥",
        "certified width ≤",
        "error",
        "proven by",
        "built by",
    )
    return Display(
        headline(record.problem), head=head, rows=tuple(_cells(r) for r in record)
    )


@display.register
def _(record: Row) -> Display:
    _, proven, certified, error, by, built = _cells(record)
    facts = (("proven width ≥", proven), ("certified width ≤", certified))
    known = isinstance(record.lower, Lower), isinstance(record.upper, Upper)
    if known[1]:
        facts += (("error", error),)
    facts += (("proven by" if known[0] else "not proven", by),)
    facts += (("built by" if known[1] else "not built", built),)
    return Display(f"depth {record.depth}", facts)


def _width(row: Row, low: Lower) -> str:
    """The proven width, and the one that holds with skip connections, too."""
    if not row.is_without_skips:
        return str(low.width)
    found = row.lower_with_skips
    known = isinstance(found, Lower)
    less = f"{found.width} with them" if known else "nothing proved with them"
    return f"{low.width} without skip connections, {less}"


def _cells(row: Row) -> tuple[str, ...]:
    low, high = row.lower, row.upper
    proven = (
        (_width(row, low), f"{low.source} ({low.rigour})")
        if isinstance(low, Lower)
        else ("–", low.reason)
    )
    if isinstance(high, Upper):
        error = plain(decimal(high.error, 4, upward=True))
        built = (str(high.width), error, f"{high.source} ({high.rigour})")
    else:
        built = ("–", "–", high.reason)
    return (str(row.depth), proven[0], built[0], built[1], proven[1], built[2])


@display.register
def _(record: Network) -> Display:
    return Display(
        "network",
        (
            ("depth", str(record.depth)),
            ("widths", ", ".join(map(str, record.widths)) or "none"),
            ("inputs, outputs", f"{record.in_dim}, {record.out_dim}"),
            ("activations", ", ".join(dict.fromkeys(map(str, record.activations)))),
            ("weights", "float64" if record.is_float else "rational"),
        ),
    )


@display.register
def _(record: SkipNetwork) -> Display:
    return Display(
        "network with skip connections",
        (
            ("depth", str(record.depth)),
            ("widths", ", ".join(map(str, record.widths)) or "none"),
            ("units", str(record.units)),
            ("inputs, outputs", f"{record.in_dim}, {record.out_dim}"),
            ("weights", "float64" if record.is_float else "rational"),
        ),
    )


@display.register
def _(record: Examination) -> Display:
    pieces = "not counted" if record.pieces is None else str(record.pieces)
    return Display(
        "examination",
        (
            ("error", str(record.error)),
            ("rigour", str(record.error.rigour)),
            ("pieces", pieces),
            ("method", record.method),
        ),
    )


@display.register
def _(record: RiskParts) -> Display:
    return Display(
        "parts of a risk",
        (
            ("generalisation", str(record.generalisation)),
            ("optimisation", plain(decimal(record.optimisation, 6))),
            ("generalisation of the ideal network", str(record.ideal_generalisation)),
            ("approximation", str(record.approximation)),
            ("risk (sum of the four parts)", f"{record.risk} ({record.risk.rigour})"),
        ),
    )


@display.register
def _(record: Statement) -> Display:
    facts = [("id", record.id), ("formula", record.formula)]
    facts += [("hypothesis", h) for h in record.hypotheses]
    facts += [("source", str(record.source)), ("proof", str(record.proof.status))]
    facts += [("differs from the printed source", e) for e in record.errata]
    return Display(record.title, tuple(facts), tex=record.tex)


@display.register
def _(record: Value) -> Display:
    facts = (("rigour", str(record.rigour)),)
    if record.log2 is not None and record.log2 > LARGE:
        facts += (("log2", f"{record.log2:.6g}"),)
    return Display(record.shown, facts)


@display.register
def _(record: Verdict) -> Display:
    title = (
        "the certificate is valid" if record.valid else "the certificate is not valid"
    )
    facts = (("why", record.reason),) if record.reason else ()
    if record.examination is not None:
        facts += display(record.examination).facts
    return Display(title, facts)


@display.register
def _(record: Learned) -> Display:
    rows = tuple((str(a.width), f"{a.error:.4g}", str(a.seed)) for a in record.tried)
    words = "meets the accuracy" if record.met else "does not meet the accuracy"
    facts = (("width", f"{record.width}, {words}"), ("error", f"{record.error:.4g}"))
    return Display(
        "trained",
        (*facts, ("rigour", str(record.rigour))),
        head=("width", "best error", "seed"),
        rows=rows,
    )


@display.register
def _(record: Lower) -> Display:
    return Display(
        f"a width of {record.width} or more is needed",
        (
            ("units in all layers", f"{record.units} or more"),
            ("rigour", str(record.rigour)),
            ("theorem", f"{record.statement.id}: {record.source}"),
            ("of", str(record.networks)),
        ),
    )


@display.register
def _(record: Upper) -> Display:
    return Display(
        f"a width of {record.width} is enough",
        (
            ("widths", ", ".join(map(str, record.widths))),
            ("error", plain(decimal(record.error, 6, upward=True))),
            ("rigour", str(record.rigour)),
            ("construction", f"{record.statement.id}: {record.source}"),
        ),
    )


@display.register
def _(record: Built) -> Display:
    return Display(
        f"network for {headline(record.problem)}",
        (*display(record.network).facts, *display(record.examination).facts),
    )


@display.register
def _(record: Certificate) -> Display:
    claim = record.claim
    widths = claim["widths"] if isinstance(claim["widths"], list) else []
    return Display(
        "certificate",
        (
            *((name, str(value)) for name, value in record.problem.items()),
            ("error", f"{claim['error']} or less ({claim['rigour']})"),
            ("widths", ", ".join(map(str, widths))),
            ("source", record.source),
        ),
    )


@display.register
def _(record: Inspection) -> Display:
    return Display("inspection", _rows_of(record.facts))


@display.register
def _(record: Facts) -> Display:
    return Display(f"facts on {record.where}", _rows_of(record.facts))


def _rows_of(facts: Sequence[AbstractFact]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{name}, {fact.title}" if fact.title else name, value)
        for fact in facts
        for name, value in (*fact.rows(), *_joined(fact.table()))
    )


def _joined(table: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """A row of a table as a name and a value."""
    for name, *cells in table[1:]:
        pairs = zip(table[0][1:], cells, strict=True)
        yield name, ", ".join(f"{head} {cell}" for head, cell in pairs)


@display.register
def _(record: Inapplicable) -> Display:
    return Display("not applicable", (("why", record.reason),))
