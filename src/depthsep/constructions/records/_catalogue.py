"""The standard problems, each with a certificate of the same name in `data`."""

from depthsep._errors import HypothesisError
from depthsep.constructions.records._on_boxes import RECORDS_ON_BOXES
from depthsep.constructions.records._record import Record

SIN = ("sin20", "expr:sin(20*x)", "uniform:0,1")
EXP = ("exp", "expr:exp(x)", "uniform:0,1")
ROOT = ("sqrt", "expr:sqrt(x)", "uniform:0,1")
RUNGE = ("runge", "expr:1/(1+25*x**2)", "uniform:-1,1")
LOG = ("log", "expr:log(x)", "uniform:1/100,1")
CUSP = ("abs15", "expr:abs(x-1/3)**1.5", "uniform:0,1")
CUBE = ("cube", "expr:x**3", "uniform:0,1")
TANH = ("tanh5", "expr:tanh(5*x)", "uniform:-1,1")
BELL = ("gauss", "expr:exp(-x**2)", "uniform:-3,3")
WAVES = ("sincos", "expr:sin(x)+cos(3*x)", "uniform:0,3")
ENTROPY = ("xlogx", "expr:x*log(x)", "uniform:1/100,1")
PACKET = ("erfsin", "expr:erf(3*x)*sin(10*x)", "uniform:-1,1")

RECORDS: tuple[Record, ...] = (
    Record(*SIN, "linf", "1e-4", 3),
    Record(*SIN, "linf", "1e-3", 5),
    Record(*EXP, "linf", "1e-4", 4),
    Record(*EXP, "linf", "1e-4", 6),
    Record(*ROOT, "linf", "1e-3", 3),
    Record(*ROOT, "l1", "1e-4", 3),
    Record(*RUNGE, "linf", "1e-3", 3),
    Record(*RUNGE, "linf", "1e-4", 4),
    Record(*LOG, "linf", "1e-3", 3),
    Record(*LOG, "linf", "1e-3", 5),
    Record(*CUSP, "linf", "1e-3", 4),
    Record(*CUSP, "l2", "1e-3", 3),
    Record(*CUBE, "linf", "1e-3", 3),
    Record(*CUBE, "linf", "1e-4", 5),
    Record(*TANH, "linf", "1e-3", 3),
    Record(*TANH, "linf", "1e-4", 4),
    Record(*BELL, "linf", "1e-3", 4),
    Record(*BELL, "l1", "1e-3", 3),
    Record(*WAVES, "linf", "1e-3", 4),
    Record(*WAVES, "linf", "1e-4", 6),
    Record(*ENTROPY, "linf", "1e-3", 3),
    Record(*ENTROPY, "linf", "1e-4", 4),
    Record(*PACKET, "linf", "1e-3", 4),
    Record(*PACKET, "l2", "1e-3", 3),
    *RECORDS_ON_BOXES,
)


def record_named(id: str) -> Record:
    """The record with this id.

    Raises:
        HypothesisError: there is none.
    """
    for record in RECORDS:
        if record.id == id:
            return record
    raise HypothesisError(
        f"there is no record {id[:40]!r}; `depthsep records` lists all records"
    )
