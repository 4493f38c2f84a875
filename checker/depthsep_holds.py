#!/usr/bin/env python3
"""Check a proof that no input breaks a property of a ReLU network.

    python depthsep_holds.py proof.json [property.vnnlib]

A proof holds the network, the property (in VNN-LIB) and, for each case of it, how a box
was cut into parts. On every part some inequality of the case must be impossible. That is
derived here again: linear bounds of every unit, carried back to the inputs in integers,
so that nothing is rounded but outwards. The standard library alone is used. Nothing of
depthsep is imported, and nothing in the file is run.

The proof is about the network in the file. Exit code 0: it is right. 1: it is not, and a
line says why. 2: a file cannot be read, or none is named.
"""

import json
import re
import sys
from fractions import Fraction
from itertools import product
from operator import mul
from pathlib import Path

FINE = 64  # binary places of slopes
PLACES = 128  # of bounds
MOST_BYTES = 1 << 28
MOST_CASES = 10_000
MOST_DEPTH = 100
KINDS = ("Real", "float16", "float32", "float64", "bfloat16")
TOKEN = re.compile(
    r';[^\n\r]*|"[^"\n\r]*"|[()]|[A-Za-z]\w*\s*\[[0-9\s,]*\]|[^\s()";]+|"', re.ASCII
)
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")


class Refused(Exception):
    """The proof does not prove it, or is not a proof."""


# The property: inequalities in exact fractions, as alternatives of conjunctions.


