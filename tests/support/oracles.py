"""Slow and obvious reference answers, in plain fractions, for the examiner's tests.

Nothing here shares code with the library: a network is read as lists of fractions,
evaluated unit by unit, and cut at every place where some unit changes sign.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction


def fraction(x):
    """A float, an int, an fmpq or a Fraction, exactly."""
    if hasattr(x, "p"):
        return Fraction(int(x.p), int(x.q))
    return Fraction(x)


def read(network):
    """[(rows, bias, activation name or None), ...] in fractions."""
    names = [a.name for a in network.activations] + [None]
    return [
        (
            [[fraction(w) for w in row] for row in layer.weight.tolist()],
            [fraction(b) for b in layer.bias.tolist()],
            name,
        )
        for layer, name in zip(network.layers, names, strict=True)
    ]


def _unit(name, z):
    if name == "relu":
        return max(z, Fraction(0))
    return Fraction(1 if z >= 0 else 0)


def preactivations(layers, x):
    """For every layer the values before the activation, at the point x."""
    values, found = [fraction(v) for v in x], []
    for rows, bias, name in layers:
        z = [
            sum((w * v for w, v in zip(row, values, strict=True)), b)
            for row, b in zip(rows, bias, strict=True)
        ]
        found.append(z)
        if name is not None:
            values = [_unit(name, v) for v in z]
    return found


def value(network, x, output=0):
    """The network at x."""
    return preactivations(read(network), x)[-1][output]


@dataclass(frozen=True)
class Cut:
    """Points in order, the value at each, and (slope, level) of every open gap.

    With `whole` the first and the last gap are rays, so gaps = points + 1.
    """

    points: list
    at: list
    lines: list
    whole: bool


def _gaps(points, whole):
    """Two inner points of every open gap."""
    third = Fraction(1, 3)
    inner = [
        (a + (b - a) * third, b - (b - a) * third)
        for a, b in itertools.pairwise(points)
    ]
    if not whole:
        return inner
    return [(points[0] - 2, points[0] - 1), *inner, (points[-1] + 1, points[-1] + 2)]


def _root(s, u, t, v):
    """Where the line through (s, u) and (t, v) is zero, or None."""
    return s - u * (t - s) / (v - u) if u != v else None


def cut(network, start=None, stop=None, output=0):
    """Cut the interval (all of R if no ends) wherever some unit changes sign."""
    layers, whole = read(network), start is None
    points = [Fraction(0)] if whole else [fraction(start), fraction(stop)]
    for j in range(len(layers) - 1):
        roots = set(points)
        bounds = _bounds(points, whole)
        for (s, t), (low, high) in zip(_gaps(points, whole), bounds, strict=True):
            zs, zt = (preactivations(layers, [x])[j] for x in (s, t))
            for u, v in zip(zs, zt, strict=True):
                x = _root(s, u, t, v)
                inside = x is not None and (low is None or low < x)
                if inside and (high is None or x < high):
                    roots.add(x)
        points = sorted(roots)
    lines = []
    for s, t in _gaps(points, whole):
        u, v = (preactivations(layers, [x])[-1][output] for x in (s, t))
        slope = (v - u) / (t - s)
        lines.append((slope, u - slope * s))
    at = [preactivations(layers, [x])[-1][output] for x in points]
    return Cut(points, at, lines, whole)


def _bounds(points, whole):
    inner = list(itertools.pairwise(points))
    return [(None, points[0]), *inner, (points[-1], None)] if whole else inner


def _tokens(c):
    """Points and gaps in order: ("point", x, value) and ("gap", slope, level)."""
    dots = [("point", x, v) for x, v in zip(c.points, c.at, strict=True)]
    gaps = [("gap", *line) for line in c.lines]
    first, second = (gaps, dots) if c.whole else (dots, gaps)
    mixed = []
    for i in range(len(first)):
        mixed.append(first[i])
        mixed += second[i : i + 1]
    return mixed


def pieces(c):
    """The fewest intervals (single points count) on each of which c is affine."""
    count, line, lone = 0, None, None
    for kind, a, b in _tokens(c):
        if kind == "point":
            if line is not None and line[0] * a + line[1] == b:
                continue
            count, line, lone = count + 1, None, (a, b)
        elif line is not None:
            if line != (a, b):
                count, line = count + 1, (a, b)
        elif lone is not None and a * lone[0] + b == lone[1]:
            line = (a, b)
        else:
            count, line = count + 1, (a, b)
    return count


def runs(c, level):
    """The number of maximal intervals on which 1[c >= level] is constant."""
    level, signs, edges = fraction(level), [], _bounds(c.points, c.whole)
    gap = iter(zip(c.lines, edges, strict=True))
    for kind, _, b in _tokens(c):
        if kind == "point":
            signs.append(b >= level)
            continue
        (slope, shift), (low, high) = next(gap)
        signs += _signs_in_gap(slope, shift - level, low, high)
    return 1 + sum(a != b for a, b in itertools.pairwise(signs))


def _signs_in_gap(slope, shift, low, high):
    if slope == 0:
        return [shift >= 0]
    root = -shift / slope
    if low is not None and root <= low:
        return [slope > 0]
    if high is not None and root >= high:
        return [slope < 0]
    return [slope < 0, True, slope > 0]
