"""Properties in VNN-LIB 1.0 and 2.0, read as alternatives of linear inequalities.

A query describes the inputs that break a property. Its formula becomes a list of
cases, a case a list of inequalities that hold at once. Numbers are read exactly.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path

from flint import fmpq

from depthsep._errors import FileFormatError
from depthsep._files import quoted, read_bounded, reading
from depthsep.analysis import Case, Linear
from depthsep.exact import rational

MOST_CASES = 10_000
MOST_DEPTH = 100
MOST_DIGITS = 400
MOST_VARIABLES = 1 << 16
TOKEN = re.compile(r';[^\n\r]*|"[^"\n\r]*"|[()\[\],"]|[^\s()\[\],;"]+')
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
WHOLE = re.compile(r"[0-9]{1,6}")
KINDS = ("Real", "float16", "float32", "float64", "bfloat16")
FLIPPED = {"<=": (1, False), "<": (1, True), ">=": (-1, False), ">": (-1, True)}

Tree = str | list["Tree"]
Conjunction = tuple[Linear, ...]


@dataclass(frozen=True)
class Query:
    """The inputs that break a property: those of any case.

    Attributes:
        inputs, outputs: how many there are.
    """

    inputs: int
    outputs: int
    cases: tuple[Case, ...]


def read_query(path: str | Path) -> Query:
    """A file in VNN-LIB 1.0 (`X_0`, `Y_0`) or 2.0 (`declare-network`, `X[0]`).

    Every input needs a lower and an upper bound in every case. Sums, differences and
    products with constants are read; `and`, `or`, `<=`, `>=`, `<`, `>`, `==` join them.

    Raises:
        FileFormatError: the file is missing, too large, or not such a query; the
            message names what is not read.
    """
    file = Path(path)
    with reading(file, "a VNN-LIB file"):
        try:
            written = read_bounded(file).decode()
        except UnicodeDecodeError:
            raise FileFormatError("is not text") from None
        return query_from_text(written)


def query_from_text(written: str) -> Query:
    """The same from the text of a file.

    Raises:
        FileFormatError: it is not such a query.
    """
    reader = _Reader()
    for tree in _trees(written):
        reader.take(tree)
    return reader.query()


def _trees(written: str) -> Iterator[Tree]:
    """The lists in brackets, one after another."""
    stack: list[list[Tree]] = [[]]
    for token in TOKEN.findall(written):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
            if len(stack) > MOST_DEPTH:
                raise FileFormatError("has brackets that are nested too deeply")
        elif token == ")":
            if len(stack) < 2:
                raise FileFormatError("closes a bracket that is not open")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise FileFormatError("ends inside a bracket; is it truncated?")
    yield from stack[0]


@dataclass
class _Reader:
    """What has been declared and asserted so far.

    Attributes:
        places: of each tensor, whether it is an input, where it starts, its shape.
    """

    inputs: int = 0
    outputs: int = 0
    single: dict[str, tuple[bool, int]] = field(default_factory=dict)
    tensors: dict[str, tuple[bool, int, tuple[int, ...]]] = field(default_factory=dict)
    networks: int = 0
    cases: list[Conjunction] = field(default_factory=lambda: [()])

    def take(self, tree: Tree) -> None:
        """One list at the top of the file."""
        match tree:
            case ["vnnlib-version", *_] | ["set-logic", *_] | ["check-sat"]:
                return
            case ["declare-const", str(name), "Real"]:
                self._declare_single(name)
            case ["declare-fun", str(name), [], "Real"]:
                self._declare_single(name)
            case ["declare-network", str(), *parts]:
                self.networks += 1
                if self.networks > 1:
                    raise FileFormatError("has several networks; only one is supported")
                for part in parts:
                    self._declare_tensor(part)
            case ["assert", formula]:
                self._assert(formula)
            case _:
                raise FileFormatError(f"has {_shown(tree)}, which is not supported")

    def _declare_single(self, name: str) -> None:
        found = re.fullmatch(r"([XY])_(0|[1-9][0-9]{0,5})", name)
        if not found or name in self.single:
            raise FileFormatError(
                f"declares {quoted(name)}; use X_0, Y_0, ..., each once"
            )
        is_input, number = found[1] == "X", int(found[2])
        self.single[name] = (is_input, number)
        self._count(is_input, number + 1)

    def _declare_tensor(self, tree: Tree) -> None:
        match tree:
            case [
                ("declare-input" | "declare-output") as word,
                str(name),
                str(kind),
                *rest,
            ]:
                if kind not in KINDS:
                    raise FileFormatError(
                        f"has numbers of type {quoted(kind)}; "
                        f"supported: {', '.join(KINDS)}"
                    )
                if name in self.tensors:
                    raise FileFormatError(f"declares {quoted(name)} twice")
                shape = _shape(rest)
                is_input = word == "declare-input"
                start = self.inputs if is_input else self.outputs
                self.tensors[name] = (is_input, start, shape)
                self._count(is_input, start + prod(shape))
            case _:
                raise FileFormatError(
                    f"declares {_shown(tree)}, which is not supported"
                )

    def _count(self, is_input: bool, count: int) -> None:
        if count > MOST_VARIABLES:
            raise FileFormatError(
                "declares too many inputs or outputs; at most "
                f"{MOST_VARIABLES} of each are supported"
            )
        if is_input:
            self.inputs = max(self.inputs, count)
        else:
            self.outputs = max(self.outputs, count)

    def _assert(self, formula: Tree) -> None:
        found = self._cases(formula)
        if len(found) * len(self.cases) > MOST_CASES:
            raise FileFormatError(
                f"has more than {MOST_CASES} alternatives (cases joined "
                "by or), which is the limit"
            )
        self.cases = [(*a, *b) for a in self.cases for b in found]

    def _cases(self, formula: Tree) -> list[Conjunction]:
        """The alternatives of a formula."""
        match formula:
            case ["or", *parts] if parts:
                return [c for part in parts for c in self._cases(part)]
            case ["and", *parts] if parts:
                lists = [self._cases(part) for part in parts]
                if prod(map(len, lists)) > MOST_CASES:
                    raise FileFormatError(
                        f"has more than {MOST_CASES} alternatives "
                        "(cases joined by or), which is the limit"
                    )
                return [
                    tuple(x for c in chosen for x in c) for chosen in product(*lists)
                ]
            case [("==" | "="), *sides]:
                a, b = self._sides(sides)
                return [(_less(a, b, 1, False), _less(a, b, -1, False))]
            case [("<=" | ">=" | "<" | ">") as word, *sides]:
                a, b = self._sides(sides)
                return [(_less(a, b, *FLIPPED[word]),)]
            case _:
                raise FileFormatError(
                    f"asserts {_shown(formula)}, which is not supported"
                )

    def _sides(self, sides: Sequence[Tree]) -> tuple[Linear, Linear]:
        first, rest = self._term(list(sides)) if sides else (None, [])
        second, rest = self._term(rest) if rest else (None, [])
        if first is None or second is None or rest:
            raise FileFormatError(
                f"compares {_shown(list(sides))}; a comparison needs exactly two sides"
            )
        return first, second

    def _terms(self, trees: list[Tree]) -> list[Linear]:
        found = []
        while trees:
            term, trees = self._term(trees)
            found.append(term)
        if not found:
            raise FileFormatError("has a sum, difference or product without terms")
        return found

    def _term(self, trees: list[Tree]) -> tuple[Linear, list[Tree]]:
        """The first term of a list, and what is left: X [ 0 , 1 ] is several tokens."""
        match trees:
            case [str(name), "[", *rest] if name in self.tensors and "]" in rest:
                end = rest.index("]")
                index = [t for t in rest[:end] if isinstance(t, str) and t != ","]
                return self._entry(name, index), rest[end + 1 :]
            case [str(word), *rest]:
                return self._word(word), rest
            case [["+", *parts], *rest]:
                return _sum(self._terms(parts)), rest
            case [["-", *parts], *rest]:
                first, *others = self._terms(parts)
                if not others:
                    return first.times(fmpq(-1)), rest
                return _sum([first, *(o.times(fmpq(-1)) for o in others)]), rest
            case [["*", *parts], *rest]:
                return _product(self._terms(parts)), rest
            case _:
                raise FileFormatError(f"has {_shown(trees)}, which is not supported")

    def _word(self, word: str) -> Linear:
        if word in self.single:
            return Linear.of(*self.single[word])
        if word in self.tensors:
            return self._entry(word, [])
        if not NUMBER.fullmatch(word) or len(word) > MOST_DIGITS:
            raise FileFormatError(
                f"names {quoted(word)}, which is neither declared nor a number that "
                "can be read"
            )
        return Linear({}, {}, rational(word, name="a number"))

    def _entry(self, name: str, written: list[str]) -> Linear:
        """An entry of a tensor, in row-major order."""
        is_input, start, shape = self.tensors[name]
        index = [int(w) if WHOLE.fullmatch(w) else -1 for w in written]
        if not index and prod(shape) == 1:
            index = [0] * len(shape)
        inside = len(index) == len(shape) and all(
            0 <= k < n for k, n in zip(index, shape, strict=False)
        )
        if not inside:
            raise FileFormatError(f"names an entry that {quoted(name)} does not have")
        place = 0
        for k, n in zip(index, shape, strict=True):
            place = place * n + k
        return Linear.of(is_input, start + place)

    def query(self) -> Query:
        """All cases, those whose box is empty left out."""
        if not (self.inputs and self.outputs):
            raise FileFormatError("declares no inputs, or no outputs")
        if self.cases == [()]:
            raise FileFormatError("asserts nothing")
        cases = [case for c in self.cases if (case := self._case(c)) is not None]
        return Query(self.inputs, self.outputs, tuple(cases))

    def _case(self, given: Conjunction) -> Case | None:
        """Bounds of single inputs become a box."""
        low: list[fmpq | None] = [None] * self.inputs
        high: list[fmpq | None] = [None] * self.inputs
        rows = []
        for row in given:
            if not row.outputs and len(row.inputs) == 1:
                ((k, factor),) = row.inputs.items()
                end = -row.constant / factor
                known = (high if factor > 0 else low)[k]
                choose = min if factor > 0 else max
                (high if factor > 0 else low)[k] = (
                    end if known is None else choose(known, end)
                )
                rows += [row] if row.strict else []
            elif row.inputs or row.outputs:
                rows.append(row)
            elif row.constant > 0 or (row.strict and row.constant == 0):
                return None
        sides = []
        for k, (a, b) in enumerate(zip(low, high, strict=True)):
            if a is None or b is None:
                raise FileFormatError(
                    f"does not give input {k}, counted from 0, both a lower "
                    "and an upper bound"
                )
            if a > b:
                return None
            sides.append((a, b))
        return Case(tuple(sides), tuple(rows))


def _shape(rest: Sequence[Tree]) -> tuple[int, ...]:
    """[ 2 , 3 ], with a name of the file behind it or not; [ ] is one number."""
    given = [*rest]
    if given and isinstance(given[-1], str) and given[-1].startswith('"'):
        given.pop()
    inner = given[1:-1]
    numbers = inner[::2]
    right = given[:1] == ["["] and given[-1:] == ["]"]
    right &= all(comma == "," for comma in inner[1::2]) and len(inner) != 2
    if not right or not all(isinstance(n, str) and WHOLE.fullmatch(n) for n in numbers):
        raise FileFormatError(
            f"has the shape {_shown(list(rest))}, which is not supported"
        )
    return tuple(int(str(n)) for n in numbers) or (1,)


def _less(a: Linear, b: Linear, sign: int, strict: bool) -> Linear:
    """sign (a - b) <= 0, or < 0."""
    apart = _sum([a, b.times(fmpq(-1))]).times(fmpq(sign))
    return Linear(apart.inputs, apart.outputs, apart.constant, strict)


def _sum(terms: Sequence[Linear]) -> Linear:
    total = terms[0]
    for term in terms[1:]:
        total = total.plus(term)
    return total


def _product(terms: Sequence[Linear]) -> Linear:
    factor, varying = fmpq(1), None
    for term in terms:
        if not (term.inputs or term.outputs):
            factor *= term.constant
        elif varying is None:
            varying = term
        else:
            raise FileFormatError(
                "multiplies two variables; constraints have to be linear"
            )
    return (varying or Linear({}, {}, fmpq(1))).times(factor)


def _shown(tree: Tree) -> str:
    return quoted(_text(tree)[:60])


def _text(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    return f"({' '.join(map(_text, tree))})"
