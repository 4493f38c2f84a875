"""The bounds for every d that speak of a target."""

import re
from collections import Counter
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.every_dimension._ball import BALL_LOWER, BALL_UPPER
from depthsep.every_dimension._for_all import ForAll
from depthsep.every_dimension._gauss import GAUSS_LOWER, GAUSS_UPPER
from depthsep.every_dimension._inner import INNER_LOWER, INNER_UPPER
from depthsep.every_dimension._kinks import (
    JUMP_LOWER,
    JUMP_UPPER,
    KINK_LOWER,
    KINK_UPPER,
)
from depthsep.every_dimension._sawtooth import (
    PARITY_LOWER,
    PARITY_UPPER,
    TEETH_LOWER,
    TEETH_UPPER,
)
from depthsep.every_dimension._shells import SHELLS_LOWER, SHELLS_UPPER
from depthsep.every_dimension._waves import wave_bounds
from depthsep.exact import rational

WRITTEN = {  # without spaces
    "".join(lower.target.split()): (lower, upper)
    for lower, upper in (
        (INNER_LOWER, INNER_UPPER),
        (BALL_LOWER, BALL_UPPER),
        (JUMP_LOWER, JUMP_UPPER),
        (KINK_LOWER, KINK_UPPER),
        (GAUSS_LOWER, GAUSS_UPPER),
        (SHELLS_LOWER, SHELLS_UPPER),
        (TEETH_LOWER, TEETH_UPPER),
        (PARITY_LOWER, PARITY_UPPER),
    )
}
KNOWN = ", ".join(f'"{lower.target}"' for lower, _ in WRITTEN.values()) + (
    ' and "radial:cos(2*pi*A*R*r)" with a number A from 5/2 on'
)
RADIAL_WAVE = (("R", 1), ("pi", 1), ("r", 1))


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
    written = "".join(target.split()).replace("^", "**")
    for known in (written, f"{written}on0,inf"):
        if known in WRITTEN:
            return WRITTEN[known]
    kind, _, formula = written.removesuffix("on0,inf").partition(":")
    wave = wave_of(formula)
    if kind == "radial" and wave and (wave.name, wave.powers) == ("cos", RADIAL_WAVE):
        return wave_bounds(wave.number / 2)
    raise HypothesisError(
        f"no bounds for every d are known of {target[:60]!r}; there are some of {KNOWN}"
    )


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
