"""Parameters, declared once: Python, study files and the command line read the same."""

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from depthsep._errors import HypothesisError
from depthsep._names import shown_name
from depthsep.exact import rational, text


def _as_given(value: object) -> object:
    return value


@dataclass(frozen=True)
class Kind:
    """A type of parameters.

    Attributes:
        name: in messages.
        short: in the help of commands.
        form: the type, as msgspec knows it.
        finish: what is made of a value of this type.
    """

    name: str
    short: str
    form: object
    finish: Callable[[object], object] = _as_given

    def read(self, value: object, *, strict: bool = True) -> object:
        """A value of this type; text is read as one where that is not `strict`.

        Raises:
            ValueError: another type, or a number that is not finite.
        """
        found = msgspec.convert(value, self.form, strict=strict)
        for x in found if isinstance(found, list) else [found]:
            if isinstance(x, float) and not math.isfinite(x):
                raise ValueError
        return self.finish(found)


def _number_text(value: object) -> str:
    """A number as it is written: 0.1 is 1/10, not the float next to it."""
    written = value if isinstance(value, str) else repr(value)
    try:
        return text(rational(written))
    except HypothesisError:  # a formula, or a word
        return written.strip()


SHORT = Annotated[str, msgspec.Meta(max_length=10_000)]
SOME = msgspec.Meta(min_length=1)
NUMBERS = float | Annotated[list[float], SOME]
EXACT = 'a number such as 1e-3 or "1/1000"'
WHOLE = Kind("a whole number", "integer", int)
REAL = Kind("a number", "number", float)
TEXT = Kind("text in quotes", "text", SHORT)
TRUTH = Kind("true or false", "truth", bool)
NUMBER = Kind(EXACT, "number", int | float | SHORT, _number_text)
WHOLES = Kind("a list of whole numbers", "n,n,...", Annotated[list[int], SOME])
REALS = Kind("a number or a list of numbers", "x[,x...]", NUMBERS)


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        default: its value if it is not given; `REQUIRED` if one must be. A
            parameter that is None by default may be None.
        meaning: a phrase that follows its name.
        least, most: bounds of numbers.
        choices: the only values, if any are named.
        added: to a job of which results are stored: at its default it changes nothing,
            and is left out of the names of trials, so that these are found again.
    """

    name: str
    kind: Kind
    default: object
    meaning: str
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()
    added: bool = False

    def read(self, value: object, *, strict: bool = True) -> object:
        """The value, of this parameter's type.

        Args:
            strict: refuse text where a number is asked for; the command line has
                nothing but text.

        Raises:
            HypothesisError: another type, or out of bounds.
        """
        if value is None and self.default is None:
            return None
        try:
            found = self.kind.read(value, strict=strict)
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise self._refusal(value, f"give {self.kind.name}", strict) from None
        if self.choices and found not in self.choices:
            raise self._refusal(
                value, f"choose one of {', '.join(self.choices)}", strict
            )
        for x in found if isinstance(found, list) else [found]:
            if isinstance(x, int | float) and not self.least <= x <= self.most:
                raise self._refusal(value, f"give {self._bounds}", strict)
        return found

    def read_text(self, written: str) -> object:
        """Read the value from text, with commas between the entries of a list.

        Raises:
            HypothesisError: not of this type, or out of bounds.
        """
        if self.kind in (TEXT, NUMBER):
            return written
        parts = [x.strip() for x in written.split(",")]
        is_list = self.kind is WHOLES or (self.kind is REALS and len(parts) > 1)
        return self.read(parts if is_list else written.strip(), strict=False)

    @property
    def _bounds(self) -> str:
        if self.most == math.inf:
            return f"{self.least:g} or more"
        return f"{_plain(self.least)} to {_plain(self.most)}"

    def _refusal(self, value: object, remedy: str, strict: bool) -> HypothesisError:
        said = shown(value) if strict else str(value)[:60]
        return HypothesisError(
            f"{shown_name(self.name)} is {said}; {remedy}", parameter=self.name
        )


def _plain(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


def named(parameters: Sequence[Parameter], name: str) -> Parameter:
    """The parameter of a name, which is known to be there."""
    return next(p for p in parameters if p.name == name)


def nearest(name: str, known: Sequence[str]) -> str:
    """Which of the known names was meant, or all of them."""
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"choose one of {', '.join(known)}" if known else "there are none"


def shown(value: object) -> str:
    """A value as messages show it, short."""
    try:
        written = repr(value)
    except (ValueError, RecursionError):  # integers of 5000 digits, deep nests
        return f"a value of type {type(value).__name__}, too long to show"
    return written if len(written) <= 60 else written[:57] + "..."
