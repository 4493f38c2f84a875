"""Sawtooths against functions with jumps, such as threshold networks."""

from collections.abc import Callable

from flint import fmpq

from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, log2, proved
from depthsep.targets import Sawtooth

# The largest share of the norm of D^k - 1/2 that one piece can save, in units of one
# affine piece of D^k: proved by computation (see proofs/sawtooth_savings)
L1_SAVING = fmpq(9, 32)
L2_SAVING = fmpq(10814183281413, 10**14)


def l1_pieces(folds: int, accuracy: fmpq) -> int:
    """Theorem B: pieces of any g, even discontinuous, with l1 error <= accuracy."""
    if accuracy >= fmpq(1, 4):
        return 1  # the constant 1/2
    return int(((fmpq(1, 4) - accuracy) / L1_SAVING * (1 << folds)).ceil())


def l2_pieces(folds: int, accuracy: fmpq) -> int:
    """The l2 companion of Theorem B."""
    if accuracy * accuracy >= fmpq(1, 12):
        return 1  # the constant 1/2
    return int(((fmpq(1, 12) - accuracy**2) / L2_SAVING * (1 << folds)).ceil())


def linf_pieces(folds: int, accuracy: fmpq) -> int:
    """The linf companion: below 1/2 even discontinuous g need 2^(k-1) + 1 pieces."""
    if accuracy >= fmpq(1, 2):
        return 1  # the constant 1/2
    return (1 << (folds - 1)) + 1


def _statement(
    norm: str, count: Callable[[int, fmpq], int], tex: str, *errata: str
) -> Statement:
    def evaluate(folds: int, accuracy: fmpq) -> Value:
        pieces = count(Sawtooth(folds).folds, accuracy)
        return Value(pieces, Rigour.EXACT, log2(pieces))

    return Statement(
        f"sawtooth-jumps-{norm}",
        f"Number of affine pieces, jumps allowed, needed for an {norm} "
        "error of at most E on a sawtooth",
        (
            "the target is the sawtooth D^k on [0, 1], under the uniform law",
            "g has N affine pieces on intervals, jumps allowed",
        ),
        Source("depthsep", f"Theorem B ({norm})"),
        (
            Parameter(
                "folds",
                "integer",
                "k, where the target is the sawtooth D^k, which has 2^k affine pieces",
            ),
            Parameter("accuracy", "rational", "E, the allowed error"),
        ),
        evaluate,
        errata,
        tex=tex,
        proof=proved("crossings" if norm == "linf" else "sawtooth-savings"),
    )


SAWTOOTH_JUMPS = (
    _statement(
        "l1",
        l1_pieces,
        r"\left\lVert D^k - g \right\rVert_1 "
        r"\ge \frac{1}{4} - \frac{9}{32} \cdot \frac{N}{2^k}",
        "Telgarsky (2023), Theorem 4.4: the counting step (2^k - 1 - 2N)/2 is not "
        "proved for discontinuous g; the bound above is proved for such g, too.",
    ),
    _statement(
        "l2",
        l2_pieces,
        r"\left\lVert D^k - g \right\rVert_2^2 \ge \frac{1}{12} - c \, \frac{N}{2^k}, "
        r"\quad c = 0.10814183281413",
    ),
    _statement(
        "linf",
        linf_pieces,
        r"\left\lVert D^k - g \right\rVert_\infty \ge \frac{1}{2} \text{ for } N "
        r"\le 2^{k-1} \text{ pieces}",
    ),
)
