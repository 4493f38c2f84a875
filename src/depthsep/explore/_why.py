"""Why no network of a row is narrower: the theorem in words, and what it counts."""

from collections.abc import Iterator

import numpy as np

from depthsep._errors import DepthsepError
from depthsep._plural import plural
from depthsep.analysis import least_width
from depthsep.approximation import best_interpolant, linearise
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import PiecewiseAffine, nearest_float, rational, readable
from depthsep.explore._line import rounded
from depthsep.explore._state import State
from depthsep.problems import Problem
from depthsep.separation import best_lower
from depthsep.targets import Sawtooth

MOST_DRAWN = 130  # pieces of the shortest broken line
TUNNEL_POINTS = 401


def why(state: State) -> Iterator[dict[str, object]]:
    """The lower bound of the row: its words and source, and the picture behind it.

    On an interval in linf that is the tunnel around the target and a broken line with
    the fewest pieces that stays inside; on a box, the segments that the proof cuts.
    """
    problem = state.problem()
    lower = best_lower(problem, state.depth)
    if isinstance(lower, Inapplicable):
        none = (
            "No lower bound on the width is proved at this depth: "
            f"{'; '.join(lower.main)}"
        )
        yield {"words": [none]}
        return
    statement = lower.statement
    yield {
        "id": statement.id,
        "title": statement.title,
        "source": str(lower.source),
        "formula": statement.formula,
        "words": _words(problem, state.depth, lower),
    } | _picture(problem, state.depth, lower)


def _words(problem: Problem, depth: int, lower: Lower) -> list[str]:
    """Sentences: what is counted, and what so many layers can make of it."""
    layers, pieces, width = depth - 1, lower.pieces, lower.width
    if width < 1:
        return [
            (
                "The bound says nothing: a network without hidden units may be "
                "close enough."
            )
        ]
    said = [f"The bound holds for {lower.networks}."]
    if pieces is None or width < 2 or least_width(pieces, layers) != width:
        return said
    along = "" if problem.law.setting == "line" else " along some line"
    counted = (
        "Every continuous piecewise linear function within "
        f"{readable(problem.accuracy)} of the target in {problem.norm} "
        f"has at least {pieces} straight pieces{along}."
    )
    made = (
        f"With {plural(width - 1, 'unit')} in each layer, "
        f"{plural(layers, 'hidden layer')} can make at most {width**layers} "
        f"pieces{along and ' along a line'}; with {plural(width, 'unit')} in each "
        f"layer, at most {(width + 1) ** layers} pieces."
    )
    return [counted, made, *said]


def _picture(problem: Problem, depth: int, lower: Lower) -> dict[str, object]:
    if problem.law.setting == "line" and problem.norm == "linf":
        return _tunnel(problem, lower)
    if problem.law.setting == "box" and problem.target.in_dim == 2:
        return _segments(problem, depth)
    return {}


def _tunnel(problem: Problem, lower: Lower) -> dict[str, object]:
    """The target with the accuracy on both sides, and the shortest broken line."""
    if (lower.pieces or lower.width) > MOST_DRAWN:
        return {}
    on, near = problem.interval, problem.accuracy
    x = np.linspace(nearest_float(on.start), nearest_float(on.stop), TUNNEL_POINTS)
    values = problem.line_target.floats(x)
    try:
        link = _shortest(problem)
    except DepthsepError:  # a picture less
        return {}
    if link.pieces > MOST_DRAWN:
        return {}
    return {
        "x": rounded(x),
        "target": rounded(values),
        "within": nearest_float(near),
        "least": link.pieces == lower.pieces,
        "knots": [nearest_float(v) for v in link.knots.tolist()],
        "values": [nearest_float(v) for v in link.values.tolist()],
    }


def _shortest(problem: Problem) -> PiecewiseAffine:
    """A continuous function with the fewest pieces, up to an interpolant's error."""
    target, on = problem.line_target, problem.interval
    if isinstance(target, Sawtooth) and (exact := target.piecewise(MOST_DRAWN)):
        return best_interpolant(exact, problem.accuracy)
    line = linearise(target, on, problem.accuracy / 64)
    return best_interpolant(line.function, problem.accuracy - line.error)


def _segments(problem: Problem, depth: int) -> dict[str, object]:
    """The segments of the box on which a proof counts pieces, if it is of that kind."""
    from depthsep.witnesses import prove_lower

    found = prove_lower(problem, depth)
    if isinstance(found, Inapplicable):
        return {}
    evidence = found.evidence
    listed = [part["ends"] for part in evidence.get("segments", ())]
    listed += [evidence["segment"]] if "segment" in evidence else []
    sides = problem.law.box.sides
    ends = [nearest_float(v) for side in sides for v in (side.start, side.stop)]
    return {"box": ends, "segments": [_near(pair) for pair in listed]} if listed else {}


def _near(ends: list[list[str]]) -> list[list[float]]:
    return [[nearest_float(rational(v)) for v in end] for end in ends]
