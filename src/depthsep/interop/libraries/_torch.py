"""PyTorch modules to networks and back, weights bit for bit."""

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._extras import needed
from depthsep._files import first_line
from depthsep.exact import nearest_float
from depthsep.interop.files._rounding import float_layers, slope_of
from depthsep.interop.forms._chain import Step, affine, chain, normalising
from depthsep.interop.onnx._read import network_of_model
from depthsep.networks import (
    ABS,
    GELU,
    GELU_TANH,
    MISH,
    RELU,
    SIGMOID,
    SILU,
    TANH,
    Activation,
    Network,
    as_relu,
    clip,
    elu,
    leaky_relu,
)

if TYPE_CHECKING:
    import torch
    from torch import nn

COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # that torch's messages have
REMEDY = (
    "leave out a final softmax, or give the shape of an input, as in "
    "from_torch(model, (1, 3, 8, 8)): the module is then exported with "
    "torch.onnx and read from there"
)
READ = (
    "Sequential, Linear, ReLU, LeakyReLU, Hardtanh, ReLU6, Tanh, Sigmoid, GELU, SiLU, "
    "Mish, ELU, Flatten, Identity, Dropout, BatchNorm1d"
)


def from_torch(
    module: "nn.Module", example: "torch.Tensor | Sequence[int] | None" = None
) -> Network:
    """The network that a PyTorch module computes in evaluation mode, exactly.

    Sequential (also nested) of Linear, ReLU, LeakyReLU, Hardtanh, ReLU6, Tanh, Sigmoid,
    GELU, SiLU, Mish, ELU, Flatten, Identity, Dropout and BatchNorm1d. Weights of
    any float type, and slopes, are taken at face value. Linear layers that meet are
    fused exactly and may become rational. BatchNorm1d is folded in; its factors
    weight / sqrt(running_var + eps) are rounded to float64, the only rounding.

    Args:
        example: an input, or its shape with 1 for the batch. Then any module is read,
            with convolutions, pools and a forward of its own: it goes through torch's
            exporter in memory (onnxscript has to be installed), and what that writes is
            read as `read_onnx` reads a file.

    Raises:
        HypothesisError: torch is missing, another module, hooks, a module in training
            mode that computes something else there, weights that are not finite.
        FileFormatError: the exporter gave what is not read; it is named.
    """
    torch = needed("torch", "torch")
    if not isinstance(module, torch.nn.Module):
        raise HypothesisError(
            f"an object of type {type(module).__name__} is not a torch module"
        )
    if example is not None:
        return _exported(module, example)
    return chain(_steps(module))


def to_torch(
    network: Network, *, dtype: "torch.dtype | None" = None, rounded: bool = False
) -> "nn.Sequential":
    """A Sequential of Linear layers and activations, in evaluation mode.

    Args:
        network: ReLU, leaky ReLU, hard tanh, |z| (written as two ReLUs), tanh, sigmoid
            or gelu units.
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
        raise HypothesisError(f"dtype is {dtype}; use torch.float64 or torch.float32")
    if ABS in network.activations:  # in which others become ReLUs, too
        network = as_relu(network)
    modules: list[nn.Module] = []
    layers = float_layers(network, rounded=rounded, kind=kind)
    for layer, activation in zip(layers, [*network.activations, None], strict=True):
        modules.append(_linear(*layer))
        if activation is not None:
            modules.append(_activation(activation, rounded))
    return torch.nn.Sequential(*modules).eval()


def _exported(module: "nn.Module", example: "torch.Tensor | Sequence[int]") -> Network:
    """Through torch's own exporter, in memory."""
    import torch

    if module.training:
        raise HypothesisError("the module is in training mode; call model.eval()")
    if not isinstance(example, torch.Tensor | Sequence):
        raise HypothesisError(
            "the example must be an input or its shape, such as (1, 3, 8, 8)"
        )
    needed("onnxscript", "torch")
    given = example if isinstance(example, torch.Tensor) else torch.zeros(*example)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(module, (given,), dynamo=True, verbose=False)
    except Exception as error:  # torch raises many kinds
        words = COLOURS.sub("", first_line(error))
        raise HypothesisError(f"torch cannot export the module: {words}") from error
    assert program is not None
    return network_of_model(program.model_proto)