def trees(text):
    """The lists in brackets."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
            if len(stack) > MOST_DEPTH:
                raise Refused("brackets are too deep")
        elif token == ")":
            if len(stack) < 2:
                raise Refused("a bracket closes that is not open")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise Refused("the property ends inside a bracket")
    return stack[0]


class Property:
    """Variables, and cases: lists of (terms, constant, strict), each <= 0 or < 0."""

    def __init__(self, text):
        self.names, self.shapes, self.cases = {}, {}, [[]]
        self.count = {"X": 0, "Y": 0}
        networks = 0
        for tree in trees(text):
            word = tree[0] if isinstance(tree, list) and tree else None
            if word in ("vnnlib-version", "set-logic", "check-sat"):
                continue
            if word in ("declare-const", "declare-fun") and tree[-1] == "Real":
                self.single(tree[1])
            elif word == "declare-network":
                networks += 1
                if networks > 1:
                    raise Refused("several networks")
                for part in tree[2:]:
                    self.tensor(part)
            elif word == "assert" and len(tree) == 2:
                found = self.alternatives(tree[1])
                if len(found) * len(self.cases) > MOST_CASES:
                    raise Refused("too many cases")
                self.cases = [a + b for a in self.cases for b in found]
            else:
                raise Refused(f"{str(tree)[:60]} is not read")
        if self.cases == [[]]:
            raise Refused("nothing is asserted")

    def single(self, name):
        found = re.fullmatch(r"([XY])_(0|[1-9][0-9]{0,5})", name)
        if not found or name in self.names:
            raise Refused(f"{name[:40]} is declared, or declared twice")
        self.names[name] = (found[1], int(found[2]))
        self.count[found[1]] = max(self.count[found[1]], int(found[2]) + 1)

    def tensor(self, tree):
        side = {"declare-input": "X", "declare-output": "Y"}.get(tree[0])
        found = re.fullmatch(r"([A-Za-z]\w*)\s*\[([0-9\s,]*)\]", tree[2], re.ASCII)
        known = side is not None and found and found[1] in KINDS
        if not known or tree[1] in self.shapes:
            raise Refused(f"{str(tree)[:60]} is declared")
        shape = whole_numbers(found[2]) or [1]
        size = 1
        for n in shape:
            size *= n
        self.shapes[tree[1]] = (side, self.count[side], shape)
        self.count[side] += size

    def alternatives(self, tree):
        if not isinstance(tree, list) or not tree:
            raise Refused(f"{str(tree)[:60]} is asserted")
        word, *parts = tree
        if word == "or" and parts:
            return [c for part in parts for c in self.alternatives(part)]
        if word == "and" and parts:
            lists = [self.alternatives(part) for part in parts]
            total = 1
            for found in lists:
                total *= len(found)
            if total > MOST_CASES:
                raise Refused("too many cases")
            return [[row for c in chosen for row in c] for chosen in product(*lists)]
        if word in ("<=", ">=", "<", ">", "=", "==") and len(parts) == 2:
            a, b = map(self.term, parts)
            apart = added(a, b, -1)
            if word in ("=", "=="):
                return [[(apart, False), (added({}, apart, -1), False)]]
            sign = 1 if word.startswith("<") else -1
            return [[(added({}, apart, sign), not word.endswith("="))]]
        raise Refused(f"{str(tree)[:60]} is asserted")

    def term(self, tree):
        """Factors by variable; None stands for the constant."""
        if isinstance(tree, str):
            return self.word(tree)
        if not tree:
            raise Refused("empty brackets")
        word, *parts = tree
        terms = [self.term(part) for part in parts]
        if word == "+" and terms:
            total = {}
            for t in terms:
                total = added(total, t, 1)
            return total
        if word == "-" and terms:
            if len(terms) == 1:
                return added({}, terms[0], -1)
            total = terms[0]
            for t in terms[1:]:
                total = added(total, t, -1)
            return total
        if word == "*" and terms:
            factor, varying = Fraction(1), None
            for t in terms:
                if set(t) <= {None}:
                    factor *= t.get(None, 0)
                elif varying is None:
                    varying = t
                else:
                    raise Refused("a product of variables")
            return added(
                {}, {None: Fraction(1)} if varying is None else varying, factor
            )
        raise Refused(f"{str(tree)[:60]} is not read")

    def word(self, word):
        if word in self.names:
            return {self.names[word]: Fraction(1)}
        found = re.fullmatch(r"([A-Za-z]\w*)(?:\s*\[([0-9\s,]*)\])?", word, re.ASCII)
        if found and found[1] in self.shapes:
            side, start, shape = self.shapes[found[1]]
            index = whole_numbers(found[2] or "")
            if not index and set(shape) == {1}:
                index = [0] * len(shape)
            if len(index) != len(shape) or any(
                k >= n for k, n in zip(index, shape, strict=True)
            ):
                raise Refused(f"{word[:40]} does not exist")
            place = 0
            for k, n in zip(index, shape, strict=True):
                place = place * n + k
            return {(side, start + place): Fraction(1)}
        if not NUMBER.fullmatch(word) or len(word) > 400:
            raise Refused(f"{word[:40]} is not declared")
        return {None: Fraction(word)}

    def boxes(self):
        """Of every case that is not empty: low, high, and rows with a Y or several X."""
        for case in self.cases:
            low, high, rows = {}, {}, []
            possible = True
            for terms, strict in case:
                free = [v for v in terms if v is not None]
                constant = terms.get(None, Fraction(0))
                if not free:
                    possible &= constant < 0 or (constant == 0 and not strict)
                elif len(free) == 1 and free[0][0] == "X":
                    k, factor = free[0][1], terms[free[0]]
                    end = -constant / factor
                    if factor > 0:
                        high[k] = min(high.get(k, end), end)
                    else:
                        low[k] = max(low.get(k, end), end)
                    if strict:
                        rows.append((terms, strict))
                else:
                    rows.append((terms, strict))
            for k in range(self.count["X"]):
                if k not in low or k not in high:
                    raise Refused(f"input {k} has no lower and upper bound")
            if possible and all(low[k] <= high[k] for k in low):
                yield low, high, rows


def whole_numbers(text):
    """Numbers with commas between; nothing is none."""
    parts = text.split(",") if text.strip() else []
    return [int(part) for part in parts]


def added(a, b, factor):
    total = dict(a)
    for k, v in b.items():
        total[k] = total.get(k, Fraction(0)) + factor * v
    return {k: v for k, v in total.items() if v or k is None}


# The network, in integers: value = integer / 2^places.


def in_integers(rows):
    """Integers and binary places of a table of floats."""
    pairs = [[x.as_integer_ratio() for x in row] for row in rows]
    places = max((d.bit_length() - 1 for row in pairs for _, d in row), default=0)
    return [
        [n << (places - d.bit_length() + 1) for n, d in row] for row in pairs
    ], places


class Layer:
    """y = W x + b."""

    def __init__(self, weight, bias, inputs):
        if not weight or len(bias) != len(weight):
            raise Refused("a layer is empty, or its bias does not fit")
        if any(len(row) != inputs for row in weight):
            raise Refused("layers do not fit")
        both, self.places = in_integers(
            [[*row, b] for row, b in zip(weight, bias, strict=True)]
        )
        self.rows = [row[:-1] for row in both]
        self.bias = [row[-1] for row in both]
        self.columns = list(zip(*self.rows, strict=True))


class Box:
    """A part of the inputs, and what is known of the units there."""

    def __init__(self, layers, low, high):
        self.layers = layers
        (self.low, self.high), self.places = in_integers([low, high])
        self.lines = []  # of each hidden layer: lower and upper slopes, offsets
        inner = [a << PLACES >> self.places for a in self.low]
        outer = [-(-(b << PLACES) >> self.places) for b in self.high]
        for k, layer in enumerate(layers[:-1]):
            found = [
                self.unit(layer, j, k, inner, outer) for j in range(len(layer.bias))
            ]
            self.lines.append([line(*ends) for ends in found])
            inner = [max(a, 0) for a, _ in found]
            outer = [max(b, 0) for _, b in found]

    def unit(self, layer, j, k, inner, outer):
        """Bounds of what a unit reads: the better of intervals and linear functions."""
        row, constant = layer.rows[j], layer.bias[j]
        a = b = constant << PLACES
        for w, low, high in zip(row, inner, outer, strict=True):
            a += w * (low if w > 0 else high)
            b += w * (high if w > 0 else low)
        a, b = a >> layer.places, -(-b >> layer.places)
        if k:
            a = max(a, floor(self.back(row, layer.places, constant, k)))
            turned = [-w for w in row]
            b = min(b, -floor(self.back(turned, layer.places, -constant, k)))
        return a, b

    def back(self, a, places, constant, level):
        """A lower bound of a . y + constant, y the units of a level: (integer, places)."""
        total, fine = constant, places
        for k in range(level - 1, -1, -1):
            layer, next_a, offset = self.layers[k], [], 0
            for factor, (lower, slope, shift) in zip(a, self.lines[k], strict=True):
                if factor >= 0:
                    next_a.append(factor * lower)
                else:
                    next_a.append(factor * slope)
                    offset += factor * shift
            total, fine = together(total, fine, offset, places + PLACES)
            places += FINE + layer.places
            total, fine = together(
                total, fine, sum(map(mul, next_a, layer.bias)), places
            )
            a = [sum(map(mul, next_a, column)) for column in layer.columns]
        ends = sum(
            factor * (low if factor > 0 else high)
            for factor, low, high in zip(a, self.low, self.high, strict=True)
        )
        return together(total, fine, ends, places + self.places)

    def row(self, terms):
        """A lower bound of an inequality's left side."""
        scale = 1
        for v in terms.values():
            scale = scale * v.denominator // gcd(scale, v.denominator)
        last = self.layers[-1]
        y = [0] * len(last.bias)
        x = [0] * len(self.low)
        constant = 0
        for variable, v in terms.items():
            factor = int(v * scale)
            if variable is None:
                constant = factor
            elif variable[0] == "Y":
                y[variable[1]] = factor
            else:
                x[variable[1]] = factor
        a = [sum(map(mul, y, column)) for column in last.columns]
        offset = sum(map(mul, y, last.bias)) + (constant << last.places)
        found = self.back(a, last.places, offset, len(self.layers) - 1)
        more = sum(
            v * (low if v > 0 else high)
            for v, low, high in zip(x, self.low, self.high, strict=True)
        )
        return together(*found, more, self.places)[0]  # its sign alone counts


