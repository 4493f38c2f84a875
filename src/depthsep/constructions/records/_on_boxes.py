"""Twelve functions on a box, with the depths at which a search found a record."""

from depthsep.constructions.records._record import Record

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


def _found(
    function: tuple[str, str, str], norm: str, accuracy: str, *depths: int
) -> tuple[Record, ...]:
    return tuple(Record(*function, norm, accuracy, depth) for depth in depths)


RECORDS_ON_BOXES: tuple[Record, ...] = (
    *_found(PRODUCT, "linf", "1e-2", 3, 5),
    *_found(SQUARES, "linf", "1e-2", 3, 5),
    *_found(SADDLE, "linf", "1e-2", 3, 6),
    *_found(BUMP, "linf", "1e-2", 2, 3, 4, 6),
    *_found(QUOTIENT, "linf", "1e-2", 2, 3, 4),
    *_found(WAVE, "linf", "1e-2", 2, 3, 4, 5, 6),
    *_found(BOWL, "linf", "1e-2", 2, 3, 4),
    *_found(SOFTPLUS, "linf", "1e-2", 2, 3, 4),
    *_found(DECAY, "linf", "1e-2", 2, 3, 4),
    *_found(CONE, "linf", "1e-2", 2, 3, 5),
    *_found(CREASE, "linf", "1e-2", 3, 4),
    *_found(QUOTIENT, "linf", "1e-3", 2, 3),
    *_found(SOFTPLUS, "linf", "1e-3", 2, 3, 4, 5),
    *_found(PRODUCT, "l2", "1e-2", 2, 3, 5),
    *_found(SQUARES, "l2", "1e-2", 2, 3, 4),
    *_found(SADDLE, "l2", "1e-2", 2, 3, 4),
    *_found(BUMP, "l2", "1e-2", 2, 3, 4),
    *_found(QUOTIENT, "l2", "1e-2", 2, 4),
    *_found(WAVE, "l2", "1e-2", 2, 3, 5),
    *_found(BOWL, "l2", "1e-2", 2, 3, 4),
    *_found(SOFTPLUS, "l2", "1e-2", 2),
    *_found(DECAY, "l2", "1e-2", 2, 3, 4),
    *_found(CONE, "l2", "1e-2", 2, 3),
    *_found(CUBIC, "l2", "1e-2", 2, 3),
    *_found(CREASE, "l2", "1e-2", 2, 3, 4),
)
