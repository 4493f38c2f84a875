"""The composition calculus: how many affine pieces and crossings networks can have.

Pieces are maximal *intervals* of affinity. (Telgarsky 2023, Definition 4.8 says
"partition of R"; with scattered sets instead of intervals Lemma 4.11 is false.)
"""

import math
from collections.abc import Sequence

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.exact import ceil_root, least
from depthsep.networks import Network


def pieces_of_sum(*pieces: int) -> int:
    """Most pieces of a sum, or any linear combination, of functions: sum N_i - (k - 1).

    Telgarsky (2023), Lemma 4.11 parts 1 and 2 (the printed proof has "=" for "<=").
    """
    return sum(pieces) - (len(pieces) - 1)


def pieces_of_composition(*pieces: int) -> int:
    """Most pieces of a composition: prod N_i. Telgarsky (2023), Lemma 4.11 part 3."""
    return math.prod(pieces)


def most_pieces(widths: Sequence[int]) -> int:
    r"""Theorem A: any ReLU network with these widths has <= prod (m_i + 1) pieces on R.

    Skip connections from any earlier layer and from x are allowed. Proof: if the
    layers so far leave p common cells, each preactivation of the next layer is affine
    on a cell and adds at most one cut to it, so $p_{i+1} \le p_i (1 + m_{i+1})$.
    """
    _check(widths)
    return math.prod(m + 1 for m in widths)


def kinks(network: Network) -> tuple[int, ...]:
    """How often the units of each layer bend or jump: m, or m (t - 1) with t pieces.

    So wide is a layer for Theorem A: t - 1 cuts in a cell for a unit of t pieces.
    """
    pairs = zip(network.widths, network.activations, strict=True)
    return tuple(m * (a.pieces - 1) for m, a in pairs)


def most_pieces_printed(widths: Sequence[int]) -> int:
    """Telgarsky (2023), Lemma 4.9: 2^L prod m_i (one input, no skips)."""
    _check(widths)
    return 2 ** len(widths) * math.prod(widths)


def most_pieces_printed_by_units(units: int, hidden_layers: int) -> fmpq:
    """Telgarsky (2023), Lemma 4.9: (2m/L)^L for m units in exactly L layers.

    Not increasing in L (it peaks at L = 2m/e), so "at most L layers" needs L <= 2m/e.
    """
    _check([units, hidden_layers])
    return (fmpq(2 * units) / hidden_layers) ** hidden_layers


def most_pieces_by_units(units: int, hidden_layers: int) -> int:
    """Most pieces with `units` hidden units in at most `hidden_layers` layers.

    The balanced product of Theorem A, at most (1 + n/L)^L by the arithmetic-geometric
    mean, and increasing in both arguments, so no side condition is needed.
    """
    _check([units, hidden_layers])
    share, more = divmod(units, hidden_layers)
    return (share + 2) ** more * (share + 1) ** (hidden_layers - more)


def pieces_of_unit(widths: Sequence[int]) -> int:
    """Most pieces of one unit's output in the last of these layers: 2 prod (m_j + 1).

    The product runs over the layers before the last.
    """
    return 2 * most_pieces(widths[:-1]) if len(widths) > 1 else 2


def most_pieces_without_skips(widths: Sequence[int]) -> int:
    """Most pieces of a ReLU network of one input without skip connections: Theorem N.

    Never more than prod (m_i + 1), and fewer after layers of width 1 or 2: on a piece
    of the layer before them what they give has one or two zeros at most, not m + 1.
    """
    _check(widths)
    before, now, last = 1, 1, 0  # `before`: in front of a run of layers of width 1
    for width in widths:
        zeros = min(now, _most_zeros(last) * before) if last else now
        grown = now + width * zeros
        if width == last == 1:
            # relu(a relu(b y + c) + d): at most constant, affine, constant in y
            now = min(grown, 3 * before)
        else:
            before, now, last = now, grown, width
    return now


def _most_zeros(units: int) -> int:
    """Affine pieces with a zero inside, of a sum of so many units: Theorem N's c."""
    return units if units <= 2 else units + 1


def least_width_without_skips(pieces: int, hidden_layers: int) -> int:
    """The least equal width with which Theorem N allows the pieces."""
    return least(
        lambda m: most_pieces_without_skips((m,) * hidden_layers) >= pieces,
        -1,
        max(1, pieces),
    )


def least_width(pieces: int, hidden_layers: int) -> int:
    """The least m with (m + 1)^L >= pieces: what Theorem A demands of the width."""
    return max(0, ceil_root(fmpq(pieces), hidden_layers) - 1)


def least_units(pieces: int, hidden_layers: int) -> int:
    """The least number of units whose best split into L layers allows the pieces."""
    most = hidden_layers * max(1, least_width(pieces, hidden_layers))
    return least(
        lambda units: most_pieces_by_units(units, hidden_layers) >= pieces, -1, most
    )


def most_crossings(
    widths: Sequence[int], *, pieces: int = 2, degree: int = 1, continuous: bool = True
) -> int:
    """Most crossings Cr of a network of (t, a)-piecewise-polynomial units.

    p_0 = D_0 = 1, p_i = p_{i-1} (1 + m_i (t - 1) D_{i-1}), D_i = a D_{i-1} and
    Cr <= p_L (1 + a^L). The break points of a unit pull back through pieces of degree
    D, hence the factor D, which the printed derivation drops (Telgarsky 2016, section
    3; harmless only for a = 1).

    For continuous units with a = 1 (ReLU among them) a closed affine piece changes side
    at most once, so Cr <= p_L + 1; that smaller bound is then returned.
    """
    if pieces < 1 or degree < 1:
        raise HypothesisError(
            "the bound needs at least 1 piece and a degree of at least 1"
        )
    if degree == 1 and continuous:
        _check(widths)
        return math.prod(1 + m * (pieces - 1) for m in widths) + 1
    return most_crossings_semialgebraic(widths, predicates=pieces - 1, degree=degree)


def most_crossings_semialgebraic(
    widths: Sequence[int], *, predicates: int, bend: int = 1, degree: int = 1
) -> int:
    """Most crossings Cr of a network of (s, a, b)-semi-algebraic units.

    A unit is a polynomial of degree at most b = `degree` in what it reads; which one is
    told by the signs of s = `predicates` polynomials of degree at most a = `bend`.
    p_0 = 1, p_i = p_{i-1} (1 + m_i s a b^{i-1}) and Cr <= p_L (1 + b^L).

    Raises:
        HypothesisError: negative widths or predicates, degrees below 1.

    Source:
        Telgarsky (2016), Lemma 3.2, corrected: docs/proofs/crossings.md.
    """
    _check(widths)
    predicates = whole(predicates, "predicates", least=0)
    bend, degree = whole(bend, "bend", least=1), whole(degree, "degree", least=1)
    count, power = 1, 1
    for m in (whole(m, "a width", least=0) for m in widths):
        count *= 1 + m * predicates * bend * power
        power *= degree
    return count * (1 + power)


def _check(widths: Sequence[int]) -> None:
    if not widths:
        raise HypothesisError("give the widths of one or more hidden layers")
    if any(m < 0 for m in widths):
        raise HypothesisError(
            f"`widths` is {tuple(widths)}; give numbers that are 0 or more"
        )
