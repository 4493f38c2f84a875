"""Affine forms over hidden units: what a tensor in a graph is, as mathematics.

A graph is read by computing with forms. Affine operators turn forms into forms; an
activation makes a new `Block` of hidden units. Nothing is multiplied out before it
must be, so the weights of a plain network come through untouched.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.exact import rationals
from depthsep.interop.forms._exact_arrays import (
    exact_matmul,
    exact_product,
    exact_sum,
    joined,
    stored,
    zeros,
)
from depthsep.networks import Activation

MAX_ENTRIES = 1 << 27
"""The most entries of one dense weight matrix."""


@dataclass(frozen=True, eq=False)
class Block:
    """Hidden units that one activation makes; the inputs have no source.

    Attributes:
        size: how many units.
        level: 0 for the inputs, else one more than the deepest block of the source.
        source: what the activation is applied to.
        activation: what is applied, the same for every unit.
    """

    size: int
    level: int = 0
    source: "Form | None" = None
    activation: Activation | None = None


@dataclass(frozen=True, eq=False)
class Picked:
    """A sparse matrix: row i is `scale[i]` in column `index[i]`, zero elsewhere."""

    index: np.ndarray
    scale: np.ndarray


Matrix = np.ndarray | Picked


@dataclass(frozen=True, eq=False)
class Form:
    """sum of ``matrix @ block`` over the terms, plus bias; exact throughout.

    No terms: a constant, its value is the bias.
    """

    terms: dict[Block, Matrix]
    bias: np.ndarray

    @property
    def size(self) -> int:
        """How many numbers."""
        return self.bias.shape[0]


def form_of(block: Block) -> Form:
    """The units of a block themselves."""
    return Form({block: identity(block.size)}, np.zeros(block.size))


def identity(size: int) -> Picked:
    """The identity matrix."""
    return Picked(np.arange(size), np.ones(size))


def activated(form: Form, activation: Activation) -> Form:
    """activation(form): a new block, or a constant if the form is constant."""
    if not form.terms:
        return Form({}, _constant_activated(form.bias, activation))
    level = 1 + max(block.level for block in form.terms)
    return form_of(Block(form.size, level, form, activation))


def is_unit_of(form: Form, source: Form, activation: Activation) -> bool:
    """Whether a form is exactly the units of an activation, applied to another."""
    if len(form.terms) != 1 or bool(np.any(form.bias != 0)):
        return False
    ((block, matrix),) = form.terms.items()
    if not isinstance(matrix, Picked) or block.activation is not activation:
        return False
    same = matrix.index.size == block.size and bool(np.all(matrix.scale == 1))
    in_order = same and bool(np.all(matrix.index == np.arange(block.size)))
    return in_order and block.source is source


def plus(first: Form, second: Form) -> Form:
    """first + second."""
    terms = dict(first.terms)
    for block, matrix in second.terms.items():
        add_term(terms, block, matrix)
    return Form(terms, exact_sum(first.bias, second.bias))


def add_term(terms: dict[Block, Matrix], block: Block, matrix: Matrix) -> None:
    """Add ``matrix @ block`` to the terms, in place."""
    here = terms.get(block)
    terms[block] = matrix if here is None else _sum(here, matrix, block.size)


def times(form: Form, factors: np.ndarray) -> Form:
    """The form with entry i multiplied by ``factors[i]``."""
    if bool(np.all(factors == 1)):
        return form
    scaled = _each(form, lambda m: _scaled_rows(m, factors))
    return Form(scaled, exact_product(form.bias, factors))


def selected(form: Form, index: np.ndarray) -> Form:
    """Entries ``form[index]``."""
    if index.size == form.size and bool(np.all(index == np.arange(form.size))):
        return form
    columns = (1 if isinstance(m, Picked) else m.shape[1] for m in form.terms.values())
    check_entries(index.size, sum(columns))
    return Form(_each(form, lambda m: _rows(m, index)), form.bias[index])


def image(weight: np.ndarray, form: Form) -> Form:
    """weight @ form."""
    terms: dict[Block, Matrix] = {
        b: _product(weight, m, b.size) for b, m in form.terms.items()
    }
    if not bool(np.any(form.bias != 0)):
        return Form(terms, np.zeros(weight.shape[0]))
    return Form(terms, exact_matmul(weight, form.bias[:, None])[:, 0])


def ratio(first: Form, second: Form) -> np.ndarray | None:
    """Factors c with first = c * second, entry by entry, exactly; None without."""
    blocks = [*dict.fromkeys((*first.terms, *second.terms))]
    tables = []
    for form in (first, second):
        parts = [
            rationals(dense(form.terms.get(b, _nothing(form.size)), b.size))
            for b in blocks
        ]
        tables.append(np.concatenate([*parts, rationals(form.bias)[:, None]], axis=1))
    factors = []
    for a, b in zip(*tables, strict=True):
        place = next((k for k, v in enumerate(b) if v != 0), None)
        factor = a[0] * 0 if place is None else a[place] / b[place]
        if any(x != factor * y for x, y in zip(a, b, strict=True)):
            return None
        factors.append(factor)
    out = np.empty(len(factors), dtype=object)
    out[:] = factors
    return stored(out)


def stacked(forms: Sequence[Form]) -> Form:
    """The forms one after another."""
    if len(forms) == 1:
        return forms[0]
    blocks = {block: None for form in forms for block in form.terms}
    check_entries(sum(form.size for form in forms), len(blocks))
    terms = {
        b: _stacked([f.terms.get(b, _nothing(f.size)) for f in forms], b.size)
        for b in blocks
    }
    return Form(terms, joined([form.bias for form in forms]))


def dense(matrix: Matrix, columns: int) -> np.ndarray:
    """The matrix with all its zeros."""
    if not isinstance(matrix, Picked):
        return matrix
    rows = matrix.index.size
    check_entries(rows, columns)
    out = zeros((rows, columns), matrix.scale)
    out[np.arange(rows), matrix.index] = matrix.scale
    return out


def check_entries(*shape: int) -> None:
    """Refuse a matrix of more than `MAX_ENTRIES` before it is allocated."""
    if math.prod(shape) > MAX_ENTRIES:
        raise FileFormatError(
            f"needs a matrix of shape {shape}, above the limit of "
            f"{MAX_ENTRIES} entries; give a smaller network"
        )


def _constant_activated(values: np.ndarray, activation: Activation) -> np.ndarray:
    """The activation of constants in rationals: floats would round slope * value."""
    out = np.empty(values.size, dtype=object)
    out[:] = [activation.exact(v) for v in rationals(values).tolist()]
    return stored(out)


def _each(form: Form, change: Callable[[Matrix], Matrix]) -> dict[Block, Matrix]:
    return {block: change(matrix) for block, matrix in form.terms.items()}


def _sum(a: Matrix, b: Matrix, columns: int) -> Matrix:
    if isinstance(a, Picked) and isinstance(b, Picked) and np.all(a.index == b.index):
        return Picked(a.index, exact_sum(a.scale, b.scale))
    return exact_sum(dense(a, columns), dense(b, columns))


def _scaled_rows(matrix: Matrix, factors: np.ndarray) -> Matrix:
    if isinstance(matrix, Picked):
        return Picked(matrix.index, exact_product(matrix.scale, factors))
    return exact_product(matrix, factors[:, None])


def _rows(matrix: Matrix, index: np.ndarray) -> Matrix:
    if isinstance(matrix, Picked):
        return Picked(matrix.index[index], matrix.scale[index])
    return matrix[index]


def _product(weight: np.ndarray, matrix: Matrix, columns: int) -> np.ndarray:
    """weight @ matrix, by moving and scaling columns where the matrix is sparse."""
    if not isinstance(matrix, Picked):
        return exact_matmul(weight, matrix)
    live = np.flatnonzero(matrix.scale != 0)
    index, scale = matrix.index[live], matrix.scale[live]
    if np.unique(index).size != index.size:
        return exact_matmul(weight, dense(matrix, columns))
    chosen = weight if live.size == weight.shape[1] else weight[:, live]
    if not np.all(scale == 1):
        chosen = exact_product(chosen, scale[None, :])
    if index.size == columns and np.all(index == np.arange(columns)):
        return chosen
    check_entries(weight.shape[0], columns)
    out = zeros((weight.shape[0], columns), chosen)
    out[:, index] = chosen
    return out


def _stacked(parts: list[Matrix], columns: int) -> Matrix:
    sparse = [p for p in parts if isinstance(p, Picked)]
    if len(sparse) == len(parts):
        index = np.concatenate([p.index for p in sparse])
        return Picked(index, joined([p.scale for p in sparse]))
    heights = (p.index.size if isinstance(p, Picked) else p.shape[0] for p in parts)
    check_entries(sum(heights), columns)
    return joined([dense(p, columns) for p in parts])


def _nothing(rows: int) -> Picked:
    return Picked(np.zeros(rows, dtype=np.int64), np.zeros(rows))
