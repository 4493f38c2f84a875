"""`Upper`: what a construction claims."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import TooLargeError
from depthsep._plural import plural
from depthsep.claims._basis import source_of
from depthsep.evidence import Rigour, Source, Statement
from depthsep.networks import Network, deepen

MAX_WEIGHTS = 1 << 23
PASSED_ON = ", with more layers that only pass values on"


@dataclass(frozen=True, kw_only=True)
class Upper(Displayed):
    """A network that meets the accuracy: widths, a claimed error, and how to build it.

    Attributes:
        widths: units of each hidden layer.
        error: a proved upper bound on the error, in the problem's norm.
        rigour: of that bound.
        statement: the theorem behind it.
        make: builds the network; called at most once, when `network` is asked for.
        checked: whether the examiner has confirmed the claim from the network alone.
        in_dim: inputs, for the predicted size.
        pieces: affine pieces on the interval, where the examiner counted them.
        note: why the network was not examined, if it was not.
        most_weights: beyond which it is not built; 0 where the theorem is about real
            weights and no float64 network is handed out.
        detail: what the theorem was applied to, such as the degree of an expansion.
        largest_weight: a bound of all weights and biases, where it is known.
    """

    widths: tuple[int, ...]
    error: fmpq
    rigour: Rigour
    statement: Statement
    make: Callable[[], Network]
    checked: bool = False
    in_dim: int = 1
    pieces: int | None = None
    note: str = ""
    detail: str = ""
    most_weights: int = MAX_WEIGHTS
    largest_weight: fmpq | None = None

    @staticmethod
    def of_network(
        network: Network,
        error: fmpq,
        rigour: Rigour,
        statement: Statement,
        detail: str = "",
    ) -> "Upper":
        """The claim of a network that is built already."""
        return Upper(
            widths=network.widths,
            error=error,
            rigour=rigour,
            statement=statement,
            make=lambda: network,
            in_dim=network.in_dim,
            detail=detail,
        )

    @property
    def source(self) -> Source:
        """Where the theorem comes from, with the detail in place of its name."""
        return source_of(self.statement, self.detail)

    @property
    def width(self) -> int:
        """Most units in one hidden layer."""
        return max(self.widths)

    @property
    def depth(self) -> int:
        """Affine layers."""
        return len(self.widths) + 1

    @property
    def units(self) -> int:
        """Hidden units together."""
        return sum(self.widths)

    @property
    def predicted_weights(self) -> int:
        """Entries of all weight matrices."""
        shape = (self.in_dim, *self.widths, 1)
        return sum(a * b for a, b in pairwise(shape))

    @cached_property
    def network(self) -> Network:
        """The network.

        Raises:
            TooLargeError: more weights than this library builds, with their number.
        """
        if self.most_weights == 0:
            raise TooLargeError(
                f"the network of {plural(self.units, 'unit')} is known only from "
                "its theorem; it is not built"
            )
        if self.predicted_weights > self.most_weights:
            raise TooLargeError(
                f"the network has {plural(self.units, 'unit')} and "
                f"{self.predicted_weights} weights; only networks with at most "
                f"{self.most_weights} weights are built. Choose a larger depth"
            )
        return self.make()

    def deepened(self, depth: int) -> "Upper":
        """The same function by a network of more layers, not yet examined.

        More ReLU layers pass an output on by two units, as relu(y) and relu(-y).
        """
        network = deepen(self.network, depth)
        return replace(
            self,
            widths=network.widths,
            make=lambda: network,
            in_dim=network.in_dim,
            checked=False,
            pieces=None,
            detail=self.source.place.removesuffix(PASSED_ON) + PASSED_ON,
        )
