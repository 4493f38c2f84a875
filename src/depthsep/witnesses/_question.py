"""Which question a proof is about: networks of any weights, laws that are known."""

from depthsep.evidence import Inapplicable
from depthsep.formulas import plain_formula
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractTarget,
    Expression,
    Formula,
    InnerProduct,
    Radial,
)


def _spelled_out(target: AbstractTarget) -> AbstractTarget:
    """In functions that the checker reads: 1 + exp(x), say, in place of softplus."""
    if isinstance(target, Expression):
        return Expression(plain_formula(target.formula))
    if isinstance(target, Formula):
        return Formula(plain_formula(target.formula, target.names), target.dim)
    return target


def question_of(problem: Problem) -> Problem | Inapplicable:
    """The problem without a bound on weights; or why it has no proofs at all.

    What holds for any weights holds for bounded ones; and a network's error does not
    depend on what its weights had to be.
    """
    if problem.is_weighted:
        return Inapplicable(
            "proofs about mean errors are written only for uniform laws"
        )
    if isinstance(problem.target, Radial):
        ball = f"ball:{problem.target.dim}"
        if problem.law.text != ball:
            return Inapplicable(
                "proofs about radial functions are written only for "
                f"the law {ball}, not for {problem.law.text}"
            )
        if not problem.target.is_formula and problem.target.profile.text != "relu":
            return Inapplicable(
                "proofs about radial functions are written only for "
                f"relu and formulas in r, not for {problem.target.text}"
            )
    if isinstance(problem.target, InnerProduct | Radial) and problem.target.dim < 2:
        return Inapplicable(
            "proofs on spheres and balls are written only for dimension 2 or more"
        )
    return Problem(
        _spelled_out(problem.target),
        problem.law,
        norm=problem.norm,
        accuracy=problem.accuracy,
    )
