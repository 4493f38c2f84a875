"""The bounds for every d, and those that speak of a target."""

import re

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
from depthsep.every_dimension._waves import WAVES, wave_bounds
from depthsep.exact import rational

PAIRS = (
    (INNER_LOWER, INNER_UPPER),
    (BALL_LOWER, BALL_UPPER),
    (JUMP_LOWER, JUMP_UPPER),
    (KINK_LOWER, KINK_UPPER),
    (GAUSS_LOWER, GAUSS_UPPER),
    (SHELLS_LOWER, SHELLS_UPPER),
    (TEETH_LOWER, TEETH_UPPER),
    (PARITY_LOWER, PARITY_UPPER),
)
EVERY_DIMENSION = (*(t for pair in PAIRS for t in pair), *wave_bounds(WAVES))
WITHOUT_SPACES = {"".join(pair[0].target.split()): pair for pair in PAIRS}
KNOWN = ", ".join(f'"{lower.target}"' for lower, _ in PAIRS) + (
    ' and "radial:cos(2*pi*A*R*r)" with a number A from 5/2 to 100'
)


def bounds_for(target: str) -> tuple[ForAll, ...]:
    """Those of a target such as ``inner:sin(pi*d**3*t)``; the names are the command's.

    Waves live on all of R^d, whether ``on 0,inf`` is written or not.

    Raises:
        HypothesisError: none is known; what is known is said.
    """
    written = "".join(target.split()).replace("^", "**")
    for known in (written, f"{written}on0,inf"):
        if known in WITHOUT_SPACES:
            return WITHOUT_SPACES[known]
    waves = waves_of(written)
    if waves is None:
        raise HypothesisError(
            "no bounds that hold for every d (or every k) are known "
            f"for {target[:60]!r}; such bounds are known for {KNOWN}"
        )
    return wave_bounds(waves)


def waves_of(target: str) -> fmpq | None:
    """A in ``radial:cos(2*pi*A*R*r)``, its factors in any order; None for others."""
    written = "".join(target.split()).removesuffix("on0,inf")
    match = re.fullmatch(r"radial:cos\(([\w.*/]+)\)", written)
    factors = match[1].split("*") if match else []
    numbers = [f for f in factors if re.fullmatch(r"[0-9./]{1,40}", f)]
    if sorted(f for f in factors if f not in numbers) != ["R", "pi", "r"]:
        return None
    whole = fmpq(1)
    for number in numbers:
        whole *= rational(number)
    return whole / 2
