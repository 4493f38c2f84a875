"""What every input law offers."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.exact import rational


class AbstractLaw(ABC):
    """The probability law of the input; norms are taken with respect to it."""

    setting: ClassVar[str]
    """Where it lives: "line", "box", "signs", "spheres" or "radial"."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the command line calls it; `law_from_text` reads it back."""

    @property
    @abstractmethod
    def in_dim(self) -> int:
        """Dimension of a sample."""

    @abstractmethod
    def sample(self, count: int, seed: int) -> np.ndarray:
        """`count` independent samples, shape (count, in_dim), float64."""

    def __str__(self) -> str:
        return self.text


def law_from_text(written: str) -> AbstractLaw:
    """The law that a text denotes: ``uniform:A,B``, ``box:A,B;C,D``, ``signs:D``,
    ``spheres:D``, ``phi2:D``, ``phi2:D:SCALE``, ``phi2:D:t=EDGE`` or a `RadialLaw`.
    """
    from depthsep.laws._box import Box
    from depthsep.laws._cube import SignCube
    from depthsep.laws._radial import KINDS, radial_law_from_text
    from depthsep.laws._spheres import SpherePair
    from depthsep.laws._uniform import Uniform

    name, _, rest = written.strip().partition(":")
    if name in KINDS:
        return radial_law_from_text(name, rest)
    if name == "phi2":
        return _squared_transform(rest)
    if name == "uniform" and rest.count(",") == 1:
        return Uniform(*rest.split(","))
    sides = [part.split(",") for part in rest.split(";")]
    if name == "box" and all(len(side) == 2 for side in sides):
        return Box([Uniform(*side) for side in sides])
    if name == "signs" and rest.isascii() and rest.isdigit() and len(rest) < 10:
        return SignCube(int(rest))
    if name == "spheres" and rest.isascii() and rest.isdigit() and len(rest) < 10:
        return SpherePair(int(rest))
    raise HypothesisError(
        f"unknown law {written[:40]!r}; use uniform:A,B, box:A,B;C,D, signs:D, "
        "spheres:D, phi2:D, sphere:D, ball:D, gaussian:D, chi:D:K, radius:D:A,B or "
        "shells:D:R1,R2"
    )


def _squared_transform(written: str) -> AbstractLaw:
    """``D``, ``D:SCALE`` or ``D:t=EDGE``."""
    from depthsep.laws._squared_transform import SquaredTransform

    dim, colon, rest = written.partition(":")
    if bool(colon) != bool(rest) or not (
        dim.isascii() and dim.isdigit() and len(dim) < 10
    ):
        raise HypothesisError(f"phi2:{written[:40]}: give phi2:D or phi2:D:SCALE")
    if rest.startswith("t="):
        return SquaredTransform(int(dim), edge=rational(rest[2:], name="the edge"))
    return SquaredTransform(int(dim), rational(rest or "1", name="the scale"))
