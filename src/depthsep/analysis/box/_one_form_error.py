"""Networks and targets that are functions of one linear form: a problem on a line."""

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.line._examine import line_error
from depthsep.evidence import Enclosure
from depthsep.networks import Network, restrict
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget


def of_one_form_error(network: Network, problem: Problem) -> Enclosure | None:
    """The sup error where network and target see the inputs through one form alone.

    With f(x) = g(w . x) and a first layer whose rows are multiples of w, the network is
    G(w . x), and the error is sup |G - g| over the values of w . x on the box. None
    where that is not so, or not decided.
    """
    found = problem.target_as(AbstractBoxTarget).as_one_form()
    if found is None or not _sees_only(network, found.weights):
        return None
    size = sum((a * a for a in found.weights), fmpq(0))
    step = [a / size for a in found.weights]  # w . (t step) = t
    along = restrict(network, [0] * len(step), step)
    on = found.range_on(problem.law.box)
    try:
        line = Problem(found.profile, on, "linf", problem.accuracy)
        error = line_error(along, line)
    except HypothesisError:  # it cannot be followed along the line
        return None
    return error if isinstance(error, Enclosure) else None


def _sees_only(network: Network, weights: tuple[fmpq, ...]) -> bool:
    """Whether every row of the first layer is a multiple of the weights."""
    first = next(k for k, a in enumerate(weights) if a != 0)
    return all(
        x == row[first] / weights[first] * a
        for row, _ in network.layers[0].rational_rows()
        for x, a in zip(row, weights, strict=True)
    )
