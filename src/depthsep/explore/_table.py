"""The problem in words, the rows of the table, and a row's certificate."""

from collections.abc import Iterator

from depthsep.claims import SearchPlan, Upper
from depthsep.exact import decimal, plain
from depthsep.explore._state import State
from depthsep.reports import headline
from depthsep.separation import build, table_rows


def check(state: State) -> Iterator[dict[str, object]]:
    """What the problem is in words, and the command and the Python for it."""
    problem = state.problem()
    yield {
        "words": headline(problem),
        "command": state.command(),
        "python": state.python(),
        "inputs": problem.target.in_dim,
        "setting": problem.law.setting,
    }


def table(state: State) -> Iterator[dict[str, object]]:
    """The rows of the table, each when it is done."""
    problem, (first, last) = state.problem(), state.depths
    yield {"words": headline(problem), "of": last - first + 1}
    search = SearchPlan(state.seconds) if state.seconds else None
    for row in table_rows(problem, depths=range(first, last + 1), search=search):
        shown = None
        if isinstance(row.upper, Upper):
            shown = plain(decimal(row.upper.error, 3, upward=True))
        yield {"row": row.to_json(), "shown": shown}


def certificate(state: State) -> Iterator[dict[str, object]]:
    """The certificate of the row that is looked at, weights included."""
    built = build(state.problem(), depth=state.depth)
    text = built.certificate(None).to_json()
    yield {"name": f"certificate-depth-{state.depth}.json", "text": text}
