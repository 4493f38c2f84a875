"""The page as files: the same pictures for chosen states, from the file system."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import msgspec

from depthsep._errors import DepthsepError
from depthsep._files import write_atomically
from depthsep._progress import followed
from depthsep.explore._jobs import job_named
from depthsep.explore._state import State

TARGETS = ("square", "sawtooth:6", "expr:sin(20*x)", "expr:exp(x)", "expr:sqrt(x)")
ACCURACIES = ("1e-1", "1e-2", "1e-3")
DEPTHS = (2, 3, 4, 5)
SLICES = tuple(k / 10 for k in range(11))
WIDTHS = (16, 64, 256)
NAMES = ("style.css", "draw.js", "views.js", "pad.js", "app.js", "icon.svg")


def states() -> Iterator[tuple[str, str, State]]:
    """Key, job and state of everything that the files hold."""
    ends = (DEPTHS[0], DEPTHS[-1])
    for target in TARGETS:
        for accuracy in ACCURACIES:
            given = {"target": target, "accuracy": accuracy, "depths": ends}
            problem = f"{target}||linf|{accuracy}"
            yield f"check|{problem}", "check", State(**given)
            yield f"table|{problem}", "table", State(**given)
            for depth in DEPTHS:
                for job in ("graph", "why"):
                    yield f"{job}|{problem}|{depth}", job, State(**given, depth=depth)
    for accuracy in ACCURACIES:
        problem = f"product||linf|{accuracy}"
        given = {"target": "product", "accuracy": accuracy, "depths": ends}
        yield f"check|{problem}", "check", State(**given)
        for depth in DEPTHS[1:3]:
            for at in SLICES:
                key = f"regions|{problem}|{depth}|{at:g}"
                yield key, "regions", State(**given, depth=depth, at=at)
    for width in WIDTHS:
        yield f"learner|4|{width}", "learner", State(width=width)
        for depth in DEPTHS:
            state = State(width=width, depth=depth)
            yield f"kernel|{depth}|{width}", "kernel", state
    for sigma in (0.5, 1.0):
        yield f"sampling|10|{sigma:g}", "sampling", State(sigma=sigma)


def export(folder: str | Path) -> Path:
    """Write the page and its states; returns the file to open."""
    place, listed = Path(folder), list(states())
    place.mkdir(parents=True, exist_ok=True)
    events = {}
    for key, job, state in followed(listed, len(listed), _words):
        events[key] = _events(job, state)
    within = files("depthsep.explore").joinpath("page")
    for name in NAMES:
        write_atomically(place / name, within.joinpath(name).read_bytes())
    chosen = {"targets": TARGETS, "accuracies": ACCURACIES, "events": events}
    body = b"window.DEPTHSEP_STATES = " + msgspec.json.encode(chosen) + b";\n"
    write_atomically(place / "states.js", body)
    page = within.joinpath("index.html").read_text("utf-8")
    first = '<script src="draw.js" defer></script>'
    page = page.replace(first, f'<script src="states.js" defer></script>\n{first}')
    write_atomically(place / "index.html", page.encode())
    return place / "index.html"


def _words(listed: tuple[str, str, State]) -> str:
    return listed[0].replace("|", " ")


def _events(job: str, state: State) -> list[dict[str, object]]:
    try:
        return list(job_named(job)(state))
    except DepthsepError as error:
        return [{"error": str(error)}]
