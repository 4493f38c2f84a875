"""VNN-LIB 1.0, and counterexamples as the verification competition writes them."""

from collections.abc import Sequence

from flint import fmpq, fmpz

from depthsep._errors import HypothesisError
from depthsep.interop.vnnlib._instances import Property


def property_text(wanted: Property, comment: str) -> str:
    """The property as VNN-LIB: satisfied by the counterexamples alone."""
    lines = [f"; {line}" for line in comment.splitlines()]
    lines += [f"(declare-const X_{k} Real)" for k in range(len(wanted.box))]
    lines.append("(declare-const Y_0 Real)")
    for k, (low, high) in enumerate(wanted.box):
        lines.append(f"(assert (>= X_{k} {exact_decimal(low)}))")
        lines.append(f"(assert (<= X_{k} {exact_decimal(high)}))")
    lines.append(f"(assert {_outputs(wanted)})")
    return "\n".join(lines) + "\n"


def counterexample_text(point: Sequence[fmpq], value: fmpq) -> str:
    """``sat`` and the values of all inputs and of the output, exactly."""
    pairs = [f"(X_{k} {exact_decimal(x)})" for k, x in enumerate(point)]
    pairs.append(f"(Y_0 {exact_decimal(value)})")
    return "sat\n(" + "\n ".join(pairs) + ")\n"


def exact_decimal(x: fmpq) -> str:
    """All digits of a number whose denominator is a power of 2.

    Raises:
        HypothesisError: another denominator.
    """
    top, bottom = int(x.p), int(x.q)
    places = bottom.bit_length() - 1
    if bottom != 1 << places:
        raise HypothesisError(f"the denominator of {x} is not a power of 2")
    places = max(places, 1)
    # Python itself refuses to write more than 4300 digits
    digits = str(fmpz(abs(top) * 10**places // bottom)).rjust(places + 1, "0")
    after = digits[-places:].rstrip("0") or "0"
    return f"{'-' * (top < 0)}{digits[:-places]}.{after}"


def _outputs(wanted: Property) -> str:
    parts = []
    if wanted.below is not None:
        parts.append(f"(<= Y_0 {exact_decimal(wanted.below)})")
    if wanted.above is not None:
        parts.append(f"(>= Y_0 {exact_decimal(wanted.above)})")
    if len(parts) == 1:
        return parts[0]
    return f"(or {' '.join(f'(and {part})' for part in parts)})"
