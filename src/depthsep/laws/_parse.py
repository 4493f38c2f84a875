"""Read a law from text: one line of `LAWS` for each form."""

from collections.abc import Callable
from dataclasses import dataclass

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.laws._at_points import AtPoints
from depthsep.laws._base import AbstractLaw
from depthsep.laws._beta import Beta
from depthsep.laws._cube import SignCube
from depthsep.laws._domains import Segment
from depthsep.laws._exponential import Exponential
from depthsep.laws._formula_law import FormulaLaw
from depthsep.laws._inside import Inside
from depthsep.laws._normal import Normal
from depthsep.laws._on_interval import AbstractLineLaw
from depthsep.laws._product import ProductLaw
from depthsep.laws._radial import KINDS, radial_law_from_text
from depthsep.laws._spheres import SpherePair
from depthsep.laws._squared_transform import SquaredTransform
from depthsep.laws._triangular import Triangular
from depthsep.laws._uniform import Uniform


@dataclass(frozen=True)
class LawForm:
    """``name:REST`` in text: how messages show it, and what reads the rest."""

    name: str
    shown: str
    read: Callable[[str], AbstractLaw]


def law_from_text(written: str) -> AbstractLaw:
    """The law that a text denotes, in one of the forms of `LAWS`.

    Raises:
        HypothesisError: none of these; lists them.
    """
    name, _, rest = written.strip().partition(":")
    for form in LAWS:
        if form.name == SHORT.get(name, name):
            return form.read(rest)
    raise HypothesisError(
        f"unknown law {written[:40]!r}; use {', '.join(form.shown for form in LAWS)}"
    )


def _of_numbers(
    shown: str, counts: tuple[int, ...], make: Callable[..., AbstractLaw]
) -> LawForm:
    """A form ``name:A,B,...`` with so many numbers."""
    name = shown.partition(":")[0]

    def read(rest: str) -> AbstractLaw:
        numbers = rest.split(",") if rest else []
        if len(numbers) not in counts:
            raise HypothesisError(f"{name}:{rest[:40]}: give {shown}")
        return make(*numbers)

    return LawForm(name, shown, read)


def _box(rest: str) -> ProductLaw:
    """A law on an interval for each side, or its two ends."""
    sides = [part if ":" in part else f"uniform:{part}" for part in rest.split(";")]
    laws = [law_from_text(side) for side in sides]
    lines = [law for law in laws if isinstance(law, AbstractLineLaw)]
    if len(lines) < len(laws):
        raise HypothesisError(
            f"box:{rest[:40]} has a side whose law is not one on an "
            "interval; give box:A,B;C,D"
        )
    return ProductLaw(lines)


def _density(rest: str) -> FormulaLaw:
    """``FORMULA`` or ``FORMULA on A,B``."""
    formula, _, written = rest.partition(" on ")
    ends = written.split(",") if written else ["0", "1"]
    if len(ends) != 2:
        raise HypothesisError(
            f"density:{rest[:40]}: the interval needs two ends; give "
            "density:FORMULA on A,B"
        )
    return FormulaLaw(formula.strip(), Segment(*ends))


def _whole(name: str, rest: str) -> int:
    if not (rest.isascii() and rest.isdigit() and len(rest) < 10):
        raise HypothesisError(
            f"{name}:{rest[:40]}: give {name}:D, where the dimension D is a "
            "whole number"
        )
    return int(rest)


def _squared_transform(rest: str) -> SquaredTransform:
    """``D``, ``D:SCALE``, ``D:t=EDGE`` or ``D:median``."""
    dim, colon, more = rest.partition(":")
    if bool(colon) != bool(more) or not (
        dim.isascii() and dim.isdigit() and len(dim) < 10
    ):
        raise HypothesisError(
            f"phi2:{rest[:40]}: give phi2:D or phi2:D:SCALE, where the "
            "dimension D is a whole number"
        )
    if more == "median":
        return SquaredTransform.with_median(int(dim))
    if more == "target":
        raise HypothesisError(
            f"phi2:{rest}: this scale depends on the target; give "
            "--scale target instead of a law",
            parameter="scale",
        )
    if more.startswith("t="):
        return SquaredTransform(int(dim), edge=rational(more[2:], name="the edge"))
    return SquaredTransform(int(dim), rational(more or "1", name="the scale"))


def _inside(rest: str) -> Inside:
    """``R:LAW``."""
    radius, _, law = rest.partition(":")
    if not law or law.count("inside:") > MOST_CUTS:
        raise HypothesisError(
            f"inside:{rest[:40]}: give inside:R:LAW, such as "
            "inside:2:gaussian:3, nested at most 9 deep"
        )
    given = rational(radius, name="the radius")
    return Inside(law_from_text(law), given)  # type: ignore[arg-type]


def _radial(name: str, numbers: str) -> LawForm:
    return LawForm(
        name, f"{name}:D{numbers}", lambda rest: radial_law_from_text(name, rest)
    )


MOST_CUTS = 8
SHORT = {"gauss": "gaussian"}
_NUMBERS = {"chi": ":K", "radius": ":A,B", "shells": ":R1,R2"}
LAWS: tuple[LawForm, ...] = (
    _of_numbers("uniform:A,B", (2,), Uniform),
    _of_numbers("beta:a,b", (2,), Beta),
    _of_numbers("normal:m,s or normal:m,s,A,B", (2, 4), Normal),
    _of_numbers("exponential:r", (1, 2), Exponential),
    _of_numbers("triangular:A,MODE,B", (0, 3), Triangular),
    LawForm("density", "density:FORMULA on A,B", _density),
    LawForm("box", "box:A,B;C,D", _box),
    LawForm("points", "points (only for targets points:FILE)", AtPoints.read),
    LawForm("signs", "signs:D", lambda rest: SignCube(_whole("signs", rest))),
    LawForm("spheres", "spheres:D", lambda rest: SpherePair(_whole("spheres", rest))),
    LawForm("phi2", "phi2:D", _squared_transform),
    *(_radial(name, _NUMBERS.get(name, "")) for name in KINDS),
    LawForm("inside", "inside:R:LAW", _inside),
)
