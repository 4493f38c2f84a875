"""Twelve functions on a box, and the records that searches found for them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from depthsep.constructions.records._record import FOLDER, Record

UNIT, SYMMETRIC = "box:0,1;0,1", "box:-1,1;-1,1"
PRODUCT = ("product", "expr:x1*x2", UNIT)
SQUARES = ("squares", "expr:x1**2+x2**2", UNIT)
SADDLE = ("saddle", "expr:x1**2-x2**2", UNIT)
BUMP = ("bump", "expr:exp(-x1**2-x2**2)", SYMMETRIC)
QUOTIENT = ("quotient", "expr:x1/(1+x2)", UNIT)
WAVE = ("wave", "expr:sin(3*x1)*x2", UNIT)
BOWL = ("bowl", "expr:sqrt(1+x1**2+x2**2)", SYMMETRIC)
SOFTPLUS = ("softplus", "expr:log(1+exp(x1)+exp(x2))", UNIT)
DECAY = ("decay", "expr:x1*exp(-x2)", UNIT)
CONE = ("cone", "expr:sqrt(x1**2+x2**2)", UNIT)
CUBIC = ("cubic", "expr:x1*x2*x3", "box:0,1;0,1;0,1")
CREASE = ("crease", "expr:max(x1,x2)**2", UNIT)

FUNCTIONS_ON_BOXES = (
    *(PRODUCT, SQUARES, SADDLE, BUMP, QUOTIENT, WAVE),
    *(BOWL, SOFTPLUS, DECAY, CONE, CUBIC, CREASE),
)


def _found(files: Iterable[Path]) -> Iterator[Record]:
    """A file such as bump-linf-1e-2-depth-3.json is a record of the function bump."""
    known = {name: (name, target, law) for name, target, law in FUNCTIONS_ON_BOXES}
    for file in sorted(files):
        name, norm, rest = file.stem.split("-", 2)
        accuracy, depth = rest.split("-depth-")
        if name in known:
            yield Record(*known[name], norm, accuracy, int(depth))


RECORDS_ON_BOXES: tuple[Record, ...] = tuple(_found(FOLDER.glob("*-depth-*.json")))
