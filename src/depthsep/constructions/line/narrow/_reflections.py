"""Even and periodic functions: folded onto one mirror image, then the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions.line._folds import balanced_bases
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.line.glued._glued_folds import GluedFolds
from depthsep.constructions.line.narrow._fold_onto import (
    folded_network,
    narrowest_folding,
)
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._mirrors import Mirrors, mirrors
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import nearest_float, sqrt_upper
from depthsep.laws import Segment
from depthsep.problems import Problem

MOST_FOLDING_LAYERS = 4


def _evaluate(images: int, layers: int) -> Value:
    width = balanced_bases(images, layers)[0]
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class Reflections(AbstractConstruction):
    """f = S o zigzag: the zigzag by one to four layers, S by another construction.

    Mirrors are found in the values of f, so also where no formula shows them: even
    functions, sines and cosines of affine arguments and what is made of them. The
    claim is `sampled` until the examiner has enclosed the error.
    """

    inside: tuple[AbstractConstruction, ...] = field(
        default=(KinksByPairs(), GluedFolds(), SpreadInterpolant())
    )
    careful: bool = False

    statement: ClassVar[Statement] = Statement(
        "reflections",
        "Width that is enough for L hidden layers to fold P mirror images onto one",
        (
            "there is one input, which lies in an interval",
            (
                "f is symmetric about equally spaced points, which cut the "
                "interval into P mirror images"
            ),
            (
                "hidden layer j folds an interval into b_j pieces; b_1, "
                "..., b_L are whole numbers to choose"
            ),
        ),
        Source("depthsep", "mirror images folded onto one"),
        (Parameter("images", "integer", "P, the number of mirror images"), LAYERS),
        _evaluate,
        sample="images=64 layers=2",
        tex=(
            r"\text{widths } b_1, \ldots, b_L \text{ with } b_1 b_2 \cdots b_L \ge P; "
            r"\quad \text{then a network for } S \text{, that is } f "
            r"\text{ on one image}"
        ),
        proof=proved("narrow-networks"),
    )

    scope = InexactScope(least_depth=3)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        found = _mirrors(problem)
        if found is None:
            return Inapplicable("no mirror symmetry of the target was found")
        kept = _on_one_image(problem, found, self.careful)
        claims = list(self._claims(found, kept, depth))
        if not claims:
            return Inapplicable(
                "no network was found for one mirror image of the target"
            )
        return min(claims, key=lambda claim: (claim.width, claim.units))

    def _claims(self, found: Mirrors, kept: Problem, depth: int) -> Iterator[Upper]:
        for layers in range(1, min(depth - 2, MOST_FOLDING_LAYERS) + 1):
            folding = narrowest_folding(found, layers)
            for construction in self.inside:
                claim = construction.prove(kept, depth - layers)
                if isinstance(claim, Upper):
                    yield Upper(
                        widths=(*folding.widths, *claim.widths),
                        error=claim.error,
                        rigour=Rigour.SAMPLED,
                        statement=self.statement,
                        detail=f"{found.images} mirror images folded onto one; "
                        f"on that one: {claim.source.place}",
                        make=lambda claim=claim, folding=folding: folded_network(
                            found, folding, claim.network
                        ),
                    )

    def more_careful(self) -> "Reflections | None":
        """The same with room for images that are cut off by the interval."""
        return None if self.careful else Reflections(self.inside, careful=True)

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", norm=norm, accuracy="1e-2")
            for norm in ("linf", "l1", "l2")
        ] + [Problem("expr:1/(1+25*x**2)", Segment(-1, 1), accuracy="1e-2")]


@lru_cache(maxsize=64)
def _mirrors(problem: Problem) -> Mirrors | None:
    on = problem.interval
    start, stop = nearest_float(on.start), nearest_float(on.stop)
    accuracy = nearest_float(problem.accuracy)
    return mirrors(problem.target.floats, start, stop, accuracy)


@lru_cache(maxsize=64)
def _on_one_image(problem: Problem, found: Mirrors, careful: bool) -> Problem:
    """The problem on the image that is kept.

    In l1 and l2 the mean over the interval is at most that over one image times
    images * length of one / length of all.
    """
    whole = problem.interval
    start, stop = (fmpq(*end.as_integer_ratio()) for end in found.kept)
    # ends rounded to float64 may lie outside, where f need not be defined
    on = Segment(max(start, whole.start), min(stop, whole.stop))
    accuracy = problem.accuracy
    if careful and problem.norm != "linf":
        share = whole.length / (found.images * on.length)
        accuracy = accuracy * (
            share if problem.norm == "l1" else 1 / sqrt_upper(1 / share)
        )
    return Problem(problem.target, on, problem.norm, accuracy * fmpq(999, 1000))
