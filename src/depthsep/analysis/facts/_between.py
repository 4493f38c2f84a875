"""A number between two ends that are proved; an end that is not known is None."""

from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import CertificationError
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import between as both_ends
from depthsep.exact import decimal, plain, readable, text

LONGEST = 400  # characters of an exact end in a document
DIGITS = 17  # of a longer one, rounded outwards


@dataclass(frozen=True)
class Between:
    """lower <= value <= upper; equal ends are exact.

    Attributes:
        lower, upper: None where nothing is proved on that side.

    Raises:
        CertificationError: a value that was seen contradicts a bound.
    """

    lower: fmpq | None
    upper: fmpq | None

    def __post_init__(self) -> None:
        if (
            self.lower is not None
            and self.upper is not None
            and self.lower > self.upper
        ):
            raise CertificationError(
                f"the proved lower bound {self.lower} is above the proved upper bound "
                f"{self.upper}; this is a bug, please report it with the network"
            )

    @property
    def rigour(self) -> Rigour:
        """Exact, or enclosed; an open end claims nothing."""
        return Rigour.EXACT if self.is_point else Rigour.ENCLOSED

    @property
    def is_point(self) -> bool:
        """Whether the number is known exactly."""
        return self.lower is not None and self.lower == self.upper

    def is_at_most(self, limit: fmpq) -> bool:
        """Whether value <= limit is proved."""
        return self.upper is not None and self.upper <= limit

    def is_above(self, limit: fmpq) -> bool:
        """Whether value > limit is proved."""
        return self.lower is not None and self.lower > limit

    def __str__(self) -> str:
        if self.lower is None and self.upper is None:
            return "not known"
        if self.lower is None:
            return f"at most {_rounded(self.upper, upward=True)}"
        if self.upper is None:
            return f"at least {_rounded(self.lower, upward=False)}"
        if self.is_point:
            return str(Enclosure(self.lower, self.lower, Rigour.EXACT))
        return both_ends(self.lower, self.upper)

    def to_json(self) -> dict[str, object]:
        """Both ends, exact where they are short, else rounded outwards."""
        return {
            "lower": _written(self.lower, upward=False),
            "upper": _written(self.upper, upward=True),
            "rigour": str(self.rigour),
        }


def exactly(value: fmpq) -> Between:
    """A number that is known."""
    return Between(value, value)


def _rounded(value: fmpq | None, *, upward: bool) -> str:
    assert value is not None
    if len(str(value)) <= 9:
        return readable(value)
    return plain(decimal(value, 6, upward=upward))


def _written(value: fmpq | None, *, upward: bool) -> str | None:
    if value is None:
        return None
    found = text(value)
    if len(found) <= LONGEST:
        return found
    return str(decimal(value, DIGITS, upward=upward))
