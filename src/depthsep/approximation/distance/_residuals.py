r"""Quadratic residuals on a cell: their extremes and exact integrals.

A residual is r(u) = r0 + r1 u + r2 u^2 on 0 <= u <= h, rational coefficients.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, perfect_sqrt

ROOT_BITS = 160


@dataclass(frozen=True)
class Residual:
    """r(u) = r0 + r1 u + r2 u**2 on [0, h]."""

    h: fmpq
    r0: fmpq
    r1: fmpq
    r2: fmpq

    def __call__(self, u: fmpq) -> fmpq:
        """The value at u."""
        return self.r0 + u * (self.r1 + u * self.r2)

    def extremes(self) -> tuple[fmpq, fmpq]:
        """Exact minimum and maximum on [0, h]."""
        values = [self.r0, self(self.h)]
        if self.r2 != 0:
            vertex = -self.r1 / (2 * self.r2)
            if 0 < vertex < self.h:
                values.append(self(vertex))
        return min(values), max(values)

    def integral(self, stop: fmpq) -> fmpq:
        """The integral from 0 to stop."""
        return stop * (self.r0 + stop * (self.r1 / 2 + stop * self.r2 / 3))

    def square_integral(self) -> fmpq:
        """The integral of r^2 over [0, h]."""
        h, a, b, c = self.h, self.r0, self.r1, self.r2
        if c == 0:
            e = a + b * h
            return h * (a * a + a * e + e * e) / 3
        return h * (
            a * a
            + h
            * (a * b + h * ((b * b + 2 * a * c) / 3 + h * (b * c / 2 + h * c * c / 5)))
        )

    def absolute_integral(self) -> tuple[fmpq, fmpq]:
        """Bounds on the integral of |r| over [0, h]; equal when roots are rational."""
        low, high = self.extremes()
        if low >= 0 or high <= 0:
            whole = abs(self.integral(self.h))
            return whole, whole
        roots = self._rational_roots()
        if roots is not None:
            return self._by_roots(roots)
        with ctx.workprec(ROOT_BITS):
            ball = self._by_balls()
            return -ball_upper(-ball), ball_upper(ball)

    def _rational_roots(self) -> list[fmpq] | None:
        if self.r2 == 0:
            return [-self.r0 / self.r1]
        root = perfect_sqrt(self.r1 * self.r1 - 4 * self.r2 * self.r0)
        if root is None:
            return None
        ends = (-self.r1 - root) / (2 * self.r2), (-self.r1 + root) / (2 * self.r2)
        return [u for u in sorted(ends) if 0 < u < self.h]

    def _by_roots(self, roots: list[fmpq]) -> tuple[fmpq, fmpq]:
        marks = [self.integral(u) for u in (*roots, self.h)]
        total, before = fmpq(0), fmpq(0)
        for mark in marks:
            total += abs(mark - before)
            before = mark
        return total, total

    def _by_balls(self) -> arb:
        discriminant = arb(self.r1 * self.r1 - 4 * self.r2 * self.r0).sqrt()
        inside = []
        for sign in (-1, 1) if self.r2 > 0 else (1, -1):
            u = (-arb(self.r1) + sign * discriminant) / (2 * arb(self.r2))
            # an irrational root is never an end point, so the ball decides
            if u > 0 and u < self.h:
                inside.append(u)
        total, before = arb(0), arb(0)
        for u in inside:
            mark = u * (arb(self.r0) + u * (arb(self.r1) / 2 + u * arb(self.r2) / 3))
            total, before = total + abs(mark - before), mark
        return total + abs(arb(self.integral(self.h)) - before)
