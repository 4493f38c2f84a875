"""What a cell adds to a norm: bounds from expansions of a residual and a density."""

from dataclasses import dataclass

from flint import arb

Expansion = tuple[arb, arb, arb]
"""a, b, q: a + b u + q(u) u^2 at a distance u from the middle, q(u) in the ball q."""


@dataclass(frozen=True)
class Bar:
    """Bounds on one cell's part of the norm."""

    low: arb
    high: arb


def range_bar(norm: str, r0: arb, values: arb, mass: arb) -> Bar:
    """Bounds from one value and an enclosure of all values.

    Args:
        mass: the length of the cell, or the integral of the density over it.
    """
    if not values.is_finite():
        return Bar(arb(0), arb("inf"))
    size = abs(values)
    if norm == "linf":
        return Bar(arb(abs(r0).lower()).max(arb(0)), arb(size.upper()))
    power = 1 if norm == "l1" else 2
    low, high = arb(size.abs_lower()) ** power, arb(size.upper()) ** power
    return Bar(arb(mass.abs_lower()) * low, arb(mass.upper()) * high)


def parabola_bar(
    norm: str, r: Expansion, half: arb, density: Expansion | None = None
) -> Bar:
    """Bounds from a residual that is nearly a parabola, for |u| <= half."""
    if norm == "linf":
        return _sup_bar(r, half)
    if norm == "l2":
        return _square_bar(r, half, density)
    return _absolute_bar(r, half, density)


def _sup_bar(r: Expansion, half: arb) -> Bar:
    r0, r1, q = r
    high = _largest(r0, r1, q, half).max(_largest(-r0, -r1, -q, half))
    ends = [r0 + s * r1 * half + q * half * half for s in (-1, 1)]
    low = max((arb(abs(v).abs_lower()) for v in (r0, *ends)), key=rough)
    return Bar(low, arb(high.upper()))


def _largest(a: arb, b: arb, q: arb, w: arb) -> arb:
    """An upper bound of a + b u + q u^2 on |u| <= w."""
    b, q = arb(abs(b).upper()), arb(q.upper())
    at_end = a + b * w + q * w * w
    if q >= 0:
        return at_end
    if b > -2 * q * w:
        return at_end
    # the vertex may lie inside: the unconstrained maximum bounds in every case
    return a - b * b / (4 * q)


def _square_bar(r: Expansion, w: arb, density: Expansion | None) -> Bar:
    a, b, q = r
    if density is None:  # b does not vary with u, only q does
        cross = arb(0, 1) * (abs(b) * q.rad() * w**4).upper()
        integral = (
            2 * a * a * w
            + 2 * (b * b + 2 * a * q) * w**3 / 3
            + 2 * q * q * w**5 / 5
            + cross
        )
    else:
        square = [a * a, 2 * a * b, b * b + 2 * a * q, 2 * b * q, q * q]
        integral = _integral(_times(square, density), w)
    return Bar(arb(integral.lower()).max(arb(0)), arb(integral.upper()))


def _absolute_bar(r: Expansion, w: arb, density: Expansion | None) -> Bar:
    a, b, q = r
    top, bottom = _largest(a, b, q, w), -_largest(-a, -b, -q, w)
    if density is None:
        whole, mass = abs(2 * a * w + 2 * q * w**3 / 3), 2 * w
    else:
        whole = abs(_integral(_times([a, b, q], density), w))
        mass = _integral(list(density), w)
    if bottom >= 0 or top <= 0:
        return Bar(arb(whole.abs_lower()), arb(whole.upper()))
    largest = top.max(-bottom)
    return Bar(arb(whole.abs_lower()), arb((mass * largest).upper()))


def _times(polynomial: list[arb], density: Expansion) -> list[arb]:
    """The coefficients of the product; those of the last powers vary with u."""
    out = [arb(0)] * (len(polynomial) + 2)
    for i, p in enumerate(polynomial):
        for j, d in enumerate(density):
            out[i + j] += p * d
    return out


def _integral(coefficients: list[arb], w: arb) -> arb:
    """Of c_k(u) u^k over |u| <= w: odd powers add what their coefficients vary by."""
    total, power = arb(0), w
    for k, c in enumerate(coefficients):
        part = c if k % 2 == 0 else arb(0, 1) * c.rad()
        total += part * 2 * power / (k + 1)
        power *= w
    return total


def rough(x: arb) -> float:
    """A float near it, to sort by."""
    return float(x.mid()) if not x.is_nan() else float("inf")
