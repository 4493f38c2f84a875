"""Operators that run a window over positions: convolution."""

import itertools
import math

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._exact_arrays import zeros
from depthsep.interop.forms._forms import check_entries, image
from depthsep.interop.onnx._nodes import Node, Operator
from depthsep.interop.onnx._values import (
    Datum,
    Value,
    added,
    constant,
    reshaped,
    shown,
)


def _convolution(node: Node) -> Datum:
    """Of 1 to 3 space axes, with groups, strides, dilations and padding by zeros."""
    value, kernel = node.value(0), node.value(1)
    rank = len(value.shape) - 2
    _check_operands(value, kernel, rank)
    if value.shape[0] != 1:
        raise FileFormatError(
            "convolves several images at once; only one image, or a batch "
            "on the first axis, is supported"
        )
    groups = node.integer("group", 1)
    outputs, channels = kernel.shape[:2]
    if value.shape[1] != channels * groups or outputs % groups:
        raise FileFormatError(
            f"has numbers of groups ({groups}), of channels in each group "
            f"({channels}) and of input channels ({value.shape[1]}) that do not fit; "
            "the groups together must have as many channels as the input, and the "
            "output channels must split evenly into the groups"
        )
    window = Window(node, value.shape[2:], kernel.shape[2:])
    weight = _matrix(kernel.form.bias.reshape(kernel.shape), groups, window)
    form = image(weight, value.form)
    marked = value.marked_shape[0]
    flat = Value((1, form.size), value.batch, form, value.extent)
    made = reshaped(flat, (marked, outputs, *window.shape))
    return _with_bias(node, made, outputs, rank)


def _check_operands(value: Value, kernel: Value, rank: int) -> None:
    constants = kernel.is_constant and len(kernel.shape) == rank + 2
    if not constants or not 1 <= rank <= 3 or value.batch not in (0, None):
        raise FileFormatError(
            f"convolves {shown(value.marked_shape)} by {shown(kernel.shape)}; it "
            "needs a batch, channels, one to three spatial axes and constant weights"
        )


def _with_bias(node: Node, made: Value, outputs: int, rank: int) -> Value:
    """The third input, one number a channel, added where it is given."""
    if node.given(2) is None:
        return made
    bias = node.value(2)
    if bias.shape != (outputs,) or not bias.is_constant:
        raise FileFormatError(
            f"has a bias of shape {shown(bias.shape)}; it must be "
            "constant, with one number for each output channel"
        )
    return added(made, constant(bias.form.bias.reshape(-1, *[1] * rank)))


