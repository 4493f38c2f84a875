"""PyTorch modules to networks and back, weights bit for bit."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep.interop.files._rounding import float_layers, slope_of
from depthsep.interop.forms._chain import Step, chain, normalising
from depthsep.networks import (
    ABS,
    GELU,
    RELU,
    SIGMOID,
    TANH,
    Activation,
    Affine,
    Network,
    as_relu,
    leaky_relu,
)

if TYPE_CHECKING:
    import torch

REMEDY = (
    "leave out a last softmax, or export the model with torch.onnx.export and read that"
)
READ = (
    "Sequential, Linear, ReLU, LeakyReLU, Tanh, Sigmoid, GELU, Flatten, Identity, "
    "Dropout, BatchNorm1d"
)


def from_torch(module: "torch.nn.Module") -> Network:
    """The network that a PyTorch module computes in evaluation mode, exactly.

    Sequential (also nested) of Linear, ReLU, LeakyReLU, Tanh, Sigmoid, GELU (not its
    approximation), Flatten, Identity, Dropout and BatchNorm1d. Weights of any float
    type, and slopes, are taken at face value. Linear layers that meet are fused
    exactly and may become rational. BatchNorm1d is folded in; its factors
    weight / sqrt(running_var + eps) are rounded to float64, the only rounding.

    Raises:
        HypothesisError: torch is missing, another module, hooks, a module in training
            mode that computes something else there, weights that are not finite.
    """
    torch = needed("torch", "torch")
    if not isinstance(module, torch.nn.Module):
        raise HypothesisError(f"a {type(module).__name__} is no torch module")
    return chain(_steps(module, torch))


def to_torch(
    network: Network, *, dtype: "torch.dtype | None" = None, rounded: bool = False
) -> "torch.nn.Sequential":
    """A Sequential of Linear layers and activations, in evaluation mode.

    Args:
        network: ReLU, leaky ReLU, |z| (written as two ReLUs), tanh, sigmoid or gelu
            units.
        dtype: ``torch.float64`` if not given; or ``torch.float32``.
        rounded: round weights that the type does not hold to the nearest that it does.

    Raises:
        HypothesisError: torch is missing, other units, another type, a weight that is
            not of that type and `rounded` is not set.
    """
    torch = needed("torch", "torch")
    kinds = {torch.float64: np.float64, torch.float32: np.float32}
    kind = kinds.get(torch.float64 if dtype is None else dtype)
    if kind is None:
        raise HypothesisError(f"dtype {dtype}; use torch.float64 or torch.float32")
    if ABS in network.activations:
        network = as_relu(network)
    layers = float_layers(network, rounded=rounded, kind=kind)
    modules = []
    for layer, activation in zip(layers, [*network.activations, None], strict=True):
        modules.append(_linear(torch, *layer))
        if activation is not None:
            modules.append(_activation(torch.nn, activation, rounded))
    return torch.nn.Sequential(*modules).eval()


def _steps(module: Any, torch: Any) -> Iterator[Step]:
    nn = torch.nn
    common = nn.modules.module
    hooks = (module._forward_hooks, module._forward_pre_hooks)
    everywhere = (common._global_forward_hooks, common._global_forward_pre_hooks)
    if any((*hooks, *everywhere)) or "forward" in vars(module):
        raise HypothesisError(
            f"{type(module).__name__} has hooks or a forward of its own; remove them"
        )
    if type(module) is nn.Sequential:
        for part in module:
            yield from _steps(part, torch)
    elif type(module) is nn.Linear:
        bias = module.bias
        weight = _numbers(module.weight)
        yield Affine(weight, np.zeros(len(weight)) if bias is None else _numbers(bias))
    elif type(module) is nn.BatchNorm1d:
        yield _normalisation(module)
    elif not _changes_nothing(module, nn):
        yield _read_activation(module, nn)


def _normalisation(module: Any) -> Step:
    if module.training or module.running_mean is None:
        raise HypothesisError(
            "BatchNorm1d normalises by the batch it sees; call model.eval(), with "
            "track_running_stats"
        )
    given = (module.running_mean, module.running_var, module.weight, module.bias)
    mean, variance, factor, offset = (None if t is None else _numbers(t) for t in given)
    assert mean is not None and variance is not None
    return normalising(mean, variance, float(module.eps), factor, offset)


def _changes_nothing(module: Any, nn: Any) -> bool:
    if type(module) is nn.Flatten:
        if module.start_dim != 1 or module.end_dim != -1:
            raise HypothesisError("Flatten has to flatten all axes but the first")
        return True
    if type(module) is nn.Dropout and module.training and module.p > 0:
        raise HypothesisError("Dropout drops units at random; call model.eval() first")
    return type(module) in (nn.Identity, nn.Dropout)


def _read_activation(module: Any, nn: Any) -> Activation:
    plain = {nn.ReLU: RELU, nn.Tanh: TANH, nn.Sigmoid: SIGMOID}
    if type(module) in plain:
        return plain[type(module)]
    if type(module) is nn.LeakyReLU:
        return leaky_relu(module.negative_slope)
    if type(module) is nn.GELU and module.approximate == "none":
        return GELU
    raise HypothesisError(
        f"{type(module).__name__} is not read; read are {READ}, with their usual "
        f"parameters; or {REMEDY}"
    )


def _numbers(tensor: Any) -> np.ndarray:
    if not tensor.is_floating_point():
        raise HypothesisError(f"weights of type {tensor.dtype}; use floats")
    if tensor.is_meta:
        raise HypothesisError("weights on the meta device hold no numbers; load them")
    return tensor.detach().cpu().double().numpy().copy()


def _linear(torch: Any, weight: np.ndarray, bias: np.ndarray) -> Any:
    linear = torch.nn.Linear(*weight.shape[::-1], device="meta")
    linear.weight = torch.nn.Parameter(torch.from_numpy(weight.copy()))
    linear.bias = torch.nn.Parameter(torch.from_numpy(bias.copy()))
    return linear


def _activation(nn: Any, activation: Activation, rounded: bool) -> Any:
    plain = {RELU: nn.ReLU, TANH: nn.Tanh, SIGMOID: nn.Sigmoid, GELU: nn.GELU}
    if activation in plain:
        return plain[activation]()
    slope = slope_of(activation, rounded=rounded)
    if slope is None:
        raise HypothesisError(f"torch has no module for {activation.name} units")
    return nn.LeakyReLU(slope)