def _steps(module: "nn.Module") -> Iterator[Step]:
    from torch import nn

    _check_plain(module)
    if type(module) is nn.Sequential:
        for part in module:
            yield from _steps(part)
    elif type(module) is nn.Linear:
        yield affine(_numbers(module.weight), _if_any(module.bias))
    elif type(module) is nn.BatchNorm1d:
        yield _normalisation(module)
    elif not _changes_nothing(module):
        yield _read_activation(module)


def _check_plain(module: "nn.Module") -> None:
    """Refuse what may compute something else than its class does."""
    from torch.nn.modules import module as common

    hooks = (module._forward_hooks, module._forward_pre_hooks)
    everywhere = (common._global_forward_hooks, common._global_forward_pre_hooks)
    if any((*hooks, *everywhere)) or "forward" in vars(module):
        raise HypothesisError(
            f"{type(module).__name__} has hooks (its own or global "
            "ones) or a custom forward; remove them"
        )


def _normalisation(module: "nn.BatchNorm1d") -> Step:
    mean, variance = _if_any(module.running_mean), _if_any(module.running_var)
    if module.training or mean is None or variance is None:
        raise HypothesisError(
            "BatchNorm1d normalises by the batch it sees; set "
            "track_running_stats and call model.eval()"
        )
    factor, offset = _if_any(module.weight), _if_any(module.bias)
    return normalising(mean, variance, float(module.eps), factor, offset)


def _changes_nothing(module: "nn.Module") -> bool:
    from torch import nn

    if type(module) is nn.Flatten:
        if module.start_dim != 1 or module.end_dim != -1:
            raise HypothesisError("Flatten must flatten all axes but the first")
        return True
    if type(module) is nn.Dropout and module.training and module.p > 0:
        raise HypothesisError("Dropout drops units at random; call model.eval() first")
    return type(module) in (nn.Identity, nn.Dropout)


def _plain_units() -> "dict[Activation, type[nn.Module]]":
    """Modules without parameters."""
    from torch import nn

    return {
        **{RELU: nn.ReLU, TANH: nn.Tanh, SIGMOID: nn.Sigmoid, GELU: nn.GELU},
        **{SILU: nn.SiLU, MISH: nn.Mish},
    }


def _read_activation(module: "nn.Module") -> Activation:
    from torch import nn

    if type(module) is nn.LeakyReLU:
        return leaky_relu(module.negative_slope)
    if type(module) in (nn.Hardtanh, nn.ReLU6):
        return clip(module.min_val, module.max_val)
    if type(module) is nn.GELU and module.approximate == "tanh":
        return GELU_TANH
    if type(module) is nn.ELU:
        return elu(float(module.alpha))
    for activation, kind in _plain_units().items():
        exact = not isinstance(module, nn.GELU) or module.approximate == "none"
        if type(module) is kind and exact:
            return activation
    raise HypothesisError(
        f"{type(module).__name__} is not supported; use {READ}, with "
        f"their usual parameters, or {REMEDY}"
    )


def _if_any(tensor: "torch.Tensor | None") -> np.ndarray | None:
    return None if tensor is None else _numbers(tensor)


def _numbers(tensor: "torch.Tensor") -> np.ndarray:
    if not tensor.is_floating_point():
        raise HypothesisError(
            f"the weights or biases have type {tensor.dtype}; use floats"
        )
    if tensor.is_meta:
        raise HypothesisError(
            "the weights are on the meta device, which holds no numbers; "
            "load them first"
        )
    return tensor.detach().cpu().double().numpy().copy()


def _linear(weight: np.ndarray, bias: np.ndarray) -> "nn.Linear":
    import torch

    linear = torch.nn.Linear(*weight.shape[::-1], device="meta")
    linear.weight = torch.nn.Parameter(torch.from_numpy(weight.copy()))
    linear.bias = torch.nn.Parameter(torch.from_numpy(bias.copy()))
    return linear


def _activation(activation: Activation, rounded: bool) -> "nn.Module":
    from torch import nn

    plain = _plain_units()
    if activation in plain:
        return plain[activation]()
    if activation.pieces == 3:
        low, high = (nearest_float(-part.offset) for part in activation.relus)
        return nn.Hardtanh(low, high)
    slope = slope_of(activation, rounded=rounded)
    if slope is None:
        raise HypothesisError(f"to_torch cannot write {activation.name} units")
    return nn.LeakyReLU(slope)
