#!/usr/bin/env python3
"""Check a depthsep proof without depthsep: `python depthsep_check.py proof.json`.

This one file needs Python 3.11 and its standard library, nothing else. It was written
to be read: it has its own arithmetic, its own reader of formulas, of networks and of
the ONNX files that depthsep writes, and no line in common with the program that found
the proof. It answers `valid` and what was proved (exit code 0), or `refused` and the
first thing that is wrong (1), or says that it cannot read the file (2).

Three kinds of proofs are checked; docs/witnesses.md in depthsep has the arguments.

* lower: no ReLU network of a depth and a width is within the accuracy of a function.
* upper: this network is within the accuracy of a function.
* every_dimension: the inductions of bounds for every d; their analysis is in docs/proofs.

The functions are those of one variable on an interval, of several on a box, of <x, x'>
on two spheres, and of |x| on the unit ball; the last two are read as functions of one
variable R.

Where a function has irrational values it is enclosed in an interval [low, high] of
integers, in units of 2**-BITS, and every operation is rounded outwards.
"""

import ast
import bisect
import functools
import hashlib
import itertools
import json
import math
import operator
import os
import re
import struct
import sys
import threading
from fractions import Fraction
from pathlib import Path

FORMAT = "depthsep proof 1"
LARGEST = 1 << 28  # bytes of a file
BITS = 192  # of the intervals: no answer depends on it, but what can be decided does
UNIT = 1 << BITS
MOST_BITS = 100_000  # of a number; beyond, this program gives up
MOST_PAIRS = 20_000_000  # of knots that are compared
MOST_CELLS = 20_000  # of lines, or planes, through a box
MOST_CUTS, FINER = 12, 2  # of a line, one by one; cells in a part of it
MOST_PARTS = 64  # of a line, up to which cuts are placed one by one
MOST_SECONDS = 900

class Refused(Exception):
    """The proof does not prove what it claims."""

class Unreadable(Exception):
    """The file is damaged, or outside of what this program knows."""

def need(condition, why):
    if not condition:
        raise Refused(why)

def only(entry, *names):
    """No other fields: they might say something that nobody has checked."""
    if set(entry) != set(names):
        raise Unreadable(f"the fields are {sorted(entry)!r:.80}, not {', '.join(names)}")

def a_list(value):
    if type(value) is not list:
        raise Unreadable(f"{value!r:.40} is not a list")
    return value

def pair(a, b):
    return zip(a, b, strict=True)

NUMBER = re.compile(r"-?[0-9]{1,40000}(\.[0-9]*)?([eE][+-]?[0-9]{1,4})?(/[0-9]{1,40000})?", re.A)

def rational(value):
    """A number: whole, "p/q", a decimal, or a float at face value."""
    try:
        if type(value) in (int, float) or (type(value) is str and NUMBER.fullmatch(value)):
            return Fraction(value)
    except (ValueError, ArithmeticError):
        pass
    raise Unreadable(f"{value!r:.60} is not a rational number")

def rationals(value):
    return [rational(entry) for entry in a_list(value)]

# ------------------------------------------------------------------- intervals

class Interval:
    """All numbers from low / UNIT to high / UNIT."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    @staticmethod
    def of(number):
        """Around a rational number."""
        low, rest = divmod(number.numerator * UNIT, number.denominator)
        return Interval(low, low + (rest > 0))

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        a, b, c, d = self.low, self.high, other.low, other.high
        ends = (a * c, a * d, b * c, b * d)
        low, high = min(ends) >> BITS, -(-max(ends) >> BITS)
        need(max(low.bit_length(), high.bit_length()) < MOST_BITS, "a number is too large")
        return Interval(low, high)

    def __truediv__(self, other):
        need(other.low > 0 or other.high < 0, "a division by 0 cannot be excluded")
        if other.high < 0:
            return -self / -other
        low, high = self.low << BITS, self.high << BITS
        ends = (other.low, other.high)
        return Interval(min(low // d for d in ends), max(-(-high // d) for d in ends))

    def times(self, n):
        """Times a whole number: exact."""
        return Interval(*sorted((self.low * n, self.high * n)))

    def over(self, n):
        """Divided by a whole number."""
        low, high = sorted((self.low, self.high), reverse=n < 0)
        return Interval(low // n, -(-high // n))

    def power(self, exponent):
        """To a rational power."""
        if exponent.denominator == 2:
            return sqrt(self).power(exponent * 2)
        if exponent.denominator > 1 or abs(exponent) > 1000:
            return exp(log(self) * Interval.of(exponent))
        n = int(exponent)
        if n < 0:
            return ONE / self.power(Fraction(-n))
        if n % 2 == 0 and n and self.low < 0 < self.high:
            top = max(-self.low, self.high)
            return Interval(0, Interval(top, top).power(exponent).high)
        found = ONE
        for _ in range(n):
            found = found * self
        return found

    def apply(self, name):
        return known(name)[0](self)

    def clipped(self, low, high):
        return Interval(max(self.low, low * UNIT), min(self.high, high * UNIT))

ONE, ZERO = Interval(UNIT, UNIT), Interval(0, 0)

def monotone(at):
    """A function of intervals from one of points that never falls."""
    return lambda x: Interval(at(Interval(x.low, x.low)).low, at(Interval(x.high, x.high)).high)

def series(first, ratio):
    """first (1 + ratio(1) (1 + ratio(2) (...))), where the ratios are below 1/2."""
    total, term, k = first, first, 1
    while max(-term.low, term.high) > 4:
        term = term * ratio(k)
        total, k = total + term, k + 1
    return Interval(total.low - 16, total.high + 16)  # twice the last term is left

def halved(x):
    """How often x is halved until it is below 1/64, and what is left of it."""
    k = max(0, max(abs(x.low), abs(x.high)).bit_length() - BITS + 6)
    need(k < 200, "a number is too large for this program")
    return k, Interval(x.low >> k, -(-x.high >> k))

def exp_at(x):
    k, small = halved(x)
    need(k < 22, "an exponential is too large for this program")
    found = series(ONE, lambda n: small.over(n))
    for _ in range(k):
        found = found * found
    return Interval(max(found.low, 0), found.high)

def log_at(x):
    need(x.low > 0, "a logarithm of 0 or less cannot be excluded")
    k = 0
    while max(abs(x.low - UNIT), abs(x.high - UNIT)) > UNIT >> 6:
        x, k = sqrt(x), k + 1
    u = (x - ONE) / (x + ONE)
    return odd_series(u, u * u).times(2 << k)

def odd_series(u, square):
    """u + u square / 3 + u square^2 / 5 + ..."""
    return series(u, lambda n: square.times(2 * n - 1).over(2 * n + 1))

def atan_at(x):
    k = 0
    while max(abs(x.low), abs(x.high)) > UNIT >> 6:
        x, k = x / (ONE + sqrt(ONE + x * x)), k + 1
    return odd_series(x, -(x * x)).times(1 << k)

def sin_cos(x):
    """Taylor's formula at the middle, where Taylor series of a part are doubled."""
    middle = (x.low + x.high) // 2
    k, small = halved(Interval(middle, middle))
    minus = -(small * small)
    s = series(small, lambda n: minus.over(2 * n * (2 * n + 1)))
    c = series(ONE, lambda n: minus.over(2 * n * (2 * n - 1)))
    for _ in range(k):
        s, c = (s * c).times(2), ONE - (s * s).times(2)
    r = Interval(middle - x.high, x.high - middle)
    bent = (r * r).high  # more than half of the square
    rest = Interval(-bent, bent)
    return (s + c * r + rest).clipped(-1, 1), (c - s * r + rest).clipped(-1, 1)

def sqrt(x):
    need(x.low >= 0, "a root of a negative number cannot be excluded")
    return Interval(math.isqrt(x.low << BITS), 1 + math.isqrt(x.high << BITS))

def absolute(x):
    low, high = sorted((abs(x.low), abs(x.high)))
    return Interval(0 if x.low <= 0 <= x.high else low, high)

def sign(x):
    need(x.low > 0 or x.high < 0, "the sign of an absolute value is not known")
    return ONE if x.low > 0 else -ONE

exp, log, atan = monotone(exp_at), monotone(log_at), monotone(atan_at)
tanh = monotone(lambda x: ONE - Interval.of(2) / (exp_at(x.times(2)) + ONE))
# name: the function, and y' and y'' where y is the function of x
FUNCTIONS = {
    "exp": (exp, lambda x, y: y, lambda x, y: y),
    "log": (log, lambda x, y: ONE / x, lambda x, y: -ONE / (x * x)),
    "sin": (lambda x: sin_cos(x)[0], lambda x, y: sin_cos(x)[1], lambda x, y: -y),
    "cos": (lambda x: sin_cos(x)[1], lambda x, y: -sin_cos(x)[0], lambda x, y: -y),
    "sqrt": (sqrt, lambda x, y: ONE / y.times(2), lambda x, y: -ONE / (x * y).times(4)),
    "atan": (atan, lambda x, y: ONE / (ONE + x * x), lambda x, y: -(x + x) / (ONE + x * x).power(Fraction(2))),
    "tanh": (tanh, lambda x, y: ONE - y * y, lambda x, y: -(y * (ONE - y * y)).times(2)),
    "abs": (absolute, lambda x, y: sign(x), lambda x, y: ZERO),
}  # fmt: skip
FUNCTIONS["ln"] = FUNCTIONS["log"]

def known(name):
    if name not in FUNCTIONS:
        raise Unreadable(f"this program knows {', '.join(FUNCTIONS)}, not {name[:20]}")
    return FUNCTIONS[name]

# ------------------------------------------------------------------- functions

class Jet:
    """Enclosures of f, f' and f'' on an interval."""

    def __init__(self, value, first=ZERO, second=ZERO):
        self.value, self.first, self.second = value, first, second

    def __add__(self, v):
        return Jet(self.value + v.value, self.first + v.first, self.second + v.second)

    def __neg__(self):
        return self.through(-self.value, -ONE, ZERO)

    def __mul__(self, v):
        bend = self.second * v.value + (self.first * v.first).times(2) + self.value * v.second
        return Jet(self.value * v.value, self.first * v.value + self.value * v.first, bend)

    def __truediv__(self, v):
        return self * v.power(Fraction(-1))

    def through(self, value, first, second):
        """A function of it, from the function's own jet at its values."""
        return Jet(value, first * self.first, second * self.first.power(Fraction(2)) + first * self.second)

    def power(self, q):
        if not q:
            return type(self)(ONE)
        slope, bend = Interval.of(q), ZERO if q == 1 else Interval.of(q * (q - 1)) * self.value.power(q - 2)
        return self.through(self.value.power(q), slope * self.value.power(q - 1), bend)

    def apply(self, name):
        function, first, second = known(name)
        x, y = self.value, function(self.value)
        return self.through(y, first(x, y), second(x, y))

class Mixed(Jet):
    """Enclosures of f, its slopes in two directions, and the second derivative along both."""

    def __init__(self, value, first=ZERO, other=ZERO, second=ZERO):
        self.value, self.first, self.other, self.second = value, first, other, second

    def __add__(self, v):
        return Mixed(self.value + v.value, self.first + v.first, self.other + v.other, self.second + v.second)

    def __mul__(self, v):
        slopes = (self.first * v.value + self.value * v.first, self.other * v.value + self.value * v.other)
        bend = self.second * v.value + self.first * v.other + self.other * v.first + self.value * v.second
        return Mixed(self.value * v.value, *slopes, bend)

    def through(self, value, first, second):
        return Mixed(value, first * self.first, first * self.other, second * self.first * self.other + first * self.second)

