"""The mass of `RadialMass` beyond many radii in float64: to choose among them only."""

import numpy as np
from flint import ctx

from depthsep.exact import nearest_float
from depthsep.special._radial_mass import RadialMass, RadialPiece

NODES = 20
STEP = 2.0  # t-length of an interval over 1 + kappa, times 4
LARGE = 1e200


class RadialEstimate:
    """M(infinity) - M(kappa), about: good to 1e-13 of the whole."""

    def __init__(self, mass: RadialMass) -> None:
        with ctx.workprec(64):
            self.unit = float(mass.unit().mid())
        self.mass, self.order = mass, mass.dim / 2
        self.total = float(mass.total.mid())

    def outside(self, kappa: float) -> float:
        """The mass beyond kappa R."""
        from scipy.special import jv

        t, share = self._nodes(kappa)
        share = share * jv(self.order, t)
        mu, orders = self.order, np.arange(self._terms(kappa))
        integrals = _all_orders(kappa * t, mu, len(orders)) @ share
        inside = 2 * self.mass.dim * (mu + 2 * orders) @ integrals**2
        return self.total - float(inside)

    def _nodes(self, kappa: float) -> tuple[np.ndarray, np.ndarray]:
        """t, and weight * G / t."""
        x, w = np.polynomial.legendre.leggauss(NODES)
        ts, shares = [], []
        for piece in self.mass.pieces:
            a, b = (self.unit * nearest_float(e) for e in (piece.start, piece.stop))
            fastest = 1 + kappa + abs(nearest_float(piece.frequency)) / self.unit
            count = max(1, int(np.ceil((b - a) * fastest / (4 * STEP))))
            edges = np.linspace(a, b, count + 1)
            half = (edges[1:] - edges[:-1])[:, None] / 2
            t = (edges[:-1, None] + half) + half * x
            ts.append(t.ravel())
            shares.append((half * w * _value(piece, t / self.unit) / t).ravel())
        return np.concatenate(ts), np.concatenate(shares)

    def _terms(self, kappa: float) -> int:
        far = kappa * self.mass.reach
        return max(int((far - self.order) / 2 + 2 * far ** (1 / 3)) + 12, 8)


def _value(piece: RadialPiece, p: np.ndarray) -> np.ndarray:
    whole = np.polynomial.polynomial.polyval(
        p, [nearest_float(c) for c in piece.coefficients]
    )
    return whole * np.cos(nearest_float(piece.frequency) * p)


def _all_orders(x: np.ndarray, order: float, count: int) -> np.ndarray:
    """J_{order + 2 n}(x), shape (count, len(x)): Miller's recurrence downwards."""
    from scipy.special import jv

    rows, exponents = np.zeros((count, len(x))), np.zeros((count, len(x)))
    above, now = np.zeros(len(x)), np.full(len(x), 1e-200)
    log = np.zeros(len(x))
    for k in range(2 * count - 1, 0, -1):
        above, now = now, 2 * (order + k) / x * now - above
        big = np.abs(now) > LARGE
        if big.any():
            above[big] /= LARGE
            now[big] /= LARGE
            log[big] += 1
        if k % 2:
            rows[k // 2], exponents[k // 2] = now, log
    rows *= LARGE ** np.maximum(exponents - log, -1.5)
    rows[exponents < log - 1] = 0
    size = np.maximum(np.abs(now), np.abs(above))
    now, above = now / size, above / size
    scale = (jv(order, x) * now + jv(order + 1, x) * above) / (now**2 + above**2)
    return rows / size * scale