def together(a, places, b, others):
    """a / 2^places + b / 2^others."""
    if places < others:
        return (a << (others - places)) + b, others
    return a + (b << (places - others)), places


def floor(number):
    """To `PLACES`, downwards."""
    value, places = number
    return value << (PLACES - places) if places < PLACES else value >> (places - PLACES)


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def line(low, high):
    """Slopes (of 2^FINE) and the offset (of 2^PLACES) of lines around relu on [l, u]."""
    one = 1 << FINE
    if high <= 0:
        return 0, 0, 0
    if low >= 0:
        return one, one, 0
    slope = -(-(high << FINE) // (high - low))
    at_low, at_high = -slope * low, (one - slope) * high
    shift = -(-max(at_low, at_high) >> FINE)
    return (one if high > -low else 0), slope, shift


# The proof.


def check(proof, text=None, say=lambda done, of: None):
    """The number of parts of a right proof.

    Raises Refused otherwise.
    """
    if not isinstance(proof, dict):
        raise Refused("this is no proof")
    if proof.get("format") != "depthsep-holds" or proof.get("version") != 1:
        raise Refused("this is no proof of depthsep that a property holds")
    if text is not None and text != proof["property"]:
        raise Refused("the proof is about another property")
    asked = Property(proof["property"])
    layers, inputs = [], asked.count["X"]
    for layer in proof["network"]:
        weight = [[number(w) for w in row] for row in layer["weight"]]
        layers.append(Layer(weight, [number(b) for b in layer["bias"]], inputs))
        inputs = len(weight)
    if not layers or inputs < asked.count["Y"]:
        raise Refused("the property names outputs that the network does not have")
    cases = list(asked.boxes())
    if len(cases) != len(proof["cases"]):
        raise Refused(f"{len(cases)} cases are asked, {len(proof['cases'])} are proved")
    parts = 0
    for given, (low, high, rows) in zip(proof["cases"], cases, strict=True):
        parts += check_case(layers, given, low, high, rows, say)
    return parts


def check_case(layers, given, low, high, rows, say):
    ends = [[number(v) for v in given[name]] for name in ("low", "high")]
    if [len(e) for e in ends] != [len(low)] * 2:
        raise Refused("a box has another number of sides")
    for k, (a, b) in enumerate(zip(*ends, strict=True)):
        if not Fraction(a) <= low[k] <= high[k] <= Fraction(b):
            raise Refused(f"the box does not reach the ends of input {k}")
    cuts = {}
    for name, axis, place, left, right in given["cuts"]:
        if name in cuts or not 0 <= axis < len(low):
            raise Refused("a box is cut twice, or across no axis")
        cuts[name] = (axis, number(place), left, right)
    waiting, parts, used = [(0, *ends)], 0, set()
    while waiting:
        name, a, b = waiting.pop()
        if name in used:
            raise Refused("a part stands twice")
        used.add(name)
        if name in cuts:
            axis, place, left, right = cuts[name]
            if not a[axis] <= place <= b[axis]:
                raise Refused("a cut lies outside its box")
            below, above = list(b), list(a)
            below[axis] = above[axis] = place
            waiting += [(left, a, below), (right, above, b)]
            continue
        parts += 1
        say(parts, len(cuts) + 1)
        box = Box(layers, a, b)
        if not any(
            value > 0 or (strict and value == 0)
            for terms, strict in rows
            for value in [box.row(terms)]
        ):
            raise Refused(f"part {parts} is not proved: no inequality is impossible")
    return parts


def number(text):
    """A finite float, written in hexadecimal."""
    value = float.fromhex(text) if isinstance(text, str) else float("nan")
    if value - value != 0:
        raise Refused(f"{str(text)[:40]} is no number")
    return value


def main(arguments):
    """The exit code."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__.strip())
        return 2

    def say(done, of):
        if done % 100 == 0 and sys.stderr.isatty():
            print(f"\r{done} of {of} parts", end="", file=sys.stderr, flush=True)

    try:
        files = [Path(name) for name in arguments]
        if any(f.stat().st_size > MOST_BYTES for f in files):
            raise Refused("the file is too long")
        proof = json.loads(files[0].read_bytes())
        text = files[1].read_bytes().decode() if len(files) > 1 else None
        parts = check(proof, text, say)
    except (OSError, UnicodeDecodeError) as error:
        print(f"{error}; name a proof that is there", file=sys.stderr)
        return 2
    except (Refused, ValueError, TypeError, KeyError, IndexError, AttributeError,
            RecursionError, OverflowError) as error:  # fmt: skip
        print(f"not proved: {error}", file=sys.stderr)
        return 1
    count = "1 part" if parts == 1 else f"{parts} parts"
    sizes = [len(layer["bias"]) for layer in proof["network"]]
    widths = f"widths {', '.join(map(str, sizes[:-1]))}" if sizes[1:] else "no units"
    print(f"proved: no input breaks the property ({count})")
    last = "1 output" if sizes[-1] == 1 else f"{sizes[-1]} outputs"
    print(f"the network is the one in {files[0].name}: {widths}, {last}")
    return 0


def run():
    """As a command."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