class Degree(Jet):
    """As a polynomial in some of the variables, at most; infinite where the formula is none."""

    def __add__(self, v):
        return Degree(max(self.value, v.value))

    def __neg__(self):
        return self

    def __mul__(self, v):
        return Degree(self.value + v.value)

    def power(self, q):
        whole = type(q) is Fraction and q > 0 and q.denominator == 1
        return Degree(self.value and (self.value * int(q) if whole else math.inf))

    apply = power

def between(start, stop):
    return Interval(Interval.of(start).low, Interval.of(stop).high)

def named(values):
    """The variables are x1, x2, ...; on a line x."""
    names = {f"x{k}": value for k, value in enumerate(values, start=1)}
    return {"x": values[0]} if len(values) == 1 else names

def syntax_tree(text):
    """Again where another thread disturbs CPython: it counts their depths together."""
    for _ in range(100):
        try:
            return ast.parse(text, mode="eval").body
        except SystemError as error:
            seen = error
    raise seen

class Formula:
    """A formula in x, or in x1, x2, ...; it is read, never run as code."""

    def __init__(self, text):
        self.text = text.strip()
        try:
            if len(text) > 20_000 or not text.isascii() or not text.isprintable() or "#" in text:
                raise ValueError
            self.tree = syntax_tree(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unreadable(f"{text[:60]!r} is not a formula") from None

    def jet(self, start, stop):
        """On an interval of the line."""
        return self.jet_along([between(start, stop)], [ONE])

    def jet_along(self, sides, steps):
        """On a box, along a direction."""
        return self._at(self.tree, named([Jet(*v) for v in pair(sides, steps)]), Jet)

    def mixed(self, sides, i, j):
        """The derivative by two variables, on a box."""
        places = [Mixed(x, *(ONE if k == v else ZERO for v in (i, j))) for k, x in enumerate(sides)]
        return self._at(self.tree, named(places), Mixed).second

    def degree(self, inputs):
        """At most, where every input has the degree 0 or 1."""
        return self._at(self.tree, named([Degree(n) for n in inputs]), lambda number: Degree(0)).value

    def on(self, start, stop):
        """Enclosed on an interval of the line; needs no derivatives."""
        return self.over([between(start, stop)])

    def value(self, point):
        """Enclosed at a point with rational coordinates."""
        return self.over([Interval.of(x) for x in point])

    def taylor(self, a, b):
        """Near q0 + q1 t + q2 t^2, where t goes from -1 at a to 1 at b; and how near.

        Taylor's formula at the middle; where there are no two derivatives, the range.
        """
        half = (b - a) / 2
        try:
            at, on = self.jet(a + half, a + half), self.jet(a, b)
            bend = on.second * Interval.of(half * half / 2)
            parts = at.value, at.first * Interval.of(half), bend
        except Refused:
            parts = self.on(a, b), ZERO, ZERO
        off = sum(Fraction(p.high - p.low, 2 * UNIT) for p in parts)
        return [Fraction(p.low + p.high, 2 * UNIT) for p in parts], off

    def over(self, sides):
        """Enclosed on a box."""
        return self._at(self.tree, named(sides), lambda number: number)

    def _at(self, node, names, made):
        """The value of a part; `made` turns a number into one of its kind."""
        kind = type(node)
        if kind is ast.Constant and type(node.value) in (int, float):
            return made(Interval.of(rational(self._written(node))))
        if kind is ast.Name and node.id in names:
            return names[node.id]
        if kind is ast.Name and node.id in ("pi", "e"):
            return made(atan(ONE).times(4) if node.id == "pi" else exp(ONE))
        if kind is ast.UnaryOp and type(node.op) in (ast.USub, ast.UAdd):
            part = self._at(node.operand, names, made)
            return -part if type(node.op) is ast.USub else part
        call = kind is ast.Call and type(node.func) is ast.Name and not node.keywords
        if call and len(node.args) == 1:
            return self._at(node.args[0], names, made).apply(node.func.id)
        if kind is ast.BinOp and type(node.op) is ast.Pow:
            return self._at(node.left, names, made).power(self._exponent(node.right))
        if kind is ast.BinOp and type(node.op) in OPERATORS:
            parts = (self._at(part, names, made) for part in (node.left, node.right))
            return OPERATORS[type(node.op)](*parts)
        raise Unreadable(f"the formula has a part that is not known: {self._written(node)[:40]}")

    def _written(self, node):
        return self.text[node.col_offset : node.end_col_offset]

    def _exponent(self, node):
        if type(node) is ast.Constant and type(node.value) in (int, float):
            return rational(self._written(node))
        if type(node) is ast.UnaryOp and type(node.op) is ast.USub:
            return -self._exponent(node.operand)
        if type(node) is ast.BinOp and type(node.op) is ast.Div:
            below = self._exponent(node.right)
            if below:
                return self._exponent(node.left) / below
        raise Unreadable("an exponent is not a rational number")

OPERATORS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a + -b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}

class Sawtooth:
    """D^k: the k-fold composition of D(x) = min(2x, 2 - 2x) on [0, 1]."""

    def __init__(self, folds):
        self.folds = folds

    def exact(self, x):
        whole, part = divmod(x * 2**self.folds, 1)
        return 1 - part if whole % 2 else part

    def value(self, point):
        return Interval.of(self.exact(*point))

    def taylor(self, a, b):
        cells = math.ceil(b * 2**self.folds) - math.floor(a * 2**self.folds)
        need(cells <= 1, "the sawtooth bends inside a part")
        r, s = self.exact(a), self.exact(b)
        return [(r + s) / 2, (s - r) / 2, Fraction(0)], Fraction(0)

class Polynomial:
    """With these coefficients, constant first; and a function that is added to it."""

    def __init__(self, powers, f=None):
        need(len(powers) <= 130, "a polynomial has too high a degree")
        self.powers, self.f = [short(c) for c in powers], f

    def taylor(self, a, b):
        middle, half = (short(a) + short(b)) / 2, (b - a) / 2
        n, degree = math.lcm(middle.denominator, half.denominator), len(self.powers) - 1
        scale = math.lcm(*(c.denominator for c in self.powers))
        at = [int(c * scale) * n ** (degree - k) for k, c in enumerate(self.powers)]
        whole_middle = int(middle * n)
        for k in range(degree):
            for j in range(degree - 1, k - 1, -1):
                at[j] += at[j + 1] * whole_middle
        at = [Fraction(v * int(half * n) ** k, scale * n**degree) for k, v in enumerate(at)]
        near, off = (at + [Fraction(0)] * 3)[:3], sum(map(abs, at[3:]))
        if self.f is None:
            return near, off
        parts, rest = self.f.taylor(a, b)
        return [p + q for p, q in pair(parts, near)], off + rest

def function_of(target):
    name, _, rest = target.partition(":")
    if name == "sawtooth" and rest.isascii() and rest.isdigit() and 1 <= int(rest[:6]) <= 10_000:
        return Sawtooth(int(rest))
    if target in ("square", "product"):
        return Formula("x**2" if target == "square" else "x1*x2")
    if name in ("expr", "poly"):
        return Formula(rest)
    raise Unreadable(f"this program does not know the target {target[:60]!r}")

def box_of(law):
    """The sides of the box that a uniform law lives on."""
    name, _, rest = law.partition(":")
    if name != ("box" if ";" in rest else "uniform") or len(law) > 20_000:
        raise Unreadable(f"this program does not know the law {law[:60]!r}")
    sides = [[rational(end) for end in side.split(",")] for side in rest.split(";")]
    need(all(len(s) == 2 and s[0] < s[1] for s in sides), "the law is not a box")
    return sides

def symmetric(kind, text, law):
    """f(<x, x'>) on two spheres, or f(|x|) on the unit ball, as a function of R = |z|^2.

    z = x + x' and <x, x'> = R / 2 - 1; or z = x and |x| = sqrt(R). The dimension, the
    range of R and the formula.
    """
    name, _, dim = law.partition(":")
    if name != ("spheres" if kind == "inner" else "ball") or not NUMBER.fullmatch(dim):
        raise Unreadable(f"this program does not know the law {law[:60]!r} of such a target")
    d, (text, _, on) = whole(int(dim), 2, 1000), text.partition(" on ")
    if on:
        ends = [rational(end.strip()) for end in on.split(",")]
        need(kind == "radial" and len(ends) == 2 and text != "relu", "radii of a radial formula")
        need(ends[0] <= 0 and ends[1] >= 1, "f is 0 on a part of the ball")
    text = "1-r" if kind == "radial" and text == "relu" else text
    if re.search(r"\bx", text):
        raise Unreadable("the formula has a variable that is not known")
    Formula(text)  # it has to be one as it is written
    old, new, top = ("t", "(x/2-1)", 4) if kind == "inner" else ("r", "sqrt(x)", 1)
    text = re.sub(r"\bd\b", f"({d})", re.sub(rf"\b{old}\b", new, text))
    return d, [[Fraction(0), Fraction(top)]], Formula(text)

class Problem:
    """A function with a law, a norm and an accuracy.

    The law is uniform on a box; or (`dim` > 0) the function is one of R on an interval.
    """

    def __init__(self, entry):
        only(entry, "target", "law", "norm", "accuracy")
        self.target, self.law, self.norm = entry["target"], entry["law"], entry["norm"]
        self.accuracy, self.power = rational(entry["accuracy"]), 2 if self.norm == "l2" else 1
        self.kind, _, text = self.target.partition(":")
        if self.kind in ("inner", "radial"):
            self.dim, self.box, self.function = symmetric(self.kind, text, self.law)
        else:
            self.dim, self.box = 0, box_of(self.law)
            self.function = function_of(self.target)
        self.inputs = self.dim * (2 if self.kind == "inner" else 1) or len(self.box)
        need(self.accuracy > 0 and self.norm in ("linf", "l1", "l2"), "norm, accuracy")
        need(type(self.function) is not Sawtooth or self.box == [[0, 1]], "sawtooths live on [0, 1]")

    def check_defined(self):
        """Whether interval arithmetic finds a value on parts that cover the box."""
        waiting = [(self.box, 0)] if isinstance(self.function, Formula) else []
        while waiting:
            box, depth = waiting.pop()
            try:
                self.function.over([between(a, b) for a, b in box])
            except Refused as error:
                need(depth < 12, f"the function may not be defined: {error}")
                k = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
                middle = sum(box[k]) / 2
                for half in ([box[k][0], middle], [middle, box[k][1]]):
                    waiting.append(([*box[:k], half, *box[k + 1 :]], depth + 1))

    def scaled(self, spans):
        """Parts of [0, 1]^d, in the box."""
        return [between(*(low + (high - low) * u for u in us)) for us, (low, high) in pair(spans, self.box)]

    def off_chord(self, a, b):
        """|f - its chord|, in units, and the share of that in the mean (square)."""
        hull, bend = self.function.on(a, b), self.bend([between(a, b)], [ONE]).high
        if bend is None:
            return hull.high - hull.low, (1, 1)
        return bend * (b - a) ** 2 / 8, (Fraction(2, 3), Fraction(8, 15))

    def bend(self, sides, slopes, sign=0):
        """|f''| along a direction in a box; without an end where it is not enclosed.

        With a sign 0 where it is the other one.
        """
        try:
            second = self.function.jet_along(sides, slopes).second
        except Refused:
            return Interval(0, None)
        second = second.times(sign) if sign else absolute(second)
        return Interval(max(0, second.low), max(0, second.high))

