"""The catalogue of statements: what `results` lists and `bound` evaluates."""

import difflib

from depthsep._errors import HypothesisError
from depthsep.constructions import CONSTRUCTIONS, MORE_STATEMENTS, LineSearch
from depthsep.dynamics import STATEMENTS as DYNAMICS
from depthsep.every_dimension import EVERY_DIMENSION
from depthsep.evidence import Statement, Value
from depthsep.infinite_width import STATEMENTS as SAMPLING
from depthsep.lower_bounds import (
    ABS_STATEMENTS,
    COUNTING,
    CROSSING_STATEMENTS,
    DEPTH_OF_MAXIMA,
    LEMMAS,
    LOWER_BOUNDS,
    REGION_STATEMENTS,
    SAWTOOTH_JUMPS,
    SPHERE_STATEMENTS,
)
from depthsep.near_init import STATEMENTS as NEAR_START

STATEMENTS: tuple[Statement, ...] = (
    *(theorem.statement for theorem in (*CONSTRUCTIONS, *LOWER_BOUNDS)),
    LineSearch.statement,
    *MORE_STATEMENTS,
    *SAWTOOTH_JUMPS,
    *ABS_STATEMENTS,
    *CROSSING_STATEMENTS,
    *LEMMAS,
    *COUNTING,
    *SPHERE_STATEMENTS,
    *DEPTH_OF_MAXIMA,
    *REGION_STATEMENTS,
    *SAMPLING,
    *NEAR_START,
    *DYNAMICS,
    *(theorem.statement for theorem in EVERY_DIMENSION),
)


def results() -> tuple[Statement, ...]:
    """All statements: what they say, under which hypotheses, from where."""
    return STATEMENTS


def bound(name: str, **given: object) -> Value:
    """The value of one statement: ``bound("theorem-a", pieces=354, layers=3)``."""
    return statement_named(name).evaluate_text({k: str(v) for k, v in given.items()})


def statement_named(name: str) -> Statement:
    """The statement with this id.

    Raises:
        HypothesisError: there is none; the nearest ids are named.
    """
    for statement in STATEMENTS:
        if statement.id == name:
            return statement
    ids = [s.id for s in STATEMENTS]
    words = name.replace("-", " ").lower()
    named = [s.id for s in STATEMENTS if words in f"{s.source} {s.title}".lower()]
    near = named[:3] or difflib.get_close_matches(name, ids, n=3, cutoff=0.4) or ids
    raise HypothesisError(f"there is no statement {name[:40]!r}; try {', '.join(near)}")
