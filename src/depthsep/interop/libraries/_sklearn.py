"""scikit-learn's multilayer perceptrons to networks and back."""

from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep.interop.files._rounding import float_layers
from depthsep.interop.forms._chain import Step, chain
from depthsep.networks import RELU, SIGMOID, TANH, Activation, Affine, Network

if TYPE_CHECKING:
    from sklearn.neural_network import MLPClassifier, MLPRegressor

ACTIVATIONS = {"relu": RELU, "logistic": SIGMOID, "tanh": TANH, "identity": None}


def from_sklearn(model: "MLPRegressor | MLPClassifier") -> Network:
    """The network of a fitted MLPRegressor or MLPClassifier, exactly.

    Of a classifier the outputs before logistic or softmax: two classes are parted by
    the level 0 of the one output, several by the largest output.

    Raises:
        HypothesisError: scikit-learn is missing, another model, one that is not fitted,
            a regressor with an output other than the identity.
    """
    kinds = needed("sklearn.neural_network", "data")
    if not isinstance(model, kinds.MLPRegressor | kinds.MLPClassifier):
        raise HypothesisError(
            f"an object of type {type(model).__name__} is not supported; give an "
            "MLPRegressor or MLPClassifier"
        )
    if not hasattr(model, "coefs_"):
        raise HypothesisError(f"the {type(model).__name__} is not fitted; call fit")
    last = getattr(model, "out_activation_", "identity")
    if isinstance(model, kinds.MLPRegressor) and last != "identity":
        raise HypothesisError(
            f"the output activation of the regressor is {last}; only "
            "identity is supported"
        )
    between = ACTIVATIONS[model.activation]
    steps: list[Step] = []
    for weight, bias in zip(model.coefs_, model.intercepts_, strict=True):
        steps.append(Affine(np.ascontiguousarray(weight.T), bias))
        steps += [] if between is None else [between]
    return chain(steps if between is None else steps[:-1])


def to_sklearn(network: Network, *, rounded: bool = False) -> "MLPRegressor":
    """A fitted MLPRegressor that predicts what the network computes.

    Raises:
        HypothesisError: scikit-learn is missing, units other than ReLU, sigmoid or tanh
            or of several kinds, no hidden layer, a weight that is not a float64
            and `rounded` is not set.
    """
    kinds = needed("sklearn.neural_network", "data")
    names = {_name(a) for a in network.activations}
    if len(names) != 1 or None in names:
        raise HypothesisError(
            "an MLPRegressor needs one or more hidden layers, all of "
            "the same kind: ReLU, sigmoid or tanh"
        )
    layers = float_layers(network, rounded=rounded)
    model = kinds.MLPRegressor(
        hidden_layer_sizes=network.widths, activation=names.pop()
    )
    model.coefs_ = [weight.T.copy() for weight, _ in layers]
    model.intercepts_ = [bias.copy() for _, bias in layers]
    model.n_layers_, model.n_outputs_ = network.depth + 1, network.out_dim
    model.n_features_in_, model.out_activation_ = network.in_dim, "identity"
    return model


def _name(activation: Activation) -> str | None:
    return next((name for name, a in ACTIVATIONS.items() if a is activation), None)
