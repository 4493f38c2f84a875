"""The largest of N numbers, exactly: by pairs, or in fewer layers by fives."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._largest_network import (
    hidden_layers_needed,
    largest_network,
    largest_widths,
)
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import Largest

NUMBERS = Parameter(
    "numbers", "integer", "N, the count of the numbers", least=2, most=10**18
)
widths_of = lru_cache(maxsize=64)(largest_widths)


def _tree_layers(numbers: int) -> Value:
    return Value((numbers - 1).bit_length(), Rigour.EXACT)


def _fives_layers(numbers: int) -> Value:
    return Value(hidden_layers_needed(numbers), Rigour.EXACT)


@dataclass(frozen=True)
class LargestByTree(AbstractConstruction):
    """max(a, b) = relu(a - b) + b: the winners of pairs meet again, layer by layer."""

    statement: ClassVar[Statement] = Statement(
        "max-tree",
        "Number of hidden layers that is enough to find the largest of "
        "N numbers by comparing them in pairs",
        (
            (
                "the network computes the maximum exactly, with N units in the first "
                "hidden layer and fewer in the others"
            ),
        ),
        Source("arora2018relu", "Theorem 2.1, for one maximum"),
        (NUMBERS,),
        _tree_layers,
        sample="numbers=16",
        tex=r"\left\lceil \log_2 \, N \right\rceil",
        proof=proved("maxima"),
    )

    scope = Scope(
        "this construction computes only the largest of N numbers",
        Largest,
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        needed = (problem.target.in_dim - 1).bit_length()
        if needed > depth - 1:
            return Inapplicable(
                f"comparing numbers in pairs takes {needed} hidden "
                "layers, more than this depth has"
            )
        return _upper(problem, depth, needed, self.statement)

    def examples(self) -> list[Problem]:
        return [
            Problem("max:3", accuracy="1e-6"),
            Problem("max:5", Segment(-1, 2), accuracy="1e-30"),
        ]


@dataclass(frozen=True)
class LargestByFives(AbstractConstruction):
    """Five numbers in two hidden layers; in place of numbers, then, groups of them."""

    statement: ClassVar[Statement] = Statement(
        "max-fives",
        "Number of hidden layers that is enough to find the largest of "
        "N numbers by comparing them in five groups",
        (
            (
                "the network computes the maximum exactly; the inputs lie in a box, "
                "and since its lower ends are known, one unit is enough to pass on "
                "the maximum of the last group"
            ),
        ),
        Source("depthsep", "maximum by five groups"),
        (NUMBERS,),
        _fives_layers,
        errata=(
            (
                "Bakaev et al. (2025) show that ceil(log3(N - 2)) + 1 hidden layers "
                "are enough: 4 for N = 12 and 5 for N = 30, where five groups need 3 "
                "and 4; for N above 75 their number is never larger than that of five "
                "groups, and for N above 7292 it is smaller"
            ),
        ),
        sample="numbers=25",
        tex=(
            r"\min \left\{ L : N \le n_L \right\}, \quad n_1 = 2, "
            r"\quad n_{L+1} = 2 n_L + \left\lfloor n_L / 2 \right\rfloor"
        ),
        proof=proved("maxima"),
    )

    scope = Scope(
        "this construction computes only the largest of N numbers",
        Largest,
        least_depth=3,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        count = problem.target.in_dim
        needed = hidden_layers_needed(count)
        if count < 5:
            return Inapplicable(
                "there are fewer than five numbers, for which "
                "comparing pairs is enough",
                off_topic=True,
            )
        if needed > depth - 1:
            return Inapplicable(
                f"comparing numbers in five groups takes {needed} "
                "hidden layers, more than this depth has"
            )
        return _upper(problem, depth, needed, self.statement)

    def examples(self) -> list[Problem]:
        return [Problem("max:5", Segment(-2, 1), accuracy="1e-20")]


def _upper(problem: Problem, depth: int, found: int, statement: Statement) -> Upper:
    starts, layers = tuple(problem.law.box.starts), depth - 1
    return Upper(
        widths=widths_of(len(starts), layers, found=found),
        error=fmpq(0),
        rigour=Rigour.EXACT,
        statement=statement,
        make=lambda: largest_network(starts, layers, found=found),
        in_dim=len(starts),
    )
