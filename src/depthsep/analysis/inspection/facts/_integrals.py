"""Integrals of a network over a domain, in words and as JSON."""

from depthsep.analysis.inspection.facts._fact import Rows, enclosure_words, written
from depthsep.analysis.regions._integrals import Integrals
from depthsep.evidence import Enclosure
from depthsep.exact import readable


def integral_rows(sums: Integrals | None) -> Rows:
    """Of f, |f|, f^2, and the sup."""
    if sums is None:
        return []
    return [
        ("integral", enclosure_words(sums.integral)),
        ("integral of |f|", enclosure_words(sums.absolute)),
        ("integral of f^2", enclosure_words(sums.square)),
        ("largest |f|", f"{readable(sums.largest)} (exact)"),
    ]


def integral_json(sums: Integrals | None) -> dict[str, object]:
    """The same as exact rationals where they are short, else as balls."""
    if sums is None:
        return {}
    return {
        "integral": written(sums.integral),
        "absolute_integral": written(sums.absolute),
        "square_integral": written(sums.square),
        "integral_rigour": _rigour(written(sums.integral), sums.integral),
    }


def _rigour(number: str, value: Enclosure) -> str:
    """The rigour of the written number: a ball encloses an exact value."""
    is_ball = number.startswith("[") and str(value.rigour) == "exact"
    return "enclosed" if is_ball else str(value.rigour)
