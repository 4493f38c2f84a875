"""Statements: what the catalogue shows and `bound` evaluates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep.evidence._enclosure import Enclosure
from depthsep.evidence._plain_formula import plain_formula
from depthsep.evidence._proof import Proof
from depthsep.evidence._rigour import Rigour
from depthsep.evidence._source import Source
from depthsep.exact import rational, readable, text

MOST_COORDINATES = 1000
LONGEST_FRACTION = 40  # characters


@dataclass(frozen=True)
class Parameter:
    """A named input of a statement.

    Attributes:
        kind: "integer", "integers" (both from `least` to `most`), "rational"
            (positive, or 0 where `least` is 0), "point" (rationals of any sign) or
            "name".
    """

    name: str
    kind: str
    meaning: str
    default: str | None = None
    most: int = 10**18
    least: int = 1

    def read(self, written: str) -> int | fmpq | str | tuple[int | fmpq, ...]:
        """The value a user wrote.

        Raises:
            HypothesisError: not of this kind.
        """
        if self.kind == "name":
            return written
        if self.kind == "point":
            parts = written.split(",")
            if len(parts) > MOST_COORDINATES:
                raise HypothesisError(
                    f"`{self.name}` has more than {MOST_COORDINATES} "
                    "numbers; give fewer"
                )
            return tuple(rational(p, name=self.name) for p in parts)
        if self.kind == "rational":
            value = rational(written, name=self.name)
            if value < 0 or (value == 0 and self.least > 0):
                wanted = "positive" if self.least > 0 else "0 or more"
                raise HypothesisError(f"`{self.name}` is {value}; it must be {wanted}")
            return value
        parts = written.split(",") if self.kind == "integers" else [written]
        numbers = [rational(p, name=self.name) for p in parts]
        if len(parts) > 999:
            raise HypothesisError(
                f"`{self.name}` has more than 999 numbers; give fewer"
            )
        if any(n.q != 1 or not self.least <= n <= self.most for n in numbers):
            raise HypothesisError(
                f"`{self.name}` is {written[:40]!r}; only whole numbers "
                f"from {self.least} to {self.most} are allowed"
            )
        whole = tuple(int(n.p) for n in numbers)
        return whole if self.kind == "integers" else whole[0]


# of parameters, where a statement names none of its own
SAMPLES = {"integer": "5", "rational": "1/100", "integers": "3,4,3", "point": "1,-1/2"}
LAYERS = Parameter(
    "layers", "integer", "L, the number of hidden layers", "1", most=10_000
)


@dataclass(frozen=True)
class Value(Displayed):
    """The value of a statement at given parameters.

    Attributes:
        value: an integer, a rational, an enclosure, or text for anything else.
        log2: its base-2 logarithm where it is a width.
    """

    value: int | fmpq | Enclosure | str
    rigour: Rigour
    log2: float | None = None

    @property
    def text(self) -> str:
        """As JSON shows it."""
        if isinstance(self.value, int | fmpq):
            return text(self.value)
        if isinstance(self.value, Enclosure) and self.value.is_point:
            return text(self.value.lower)
        return str(self.value)

    @property
    def shown(self) -> str:
        """As terminals show it: long fractions are rounded to "about" them."""
        if isinstance(self.value, fmpq) and len(self.text) > LONGEST_FRACTION:
            return readable(self.value)
        return self.text


@dataclass(frozen=True)
class Statement(Displayed):
    """A statement of the theory, with what is needed to check and to use it.

    Attributes:
        id: short name on the command line.
        title: what it says, in a line.
        hypotheses: what must hold.
        source: where it comes from.
        parameters: inputs of `evaluate`.
        evaluate: the value for parameters given by name.
        errata: how it deviates from the printed source, one entry each.
        sample: values at which it is shown, as "name=value name=value".
        tex: the bound in TeX, without dollars.
        proof: how far it is proved, and the page that names it by its id.
    """

    id: str
    title: str
    hypotheses: tuple[str, ...]
    source: Source
    parameters: tuple[Parameter, ...]
    evaluate: Callable[..., Value]
    errata: tuple[str, ...] = ()
    sample: str = field(default="", kw_only=True)
    tex: str = field(kw_only=True)
    proof: Proof = field(kw_only=True)

    @property
    def formula(self) -> str:
        """The bound as a terminal shows it."""
        return plain_formula(self.tex)

    @property
    def samples(self) -> dict[str, str]:
        """A value for each parameter at which the statement can be shown."""
        own = dict(part.split("=", 1) for part in self.sample.split())
        given = {p.name: p.default or SAMPLES[p.kind] for p in self.parameters}
        return given | own

    def evaluate_text(self, given: Mapping[str, str]) -> Value:
        """Evaluate from text values; unknown and missing names are reported."""
        known = {p.name: p for p in self.parameters}
        unknown = sorted(set(given) - set(known))
        usage = " ".join(f"{p.name}=..." for p in self.parameters)
        if unknown:
            raise HypothesisError(
                f"{self.id} has no parameter {unknown[0]!r}; give {usage}"
            )
        values = {}
        for name, parameter in known.items():
            written = given.get(name, parameter.default)
            if written is None:
                raise HypothesisError(
                    f"{self.id} needs the parameter {name}; give {usage}"
                )
            values[name] = parameter.read(written)
        return self.evaluate(**values)
