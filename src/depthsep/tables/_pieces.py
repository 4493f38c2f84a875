"""The fewest straight pieces of a function: proved from both sides."""

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.exact import decimal, halved, plain, readable
from depthsep.tables._errors import Errors
from depthsep.tables._quadratic import pieces_of_quadratic
from depthsep.tables._room import Room
from depthsep.tables._table import PieceTable
from depthsep.tables.plans import AbstractPlan, Pieces
from depthsep.targets import PointSet

MOST_PIECES = 20_000
FINER = 2  # times the target is followed more closely, where the sides differ
HALVINGS = 12  # of an error, where a number of pieces is given
NEAR = fmpq(1, 1000)  # of an error, between its two ends
SMALLEST = fmpq(1, 10**15)


def table_within(room: Room, plan: AbstractPlan, kind: str, error: fmpq) -> PieceTable:
    """The fewest pieces within an error: a table, and how few no table can have.

    Raises:
        HypothesisError: an error that is not positive, a target that is not followed.
        TooLargeError: more than 20,000 pieces are needed.
    """
    _check(room, error)
    needed = plan.needed(room, error, MOST_PIECES)
    if needed > MOST_PIECES:
        raise TooLargeError(f"more than {MOST_PIECES} pieces are needed{plan.hint}")
    pieces = pieces_of_quadratic(room, plan, error, needed)
    for _ in range(FINER):
        if pieces is None or len(pieces) > needed:
            found = plan.laid(room, error, 2 * MOST_PIECES)
            if found is not None and (pieces is None or len(found) <= len(pieces)):
                pieces = found
        if pieces is not None and len(pieces) == needed:
            break
        room = room.finer()
        needed = max(needed, plan.needed(room, error, MOST_PIECES))
    if pieces is None:
        near = readable(error)
        raise HypothesisError(
            f"no {kind} with an error of at most {near} was found{plan.hint}"
        )
    return _measured(room, kind, plan.shortened(pieces, room, error), needed, error)


def _check(room: Room, error: fmpq) -> None:
    at_points = isinstance(room.target, PointSet)
    if error < 0 or (error == 0 and not at_points):
        wanted = "0 or more" if at_points else "positive"
        raise HypothesisError(f"the accuracy is {error}; it must be {wanted}")
    if isinstance(room.target, PointSet) and error < room.target.least_error:
        least = plain(decimal(room.target.least_error, 6, upward=True))
        raise HypothesisError(
            f"{room.target.words} have several values at one x, so the "
            f"least possible error is {least} (rounded up)"
        )


def table_of(room: Room, plan: AbstractPlan, kind: str, count: int) -> PieceTable:
    """So many pieces with the least error: enclosed, and a table that has it.

    Raises:
        HypothesisError: no pieces, or more than 20,000.
    """
    if type(count) is not int or not 1 <= count <= MOST_PIECES:
        raise HypothesisError(f"{count} pieces were asked for; give 1 to {MOST_PIECES}")
    least, reached = fmpq(0), _first_error(room, plan, count)
    best: Pieces | None = None
    for _ in range(FINER):
        least, _ = halved(
            lambda e, room=room: plan.needed(room, e, count) > count,
            least,
            reached,
            HALVINGS,
        )
        low = least
        for _ in range(HALVINGS):
            middle = (low + reached) / 2
            found = plan.laid(room, middle, count)
            if found is None:
                low = middle
            else:
                reached, best = middle, found
        if reached - least <= reached * NEAR:
            break
        room = room.finer()
    allowed = reached * (1 + 2 * NEAR)
    pieces = plan.laid(room, allowed, count) or best
    if pieces is None:
        raise HypothesisError(
            f"no {kind} with as few pieces as {count} was found{plan.hint}"
        )
    pieces = plan.shortened(pieces, room, allowed)
    needed = plan.needed(room, allowed, count)
    return _measured(room, kind, pieces, needed, allowed, (count, least))


def _first_error(room: Room, plan: AbstractPlan, count: int) -> fmpq:
    """An error within which so few pieces are enough, and a tenth of it is not."""
    error = fmpq(1)
    while plan.laid(room, error, count) is None:
        error *= 8
        if error > fmpq(10) ** 300:
            raise HypothesisError(
                f"the values of {room.target} are too large for a table"
            )
    while error > SMALLEST and plan.laid(room, error / 8, count) is not None:
        error /= 8
    return error


def _measured(
    room: Room,
    kind: str,
    pieces: Pieces,
    needed: int,
    error: fmpq,
    asked: tuple[int | None, fmpq | None] = (None, None),
) -> PieceTable:
    """The errors derived again, from the pieces and the target alone."""
    errors = Errors(room.target, room.side, room.relative)
    found = tuple(errors.of(piece, error) for piece in pieces)
    whole = max(found, key=lambda e: e.upper)
    if whole.upper > error:
        off = plain(decimal(whole.upper, 6, upward=True))
        raise HypothesisError(
            "the error of the table could only be proved to be at most "
            f"{off}, which is more than is allowed"
        )
    return PieceTable(room, kind, tuple(pieces), found, needed, error, whole, *asked)
