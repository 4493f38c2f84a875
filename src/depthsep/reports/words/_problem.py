"""The problem in words, and what the rigours mean."""

import re

from depthsep.evidence import Rigour
from depthsep.exact import readable
from depthsep.problems import RELU_UNITS, Problem

RIGOUR_MEANING = {
    Rigour.EXACT: "integers and rationals only; nothing was rounded",
    Rigour.ENCLOSED: (
        "rigorous ball arithmetic, with all bounds rounded outward, at "
        "increasing precision until the question is decided"
    ),
    Rigour.CITED: "a published theorem whose hypotheses were checked for this problem",
    Rigour.SAMPLED: "floating point, sampling or training; an estimate, not a proof",
}
NORM_WORDS = {
    "linf": "at every point of",
    "l1": "in mean absolute error over",
    "l2": "in root mean square error over",
}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NOT_CONFIRMED = (
    "this width rests on a theorem; no network of this width was built and confirmed"
)


def headline(problem: Problem, longest: int = 200) -> str:
    """Target, place, norm and accuracy, on one line of about `longest` characters."""
    bound = problem.weight_bound
    units = problem.networks.units
    rest = (
        f" on {problem.law.words}, {problem.norm} accuracy "
        f"{readable(problem.accuracy)}"
        + ("" if units == RELU_UNITS else f", {units.words}")
        + ("" if bound is None else f", |weights| and |biases| up to {readable(bound)}")
    )
    room = max(12, longest - len(rest))
    return shortened(problem.target.words, room) + rest


def _bounded(problem: Problem) -> tuple[tuple[str, bool], ...]:
    bound = problem.weight_bound
    if bound is None:
        return ()
    return (
        (" with no weight or bias of absolute value above ", False),
        (readable(bound), True),
    )


def question(problem: Problem) -> tuple[tuple[str, bool], ...]:
    """The question the table answers, as pieces of text; True marks a formula."""
    network = problem.networks.units.network
    return (
        (f"How wide must a {network} of each depth be to stay within ", False),
        (readable(problem.accuracy), True),
        (" of ", False),
        (problem.target.words, problem.target.words_are_formula),
        (f" {NORM_WORDS[problem.norm]} ", False),
        (problem.law.words, True),
        *_bounded(problem),
        ("?", False),
    )


def raised(text: str) -> str:
    """``x^2`` with raised digits, where the type can show them."""
    return re.sub(r"\^(\d+)", lambda m: m[1].translate(_RAISED), text)


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    if words[:2].isalpha():  # a lone letter is mathematics: k is not K
        words = words[0].upper() + words[1:]
    return raised(words).rstrip(".") + "."


def shortened(text: str, longest: int) -> str:
    """The text, cut with dots if it is longer than that."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def depths_words(depths: tuple[int, ...]) -> str:
    """``depth 2`` or ``depths 2-5, 8``."""
    runs: list[list[int]] = []
    for depth in sorted(depths):
        if runs and depth == runs[-1][1] + 1:
            runs[-1][1] = depth
        else:
            runs.append([depth, depth])
    written = ", ".join(f"{a}-{b}" if b > a else str(a) for a, b in runs)
    return f"{'depth' if len(depths) == 1 else 'depths'} {written}"


def duration(seconds: float) -> str:
    """A time in words, to two digits."""
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {name}"
    return f"{seconds:.2g} seconds"
