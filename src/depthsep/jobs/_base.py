"""What a job is: a name, parameters with their types, and a function of them."""

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.evidence import Rigour
from depthsep.exact import rational, text

Scalar = bool | int | float | str | None


@dataclass(frozen=True, eq=False)
class Result:
    """What one trial found.

    Attributes:
        metrics: name to number, text, truth or None; NaN and infinities become None.
        rigours: of those metrics that are not `sampled`.
        arrays: of trajectory.npz, none for no file.
        documents: name of a JSON file to what it holds, such as a network.
    """

    metrics: Mapping[str, Scalar]
    rigours: Mapping[str, Rigour] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    documents: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A type of parameters: its name in messages, and how a TOML value is read."""

    name: str
    read: Callable[[Any], Any]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a job.

    Attributes:
        default: what stands where none is given; `REQUIRED` if one must be.
        least, most: bounds of numbers.
        choices: the only values, if any are named.
    """

    name: str
    kind: Kind
    default: Any
    meaning: str
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[Any, ...] = ()

    def read(self, value: Any) -> Any:
        """The value, of this parameter's type.

        Raises:
            HypothesisError: another type, or out of bounds.
        """
        try:
            found = self.kind.read(value)
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise HypothesisError(
                f"{self.name} is {_shown(value)}; give {self.kind.name}"
            ) from None
        if self.choices and found not in self.choices:
            known = ", ".join(map(str, self.choices))
            raise HypothesisError(f"{self.name} is {_shown(value)}; choose {known}")
        numbers = found if isinstance(found, list) else [found]
        for x in numbers:
            if isinstance(x, int | float) and not self.least <= x <= self.most:
                raise HypothesisError(
                    f"{self.name} is {_shown(value)}; give {self.least:g} to "
                    f"{self.most:g}"
                )
        return found


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()


@dataclass(frozen=True)
class Job:
    """Something a study does at every point of its grid.

    Attributes:
        name: in study files.
        metrics: what `run` may return; empty if that is not known.
        version: raised whenever results change for equal parameters.
        run: parameters by name, and the seed, to a result; pure.
        check: refuses parameters that do not fit together, before anything runs.
        seconds: a rough model of the time a trial takes; None if there is none.
    """

    name: str
    version: str
    parameters: tuple[Parameter, ...]
    run: Callable[[Mapping[str, Any], int], Result]
    meaning: str = ""
    check: Callable[[Mapping[str, Any]], None] | None = None
    seconds: Callable[[Mapping[str, Any]], float] | None = None
    metrics: tuple[str, ...] = ()

    def parameter(self, name: str) -> Parameter:
        """The parameter of a name.

        Raises:
            HypothesisError: there is none; says which name is close.
        """
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        if name in ("seed", "seeds"):
            raise HypothesisError("seeds stand at the top of the file: seeds = 5")
        names = [p.name for p in self.parameters]
        raise HypothesisError(
            f"{self.name} has no parameter {name[:40]!r}; {nearest(name, names)}"
        )

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter: as given, or its default.

        Raises:
            HypothesisError: one is missing, or they do not fit together.
        """
        filled = {}
        for p in self.parameters:
            value = given.get(p.name, p.default)
            if value is REQUIRED:
                raise HypothesisError(
                    f"{self.name} needs {p.name} ({p.meaning}); put it into [fixed] or "
                    "[grid]"
                )
            filled[p.name] = value if value is None else p.read(value)
        if self.check is not None:
            self.check(filled)
        return filled


def nearest(name: str, known: list[str]) -> str:
    """Which of the known names was meant, or all of them."""
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known are {', '.join(known)}" if known else "there are none"


def _shown(value: object) -> str:
    try:
        written = repr(value)
    except (ValueError, RecursionError):  # integers of 5000 digits, deep nests
        return f"a {type(value).__name__} too long to show"
    return written if len(written) <= 60 else written[:57] + "..."


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return value


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not math.isfinite(value):
        raise ValueError
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 10_000:
        raise TypeError
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _number_text(value: Any) -> str:
    """A number as it is written: 0.1 is 1/10, not the float next to it."""
    written = value if isinstance(value, str) else repr(_exactly(value))
    try:
        return text(rational(written))
    except HypothesisError:  # a formula, or a word
        return _text(written.strip())


def _exactly(value: Any) -> int | float:
    return value if isinstance(value, int) and value is not True else _real(value)


def _optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def reader(value: Any) -> list[Any]:
        if not isinstance(value, list) or not value:
            raise TypeError
        return [read(x) for x in value]

    return reader


def _one_or_list(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    whole = _list_of(read)
    return lambda value: whole(value) if isinstance(value, list) else read(value)


WHOLE = Kind("a whole number", _whole)
REAL = Kind("a number", _real)
TEXT = Kind("text in quotes", _text)
TRUTH = Kind("true or false", _truth)
NUMBER = Kind('a number such as 1e-3 or "1/1000"', _number_text)
WHOLES = Kind("a list of whole numbers", _list_of(_whole))
REALS = Kind("a number or a list of numbers", _one_or_list(_real))
MAYBE_WHOLE = Kind("a whole number", _optional(_whole))
MAYBE_WHOLES = Kind(WHOLES.name, _optional(_list_of(_whole)))
MAYBE_REAL = Kind("a number", _optional(_real))
MAYBE_TEXT = Kind("text in quotes", _optional(_text))
MAYBE_NUMBER = Kind('a number such as 1e-3 or "1/1000"', _optional(_number_text))