class Window:
    """Where a window reads: its positions, stride and dilation along each axis."""

    def __init__(
        self, node: Node, size: tuple[int, ...], kernel: tuple[int, ...]
    ) -> None:
        rank = len(size)
        if node.integers("kernel_shape") not in (None, list(kernel)):
            raise FileFormatError(
                f"declares a kernel_shape that is not {shown(kernel)}, the "
                "shape of its weights"
            )
        self.size, self.kernel = size, kernel
        self.strides = node.integers("strides") or [1] * rank
        self.dilations = node.integers("dilations") or [1] * rank
        if min(*self.strides, *self.dilations) < 1:
            raise FileFormatError("has a stride or dilation below 1")
        self.before, after = self._pads(node)
        reach = [d * (k - 1) + 1 for d, k in zip(self.dilations, kernel, strict=True)]
        up = node.integer("ceil_mode", 0)
        self.shape = tuple(
            _positions(n + a + b - r, s, n + a if up else 0)
            for n, a, b, r, s in zip(
                size, self.before, after, reach, self.strides, strict=True
            )
        )
        if min(self.shape) < 1:
            raise FileFormatError("makes an empty tensor, which is not supported")

    def _pads(self, node: Node) -> tuple[list[int], list[int]]:
        """Zeros before and after each axis."""
        rank, how = len(self.size), node.word("auto_pad", "NOTSET")
        pads = node.integers("pads") or [0] * 2 * rank
        if how in ("NOTSET", "VALID"):
            pads = pads if how == "NOTSET" else [0] * 2 * rank
            if len(pads) != 2 * rank or min(pads) < 0:
                raise FileFormatError(
                    f"has pads {pads}; it needs two for each spatial axis, "
                    "none of them negative"
                )
            return pads[:rank], pads[rank:]
        if how not in ("SAME_UPPER", "SAME_LOWER"):
            raise FileFormatError(f"has the unknown auto_pad {how[:20]!r}")
        whole = [
            max(0, (-(-n // s) - 1) * s + d * (k - 1) + 1 - n)
            for n, s, d, k in zip(
                self.size, self.strides, self.dilations, self.kernel, strict=True
            )
        ]
        less, more = [p // 2 for p in whole], [p - p // 2 for p in whole]
        return (less, more) if how == "SAME_UPPER" else (more, less)

    def read(self, offset: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """For one entry of the kernel: positions of the output, and what they read."""
        steps = [
            np.arange(n) * s + o * d - b
            for n, s, o, d, b in zip(
                self.shape,
                self.strides,
                offset,
                self.dilations,
                self.before,
                strict=True,
            )
        ]
        inside = [
            np.flatnonzero((p >= 0) & (p < n))
            for p, n in zip(steps, self.size, strict=True)
        ]
        at = np.ravel_multi_index(np.ix_(*inside), self.shape)
        places = [p[k] for p, k in zip(steps, inside, strict=True)]
        return at.ravel(), np.ravel_multi_index(np.ix_(*places), self.size).ravel()


def _positions(room: int, stride: int, beyond: int) -> int:
    """Of a window; rounded up, but for one that would start behind the input."""
    if not beyond:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= beyond else count


def _transposed(node: Node) -> Datum:
    """A convolution's weights the other way: each input adds to a window of outputs."""
    value, kernel = node.value(0), node.value(1)
    rank = len(value.shape) - 2
    _check_operands(value, kernel, rank)
    if value.shape[0] != 1 or node.word("auto_pad", "NOTSET") not in (
        "NOTSET",
        "VALID",
    ):
        raise FileFormatError(
            "convolves several images at once, or uses auto_pad, which is not supported"
        )
    groups, (channels, share) = node.integer("group", 1), kernel.shape[:2]
    if value.shape[1] != channels or channels % groups:
        raise FileFormatError(
            f"has numbers of groups ({groups}) and of input channels "
            f"({value.shape[1]}) that do not fit together or do not fit its weights"
        )
    spread = _Spread(node, value.shape[2:], kernel.shape[2:])
    weight = _spread_matrix(kernel.form.bias.reshape(kernel.shape), groups, spread)
    form = image(weight, value.form)
    flat = Value((1, form.size), value.batch, form, value.extent)
    outputs = share * groups
    made = reshaped(flat, (value.marked_shape[0], outputs, *spread.shape))
    return _with_bias(node, made, outputs, rank)


class _Spread:
    """Where the inputs of a transposed convolution add to its outputs."""

    def __init__(
        self, node: Node, size: tuple[int, ...], kernel: tuple[int, ...]
    ) -> None:
        rank = len(size)
        if node.integers("kernel_shape") not in (None, list(kernel)):
            raise FileFormatError(
                f"declares a kernel_shape that is not {shown(kernel)}, the "
                "shape of its weights"
            )
        if node.integers("output_shape") is not None:
            raise FileFormatError(
                "has an output_shape, which is not supported; export it with pads"
            )
        self.size, self.kernel = size, kernel
        self.strides = node.integers("strides") or [1] * rank
        self.dilations = node.integers("dilations") or [1] * rank
        pads = node.integers("pads") or [0] * 2 * rank
        more = node.integers("output_padding") or [0] * rank
        if len(pads) != 2 * rank or min(*self.strides, *self.dilations) < 1:
            raise FileFormatError(
                "has a stride or dilation below 1, or a wrong number of pads"
            )
        if min(*pads, *more) < 0:
            raise FileFormatError("has pads or output_padding below 0")
        self.before = pads[:rank]
        self.shape = tuple(
            s * (n - 1) + m + d * (k - 1) + 1 - a - b
            for n, s, m, d, k, a, b in zip(
                *(size, self.strides, more, self.dilations),
                *(kernel, pads[:rank], pads[rank:]),
                strict=True,
            )
        )
        if min(self.shape) < 1:
            raise FileFormatError("makes an empty tensor, which is not supported")

    def read(self, offset: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """For one entry of the kernel: places of the output, and what they read."""
        steps = [
            np.arange(n) * s + o * d - b
            for n, s, o, d, b in zip(
                *(self.size, self.strides, offset, self.dilations, self.before),
                strict=True,
            )
        ]
        inside = [
            np.flatnonzero((p >= 0) & (p < n))
            for p, n in zip(steps, self.shape, strict=True)
        ]
        places = [p[k] for p, k in zip(steps, inside, strict=True)]
        at = np.ravel_multi_index(np.ix_(*places), self.shape)
        return at.ravel(), np.ravel_multi_index(np.ix_(*inside), self.size).ravel()


def _spread_matrix(kernel: np.ndarray, groups: int, spread: _Spread) -> np.ndarray:
    channels, share = kernel.shape[:2]
    after, before = math.prod(spread.shape), math.prod(spread.size)
    check_entries(share * groups * after, channels * before)
    matrix = zeros((share * groups, after, channels, before), kernel)
    part = channels // groups
    for offset in itertools.product(*map(range, spread.kernel)):
        at, places = spread.read(offset)
        for g in range(groups):
            inputs = np.arange(g * part, (g + 1) * part)[None, :, None]
            outputs = np.arange(g * share, (g + 1) * share)[:, None, None]
            values = kernel[(slice(g * part, (g + 1) * part), slice(None), *offset)]
            matrix[outputs, at, inputs, places] = values.T[:, :, None]
    return matrix.reshape(share * groups * after, channels * before)


def _matrix(kernel: np.ndarray, groups: int, window: Window) -> np.ndarray:
    """The convolution as a matrix, (outputs * positions, inputs * positions)."""
    outputs, channels = kernel.shape[:2]
    after, before = math.prod(window.shape), math.prod(window.size)
    check_entries(outputs * after, channels * groups * before)
    matrix = zeros((outputs, after, channels * groups, before), kernel)
    share = outputs // groups
    for offset in itertools.product(*map(range, window.kernel)):
        at, places = window.read(offset)
        for g in range(groups):
            rows = np.arange(g * share, (g + 1) * share)[:, None, None]
            columns = np.arange(g * channels, (g + 1) * channels)[None, :, None]
            values = kernel[(slice(g * share, (g + 1) * share), slice(None), *offset)]
            matrix[rows, at, columns, places] = values[:, :, None]
    return matrix.reshape(outputs * after, channels * groups * before)


WINDOW_OPERATORS = {
    "Conv": Operator(
        _convolution,
        ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"),
    ),
    "ConvTranspose": Operator(
        _transposed,
        (
            *("auto_pad", "dilations", "group", "kernel_shape", "output_padding"),
            *("output_shape", "pads", "strides"),
        ),
    ),
}
