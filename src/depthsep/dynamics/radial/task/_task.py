"""What is learned, from which start and by which flow: one frozen record."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real, whole
from depthsep._plural import plural
from depthsep.dynamics.radial._constants import check_dim, relu_mean_float
from depthsep.dynamics.radial.network._network import RadialNetwork
from depthsep.dynamics.radial.radius._moments import (
    RadialMoments,
    checked,
    moments,
)
from depthsep.dynamics.radial.task._draws import DIRECTIONS, STARTS
from depthsep.dynamics.radial.task._profile import RadialProfile, gap, profile
from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.laws import AbstractRadialLaw, law_from_text

SOLVERS = ("euler", "heun", "adaptive")
PRECISIONS = ("float32", "float64")
OUTPUTS = ("channels", "gaussian")
MOST_SPLIT = 1000  # dimensions for which Gauss's rules are made
LARGEST = 1e30  # of a weight of one's own: squares stay within the floats
Projection = Callable[[RadialNetwork], RadialNetwork]


@dataclass(frozen=True, eq=False)
class RadialTask:
    """Learning a radial function with a mean-field network of three layers.

    The loss is half the mean square of f* - f under the law; time is that of the
    mean-field gradient flow with unit rates.

    Attributes:
        dim: of the inputs, 2 or more.
        width: particles of the first layer.
        law: a radial law, its text (D is the dimension), or truncated moments;
            radius:D:0,2 if not given.
        target: ``radial:relu``, ``radial:triangle:W``, ..., a `RadialProfile`, or pairs
            (radius, value). In place of curves and jumps a polygon of up to 64 corners
            is learned (`profile`); `target_gap` says how far off it is.
        subspace: learn g(|A^T x|): A of shape (dim, rank) with orthonormal columns, or
            the rank, for the first coordinates.
        second: particles of the second layer.
        slope, offset: where a_j and b_j start; one number, or one for each.
        alpha: c_d E|w|^2 at the start.
        start: of the first layer: sphere, gaussian or orthogonal.
        weights: its own first layer, (width, dim), in place of a drawn one; alpha is
            then that of these.
        bottleneck: D. With D > 1 neurons serve D channels in turn (``channels``), or
            all of them with random `outputs` (``gaussian``).
        train_outputs, train_scales: move o_i, move c_j.
        pairs: directions u, -u; `directions`: orthogonal, independent, equispaced.
        fresh: new directions at every step.
        solver: euler, heun or adaptive (Heun's embedded pair, tolerance 1e-6).
        step, time: of the flow; the time is cut into equal steps of at most `step`,
            which is then their length. `rates`: of the first and the second layer.
        records: the trajectory is recorded this often, and at the start.
        precision: of the weights and products; sums are float64.
        projection: applied after every step (adaptive: at every record). Ours: the
            sources do not say which one they use. The infinite-width limit knows none.
    """

    dim: int
    width: int
    law: AbstractRadialLaw | RadialMoments | str | None = None
    target: object = "radial:relu"
    subspace: object = None
    second: int = 4
    slope: object = -0.5
    offset: object = 0.5
    alpha: float = 1.0
    start: str = "sphere"
    weights: object = field(default=None, repr=False)
    bottleneck: int = 1
    outputs: str = "channels"
    train_outputs: bool = False
    train_scales: bool = False
    pairs: int = 2048
    directions: str = "orthogonal"
    fresh: bool = False
    solver: str = "euler"
    step: float = 0.5
    time: float = 100.0
    rates: tuple[float, float] = (1.0, 1.0)
    records: int = 100
    seed: int = 0
    precision: str = "float32"
    projection: Projection | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Read and check everything.

        Raises:
            HypothesisError: what does not fit, in one line.
        """
        self._set("dim", whole(self.dim, "dim", least=1))
        check_dim(self.dim)
        sizes = {"width": 10**9, "second": 4096, "pairs": 10**8, "records": 10**5}
        for name, most in sizes.items():
            self._set(name, whole(getattr(self, name), name, least=1, most=most))
        self._set("bottleneck", whole(self.bottleneck, "bottleneck", least=1, most=64))
        self._set("seed", whole(self.seed, "seed", most=2**31 - 1))
        self._choose("start", STARTS)
        self._choose("directions", DIRECTIONS)
        self._choose("solver", SOLVERS)
        self._choose("precision", PRECISIONS)
        self._choose("outputs", OUTPUTS)
        for name in ("alpha", "step", "time"):
            self._set(name, real(getattr(self, name), name, least=0))
            if not getattr(self, name):
                raise HypothesisError(f"`{name}` is 0; give a positive number")
        if self.step > self.time or self.time / self.step > 10**8:
            raise HypothesisError(
                f"`time` is {self.time:g}; it must be 1 to 1e8 times "
                f"`step`, which is {self.step:g}"
            )
        self._set("step", self.time / self.steps)
        rates = np.asarray(floats(self.rates, "rates"), dtype=np.float64).ravel()
        if len(rates) != 2 or rates.min() < 0:
            raise HypothesisError("give two rates, both 0 or more")
        self._set("rates", tuple(rates.tolist()))
        if self.projection is not None and not callable(self.projection):
            raise HypothesisError(
                "the projection must be a function that takes a network"
            )
        if self.weights is not None:
            self._own_start()
        _ = self.radial_law, self.profile, self.basis
        self._check_start()

    @cached_property
    def radial_law(self) -> AbstractRadialLaw | RadialMoments:
        """The law."""
        return self.read_law(f"radius:{self.dim}:0,2" if self.law is None else self.law)

    @cached_property
    def profile(self) -> RadialProfile:
        """The target's profile."""
        return profile(self.target, self.dim)

    @cached_property
    def target_gap(self) -> float:
        """L2 distance of the target from `profile`: 0 if piecewise affine."""
        return self.gap_under(self.radial_law)

    def gap_under(self, law: AbstractRadialLaw | RadialMoments) -> float:
        """The same under another law of x."""
        rank = None if self.basis is None else self.basis.shape[1]
        return gap(self.target, self.profile, moments(law), self.dim, rank)

    @cached_property
    def basis(self) -> np.ndarray | None:
        """A of a subspace target."""
        return self._read_subspace()

    @property
    def slopes(self) -> np.ndarray:
        """Where a_j start, (second,)."""
        return self._each("slope")

    @property
    def offsets(self) -> np.ndarray:
        """Where b_j start, (second,)."""
        return self._each("offset")

    @property
    def steps(self) -> int:
        """Of the fixed-step solvers."""
        return max(math.ceil(self.time / self.step * (1 - 1e-12)), 1)

    @property
    def parameters(self) -> int:
        """How many numbers move: those of layers whose rate is not 0."""
        first = self.dim + (self.bottleneck if self.train_outputs else 0)
        second = self.bottleneck + 1 + (1 if self.train_scales else 0)
        moving = [rate > 0 for rate in self.rates]
        return self.width * first * moving[0] + self.second * second * moving[1]

    @property
    def recorded(self) -> np.ndarray:
        """The steps after which a record is made, 0 first."""
        return np.unique(
            np.linspace(0, self.steps, self.records + 1).round().astype(int)
        )

    @property
    def has_proper_subspace(self) -> bool:
        """Whether the target sees a proper subspace only."""
        return self.basis is not None and self.basis.shape[1] < self.dim

    @property
    def no_limit(self) -> Inapplicable | None:
        """Why the infinite-width limit is not one of alpha and the second layer."""
        if self.has_proper_subspace:
            return Inapplicable(
                "the infinite-width limit for a subspace target is not "
                "described by one number alpha"
            )
        return self.no_flow

    @property
    def no_flow(self) -> Inapplicable | None:
        """Why there is no infinite-width limit to compute."""
        if self.has_proper_subspace and self.weights is not None:
            return Inapplicable(
                "the infinite-width limit for a subspace target cannot "
                "be computed if the start is given by weights"
            )
        if self.has_proper_subspace and self.dim > MOST_SPLIT:
            return Inapplicable(
                "the infinite-width limit for a subspace target cannot be computed in "
                f"a space of more than {MOST_SPLIT} dimensions"
            )
        if self.projection is not None:
            return Inapplicable(
                "the infinite-width limit does not include a projection"
            )
        if self.train_outputs or self.outputs != "channels":
            return Inapplicable(
                "the first layer's output weights differ between neurons or are trained"
            )
        return None

    def describe(self) -> dict[str, object]:
        """All of it but the projection, as JSON holds it."""
        plain = (str, int, float, bool)
        shown: dict[str, object] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            shown[f.name] = value if isinstance(value, plain) else None
        law, basis = self.radial_law, self.basis
        shown["law"] = getattr(law, "text", None) or _of_moments(law)
        name = self.target if isinstance(self.target, str) else "given"
        columns = (self.profile.knots, self.profile.values)
        shown["target"] = [name, *([text(x) for x in column] for column in columns)]
        shown["subspace"] = None if basis is None else basis.tolist()
        if isinstance(self.weights, np.ndarray):
            shown["weights"] = _digest(self.weights)
        else:
            del shown["weights"]  # as runs of before, whose start was drawn
        shown["slope"], shown["offset"] = self.slopes.tolist(), self.offsets.tolist()
        shown["rates"] = list(self.rates)
        if self.projection is not None:
            shown["projection"] = getattr(self.projection, "__name__", "given")
        return shown

    def _choose(self, name: str, known: tuple[str, ...]) -> None:
        if getattr(self, name) not in known:
            raise HypothesisError(
                f"`{name}` is {getattr(self, name)!r}; choose {', '.join(known)}"
            )

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def read_law(
        self, law: AbstractRadialLaw | RadialMoments | str
    ) -> AbstractRadialLaw | RadialMoments:
        """A law in the task's dimension, D in a text.

        Raises:
            HypothesisError: not radial, or of another dimension.
        """
        text = isinstance(law, str)
        read = checked(law_from_text(_in_dimension(law, self.dim)) if text else law)
        if isinstance(read, RadialMoments):
            return read
        if read.in_dim != self.dim:
            raise HypothesisError(
                "the dimensions of the law and of the task are "
                f"{read.in_dim} and {self.dim}; these must agree"
            )
        return read

    def _read_subspace(self) -> np.ndarray | None:
        given = self.subspace
        if given is None:
            return None
        if isinstance(given, int | np.integer) and not isinstance(given, bool):
            rank = whole(given, "the rank of the subspace", least=1, most=self.dim)
            return np.eye(self.dim)[:, :rank]
        matrix = np.asarray(floats(given, "the subspace"), dtype=np.float64)
        if matrix.ndim != 2 or not 1 <= matrix.shape[-1] <= self.dim == len(matrix):
            raise HypothesisError(
                f"the subspace has shape {matrix.shape}; give ({self.dim}, rank), "
                "where the rank is at least 1 and at most the number of rows"
            )
        rank = matrix.shape[1]
        matrix = np.clip(matrix, -2, 2)  # orthonormal columns have entries up to 1
        off = float(np.abs(matrix.T @ matrix - np.eye(rank)).max())
        if off > 1e-8:
            raise HypothesisError(
                f"the columns of the subspace are not orthonormal (A^T A - I has an "
                f"entry of {off:.2g}); orthonormalise them, for example by numpy's qr"
            )
        return matrix

    def _own_start(self) -> None:
        given = np.asarray(floats(self.weights, "weights"), dtype=np.float64)
        if given.shape != (self.width, self.dim):
            raise HypothesisError(
                f"the weights have shape {given.shape}; give ({self.width}, {self.dim})"
            )
        if np.abs(given).max() > LARGEST:
            raise HypothesisError(
                f"the largest weight has size {np.abs(given).max():.2g}; it must be "
                f"at most {LARGEST:g}"
            )
        square = float((given**2).sum(axis=1).mean())
        if not square:
            raise HypothesisError(
                "all weights are 0, so training never moves them; give other weights"
            )
        self._set("weights", given)
        self._set("alpha", relu_mean_float(self.dim) * square)

    def _each(self, name: str) -> np.ndarray:
        given = np.asarray(floats(getattr(self, name), name), dtype=np.float64).ravel()
        if len(given) == 1:
            given = np.repeat(given, self.second)
        if len(given) != self.second:
            raise HypothesisError(
                f"`{name}` has {plural(len(given), 'value')}, but the number of "
                f"second-layer units is {self.second}; give one value, or one for each "
                "unit"
            )
        return given

    def _check_start(self) -> None:
        if ((self.slopes <= 0) & (self.offsets <= 0)).all():
            raise HypothesisError(
                "every second-layer unit starts dead (slope <= 0 and offset <= 0); "
                "start some with offset > 0"
            )
        if self.start == "orthogonal" and self.weights is None and self.width % 2:
            raise HypothesisError(
                "an orthogonal start has antipodes, so its width must "
                f"be even, not {self.width}"
            )
        if self.directions == "equispaced" and self.dim != 2:
            raise HypothesisError(
                "equispaced directions exist only in 2 dimensions; choose "
                "other directions"
            )


def _in_dimension(written: str, dim: int) -> str:
    """The text of a law with the dimension for D: chi:D:4; gaussian is gaussian:D."""
    if not written.strip():
        raise HypothesisError(
            "the law is empty; give one, or leave out `law`, which is "
            "then radius:D:0,2 with the dimension for D"
        )
    known = written if ":" in written else f"{written}:D"
    return ":".join(str(dim) if part == "D" else part for part in known.split(":"))


def _digest(array: np.ndarray) -> str:
    """A name for given numbers that tells them apart."""
    kept = np.ascontiguousarray(array, dtype=np.float64)
    return f"sha256:{hashlib.sha256(kept.tobytes()).hexdigest()}"


def _of_moments(law: object) -> str:
    """A name for given moments that tells them apart."""
    digest = hashlib.sha256()
    for name, value in vars(law).items():
        array = np.asarray(value)
        digest.update(f"{name}:{array.dtype}:{array.shape};".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return f"{type(law).__name__}:{digest.hexdigest()[:16]}"
