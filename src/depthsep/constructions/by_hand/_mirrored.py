"""Copies of a symmetric function by folds: the fractal property is passed on."""

from depthsep._errors import HypothesisError
from depthsep.analysis import on_interval
from depthsep.constructions.line._folds import fold_network
from depthsep.exact import PiecewiseAffine
from depthsep.networks import Network, compose

MAX_FOLDS = 60


def mirrored_copies(network: Network, folds: int) -> Network:
    r"""f(D^L(x)): 2^L copies of f, each 2^-L long, side by side on [0, 1].

    For f(1 - t) = f(t) on [0, 1], which is checked: then f(D^L(x)) = f({2^L x}).

    Args:
        network: f, of one input and one output.
        folds: L, from 1 to 60; a layer of two units each.

    Raises:
        HypothesisError: f is not symmetric about 1/2, with a point that shows it.

    Source:
        Telgarsky (2023), Section 4.1, item 3; printed there without a check.
    """
    if not 1 <= folds <= MAX_FOLDS:
        raise HypothesisError(
            f"`folds` is {folds}; give a number from 1 to {MAX_FOLDS}"
        )
    f = on_interval(network, 0, 1)
    turned = f.after(PiecewiseAffine.through([0, 1], [1, 0]))
    for x in (f - turned).knots.tolist():
        if f(x) != f(1 - x):
            raise HypothesisError(
                "the function f of the network is not symmetric about "
                f"1/2: f({x}) = {f(x)}, but f({1 - x}) = {f(1 - x)}"
            )
    return compose(network, fold_network([2] * folds))