class Quadratic:
    """q0 + q1 t + q2 t^2 for t from -1 to 1."""

    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c
        turn = -b / (2 * c) if c else 2
        self.ends = [Fraction(-1), turn, 1] if -1 < turn < 1 else [Fraction(-1), 1]

    def at(self, t):
        return self.a + (self.b + self.c * t) * t

    def most(self):
        """Of its absolute value."""
        return max(abs(self.at(t)) for t in self.ends)

    def mean_square(self):
        a, b, c = self.a, self.b, self.c
        return a * a + (2 * a * c + b * b) / 3 + c * c / 5

    def mean(self):
        """Of its absolute value, at most this; a root is guessed, and proved."""
        total, tiny = Fraction(0), Fraction(1, 1 << 40)
        for u, v in itertools.pairwise(self.ends):
            if self.at(u) * self.at(v) >= 0:
                total += self.area(u, v)
                continue
            low, high = float(u), float(v)
            for _ in range(50):
                t = (low + high) / 2
                low, high = (t, high) if self.at(Fraction(t)) * self.at(u) > 0 else (low, t)
            r, s = max(u, Fraction(low) - tiny), min(v, Fraction(high) + tiny)
            if self.at(r) * self.at(u) < 0 or self.at(s) * self.at(v) < 0:
                r, s = u, v
            most = (s - r) * max(abs(self.at(r)), abs(self.at(s)))
            total += self.area(u, r) + self.area(s, v) + most
        return total / 2

    def area(self, u, v):
        parts = ((1, self.a), (2, self.b), (3, self.c))
        return abs(sum(k * (v**n - u**n) / n for n, k in parts))

# ------------------------------------------------------------------- networks

