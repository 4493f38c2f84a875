r"""Sawtooths for every number k of layers, and the parity of d signs for every d.

D^(k^2) has 2^(k^2) pieces: k hidden layers need 2^k units each to come near, k^2 hidden
layers of two units are equal to it.
"""

from math import comb

from flint import arb, fmpq

from depthsep.every_dimension._for_all import ForAll, at_least, at_most
from depthsep.evidence import Source

SAWTOOTH, PARITY = "sawtooth:k**2", "parity:d"


def _teeth(layers: int, accuracy: fmpq) -> arb:
    share = arb(1 - 4 * accuracy) ** (arb(1) / layers)
    return share * arb(2) ** layers - 1


def _squares(dim: int, accuracy: fmpq) -> arb:
    half = -(-dim // 2)
    whole = (1 - accuracy) * fmpq(dim * 2**dim, 4 * half * comb(dim, half))
    return arb(whole)


TEETH_LOWER: ForAll = at_least(
    id="telgarsky-every-k",
    title="Width that k hidden layers need for the tent map composed k^2 "
    "times, for every k",
    hypotheses=(
        (
            "the target is D^(k^2) on [0, 1], the tent map D composed "
            "k^2 times; x is uniform on [0, 1]"
        ),
        (
            "the network is a ReLU network with any weights and any skip "
            "connections; its L1 error is at most E <= 6/25"
        ),
    ),
    source=Source("telgarsky2023", "Theorem 4.4, for every k, with our constants"),
    errata=(
        (
            "the printed theorem covers only the tent map composed k^2 + 2 "
            "times and the error 1/32"
        ),
    ),
    tex=r"(1 - 4 E)^{1/k} \cdot 2^k - 1",
    target=SAWTOOTH,
    law="uniform",
    variable="k",
    depth="k + 1",
    norm="L1",
    start=1,
    best=fmpq(6, 25),
    value=_teeth,
    growth="the bound grows like 2^k",
    page="sawtooth-continuous",
    obligations=(),
)
TEETH_UPPER: ForAll = at_most(
    id="telgarsky-folds-every-k",
    title="Width that is enough in k^2 hidden layers for the tent map "
    "composed k^2 times, for every k",
    hypotheses=(
        "the target is D^(k^2) on [0, 1], the tent map D composed k^2 times",
        "the network is a ReLU network and is equal to the target",
    ),
    source=Source("telgarsky2023", "Proposition 4.1, for every k"),
    tex="2",
    target=SAWTOOTH,
    law="uniform",
    variable="k",
    depth="k^2 + 1",
    start=1,
    best=fmpq(1),
    value=lambda *_: arb(2),
    growth="the bound does not depend on k",
    page="explicit-networks",
    obligations=(),
)
PARITY_LOWER: ForAll = at_least(
    id="parity-every-d",
    title="Width needed at depth 2 for the parity of d signs, for every d",
    hypotheses=(
        "the signs are independent and uniform",
        (
            "the network has one hidden layer of units with two affine pieces each, "
            "and any skip connections; its L1 error is at most E <= 99/100"
        ),
    ),
    source=Source("depthsep", "counting cut squares (after O'Neil 1971), for every d"),
    tex=(
        r"\frac{(1 - E) d \cdot 2^{d - 2}}{\lceil d/2 \rceil "
        r"\binom{d}{\lceil d/2 \rceil}}"
    ),
    target=PARITY,
    law="signs",
    norm="L1",
    start=2,
    best=fmpq(99, 100),
    value=_squares,
    growth="the bound grows like sqrt(d)",
    page="parity",
    obligations=(),
)
PARITY_UPPER: ForAll = at_most(
    id="parity-folds-every-d",
    title="Width that is enough at depth ceil(log2 d) + 1 for the parity of "
    "d signs, for every d",
    hypotheses=(
        "every input is -1 or 1",
        "the network is a ReLU network and is equal to the parity",
    ),
    source=Source("telgarsky2023", "Section 4.1 on parity, corrected, for every d"),
    tex="2",
    target=PARITY,
    law="signs",
    depth="ceil(log2 d) + 1",
    start=2,
    best=fmpq(1),
    value=lambda *_: arb(2),
    growth="the bound does not depend on d",
    page="explicit-networks",
    obligations=(),
)
