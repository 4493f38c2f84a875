"""Functions of R = |z|^2: of <x, x'> on spheres, of |x| on the ball.

z = x + x' and <x, x'> = R / 2 - 1, or z = x: the checker reads both as one formula.
"""

from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import Expression, InnerProduct
from depthsep.witnesses._checker import checker_module


def as_function_of_square(problem: Problem) -> Expression:
    """f as a formula in x = R, which is the checker's.

    Raises:
        Refused, Unreadable: the checker's; it does not know the problem.
    """
    checker = checker_module()
    return Expression(checker.Problem(problem.to_json()).function.text)


def interval_of(problem: Problem) -> Segment:
    """Where R lies."""
    return Segment(0, 4 if isinstance(problem.target, InnerProduct) else 1)