class Network:
    """Layers (weights, biases, scale): integers over a common scale; ReLU between."""

    def __init__(self, layers, shared=None):
        self.exact, self.least = layers, {}  # the least values of shared units
        self.shared = shared or [[False] * len(w) for w, _ in layers]
        self.layers = [scaled_layer(weights, biases) for weights, biases in layers]
        self.widths = [len(w) for w, _, _ in self.layers[:-1]]
        inputs = len(self.layers[0][0][0])
        for weights, biases, _ in self.layers:
            fits = weights and all(sum(1 for _ in row) == inputs for row in weights)
            need(fits and len(biases) == len(weights), "the layers do not fit")
            inputs = len(weights)
        need(inputs == 1, "the network has more than one output")
        self.inputs = len(self.layers[0][0][0])
        self.is_constant = not all(any(map(any, weights)) for weights, _ in layers)
        rows = [[[(j, w) for j, w in enumerate(row) if w] for row in ws] for ws, _, _ in self.layers]
        self.rows = [(r, bs, s, all(len(row) == 1 for row in r)) for r, (_, bs, s) in pair(rows, self.layers)]

    def split(self, layers):
        """Some hidden layers with a sum of them; and what follows, of that sum."""
        if layers == len(self.exact) - 1:
            return self, None
        rows, biases = self.exact[layers]
        times = [multiple(row, rows[:1])[1] for row in rows]
        head = [*self.exact[:layers], (rows[:1], [Fraction(0)])]
        return Network(head), [([[t] for t in times], biases), *self.exact[layers + 1 :]]

    def owners(self, forms):
        """Of every unit the form that it reads, or SHARED if it reads several."""
        rows = [tuple(row) for row in self.exact[0][0]]
        known = {row: multiple(row, forms)[0] for row in set(rows)}
        found = [[known[row] for row in rows]]
        for weights, _ in self.exact[1:]:
            found.append([owner(row, found[-1]) for row in weights])
        found[-1] = [SHARED]  # the output
        return found

    def along(self, forms, owners, number):
        """The part that reads one form, as a network of its value.

        A unit that is shared has to be active, and adds up what it reads.
        """
        chosen, kept = [], [0]
        for k, ((weights, biases), mine) in enumerate(pair(self.exact, owners)):
            here = [i for i, r in enumerate(mine) if r in (number, SHARED)]
            if k == 0:
                rows = [[multiple(weights[i], forms[number : number + 1])[1]] for i in here]
            else:
                rows = [[weights[i][j] for j in kept] for i in here]
            shift = [biases[i] if mine[i] == number or not number else Fraction(0) for i in here]
            chosen.append((rows, shift))
            kept = here
        shared = [[r == SHARED for r in mine if r in (number, SHARED)] for mine in owners]
        return Network(chosen, shared)

    def run(self, point):
        """The output, and every unit before its ReLU, times a positive number of its layer."""
        unit = math.lcm(*(x.denominator for x in point))
        values, signs = [x.numerator * (unit // x.denominator) for x in point], []
        for number, (rows, biases, scale, single) in enumerate(self.rows, start=1):
            if single:  # one entry in each row
                sums = [w * values[j] + b * unit for ((j, w),), b in pair(rows, biases)]
            else:
                sums = [sum([w * values[j] for j, w in row], b * unit) for row, b in pair(rows, biases)]
            unit *= scale
            if number == len(self.rows):
                return Fraction(sums[0], unit), signs
            values = [v if v > 0 else 0 for v in sums]
            shared = self.shared[number - 1]
            for j in itertools.compress(range(len(sums)), shared):
                place, at = (number, sum(shared[:j])), Fraction(sums[j], unit)
                self.least[place] = min(at, self.least.get(place, at))
                values[j], sums[j] = sums[j], 0
            signs.extend(sums)

def multiple(row, forms):
    """Which form a row of weights is a multiple of, and how often."""
    for number, form in enumerate(forms):
        place = next(j for j, c in enumerate(form) if c)
        times = row[place] / form[place]
        if times and all(w == times * c for w, c in pair(row, form)):
            return number, times
    raise Refused("a unit reads another linear form")

SHARED = -1

def owner(row, owners):
    """The form of all that a unit reads, or SHARED."""
    found = {r for w, r in pair(row, owners) if w}
    return found.pop() if len(found) == 1 else SHARED

def scaled_layer(weights, biases):
    numbers = [*(w for row in weights for w in row), *biases]
    scale = math.lcm(*(n.denominator for n in numbers))
    whole = [[w.numerator * (scale // w.denominator) for w in row] for row in weights]
    return whole, [b.numerator * (scale // b.denominator) for b in biases], scale

NOTHING = Network([([[0]], [0])])

def network_of(entry, folder):
    """From weights in the proof, or from an ONNX file beside it."""
    if "onnx" in entry:
        only(entry, "onnx", "sha256")
        name = entry["onnx"]
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".", ".."):
            raise Unreadable("the network does not lie beside the proof")
        data = read(folder / name)
        need(hashlib.sha256(data).hexdigest() == entry["sha256"], f"{name} is not the file that was proved")
        return Network(onnx_layers(data))
    only(entry, "activations", "layers")
    names, layers = a_list(entry["activations"]), a_list(entry["layers"])
    need(all(n == "relu" for n in names), "the network has units that are not ReLUs")
    need(len(names) == len(layers) - 1, "the activations do not fit the layers")
    for layer in layers:
        only(layer, "weight", "bias")
    parts = [(a_list(layer["weight"]), rationals(layer["bias"])) for layer in layers]
    return Network([([rationals(row) for row in rows], biases) for rows, biases in parts])

def fields(data):
    """The fields of a protobuf message: (number, value), bytes, integers or (float,)."""
    place = 0

    def varint():
        nonlocal place
        value, shift, byte = 0, 0, 128
        while byte >= 128:
            byte = data[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
        return value

    while place < len(data):
        number, kind = divmod(varint(), 8)
        need(kind in (0, 2, 5), "the ONNX file has a field of a kind that is not known")
        value = 4 if kind == 5 else varint()
        if kind:  # so many bytes
            value, place = data[place : place + value], place + value
            need(place <= len(data), "the ONNX file is cut off")
        yield number, struct.unpack("<f", value) if kind == 5 else value

def message(data, *known, floats=()):
    """A message of known fields only: number to values. Others might change its meaning."""
    found = {number: [] for number in known}
    for number, value in fields(data):
        need((type(value) is tuple) == (number in floats) and number in found, f"field {number} of the ONNX file is of no known kind")
        found[number].append(value)
    return found

def onnx_layers(data):
    """Gemm and Relu in turn, with float64 or float32 weights: what depthsep writes."""
    (graph,) = message(data, 1, 2, 7, 8)[7]
    graph = message(graph, 1, 2, 5, 11, 12)
    tensors = dict(tensor(part) for part in graph[5])
    for number, name in ((11, b"x"), (12, b"y")):
        need([message(end, 1, 2)[1] for end in graph[number]] == [[name]], "the network's input is x, its output y")
    layers, names = [], [*tensors, b"x"]
    for k, part in enumerate(graph[1]):
        node = message(part, 1, 2, 3, 4, 5)
        (kind,), inputs, (output,) = node[4], node[1], node[2]
        options = [message(option, 1, 2, 3, 20, floats=(2,)) for option in node[5]]
        need(inputs[0] == names[-1], "the ONNX nodes are not a chain")
        if k % 2 == 0:
            need(kind == b"Gemm" and is_plain_gemm(options), "not a Gemm with transB")
            (rows, two), (biases, one) = (tensors[name] for name in inputs[1:])
            need((two, one) == (2, 1), "weights are a matrix, biases a vector")
            layers.append((rows, [b for (b,) in biases]))
        else:
            need(kind == b"Relu" and len(inputs) == 1 and not options, "not a plain Relu")
        names.append(output)
    need(names[-1] == b"y" and len(graph[1]) % 2 == 1, "the ONNX nodes are not a network")
    need(len(set(names)) == len(names) and len(tensors) == len(graph[5]), "the ONNX file has a name twice")
    return layers

def is_plain_gemm(options):
    """Whether its attributes say x W^T + b: transB, and of the others the defaults."""
    number, switch = {2: [(1.0,)], 3: [], 20: [1]}, {2: [], 3: [0], 20: [2]}
    plain = {b"alpha": number, b"beta": number, b"transA": switch, b"transB": {**switch, 3: [1]}}
    names = [name for option in options for name in option.pop(1)]
    once = len(names) == len(options) == len(set(names)) and b"transB" in names
    return once and all(plain.get(n) == rest for n, rest in zip(names, options, strict=True))

def tensor(part):
    """Its name; rows (of one entry for a vector), and whether it is a vector or a matrix."""
    shape, (kind,), (name,), (raw,) = message(part, 1, 2, 8, 9).values()
    letter = {1: "f", 11: "d"}.get(kind)
    if letter is None or len(shape) not in (1, 2):
        raise Unreadable("a tensor in the ONNX file is not a float matrix")
    count = len(raw) // struct.calcsize(letter)
    numbers = [Fraction(v) for v in struct.unpack(f"<{count}{letter}", raw)]
    columns = shape[1] if len(shape) == 2 else 1
    need(count == math.prod(shape), "a tensor in the ONNX file has another size")
    return name, ([numbers[i : i + columns] for i in range(0, count, columns)], len(shape))

# ------------------------------------------------------------------- lower bounds

def most_pieces(width, layers, skips):
    """Of a network's output on a line: Theorem A; without skips Theorem N."""
    if skips or layers <= 1:
        return (width + 1) ** layers
    if width == 1:
        return 3  # a unit of a unit is constant, affine, constant in the first one
    before, now = 1, width + 1
    for _ in range(layers - 1):
        kept = min(now, (width if width <= 2 else width + 1) * before)
        before, now = now, now + width * kept
    return now

def is_excluded(bends, width, layers, skips):
    """Whether hidden layers of this width cannot have these bends: Theorem S.

    A cell of the layers before the last holds at most `up` upward and `down` downward
    bends, one for each unit of the last layer; an end of a cell lies in one more.
    """
    if type(bends) is Units:
        return layers == 1 and width < bends
    if type(bends) is Arcs:
        return 2 * width * (1 + 2 * width) ** (layers - 1) < bends
    if type(bends) is Inputs:
        return not skips and width < bends
    if type(bends) in (Cells, Packings):
        return bends.are_more(width, layers)
    few = most_pieces(width, layers, skips) < (bends if type(bends) is int else len(bends) + 1)
    if type(bends) is int or layers == 1 or few or width >= len(bends):
        return few
    ends = most_pieces(width, layers - 1, skips) - 1
    return all(ends_needed(bends, up, width - up) > ends for up in range(width + 1))

def ends_needed(bends, up, down):
    ends = ups = downs = 0
    for bend in bends:
        ups, downs = (ups + 1, downs) if bend > 0 else (ups, downs + 1)
        if ups > up or downs > down:
            ends, ups, downs = ends + 1, 0, 0
    return ends

class Units(int):
    """So many units are needed by one hidden layer."""

class Arcs(int):
    """So many arcs are needed on a circle."""

class Inputs(int):
    """So many units are needed in the first layer, without skip connections."""

class Packings(list):
    """Of segments; rows (..., weight, sign, count of bends), one packing for each way to sign units."""

    def are_more(self, width, layers):
        """Theorem J for several layers: a segment that k units of the first one cross has
        (k + 1) between cells or fewer, in each of which `up`, or `down`, units bend.
        """
        between = (width + 1) ** (layers - 2) if layers > 1 else 0

        def first(packing, up):
            cells = {1: between * (up + 1), -1: between * (width - up + 1)}
            return sum(weight * -(-(count + 1) // cells[sign] + 1) for *_, weight, sign, count in packing)

        return between and all(any(first(p, up) > width for p in self) for up in range(width + 1))

class Cells(int):
    """So many convex cells of a plane are needed, cut into columns and rows of `tiles`, too."""

    def are_more(self, width, layers):
        """Than such layers make; lines between tiles are units of the first one, parallel."""
        (k, m), pairs = self.tiles, width * (width - 1) // 2
        return (k * m + width * (k + m - 1) + pairs) * (1 + width + pairs) ** (layers - 1) < self

def bends_of(problem, witness):
    """Signs of second differences above 2 E: between x and z every g within E bends."""
    need(problem.norm == "linf", "three points say nothing in this norm")
    problem.check_defined()
    need(problem.kind != "inner", "there are no segments on spheres")
    start, along, low, high = [Fraction(0)], [Fraction(1)], *problem.box[0]
    low = Fraction(-1) if problem.dim else low  # R = p^2 on a line through 0
    if "segment" in witness:  # of a box, followed from t = 0 to 1
        only(witness, "segment", "points")
        need(not problem.dim, "a function of R needs no segment")
        start, stop = segment_of(problem, witness["segment"])
        along, low, high = [b - a for a, b in pair(start, stop)], Fraction(0), Fraction(1)
    else:
        only(witness, "points")
        need(len(problem.box) == 1, "a function on a box needs a segment")
    return bends_at(problem, start, along, (low, high), witness["points"])

def bends_at(problem, start, along, ends, triples):
    """Their signs, in order, at start + t along; on a line through 0 of a ball R = t^2."""
    found, (last, high) = [], ends
    for number, triple in enumerate(a_list(triples)):
        x, y, z = map(rational, a_list(triple))
        need(last <= x < y < z <= high, f"points {number} are not in order")
        unit = math.lcm(x.denominator, y.denominator, z.denominator)
        weights = (int((z - y) * unit), int((x - z) * unit), int((y - x) * unit))
        places = [
            [t * t] if problem.dim else [s + a * t for s, a in pair(start, along)] for t in (x, y, z)
        ]
        parts = [problem.function.value(at).times(w) for at, w in pair(places, weights)]
        second, bound = (parts[0] + parts[1] + parts[2], -2 * problem.accuracy * weights[1])
        above, below = second.low > bound * UNIT, -second.high > bound * UNIT
        need(above or below, f"at points {number} an affine function is within E")
        found, last = [*found, 1 if above else -1], z
    return found

def segment_of(problem, witness):
    """Its two ends, in the box."""
    ends = [[rational(c) for c in end] for end in witness]
    inside = all(a <= c <= b for p in ends for c, (a, b) in pair(p, problem.box))
    need(len(ends) == 2 and inside and ends[0] != ends[1], "the segment is not in the box")
    return tuple(map(tuple, ends))

def segments_of(problem, witness):
    """Theorem J: bends on segments in all directions, weighed, in one hidden layer.

    Between the ends of every triple on a segment a unit of its sign has to bend, on a
    hyperplane that crosses the segment. What one crosses weighs 1 at most, of each sign.
    """
    only(witness, "segments")
    rows, units = rows_of(problem, witness["segments"]), 0
    for sign in (1, -1):
        known = [row for row in rows if row[3] == sign]
        need(most_crossed(known) <= 1, "a hyperplane crosses more than it may")
        units += math.ceil(sum(weight * count for *_, weight, _, count in known))
    return Units(units)

def packings_of(problem, witness):
    """The same in several layers, where all segments together are weighed."""
    only(witness, "packings")
    found = Packings(rows_of(problem, entries) for entries in a_list(witness["packings"]))
    need(all(most_crossed(rows) <= 1 for rows in found), "a hyperplane crosses more than it may")
    return found

def rows_of(problem, entries):
    """Ends of a segment, its weight, a sign, and how often it is proved to bend that way."""
    need(problem.norm == "linf" and len(problem.box) > 1, "known on boxes in linf")
    problem.check_defined()
    rows = []
    for entry in a_list(entries):
        only(entry, "ends", "weight", "points")
        start, stop = segment_of(problem, entry["ends"])
        weight, along = rational(entry["weight"]), [b - a for a, b in pair(start, stop)]
        need(weight > 0, "a weight is not positive")
        signs = bends_at(problem, start, along, (0, 1), entry["points"])
        rows += [(start, stop, weight, sign, signs.count(sign)) for sign in (1, -1) if sign in signs]
    return rows

def most_crossed(segments):
    """The largest sum of weights of segments that one hyperplane crosses."""
    points = list(dict.fromkeys(end for start, stop, *_ in segments for end in (start, stop)))
    need(math.comb(len(points), len(points[0]) if points else 0) <= 200_000, "too many segments")
    place, most = {point: k for k, point in enumerate(points)}, 0
    rows = [(place[start], place[stop], weight) for start, stop, weight, *_ in segments]
    for side in sides_of(points):
        most = max(most, sum(w for i, j, w in rows if side[i] != side[j]))
    return most

def sides_of(points):
    """All ways in which a hyperplane may leave them on its sides: 1 and -1, by its signs.

    It can be moved until it holds d points that are affinely independent; back from
    there, the points on it may be separated in every way in which they can be on it.
    """
    points = independent(points)
    if not points or not points[0]:
        yield [1] * len(points)
        return
    d, seen = len(points[0]), set()
    for chosen in itertools.combinations(points, d):
        normal = orthogonal([[b - a for a, b in pair(chosen[0], p)] for p in chosen[1:]], d)
        heights = [sum(n * (x - a) for n, x, a in zip(normal, p, chosen[0], strict=True)) for p in points]
        on = tuple(k for k, h in enumerate(heights) if not h)
        if on in seen or not any(normal):
            continue
        seen.add(on)
        for inside in sides_of([points[k] for k in on]):
            for sign in (1, -1):
                side = [1 if h > 0 else -1 for h in heights]
                for k, way in pair(on, inside):
                    side[k] = sign * way
                yield side

def independent(points):
    """Without coordinates that the others give on the affine hull."""
    rows, kept = [[b - a for a, b in pair(points[0], p)] for p in points[1:]], []
    for k in range(len(points[0]) if points else 0):
        row = next((r for r in rows if r[k]), None)
        if row is not None:
            kept.append(k)
            rows = [[v - r[k] / row[k] * w for v, w in pair(r, row)] for r in rows]
    return [tuple(p[k] for k in kept) for p in points]

def orthogonal(steps, d):
    """To d - 1 vectors: their minors, with signs."""
    if not steps:
        return [1]
    found = []
    for k in range(d):
        minors = orthogonal([r[:k] + r[k + 1 :] for r in steps[1:]], d - 1)
        rest = steps[0][:k] + steps[0][k + 1 :]
        found.append((-1) ** k * sum(a * m for a, m in pair(rest, minors)))
    return found

def ranks_of(problem, witness):
    """Any ridge functions on one hidden layer: masses of orthogonal polynomials of R.

    A function within e of f is Q = sum of Q_l, where ||Q_l||^2 (1 - m / D_l) is left by m.
    """
    need(problem.dim and problem.norm in ("l2", "linf"), "known of functions of R")
    only(witness, "polynomial", "cuts")
    q, cuts = list(map(short, rationals(witness["polynomial"]))), rationals(witness["cuts"])
    (_, top), d, f = problem.box[0], problem.dim, Polynomial([-c for c in q], problem.function)
    allowed = problem.accuracy + on_parts(f, problem.box[0], NOTHING, cuts, "linf")
    # R / top has a Beta law
    a, b = (Fraction(d - 1, 2),) * 2 if problem.kind == "inner" else (Fraction(d, 2), 1)
    moments = [Fraction(1)]
    for k in range(2 * len(q)):
        moments.append(moments[-1] * (a + k) / (a + b + k))
    masses = masses_of([c * top**k for k, c in enumerate(q)], moments)[1:]
    less = problem.kind == "inner"  # harmonic polynomials only
    sizes = [math.comb(d + k - 1, k) - less * math.comb(d + k - 3, d - 1) for k in range(1, len(q))]
    low, high = 0, max(sizes)
    while low < high:
        m = (low + high) // 2
        left = sum(v * max(0, 1 - Fraction(m, n)) for v, n in pair(masses, sizes))
        low, high = (m + 1, high) if left > allowed**2 else (low, m)
    return Units(low)

def masses_of(q, moments):
    """The squared norms of the parts of q in the orthogonal polynomials of each degree.

    These are p = u^n + ..., each orthogonal to all lower powers of u.
    """
    seen = [sum(c * moments[i + j] for i, c in enumerate(q)) for j in range(len(q))]
    p, before, last, masses = [Fraction(1)], [], Fraction(1), []
    for n in range(len(q)):
        size, up = (sum(c * moments[n + j + k] for j, c in enumerate(p)) for k in (0, 1))
        masses.append(sum(c * v for c, v in pair(p, seen[: n + 1])) ** 2 / size)
        shift, back = up / size + (p[-2] if n else 0), size / last
        after = [Fraction(0), *p]
        for old, c in ((p, shift), (before, back)):
            for k, v in enumerate(old):
                after[k] -= c * v
        before, last, p = p, size, after
    return masses

def arcs_of(problem, witness):
    """f - level alternates in sign at places, or on intervals, of R.

    On spheres Theorem M follows circles; in the ball a line through 0 meets every R twice.
    """
    known = ("linf", "l2") if problem.kind == "inner" else ("l2",)
    need(problem.dim and problem.norm in known, "known on spheres in linf and l2, in the ball in l2")
    places = "places" if problem.norm == "linf" else "intervals"
    only(witness, "level", places)
    problem.check_defined()
    level, last, old, weights = Interval.of(rational(witness["level"])), Fraction(0), 0, []
    for number, place in enumerate(a_list(witness[places])):
        if problem.norm == "linf":
            cuts = [rational(place)]
            f, beyond = problem.function.value(cuts) - level, problem.accuracy * UNIT
            sign = (f.low > beyond) - (f.high < -beyond)
        else:
            cuts = rationals(place)
            sign, weight = weight_of(problem, cuts, level)
            weights.append(weight)
        need(last <= cuts[0] and cuts[-1] <= problem.box[0][1], f"place {number} is not in order")
        need(sign and sign != old, f"f is not beyond the level at place {number}, in turn")
        last, old = cuts[-1], sign
    changes = len(witness[places]) - 1
    if problem.norm == "linf":
        return Arcs(2 * changes)
    many = max(0, math.ceil(changes - problem.accuracy**2 / min(weights)))
    return Arcs(many) if problem.kind == "inner" else many

def weight_of(problem, cuts, level):
    """The sign of f - level, and half the integral of its square over the law, at least."""
    total, signs, mass = ZERO, set(), mass_of(problem)
    for a, b in itertools.pairwise(cuts):
        need(0 <= a < b <= problem.box[0][1], "cuts are not in order")
        f = problem.function.on(a, b) - level
        signs.add((f.low > 0) - (f.high < 0))
        near = min(abs(f.low), abs(f.high))
        total = total + Interval(near, near).power(Fraction(2)) * mass(a, b).over(2)
    need(len(signs) == 1, "f - level changes its sign on an interval")
    need(total.low > 0, "an interval has too little weight")
    return signs.pop(), Fraction(total.low, UNIT)

def mass_of(problem):
    """Of an interval of R, at least, under the law.

    In the ball [0, R] has the mass R^(d / 2); on spheres u = R / 4 has the density
    (u (1 - u))^(h - 1) / B(h, h), h = (d - 1) / 2, which is least at an end.
    """
    d, half = problem.dim, Fraction(problem.dim, 2)
    if problem.kind == "radial":
        return lambda a, b: Interval.of(b).power(half) - Interval.of(a).power(half)
    need(d >= 3, "known from dimension 3 on")
    k, size = (d - 1) // 2, Fraction(math.factorial(d - 2))
    if d % 2:
        size = Interval.of(size / math.factorial(k - 1) ** 2)
    else:  # the gamma function of k + 1/2 is a rational number times the root of pi
        size /= Fraction(math.factorial(2 * k), 4**k * math.factorial(k)) ** 2
        size = Interval.of(size) / atan(ONE).times(4)

    def mass(a, b):
        bend = Interval.of(min(u * (1 - u) for u in (a / 4, b / 4)))
        return bend.power(half - Fraction(3, 2)) * size * Interval.of((b - a) / 4)

    return mass

def square_pieces(problem, witness):
    """Theorem C: N pieces leave C / N^2 of x^2 on [0, 1], in l2 C / N^4 squared."""
    need(problem.target == "square" and len(problem.box) == 1, "this is known of x^2")
    power, norm, least = problem.power, problem.norm, {"l1": 16, "l2": 180, "linf": 8}
    length = (problem.box[0][1] - problem.box[0][0]) ** (2 * power)
    only(witness, "pieces")
    pieces = whole(witness["pieces"], 2)
    left = length / least[norm] / (pieces - 1) ** (2 * power)
    need(left > problem.accuracy**power, "fewer pieces are enough")
    return pieces

def sawtooth_pieces(problem, witness):
    """Theorem B', and in linf: every piece crosses 1/2 once."""
    f, e = problem.function, problem.accuracy
    need(isinstance(f, Sawtooth), "known of sawtooths")
    share = {"l1": 1 - 4 * e, "l2": 1 - 12 * e**2, "linf": int(2 * e < 1)}
    only(witness, "pieces")
    pieces = whole(witness["pieces"], 2)
    need(pieces - 1 < share[problem.norm] * 2**f.folds, "fewer pieces are enough")
    return pieces

def mean_pieces(problem, witness):
    """Theorem P in its plain form: potentials phi at knots, and a price of a piece.

    A piece of g from the cell after knot i to the one after knot j costs at least what
    the best line does between knots i + 1 and j. If that and the price are together at
    least phi[j] - phi[i] for all i and j, then N pieces cost phi[n] - phi[0] - N price.
    """
    only(witness, "knots", "bits", "potentials", "price")
    knots, phi = a_list(witness["knots"]), a_list(witness["potentials"])
    price, bits = whole(witness["price"], 1), whole(witness["bits"], 1, 4096)
    need(len(problem.box) == 1 and not problem.dim, "the function is not on an interval")
    need(all(type(v) is int for v in (*knots, *phi)), "a number is not whole")
    need(knots[0] == 0 and all(a < b and b % 4 == 0 for a, b in itertools.pairwise(knots)), "knots")
    need(all(a <= b for a, b in itertools.pairwise(phi)), "the potentials fall")
    h = Interpolant(problem, knots, bits)
    last, pairs = len(knots) - 1, 0
    need(len(phi) == last + 1, "a potential for each knot")
    for i in range(last):
        cost = 0
        for j in range(i + 1, last + 1):
            rise, pairs = phi[j] - phi[i], pairs + 1
            need(pairs < MOST_PAIRS, "too many pairs of knots to compare")
            if rise > cost:  # what is contained costs no more
                cost = max(cost, h.cost(i + 1, j))
                need(rise - cost <= price, f"the piece from knot {i} to {j} is too cheap")
            if 0 < rise <= cost:
                break  # longer pieces are followed from knot j on
    allowed = math.ceil((problem.accuracy * 2**bits + h.distance) ** h.power * knots[-1])
    return max(1, -((allowed - phi[-1] + phi[0]) // price))

def lines_of(problem, witness):
    """Theorem F: what pieces leave on the parallel lines through a box, in the mean.

    Or what is left where f bends upwards, and where it bends downwards: units bend one
    way each, and n of them cut a line into n + 1 pieces.
    """
    need(len(problem.box) > 1 and problem.norm != "linf", "known on boxes, in l1 and l2")
    problem.check_defined()
    if "pieces" in witness:
        return pieces_on_lines(problem, witness, 0)
    only(witness, "up", "down")
    ways = ((witness["up"], 1), (witness["down"], -1))
    return Units(sum(pieces_on_lines(problem, way, sign) - 1 for way, sign in ways if way is not None))

def pieces_on_lines(problem, witness, sign):
    only(witness, "direction", "cells", "parts", "pieces")
    cells, parts = (whole(witness[name], 1, MOST_CELLS) for name in ("cells", "parts"))
    pieces = whole(witness["pieces"], 2, 1 << 60)
    steps = [whole(v, -1, 1) for v in a_list(witness["direction"])]
    left = left_on(bundles_of(problem, steps, cells, parts, sign), pieces - 1, problem.power)
    need(left > problem.accuracy**problem.power, "fewer pieces are enough")
    return pieces

def bundles_of(problem, steps, cells, parts, sign=0):
    """The lines u_k = y_k + v_k t through the box, scaled to [0, 1]^d, by cells of y: the least |f''|
    on parts of them, the length of these, the power of the norm, and the number of cells.
    """
    need(len(steps) == len(problem.box) and any(steps), "a direction of the box")
    moving = next(k for k, v in enumerate(steps) if v)
    need(steps[moving] == 1, "the first variable that moves grows")
    feet = [range(-cells * (v > 0), cells * (1 + (v < 0))) for v in steps]
    feet[moving] = range(1)
    need(math.prod(map(len, feet)) * parts <= MOST_CELLS, "too many cells of lines")
    slopes = [Interval.of(v * (b - a)) for v, (a, b) in pair(steps, problem.box)]
    for foot in itertools.product(*feet):
        ends = [(Fraction(y, cells), Fraction(y + 1, cells)) for y in foot]
        ends[moving] = (Fraction(0), Fraction(0))
        both = [(-a, 1 - b) if v > 0 else (b - 1, a) if v < 0 else (0, 1) for v, (a, b) in pair(steps, ends)]
        start, stop = Fraction(max(a for a, _ in both)), min(b for _, b in both)
        if start >= stop:
            continue
        length, bends = (stop - start) / parts, []
        for t in (start + length * n for n in range(parts)):
            moved = [sorted((v * t, v * (t + length))) for v in steps]
            far = [(a + left, b + right) for (a, b), (left, right) in pair(ends, moved)]
            bends.append(problem.bend(problem.scaled(far), slopes, sign).low)
        share = cells ** (len(steps) - 1)
        yield tuple(bends), length, problem.power, share

def left_by_parts(bends, length, power, share):
    """(k, v) for some k: on k parts n pieces in all leave v / n^2 in l1, v / n^4 in l2 squared.

    For |f''| >= m on a length s that is m s^3 / 32, or m^2 s^5 / 720; and sums of c_i / n_i^r are least
    if the n_i^(r+1) are like the c_i. Neighbours are taken together, 1, 2, 4, ...; those that bend most.
    """
    order, share_of_bend = (3, 32) if power == 1 else (5, 720)
    while bends:
        total = 0
        for k, m in enumerate(sorted(bends, reverse=True), start=1):
            total += root_below(Fraction(m, UNIT) ** power * length**order / share_of_bend, order)
            yield k, int(total**order * UNIT) // share
        bends = [min(v) for v in pair(bends[::2], bends[1::2])] if len(bends) % 2 == 0 else []
        length *= 2

def left_by_cuts(bends, length, power, share):
    """What 0, 1, 2, ... cuts leave, each in some cell of which nothing is counted.

    On a stretch of length l, x from 0 to 1, on which f'' >= m, all lines leave l^3 int m V, in l2
    5 l^5 (int m V)^2: V and its slope vanish at the ends, and V'' is orthogonal to all lines.
    Cells where the sign of f'' is not known are cut for nothing.
    """
    bends, cells = [m for m in bends for _ in range(FINER)], len(bends) * FINER
    costs = [[0] * (cells + 1) for _ in range(cells + 1)]  # of the cells from i up to j
    for size in range(1, cells + 1):
        kernel, scale = kernel_of(size, power), (length * size / FINER) ** (2 * power + 1) * (4 * power - 3) / share
        for i in range(cells - size + 1):
            moment = sum(map(operator.mul, bends[i : i + size], kernel)) // UNIT
            costs[i][i + size] = moment**power * scale.numerator // (scale.denominator * UNIT ** (power - 1))
    best = [[0] + [math.inf] * cells] + [[math.inf] * (cells + 1) for _ in range(MOST_CUTS)]  # if a stretch starts there

    def reached(cuts, cell):
        return min(best[cuts][i] + costs[i][cell] for i in range(first, cell + 1))

    first = 0  # cell after the last gap
    for cell, m in enumerate(bends):
        found = [reached(cuts, cell) for cuts in range(MOST_CUTS + 1)]
        if m <= 0:
            first = cell + 1
        for cuts, value in enumerate(found if m <= 0 else [math.inf, *found[:-1]]):
            best[cuts][cell + 1] = value
    return list(itertools.accumulate((reached(cuts, cells) for cuts in range(MOST_CUTS + 1)), min))

left = functools.lru_cache(MOST_CELLS)(lambda *on: (list(left_by_parts(*on)), functools.cache(lambda: left_by_cuts(*on))))

@functools.cache
def kernel_of(cells, power):
    """Integrals of V over equal cells of [0, 1]: V'' = 1, -1, 1 on [0, 1/4, 3/4, 1]; in l2 V = x^2 (1 - x)^2 / 2."""
    def until(x):
        if power == 2:
            return x**3 / 6 - x**4 / 4 + x**5 / 10
        return x**3 / 6 - max(x - Fraction(1, 4), 0) ** 3 / 3 + max(x - Fraction(3, 4), 0) ** 3 / 3
    return [math.floor((until(Fraction(k + 1, cells)) - until(Fraction(k, cells))) * UNIT) for k in range(cells)]

def left_on(bundles, pieces, power):
    """The mean of what so many pieces on every line leave."""
    total = 0
    for bundle in bundles:
        ways, by_cuts = left(*bundle)
        known = by_cuts()[pieces - 1 : pieces] if pieces <= MOST_CUTS + 1 and len(bundle[0]) <= MOST_PARTS else []
        total += max([v // (pieces + k - 1) ** (2 * power) for k, v in ways] + known)
    return Fraction(total, UNIT)

def root_below(x, n):
    """A rational number that is the n-th root at most."""
    root = Fraction(float(x) ** (1 / n)) * (1 - Fraction(1, 1 << 40))
    return root if root**n <= x else Fraction(0)

def cells_of(problem, witness):
    """Theorem W: the convex cells that f needs on a rectangle of two variables, cut into tiles."""
    only(witness, "axes", "grid", "rectangle", "tiles", "feet")
    need(len(problem.box) > 1 and not problem.dim, "known on boxes")
    problem.check_defined()
    axes, grid = [whole(v, 0, len(problem.box) - 1) for v in witness["axes"]], whole(witness["grid"], 1, MOST_CELLS)
    spans = [[whole(v, 0, grid) for v in span] for span in witness["rectangle"]]
    tiles, feet = [whole(v, 1, grid) for v in witness["tiles"]], list(feet_of(problem, axes, witness["feet"]))
    need(len(axes) == len(spans) == len(tiles) == 2 and axes[0] < axes[1], "two axes are needed")
    need(all(u < v and (v - u) % n == 0 for (u, v), n in pair(spans, tiles)), "tiles are not made of cells")
    need(math.prod(v - u for u, v in spans) * len(feet) <= MOST_CELLS, "too many cells of planes")
    e, plane = problem.accuracy, math.prod(problem.box[k][1] - problem.box[k][0] for k in axes)
    tile = plane * math.prod(Fraction(v - u, n * grid) for (u, v), n in pair(spans, tiles))
    general = problem.function.degree([int(k in axes) for k in range(len(problem.box))]) > 2
    kinds = {"linf": (64, 64), "l1": (24**2, 64**2 if general else 24**2), "l2": (432, 1152 if general else 360)}[problem.norm]
    sizes = ([size_of(on, kinds) for on in hessians(problem, axes, grid, spans, tiles, foot)] for foot in feet)
    if problem.norm == "linf":
        cells = sum(max(1, root_up(tile**2 * size / e**2)) for size in next(sizes))
    else:
        root, power = (4, 2) if problem.norm == "l1" else (3, 3)
        left = sum((tile * sum(root_below(size, root) for size in on)) ** power for on in sizes)
        cells = root_up((left / (len(feet) * e ** (power - 1) * plane)) ** (4 - power))
    found = Cells(cells)
    found.tiles = tiles
    return found

def feet_of(problem, axes, feet):
    """Where the other variables are: at a point in linf, in the cells of a grid in the mean."""
    others = [side for k, side in enumerate(problem.box) if k not in axes]
    if problem.norm == "linf":
        places = list(map(rational, a_list(feet)))
        need(all(low <= x <= high for x, (low, high) in pair(places, others)), "a foot is not in the box")
        return [[Interval.of(x) for x in places]]
    count = whole(feet, 1, MOST_CELLS)
    need(count ** len(others) <= MOST_CELLS, "too many cells of planes")
    return itertools.product(*(cells_of_side(side, range(count), count) for side in others))

def cells_of_side(side, numbers, count):
    low, step = side[0], (side[1] - side[0]) / count
    return [between(low + step * k, low + step * (k + 1)) for k in numbers]

def hessians(problem, axes, grid, spans, tiles, foot):
    """Of every tile: enclosures of f_11, f_22 and f_12 on its cells; none where one is not known."""
    steps = [[ONE if k == axis else ZERO for k in range(len(problem.box))] for axis in axes]
    rows = [cells_of_side(problem.box[k], range(*span), grid) for k, span in pair(axes, spans)]
    size = [(v - u) // n for (u, v), n in pair(spans, tiles)]
    for a, b in itertools.product(range(tiles[0]), range(tiles[1])):
        found, inside = [], (rows[0][a * size[0] :][: size[0]], rows[1][b * size[1] :][: size[1]])
        try:
            for pair_of_sides in itertools.product(*inside):
                at = list(foot)
                for k, side in pair(axes, pair_of_sides):
                    at.insert(k, side)
                found.append((*(problem.function.jet_along(at, step).second for step in steps), problem.function.mixed(at, *axes)))
        except Refused:
            found = []
        yield found

def size_of(hessians, kinds):
    """h / c^2 of definite ones, or of a saddle; 0 where neither is proved."""
    if not hessians:
        return Fraction(0)
    bounds = ((min(v.low for v in vs), max(v.high for v in vs)) for vs in zip(*hessians, strict=True))
    (a, b), (c, d), (e, f) = ((Fraction(low, UNIT), Fraction(high, UNIT)) for low, high in bounds)
    middle, off = (e + f) / 2, (f - e) / 2
    ways = ((a - off, c - off), (-b - off, -d - off))
    definite = max([u * v - middle**2 for u, v in ways if u > 0 and v > 0], default=0)
    across = 0 if e <= 0 <= f else min(e * e, f * f)
    return max(Fraction(0), definite / kinds[0], (across - max(a * c, a * d, b * c, b * d)) / kinds[1])

def root_up(x):
    """The least whole number that is the root at least."""
    root = math.isqrt(math.floor(x))
    return root + (root * root < x)

def blind_of(problem, witness):
    """Fewer units than inputs in the first layer: constant along a direction, without skips.

    |f(u + v/2) - f(u)| is twice the sup error at most; for the u of a half of the box its
    mean is the mean error at most, that of its square twice the mean square. The directions
    v, in cells, have one entry 1 and the others in [-1, 1]; the box is scaled to [0, 1]^d.
    """
    only(witness, "turns", "cells")
    (turns, cells), d, power = (whole(witness[name], 1, 100) for name in ("turns", "cells")), len(problem.box), problem.power
    need(d > 1 and d * turns ** (d - 1) * cells**d <= MOST_CELLS, "too many cells, or one variable")
    spans = [(Fraction(k, turns) - Fraction(1, 2), Fraction(k + 1, turns) - Fraction(1, 2)) for k in range(turns)]
    halves, half = itertools.product(range(d), itertools.product(spans, repeat=d - 1)), (Fraction(1, 2),) * 2
    problem.check_defined()
    for axis, rest in halves:
        step, off = [*rest[:axis], half, *rest[axis:]], []  # v / 2
        room = [(max(-a, Fraction(0)), min(1 - b, Fraction(1))) for a, b in step]
        parts = [[(low + (high - low) * k / cells, (high - low) / cells) for k in range(cells)] for low, high in room]
        for cell in itertools.product(*parts):
            here = problem.scaled([(u, u + size) for u, size in cell])
            there = problem.scaled([(u + a, u + size + b) for (u, size), (a, b) in pair(cell, step)])
            apart = Fraction(absolute(problem.function.over(there) - problem.function.over(here)).low, UNIT)
            off.append(apart / 2 if problem.norm == "linf" else math.prod(size for _, size in cell) * apart**power / power)
        found = max(off) if problem.norm == "linf" else sum(off)
        need(found > problem.accuracy**power, "a function that is constant along a direction may be within E")
    return Inputs(d)

class Interpolant:
    """f at the knots, in whole units of 2**-bits, and straight between."""

    def __init__(self, problem, knots, bits):
        (low, high), self.knots, self.power = problem.box[0], knots, problem.power
        step, scale = (high - low) / knots[-1], Fraction(1 << bits, UNIT)
        places = [low + step * k for k in knots]
        found = [problem.function.value([x]) for x in places]
        need(all((v.high - v.low) * scale < 1 for v in found), "f is not known well enough")
        self.values = [round(v.low * scale) for v in found]
        off = 0
        for (a, b), (s, t) in zip(itertools.pairwise(places), itertools.pairwise(knots), strict=True):
            sup, share = problem.off_chord(a, b)
            off += (sup * scale) ** self.power * share[self.power - 1] * (t - s)
        off /= knots[-1]
        # and the rounding of the values
        self.distance = 2 + (off if self.power == 1 else math.isqrt(math.ceil(off)) + 1)
        self.sums = [[0], [0], [0]]  # of 2 h, 6 t h and 3 h^2 up to each knot
        for (s, t), (v, w) in zip(itertools.pairwise(knots), itertools.pairwise(self.values), strict=True):
            parts = (v + w, v * (2 * s + t) + w * (s + 2 * t), v * v + v * w + w * w)
            for total, part in zip(self.sums, parts, strict=True):
                total.append(total[-1] + part * (t - s))

    def cost(self, i, j):
        """What every line costs between two knots, at least."""
        s, t = self.knots[i], self.knots[j]
        length = t - s
        m0, m1, m2 = (total[j] - total[i] for total in self.sums)
        if self.power == 2:
            turn = 2 * m1 - 3 * (s + t) * m0
            rest = length * length * (4 * m2 * length - 3 * m0 * m0) - turn * turn
            return rest // (12 * length**3) if length else 0
        # sign changes at a quarter and three quarters are orthogonal to all lines
        inner = self.doubled(s + 3 * length // 4) - self.doubled(s + length // 4)
        return max(0, abs(m0 - 2 * inner) - 8) // 2

    def doubled(self, place):
        """Twice the integral up to a place, rounded down."""
        k = min(bisect.bisect_right(self.knots, place), len(self.knots) - 1) - 1
        past, gap = place - self.knots[k], self.knots[k + 1] - self.knots[k]
        rise = self.values[k + 1] - self.values[k]
        return self.sums[0][k] + 2 * self.values[k] * past + rise * past * past // gap

# ------------------------------------------------------------------- upper bounds

def check_upper(problem, network, evidence):
    """A bound of the error of a network."""
    if "ridges" in evidence:
        return by_ridges(problem, network, evidence)
    only(evidence, "cuts")
    need(network.inputs == problem.inputs, "the network has another number of inputs")
    need(len(problem.box) == 1, "a function on a box needs ridges")
    f, cuts, norm = problem.function, rationals(evidence["cuts"]), problem.norm
    if problem.dim:  # the sup error of a constant, as a function of R
        need(network.is_constant, "the network is not constant: it needs ridges")
        network, norm = Network([([[0]], network.run([Fraction(0)] * network.inputs)[:1])]), "linf"
    return on_parts(f, problem.box[0], network, cuts, norm)

def on_parts(f, interval, network, cuts, norm):
    """A bound of the error, part by part."""
    total, rest, (low, high) = 0, 0, interval
    for a, b, start, stop in parts_of(network, cuts, low, high):
        (q0, q1, q2), off = f.taylor(a, b)
        q = Quadratic(q0 - (start + stop) / 2, q1 - (stop - start) / 2, q2)
        share = (b - a) / (high - low)
        if norm == "linf":
            total = max(total, q.most() + off)
        elif norm == "l1":
            total += share * (q.mean() + off)
        else:
            total, rest = total + share * q.mean_square(), rest + share * off**2
    return root_above(total) + root_above(rest) if norm == "l2" else total

def parts_of(network, cuts, low, high):
    """The parts of an interval, with the values at their ends of an affine network."""
    need(cuts[0] == low and cuts[-1] == high, "the cuts leave a part out")
    value, signs = network.run([low])
    for number, (a, b) in enumerate(itertools.pairwise(cuts)):
        start, old = value, signs
        value, signs = network.run([b])
        need(a < b, f"cut {number} is not in order")
        need(all(s * t >= 0 for s, t in pair(old, signs)), f"a unit changes its sign inside part {number}")
        yield a, b, start, value

def by_ridges(problem, network, evidence):
    """A sum of functions of one linear form a.z each, then a function of that sum.

    The first are near polynomials, which add up to x1 x2 or to a polynomial Q of R.
    """
    need(problem.dim or (problem.target, len(problem.box)) == ("product", 2), "known of x1 x2 and of R")
    need(network.inputs == problem.inputs, "the network has another number of inputs")
    only(evidence, "ridges", "layers", "sum", "cuts")
    ridges = a_list(evidence["ridges"])
    for ridge in ridges:
        only(ridge, "direction", "powers", "cuts")
    forms = [list(map(short, rationals(ridge["direction"]))) for ridge in ridges]
    powers = [rationals(ridge["powers"]) for ridge in ridges]
    need(max(map(len, powers), default=0) <= 130, "a polynomial has too high a degree")
    q = rationals(evidence["sum"])
    inner, outer = network.split(whole(evidence["layers"], 1))
    off, least, owners = mismatch(problem, forms, powers, q), {}, inner.owners(forms)
    seen = {}  # many forms have the same function, and share its check
    for number, (ridge, form) in enumerate(pair(ridges, forms)):
        low, high = reach(problem, form)
        cuts, part = rationals(ridge["cuts"]), inner.along(forms, owners, number)
        need(cuts[0] <= low and cuts[-1] >= high, "the cuts leave a part out")
        key, near = str((powers[number], cuts, part.exact, part.shared)), Polynomial(powers[number])
        if key not in seen:
            seen[key] = on_parts(near, (cuts[0], cuts[-1]), part, cuts, "linf"), part.least
        error, values = seen[key]
        off += error
        for unit, value in values.items():
            least[unit] = least.get(unit, 0) + value
    need(all(value >= 0 for value in least.values()), "a shared unit may be inactive")
    cuts = rationals(evidence["cuts"])
    need(problem.dim or outer is None, "x1 x2 is a sum of ridges, not a function of it")
    if outer is None:
        if not problem.dim:
            need(not q and not cuts, "x1 x2 is the sum itself")
            return off
        f = Polynomial([-c for c in q], problem.function)
        return off + on_parts(f, problem.box[0], NOTHING, cuts, "linf")
    (rows, biases), (q0, q1), (_, top) = outer[0], q, problem.box[0]
    moved = [b + t * q0 for b, (t,) in pair(biases, rows)]
    after = Network([([[t * q1] for (t,) in rows], moved), *outer[1:]])
    ends, room = (cuts[0], cuts[-1]), off / abs(q1)
    need(ends[0] <= -room and ends[1] >= top + room, "the cuts leave a part out")
    slopes = [abs(w - v) / (b - a) for a, b, v, w in parts_of(after, cuts, *ends)]
    inside = [c for c in cuts if 0 <= c <= top]
    return max(slopes) * room + on_parts(problem.function, (0, top), after, inside, "linf")

def reach(problem, form):
    """Where a.z lies, for the z of the law."""
    if not problem.dim:
        ends = [sorted((c * s, c * t)) for c, (s, t) in pair(form, problem.box)]
        return sum(low for low, _ in ends), sum(high for _, high in ends)
    once = form[: problem.dim]
    need(form == once * (problem.inputs // problem.dim), "a form is not one of x, or of x + x'")
    far = root_above(sum(c * c for c in once) * problem.box[0][1])
    return -far, far

def mismatch(problem, forms, powers, q):
    """How far the polynomials of a.z are from x1 x2, or from Q(|z|^2), at most.

    Monomials of degree k in z are |z|^k at most.
    """
    d, left = problem.dim or 2, {}

    def add(base, size, coefficients):
        now = {(0,) * d: Fraction(size)}
        for k, c in enumerate(coefficients):
            for monomial, v in now.items() if c else ():
                left[monomial] = left.get(monomial, 0) + c * v
            if k + 1 < len(coefficients):
                now = multiplied(now, base)

    for form, coefficients in pair(forms, powers):
        add([(units(d, j, 1), c) for j, c in enumerate(form[:d]) if c], 1, coefficients)
    if problem.dim:
        add([(units(d, j, 2), 1) for j in range(d)], -1, q)
        root = math.isqrt(int(problem.box[0][1]))
        return sum(abs(v) * root ** sum(m) for m, v in left.items())
    off, left[1, 1] = abs(left.pop((0, 0), 0)), left.get((1, 1), 0) - 1
    need(not any(left.values()), "the ridges do not add up to x1 x2")
    return off

def units(d, j, power):
    return (*(0,) * j, power, *(0,) * (d - 1 - j))

def short(number):
    """A number that high powers can be taken of."""
    need(number.numerator.bit_length() + number.denominator.bit_length() < 4000, "a long number")
    return number

def multiplied(polynomial, terms):
    size = len(polynomial) * len(terms) * len(next(iter(polynomial)))
    need(size <= 2_000_000, "a polynomial has too many terms")
    found = {}
    for a, v in polynomial.items():
        for b, c in terms:
            total = tuple(map(int.__add__, a, b))
            found[total] = found.get(total, 0) + v * c
    return found

# ------------------------------------------------- bounds for every dimension d

PI = atan(ONE).times(4)
INNER, WAVE = ("inner:sin(pi*d**3*t)", "spheres"), ("radial:sin(4*pi*d**2*r**2)", "ball")
JUMP, KINK = ("radial:1 on 0,1-1/(2*d)", "ball"), ("radial:max(1-1/(2*d)-r,0)", "ball")
GAUSS, SHELLS = ("radial:cos(8*sqrt(d)*r) on 0,inf", "gaussian"), ("radial:shells:50", "phi2")
HALF, TOP = Fraction(1, 2), "the sup norm"

class ForAll:
    """What a theorem of docs/proofs says, and the conditions that it rests on.

    Each condition is (degree, value): value(d) is a polynomial of that degree, and it
    is never negative if it and its differences up to that order are not at the start.
    """

    def __init__(self, about, side, norm, first, best, formula, *conditions, step=1, falls=0):
        (self.target, self.law), self.side, self.norm = about, side, norm
        self.first, self.step, self.best, self.falls = first, step, best, falls
        self.formula, self.conditions = formula, conditions

def at_least(about, mass, first, best, formula, *conditions, step=1):
    need(best**2 < mass, "the share is not positive")
    return ForAll(about, "at least", "L2", first, best, f"(1 - {1 / mass} E^2){formula}", *conditions, step=step)

def at_most(about, norm, first, formula, *conditions):
    return ForAll(about, "at most", norm, first, Fraction(1), formula, *conditions)

def numbers(*values):
    """Conditions that are numbers."""
    return [(0, lambda d, value=value: value) for value in values]

def inner_lower(mass):
    """docs/proofs/every-dimension.md, step 2: times d^6 (d - 3)(d - 5)."""
    def left(d):
        score = Fraction((d - 2) * (d - 3))
        waves = d**3 * (d - 3) * (d - 5 + score) / 24
        low = Fraction(41, 40) * d**3 * (d**3 + 2 * d - 4) * (d - 2) * (d - 5) / 4
        lost = Fraction(5, 49) * (low + 41 * score * (d - 3))
        return d**6 * (d - 3) * (d - 5) * (HALF - mass) - waves - lost
    return at_least(INNER, mass, 6, Fraction(2, 3), " 2/(e sqrt(d - 2)) (e/2 * d^3/(d - 2))^(d - 2)", (8, left))

def inner_upper():
    need(PI.high * 7 <= 22 * UNIT and sqrt(PI.times(2)).high * 100 <= 251 * UNIT, "pi")
    return at_most(INNER, TOP, 2, "4 d^3/sqrt(E)", (3, lambda d: Fraction(149, 100) * d**3 - d),
                   (3, lambda d: Fraction(6, 7) * d**3 - Fraction(3, 2)))

def ball_lower(mass):
    need(exp(Interval.of(-HALF)).low >= 16 * mass * UNIT, "the mass is above exp(-1/2)/16")
    return at_least(WAVE, mass, 2, Fraction(19, 100), " C(2 d, d - 1)")

def ball_upper():
    need(PI.high * 7 <= 22 * UNIT and sqrt(PI).high * 1000 <= 1773 * UNIT, "pi")
    return at_most(WAVE, TOP, 2, "5 d^(5/2)/sqrt(E)", (1, lambda d: Fraction(1454, 1000) * d - 1),
                   (2, lambda d: Fraction(5, 7) * d**2 - Fraction(3, 2)))

def wave(waves):
    return f"radial:cos({2 * waves}*pi*R*r) on 0,inf", "phi2"

def tubes(about, kappa, mass, first, best, *conditions, step=1):
    """docs/proofs/radial-waves.md, step 4."""
    base = kappa if kappa.denominator == 1 else f"({kappa})"
    formula = f" * {base}^(d - 2) sqrt({(kappa**2 - 1) / 2} pi (d - 1))"
    return at_least(about, mass, first, best, formula, *conditions, step=step)

def waves_odd(waves, kappa, mass):
    need(kappa == waves - 1 > 1 and mass == HALF, "odd d have kappa = A - 1 and the mass 1/2")
    return tubes(wave(waves), kappa, mass, 3, Fraction(7, 10), step=2)

def waves_even(waves, kappa, mass):
    """docs/proofs/radial-waves.md, step 3: at d = 4, and from d to d + 2."""
    need(1 < kappa < waves - 1, "kappa is not between 1 and A - 1")
    product = ((waves - kappa) ** 2 - 1) * ((waves + kappa) ** 2 - 1)
    root = Fraction(math.isqrt(math.floor(10_000 * product)), 100)  # from below
    q = 2 / (waves**2 - kappa**2 - 1 + root)
    left = Fraction(2, 3) * waves**2 * kappa**4 * q / product**2 + 1 / (16 * waves * (waves**2 - 1))
    return tubes(wave(waves), kappa, mass, 4, Fraction(63, 100), *numbers(HALF - mass - left, 1 - kappa * q), step=2)

def waves_upper(waves):
    need(waves >= 2, "A is below 2")
    return at_most(wave(waves), "L2", 3, f"{4 * waves} d^(5/2)/E^(5/2)", (1, lambda d: Fraction(34, 45) * waves * d - 2),
                   (2, lambda d: Fraction(34, 5) * waves * d**2 - Fraction(16, 3) * waves * d - 2))

def jump_lower(share):
    """docs/proofs/ball-kinks.md."""
    need((PI * exp(ONE)).times(4).high <= share * UNIT, "the share is below 4 pi e")
    return ForAll(JUMP, "at least", "L2", 2, Fraction(1, 7), f"(1 - {share} (d + 3/4) E^2) C(2 d, d - 1)",
                  (1, lambda d: 49 * d - share * (d + Fraction(3, 4))), falls=1)

def jump_upper():
    return at_most(JUMP, "L2", 2, "2 d^2/E", (2, lambda d: d * d - d))

def kink_lower(share):
    need((PI * exp(ONE)).times(192).high <= share * UNIT, "the share is below 192 pi e")
    return ForAll(KINK, "at least", "L2", 2, Fraction(1, 94), f"(1 - {share} d^2 (d + 3/2)^3 E^2) C(2 d, d - 1)",
                  (3, lambda d: 8836 * d**3 - share * (d + Fraction(3, 2)) ** 3), falls=5)

def kink_upper():
    return at_most(KINK, TOP, 2, "3 d^(3/2)/E", (1, lambda d: Fraction(158, 100) * Fraction(7, 5) * d - d),
                   (1, lambda d: Fraction(21, 5) * d - Fraction(5, 2)))

def gauss_lower(mass):
    """docs/proofs/gauss-waves.md, step 1: times 32 d (d - 2)."""
    formula = " N(d, floor(d/4) + 1) 9^(-floor(d/8) - 1)"
    return at_least(GAUSS, mass, 3, Fraction(3, 5), formula, (2, lambda d: (13 - 32 * mass) * d * (d - 2) - 1))

def gauss_upper():
    return at_most(GAUSS, "L2", 3, "9 d^2 sqrt((2 d + 3 log(16/(3 E^2)))/E)", (1, lambda d: Fraction(12, 5) * d - 2),
                   (2, lambda d: Fraction(12, 5) * (9 * d * d - 12 * d) - 2))

def shells_lower(mass):
    """docs/proofs/shells.md: all at d = 10."""
    low, high = Fraction(333, 106), Fraction(355, 113)
    need(low * UNIT <= PI.low and PI.high <= high * UNIT, "pi")
    first, y = Fraction(9, 2) + high / 100, 5 / (20 - high / 50)
    angle = y + y**3 / 6 + 3 * y**5 / (40 * (1 - y**2))
    kept = 1 - 2 * first**2 / 96 - 4 / low * angle - mass
    root, left, below = Fraction(49, 24), Fraction(7, 100), Fraction(1833, 1000)
    need(below**2 <= Fraction(336, 100), "a root")
    last = Fraction(2, 50) * Fraction(10, 19) / (10 * below)
    inside = HALF - (high / 50 * (2 + Fraction(20, 9) + root) + left)
    found = numbers(kept, root**2 - 1 / mass, left**2 * mass - last, inside)
    return tubes(SHELLS, Fraction(2), mass * 3 / 4, 10, Fraction(2, 5), *found)

def shells_upper():
    return at_most(SHELLS, "L2", 10, "60 d^(13/6)/E", (1, lambda d: (25 - Fraction(155, 2) * Fraction(106, 333)) * d - 1),
                   (1, lambda d: Fraction(24, 10) * d - 2))

THEOREMS = {
    "shells-every-d": shells_lower, "shells-ramps-every-d": shells_upper,
    "ball-indicator-every-d": jump_lower, "ball-ramps-every-d": jump_upper,
    "relu-every-d": kink_lower, "relu-squares-every-d": kink_upper,
    "gauss-every-d": gauss_lower, "gauss-squares-every-d": gauss_upper,
    "daniely-every-d": inner_lower, "inner-squares-every-d": inner_upper,
    "ball-every-d": ball_lower, "ball-squares-every-d": ball_upper,
    "eldan-shamir-odd-d": waves_odd, "eldan-shamir-even-d": waves_even,
    "eldan-shamir-squares-every-d": waves_upper,
}  # fmt: skip

def base_cases(degree, value, start, step):
    """The value and its differences of every order at the start."""
    values, found = [Fraction(value(start + k * step)) for k in range(degree + 1)], []
    while values:
        found.append(values[0])
        values = [b - a for a, b in itertools.pairwise(values)]
    return found

def check_every_dimension(document):
    """Each condition again: all base cases, and that none of them is negative."""
    only(document, "format", "kind", "target", "theorems", "sha256")
    said = []
    for entry in a_list(document["theorems"]):
        only(entry, "statement", "law", "depth", "side", "norm", "from_dim", "step", "best_accuracy", "accuracy_falls", "formula", "constants", "base_cases")
        if entry["statement"] not in THEOREMS:
            raise Unreadable(f"this program does not know {entry['statement']!r:.60}")
        start, step = whole(entry["from_dim"], 1, 1000), whole(entry["step"], 1, 2)
        constants = {name: rational(value) for name, value in entry["constants"].items()}
        need(all(0 < value <= 10_000 for value in constants.values()), "a constant is not from 0 to 10000")
        theorem = THEOREMS[entry["statement"]](**constants)
        need(start >= theorem.first, f"the theorem begins at d = {theorem.first}")
        need(step == theorem.step and (start - theorem.first) % step == 0, "the theorem is about other dimensions")
        need(document["target"] == theorem.target, "the theorem is about another target")
        need(entry["law"] == theorem.law, "the theorem is about another law")
        need((entry["side"], entry["norm"]) == (theorem.side, theorem.norm), "the theorem has another side or norm")
        need(whole(entry["depth"], 2) == (2 if theorem.side == "at least" else 3), "the theorem is about another depth")
        need((rational(entry["best_accuracy"]), entry["accuracy_falls"]) == (theorem.best, theorem.falls), "the theorem is about other accuracies")
        need(entry["formula"] == theorem.formula, f"the formula is not {theorem.formula}")
        listed = [rationals(cases) for cases in a_list(entry["base_cases"])]
        right = [base_cases(*one, start, step) for one in theorem.conditions]
        need(listed == right, "base cases are left out, or are not right")
        need(all(case >= 0 for cases in right for case in cases), "a condition does not hold: a base case is negative")
        kind = ("", ("even ", "odd ")[start % 2])[step - 1]
        power = f" / d^({theorem.falls}/2)" * (theorem.falls > 0)
        errors = f"errors E up to {theorem.best}{power} in {theorem.norm}"
        said.append(f"depth {entry['depth']} {entry['side']} {theorem.formula} for every {kind}d from {start} on and {errors}")
    need(said, "nothing is claimed")
    law = document["theorems"][0]["law"]
    return f"widths for {document['target']} under {law}: " + "; ".join(said)

# ------------------------------------------------------------------- the answer

BENDS = {"points": bends_of, "segments": segments_of, "packings": packings_of, "square": square_pieces, "sawtooth": sawtooth_pieces,
         "mean": mean_pieces, "lines": lines_of, "ranks": ranks_of, "arcs": arcs_of, "cells": cells_of, "blind": blind_of}  # fmt: skip

def check(document, folder):
    """What the proof proves, in words.

    Raises:
        Refused: it does not prove its claim.
        Unreadable: it is not such a proof.
    """
    try:
        need(document["format"] == FORMAT, f"the format is not {FORMAT!r}")
        if document["kind"] == "every_dimension":
            return check_every_dimension(document)
        fields = ["format", "side", "kind", "problem", "claim", "evidence", "sha256", "network"]
        only(document, *fields[: None if document["side"] == "upper" else -1])
        problem, claim, evidence = Problem(document["problem"]), document["claim"], document["evidence"]
        depth = whole(claim["depth"], 2, 1000)
        what = f"{problem.accuracy} of {problem.target} in {problem.norm} under {problem.law}"
        if document["side"] == "lower":
            only({"unit_pieces": 2, **claim}, "depth", "width", "skips", "unit_pieces")
            width, skips, pieces = whole(claim["width"], 1), claim["skips"], claim.get("unit_pieces", 2)
            if document["kind"] not in BENDS or type(skips) is not bool or (len(claim) > 3 and not skips):
                raise Unreadable("this program does not know this kind of proof")
            bends = BENDS[document["kind"]](problem, evidence)
            # a unit of t affine pieces is t - 1 ReLUs and an affine function: Theorem U
            out = is_excluded(bends, (width - 1) * (whole(pieces, 2) - 1), depth - 1, skips)
            need(out, f"networks of width {width - 1} are not excluded")
            kinds = (" (no skip connections)", f" by units of up to {pieces} pieces" * (len(claim) > 3))
            return f"at depth {depth} width {width} or more is needed within {what}{kinds[skips]}"
        only(claim, "depth", "widths", "error")
        network = network_of(document["network"], folder)
        need(document["kind"] == "parts", "a proof of a network is made of parts")
        need(claim["widths"] == network.widths, "the network has other widths")
        need(depth == len(network.rows), "the network has another depth")
        error, claimed = (check_upper(problem, network, evidence), rational(claim["error"]))
        need(error <= claimed, f"the error is {float(error):.6g}, more than is claimed")
        need(claimed <= problem.accuracy, "the claimed error is above the accuracy")
        return f"depth {depth} and widths {network.widths} are within {what}"
    except (Refused, Unreadable):
        raise
    except (LookupError, TypeError, AttributeError, ValueError, StopIteration,
            struct.error, RecursionError, ArithmeticError) as error:
        raise Unreadable(f"a part is missing or damaged ({error!r:.80})") from None  # fmt: skip

def whole(value, least, most=1 << 10_010):
    if type(value) is not int or not least <= value <= most:
        raise Unreadable(f"{value!r:.40} is not a whole number from {least} on")
    return value

def root_above(x):
    """A rational number that is at least the root."""
    return Fraction(math.isqrt(math.ceil(x * UNIT * UNIT)) + 1, UNIT)

def read(path):
    try:
        if path.stat().st_size > LARGEST:
            raise Unreadable(f"{path} has more than {LARGEST} bytes")
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from None

def digest_of(document):
    """Of everything but the digest: it detects damage, not fraud."""
    rest = {name: part for name, part in document.items() if name != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

def unrepeated(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("a name is given twice in one object")
    return found

def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments in (["-h"], ["--help"]) else 2
    path = Path(arguments[0])
    try:
        document = json.loads(read(path), object_pairs_hook=unrepeated)
        words = check(document, path.parent)
        need(document["sha256"] == digest_of(document), "the digest differs")
        print(f"valid: {words}")
        return 0
    except Refused as error:
        print(f"refused: {error}".encode("ascii", "backslashreplace").decode())
        return 1
    except Unreadable as error:
        why = error
    except (ValueError, RecursionError, MemoryError):
        why = f"{path} is not a JSON file, or it is too large"
    print(f"cannot check: {why}", file=sys.stderr)
    return 2

def give_up():
    print(f"cannot check: this takes more than {MOST_SECONDS} s", file=sys.stderr, flush=True)
    os._exit(2)

def run():
    watch = threading.Timer(MOST_SECONDS, give_up)
    watch.daemon = True
    watch.start()
    sys.exit(main(sys.argv[1:]))

if __name__ == "__main__":
    run()
