"""Read a target from the command line's text."""

from depthsep._errors import HypothesisError
from depthsep.targets._base import AbstractTarget
from depthsep.targets._expression import Expression
from depthsep.targets._parity import Parity
from depthsep.targets._sawtooth import Sawtooth
from depthsep.targets._square import Square


def target_from_text(written: str) -> AbstractTarget:
    """The target that ``sawtooth:K``, ``square``, ``parity:D``, ``expr:...`` denote."""
    name, _, rest = written.strip().partition(":")
    if name == "square" and not rest:
        return Square()
    if name == "sawtooth":
        return Sawtooth(_whole(rest, "sawtooth:K"))
    if name == "parity":
        return Parity(_whole(rest, "parity:D"))
    if name == "expr" and rest:
        return Expression(rest.strip())
    raise HypothesisError(
        f"unknown target {written[:60]!r}; use sawtooth:K, square, parity:D or "
        '"expr:sin(20*x)"'
    )


def _whole(written: str, form: str) -> int:
    if not (written.isascii() and written.isdigit()) or len(written) > 9:
        raise HypothesisError(f"{form} needs a whole number, not {written[:20]!r}")
    return int(written)
