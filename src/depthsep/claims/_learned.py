"""`Learned`: what training found, beside what is proven and what is constructed."""

from dataclasses import dataclass, field

import numpy as np

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole
from depthsep.evidence import Rigour
from depthsep.networks import Network

WIDTHS = (4, 16, 64)  # where nothing is certified
FACTORS = (1, 4, 16)  # times the certified width
WIDEST = 64  # that is trained unasked: wider ones take minutes


@dataclass(frozen=True)
class TrainingPlan:
    """How networks are trained on a problem.

    Attributes:
        widths: tried from the narrowest on; if not given 4, 16 and 64, or in a table
            the certified width and 4 and 16 times it, up to 64.
        restarts: random starts of every width, trained side by side.
        steps, batch: of Adam.
        rate: at the start, for the first half of restarts; a third of it for the rest.
    """

    widths: tuple[int, ...] | None = None
    restarts: int = 8
    steps: int = 3000
    batch: int = 512
    rate: float = 1e-2
    seed: int = 0

    def __post_init__(self) -> None:
        given = WIDTHS
        if self.widths is not None:
            given = tuple(np.ravel(np.asarray(self.widths, dtype=object)).tolist())
            object.__setattr__(self, "widths", given)
        if not [whole(m, "a width", least=1, most=4096) for m in given]:
            raise HypothesisError("give at least one width of the networks to train")
        for name, most in (("restarts", 4096), ("steps", 10**8), ("batch", 10**6)):
            whole(getattr(self, name), name, least=1, most=most)
        whole(self.seed, "seed", most=2**31 - 1)
        if real(self.rate, "rate") <= 0:
            raise HypothesisError(
                f"the learning rate is {self.rate}; it must be positive"
            )

    def beside(self, certified: int | None) -> tuple[int, ...]:
        """The widths to try next to a certified one."""
        if self.widths is not None:
            return self.widths
        if certified is None or certified > WIDEST:
            return WIDTHS
        return tuple(certified * f for f in FACTORS if certified * f <= WIDEST)


@dataclass(frozen=True)
class Attempt:
    """The best network of one width over all restarts."""

    width: int
    error: float
    seed: int


@dataclass(frozen=True)
class Learned(Displayed):
    """What gradient descent found at one depth: honest, useful, forbids nothing.

    Attributes:
        width: the least of the widths tried whose best network meets the accuracy; if
            none does, the width of the best network.
        error: of that network, in the problem's norm.
        seeds: of all restarts.
        rigour: of `error` as a number about the network, which is exact for an interval
            (an upper end if enclosed) and sampled else. That training found no better
            one is never more than sampled.
        met: whether the error is within the accuracy.
        tried: the best at every width.
        network: the one measured.
    """

    width: int
    error: float
    seeds: tuple[int, ...]
    rigour: Rigour = Rigour.SAMPLED
    met: bool = False
    tried: tuple[Attempt, ...] = ()
    network: Network | None = field(default=None, repr=False, compare=False)

    @property
    def shown(self) -> str:
        """The width that met the accuracy; else "none" and the best error."""
        return str(self.width) if self.met else f"none (error {self.error:.2g})"

    def to_json(self) -> dict[str, object]:
        """As the command line shows it."""
        tried = [
            {"width": a.width, "error": a.error, "seed": a.seed} for a in self.tried
        ]
        return {
            "width": self.width,
            "error": self.error,
            "met": self.met,
            "rigour": str(self.rigour),
            "seeds": list(self.seeds),
            "tried": tried,
        }
