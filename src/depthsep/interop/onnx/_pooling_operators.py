"""Operators that take the largest or the mean of windows, or of whole axes."""

import itertools
import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._exact_arrays import exact_reciprocal
from depthsep.interop.forms._forms import Form, check_entries, selected
from depthsep.interop.onnx._linear_operators import REDUCING, image_of_rows
from depthsep.interop.onnx._nodes import Node, Operator, axis_of
from depthsep.interop.onnx._unit_operators import larger
from depthsep.interop.onnx._values import (
    Datum,
    Value,
    constant,
    multiplied,
    negative,
    reshaped,
    shown,
)
from depthsep.interop.onnx._window_operators import Window

POOLING = ("auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides")


def _window(node: Node, value: Value) -> Window:
    """Over the space axes of a batch of channels."""
    kernel = node.integers("kernel_shape")
    rank = len(value.shape) - 2
    if kernel is None or len(kernel) != rank or not 1 <= rank <= 3:
        raise FileFormatError(
            f"pools a tensor of shape {shown(value.marked_shape)}; it "
            "needs a batch, channels, one to three spatial axes and a "
            "kernel_shape with one entry for each spatial axis"
        )
    if value.shape[0] != 1 or value.batch not in (0, None) or min(kernel) < 1:
        raise FileFormatError(
            "pools several images at once, or has a kernel_shape entry below 1; only "
            "one image, or a batch on the first axis, is supported"
        )
    dilated = max(node.integers("dilations") or [1]) > 1
    if dilated and node.word("auto_pad", "NOTSET").startswith("SAME"):
        raise FileFormatError(
            "uses auto_pad SAME with dilations, which is not "
            "supported, as runtimes disagree on it"
        )
    return Window(node, value.shape[2:], tuple(kernel))


def _read(window: Window) -> np.ndarray:
    """What each position reads of one channel, (positions, kernel); -1 for padding."""
    table = np.full((math.prod(window.shape), math.prod(window.kernel)), -1)
    for column, offset in enumerate(itertools.product(*map(range, window.kernel))):
        at, places = window.read(offset)
        table[at, column] = places
    if (table < 0).all(axis=1).any():
        raise FileFormatError("has a window that lies entirely in the padding")
    return table


def _max_pool(node: Node) -> Datum:
    """The largest of each window; what is padded does not count."""
    value = node.value(0)
    if node.outputs > 1 or node.integer("storage_order", 0):
        raise FileFormatError(
            "also returns the indices of the maxima, or sets "
            "storage_order, which is not supported"
        )
    window = _window(node, value)
    table = _read(window)
    # a window that reaches into the padding reads one of its entries twice
    first = table[np.arange(len(table)), (table >= 0).argmax(axis=1)]
    table = np.where(table >= 0, table, first[:, None])
    channels = value.shape[1]
    starts = np.arange(channels)[:, None] * math.prod(window.size)
    parts = [
        Value((1, channels * len(table)), value.batch, form, value.extent)
        for form in (
            selected(value.form, (starts + column).ravel()) for column in table.T
        )
    ]
    return reshaped(_largest(parts), (value.marked_shape[0], channels, *window.shape))


def _largest(parts: Sequence[Value]) -> Value:
    """Entry by entry, by a balanced tree: as few layers as there can be."""
    values = [*parts]
    while len(values) > 1:
        pairs = itertools.zip_longest(values[::2], values[1::2])
        values = [a if b is None else larger(a, b) for a, b in pairs]
    return values[0]


def _average_pool(node: Node) -> Datum:
    """The mean of each window, of its entries or of its size."""
    value = node.value(0)
    window = _window(node, value)
    table = _read(window)
    positions, size = len(table), math.prod(window.size)
    check_entries(positions, size)
    inside = table >= 0
    whole = node.integer("count_include_pad", 0)
    if whole and node.integer("ceil_mode", 0):
        raise FileFormatError(
            "combines count_include_pad with ceil_mode; set ceil_mode to 0"
        )
    counts = np.full(positions, table.shape[1]) if whole else inside.sum(axis=1)
    weight = np.zeros((positions, size))
    for row, places in enumerate(table):
        weight[row, places[places >= 0]] = 1.0
    shares = exact_reciprocal(counts.astype(np.float64))
    sums = _of_channels(value, weight, window.shape)
    return multiplied(sums, constant(shares.reshape(window.shape)))


def _global_average(node: Node) -> Datum:
    value = node.value(0)
    _check_global(value)
    size = math.prod(value.shape[2:])
    sums = _of_channels(value, np.ones((1, size)), (1,) * (len(value.shape) - 2))
    return multiplied(sums, constant(exact_reciprocal(np.array([float(size)]))))


def _global_max(node: Node) -> Datum:
    value = node.value(0)
    _check_global(value)
    axes = list(range(2, len(value.shape)))
    return _largest_over(value, axes, keep=True)


def _check_global(value: Value) -> None:
    if len(value.shape) < 3 or value.batch not in (0, None):
        raise FileFormatError(
            f"pools a tensor of shape {shown(value.marked_shape)}; it "
            "needs a batch, channels and spatial axes, in this order"
        )


def _of_channels(value: Value, weight: np.ndarray, shape: tuple[int, ...]) -> Value:
    """The same weight applied to each channel."""
    channels = value.shape[1]
    rows = np.arange(value.form.size).reshape(channels, -1)
    form = image_of_rows(weight, value.form, rows)
    flat = Value((1, form.size), value.batch, form, value.extent)
    return reshaped(flat, (value.marked_shape[0], channels, *shape))


def _reduced(node: Node, *, least: bool) -> Datum:
    """The largest or the least over axes: all of them unless told."""
    value = node.value(0)
    rank = len(value.shape)
    axes = node.integers("axes", 1)
    if not axes and node.integer("noop_with_empty_axes", 0):
        return value
    gone = sorted({axis_of(a, rank) for a in axes or range(rank)})
    if value.batch in gone:
        raise FileFormatError(f"reduces axes {gone}, which include the batch axis")
    turned = negative(value) if least else value
    found = _largest_over(turned, gone, keep=bool(node.integer("keepdims", 1)))
    return negative(found) if least else found


def _largest_over(value: Value, gone: Sequence[int], *, keep: bool) -> Value:
    rank = len(value.shape)
    kept = [k for k in range(rank) if k not in gone]
    table = np.arange(value.form.size).reshape(value.shape)
    table = table.transpose([*kept, *gone]).reshape(
        math.prod(value.shape[k] for k in kept), -1
    )
    shape = tuple(value.shape[k] for k in kept)
    batch = None if value.batch is None else kept.index(value.batch)
    parts = [
        Value(shape, batch, _entries(value, column), value.extent) for column in table.T
    ]
    found = _largest(parts)
    if not keep:
        return found
    marked = iter(found.marked_shape)
    return reshaped(found, tuple(1 if k in gone else next(marked) for k in range(rank)))


def _entries(value: Value, index: np.ndarray) -> Form:
    return selected(value.form, index)


POOLING_OPERATORS = {
    "AveragePool": Operator(_average_pool, (*POOLING, "count_include_pad")),
    "GlobalAveragePool": Operator(_global_average),
    "GlobalMaxPool": Operator(_global_max),
    "MaxPool": Operator(_max_pool, (*POOLING, "storage_order")),
    "ReduceMax": Operator(partial(_reduced, least=False), REDUCING),
    "ReduceMin": Operator(partial(_reduced, least=True), REDUCING),
}
