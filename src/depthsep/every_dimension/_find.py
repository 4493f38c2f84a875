"""The bounds for every d that speak of a target."""

import re
from collections import Counter
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.every_dimension._ball import BALL_LOWER, BALL_UPPER
from depthsep.every_dimension._for_all import ForAll
from depthsep.every_dimension._inner import INNER_LOWER, INNER_UPPER
from depthsep.every_dimension._waves import wave_bounds
from depthsep.exact import rational

KNOWN = (
    "inner:sin(pi*d**3*t), radial:cos(2*pi*A*R*r) with a number A from 5/2 on, and "
    "radial:sin(4*pi*d**2*r**2)"
)


@dataclass(frozen=True)
class Wave:
    """sin or cos of a number times powers of pi, d, r, ...

    Attributes:
        powers: name and power, in alphabetical order.
    """

    name: str
    number: fmpq
    powers: tuple[tuple[str, int], ...]


def bounds_for(target: str) -> tuple[ForAll, ...]:
    """Those of a target such as ``inner:sin(pi*d**3*t)``; the names are the command's.

    Waves in R r live on all of R^d, whether ``on 0,inf`` is written or not.

    Raises:
        HypothesisError: none is known; what is known is said.
    """
    written = "".join(target.split()).replace("^", "**").removesuffix("on0,inf")
    kind, _, formula = written.partition(":")
    wave = wave_of(formula)
    asked = (kind, wave.name, dict(wave.powers)) if wave else None
    if wave and asked == ("inner", "sin", {"d": 3, "pi": 1, "t": 1}):
        found = (INNER_LOWER, INNER_UPPER) if wave.number == 1 else ()
    elif wave and asked == ("radial", "sin", {"d": 2, "pi": 1, "r": 2}):
        found = (BALL_LOWER, BALL_UPPER) if wave.number == 4 else ()
    elif wave and asked == ("radial", "cos", {"R": 1, "pi": 1, "r": 1}):
        found = wave_bounds(wave.number / 2)
    else:
        found = ()
    if not found:
        raise HypothesisError(
            f"no bounds for every d are known of {target[:60]!r}; there are some of "
            f"{KNOWN}; give --dim a number for others"
        )
    return found


def wave_of(formula: str) -> Wave | None:
    """A formula without spaces, if it is the sine or cosine of one product."""
    match = re.fullmatch(r"(sin|cos)\(([\w.*/]+)\)", formula)
    if match is None:
        return None
    number, powers = fmpq(1), Counter[str]()
    for factor in match[2].replace("**", "^").split("*"):
        name, _, power = factor.partition("^")
        if re.fullmatch(r"pi|[A-Za-z]", name):
            if power and not re.fullmatch(r"[0-9]{1,3}", power):
                return None
            powers[name] += int(power or 1)
        elif re.fullmatch(r"[0-9./]{1,40}", factor):
            number *= rational(factor)
        else:
            return None
    return Wave(match[1], number, tuple(sorted(powers.items())))
