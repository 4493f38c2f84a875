r"""cos(2 pi A R |x|) under phi^2, for every d: depth 2 against depth 3.

R = R_d is the radius of the ball of volume 1, phi the transform of its indicator. Depth
2: multiplied by phi, the target has the transform u(A R), where u solves the wave
equation and begins as that indicator; little of it is left within kappa R, and units
live in tubes of radius R. Depth 3: squares, then a broken line for the cosine.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.every_dimension._for_all import (
    GROWING_SUM,
    D,
    ForAll,
    Obligation,
    at_least,
    at_most,
)
from depthsep.evidence import Source
from depthsep.exact import text

MASS = {1: fmpq(1, 2), 0: fmpq(2, 5)}  # beyond kappa R, for odd and even d
BEST = {1: fmpq(7, 10), 0: fmpq(63, 100)}
LEAST, MOST = fmpq(5, 2), fmpq(100)
LAW = (
    "x has density phi^2 on R^d, and phi is the Fourier transform of "
    "the indicator of the ball of volume 1 and radius R"
)


@dataclass(frozen=True)
class Leak:
    """What even dimensions leave behind the wave front, within kappa R.

    With D = ((A - kappa)^2 - 1)((A + kappa)^2 - 1), root <= sqrt(D) and q = 2 / (A^2 -
    kappa^2 - 1 + root), the squared norm inside is at most (2 A^2 / pi) kappa^d D^(-2)
    q^(d-3).

    Raises:
        HypothesisError: kappa is not between 1 and A - 1.
    """

    waves: fmpq
    kappa: fmpq

    def __post_init__(self) -> None:
        if not 1 < self.kappa < self.waves - 1:
            raise HypothesisError(
                f"kappa is {text(self.kappa)}; it must lie between 1 and waves - 1"
            )

    @property
    def product(self) -> fmpq:
        """D."""
        a, k = self.waves, self.kappa
        return ((a - k) ** 2 - 1) * ((a + k) ** 2 - 1)

    @property
    def root(self) -> fmpq:
        """At most the root of D, in hundredths."""
        return fmpq(isqrt(int((10_000 * self.product).floor())), 100)

    @property
    def factor(self) -> fmpq:
        """q."""
        return 2 / (self.waves**2 - self.kappa**2 - 1 + self.root)

    @property
    def at_first(self) -> fmpq:
        """At d = 4, with pi >= 3, and with what the squared norm may lack of 1/2."""
        a, k = self.waves, self.kappa
        inside = fmpq(2, 3) * a**2 * k**4 * self.factor / self.product**2
        return inside + 1 / (16 * a * (a**2 - 1))

    def in_dimension(self, dim: int) -> arb:
        """What the squared norm beyond kappa R may lack of 1/2, for an even dim."""
        a, k = self.waves, self.kappa
        inside = 2 * a**2 * k**dim * self.factor ** (dim - 3) / self.product**2
        return arb(inside) / arb.pi() + 1 / (16 * a * (a**2 - 1))


def left_behind(waves: fmpq, kappa: fmpq, mass: fmpq) -> tuple[Obligation, ...]:
    """For every even d >= 4 at least `mass` lies beyond kappa R."""
    leak = Leak(waves, kappa)
    return (
        Obligation.at_start(
            f"at d = 4, beyond the radius {text(kappa)} R, the Fourier transform of "
            f"target times phi has a squared norm of at least {text(mass)}",
            fmpq(1, 2) - mass - leak.at_first,
            *(4, 2),
        ),
        Obligation.at_start(
            "the bound on the squared norm of the Fourier transform of target times "
            f"phi within the radius {text(kappa)} R does not grow from d to d + 2, "
            "for every even d >= 4",
            1 - kappa * leak.factor,
            *(4, 2),
        ),
    )


def even_kappa(waves: fmpq) -> fmpq:
    """The largest kappa, in quarters below A - 1, whose leak is small enough."""
    kappa = waves - fmpq(5, 4)
    while not all(o.holds for o in left_behind(waves, kappa, MASS[0])):
        kappa -= fmpq(1, 4)
    return kappa


@dataclass(frozen=True)
class _Least:
    """(1 - E^2/mass) kappa^(d-2) sqrt(pi (d-1) (kappa^2-1) / 2)."""

    kappa: fmpq
    mass: fmpq

    def __call__(self, dim: int, accuracy: fmpq) -> arb:
        share = 1 - accuracy**2 / self.mass
        inside = arb.pi() * arb((dim - 1) * (self.kappa**2 - 1) / 2)
        return arb(share) * arb(self.kappa) ** (dim - 2) * inside.sqrt()

    @property
    def tex(self) -> str:
        """The formula."""
        inner = _tex((self.kappa**2 - 1) / 2)
        share = rf"(1 - {_tex(1 / self.mass)} E^2)"
        return rf"{share} \cdot {_power(self.kappa)} \sqrt{{{inner} \pi (d - 1)}}"


@dataclass(frozen=True)
class _Most:
    """4 A d^(5/2) / E^(5/2)."""

    waves: fmpq

    def __call__(self, dim: int, accuracy: fmpq) -> arb:
        return arb(4 * self.waves) * (arb(dim) / arb(accuracy)) ** arb(2.5)


@lru_cache(maxsize=64)
def wave_bounds(waves: fmpq) -> tuple[ForAll, ForAll, ForAll]:
    """At least for odd and for even d, and at most, of cos(2 pi A R |x|).

    Args:
        waves: A.

    Raises:
        HypothesisError: A is not 5/2 to 100.
    """
    if not LEAST <= waves <= MOST:
        raise HypothesisError(
            f"A is {text(waves)} in cos(2 pi A R |x|); give {text(LEAST)} to {MOST}"
        )
    return _at_least(waves, odd=True), _at_least(waves, odd=False), _at_most(waves)


def _at_least(waves: fmpq, *, odd: bool) -> ForAll:
    kappa = waves - 1 if odd else even_kappa(waves)
    value = _Least(kappa, MASS[odd])
    kind, start = ("odd", 3) if odd else ("even", 4)
    return at_least(
        id=f"eldan-shamir-{kind}-d",
        title=f"Width needed at depth 2 for {_name(waves)} under phi^2, for "
        f"every {kind} d",
        hypotheses=(
            f"{LAW}; d is {kind} and at least {start}",
            f"{GROWING_SUM}; its L2 error is at most E <= {text(BEST[odd])}",
        ),
        source=Source("eldan2016", "the main theorem, for every d"),
        errata=(
            (
                "the target of the paper is a sum of indicators of shells, with signs "
                "that it does not specify; here the target is a cosine"
            ),
        ),
        tex=value.tex,
        target=target_text(waves),
        law="phi2",
        start=start,
        step=2,
        best=BEST[odd],
        value=value,
        growth=f"the bound grows exponentially with d, like {_base(kappa)}^d",
        page="radial-waves",
        constants=(("waves", waves), ("kappa", kappa), ("mass", value.mass)),
        obligations=() if odd else left_behind(waves, kappa, MASS[0]),
    )


def _at_most(waves: fmpq) -> ForAll:
    return at_most(
        id="eldan-shamir-squares-every-d",
        title=f"Width that is enough at depth 3 for {_name(waves)} under phi^2, d >= 3",
        hypotheses=(
            f"{LAW}; d >= 3",
            "the network is a ReLU network; its error is at most E <= 1 in L2",
        ),
        source=Source("eldan2016", "the network of depth 3, for every d"),
        tex=rf"\frac{{{_tex(4 * waves)} d^{{5/2}}}}{{E^{{5/2}}}}",
        target=target_text(waves),
        law="phi2",
        norm="L2",
        start=3,
        best=fmpq(1),
        value=_Most(waves),
        growth="the bound grows like (d / E)^(5/2)",
        page="radial-waves",
        constants=(("waves", waves),),
        obligations=widths(waves),
    )


def widths(waves: fmpq) -> tuple[Obligation, Obligation]:
    """Both layers are within the formula: sqrt(d) >= 17/10."""
    return (
        Obligation.of(
            "d (ceil(32/9 A d^(3/2) / E^(5/2)) + 1) <= 4 A d^(5/2) / E^(5/2) for "
            f"A = {text(waves)}",
            3,
            fmpq(4, 9) * fmpq(17, 10) * waves * D - 2,
        ),
        Obligation.of(
            "ceil(16/3 A d / E^(5/2)) + 1 <= 4 A d^(5/2) / E^(5/2) for "
            f"A = {text(waves)}",
            3,
            4 * fmpq(17, 10) * waves * D**2 - fmpq(16, 3) * waves * D - 2,
        ),
    )


def target_text(waves: fmpq) -> str:
    """With its range, as other radial functions are 0 beyond |x| = 1."""
    return f"radial:cos({text(2 * waves)}*pi*R*r) on 0,inf"


def _name(waves: fmpq) -> str:
    return f"cos({text(2 * waves)} pi R |x|)"


def _tex(number: fmpq) -> str:
    return str(number.p) if number.q == 1 else rf"\frac{{{number.p}}}{{{number.q}}}"


def _base(kappa: fmpq) -> str:
    return text(kappa) if kappa.q == 1 else f"({text(kappa)})"


def _power(kappa: fmpq) -> str:
    base = str(kappa.p) if kappa.q == 1 else f"({_tex(kappa)})"
    return f"{base}^{{d - 2}}"


WAVES = fmpq(3)
