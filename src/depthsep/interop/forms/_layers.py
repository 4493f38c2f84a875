"""From an affine form to a `Network`: blocks into layers, skips carried along."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.interop.forms._exact_arrays import joined
from depthsep.interop.forms._forms import (
    Block,
    Form,
    Matrix,
    add_term,
    check_entries,
    dense,
    form_of,
    stacked,
    times,
)
from depthsep.networks import RELU, Activation, Affine, Network, scaled

_MAX_ENTRIES = 1 << 28


def network_of(output: Form) -> Network:
    """The network whose read-out is `output`.

    Every block sits in the layer of its level, as early as it can. Units that a later
    layer reads past an activation are carried by ReLU units: one each for hidden units
    that are never negative, else two, x = relu(x) - relu(-x). Where leaky units or |z|
    would share a layer with ReLUs, they become two ReLUs each.

    Raises:
        FileFormatError: two activations would share a layer, or the skips make the
            layers too large together.
    """
    _check_size(output)
    carried: dict[Block, Block] = {}
    form = output
    layers: list[Affine] = []
    activations: list[Activation] = []
    for level in range(max(b.level for b in output.terms), -1, -1):
        form = Form(_lifted(form, level, carried), form.bias)
        form = Form(_alike(form.terms), form.bias)
        layers.append(_affine(form))
        if level:
            activations.append(_shared_activation(list(form.terms)))
            form = stacked([b.source for b in form.terms if b.source is not None])
    return Network(layers[::-1], activations[::-1])


def _check_size(output: Form) -> None:
    """Refuse layers of too many entries together before the first is made."""
    entries = 0
    for m, n in pairwise([output.size, *_widths(output)]):
        check_entries(m, n)
        entries += m * n
        if entries > _MAX_ENTRIES:
            raise FileFormatError(
                f"has layers with more than {_MAX_ENTRIES} weights in "
                "total, counting those of units that are added to "
                "carry skip connections; give a smaller network"
            )


def _widths(output: Form) -> Iterator[int]:
    """Units of each level that `network_of` makes, from the last one to the inputs."""
    live = set(output.terms)
    for level in range(max(b.level for b in live), -1, -1):
        yield sum(
            b.size * (2 if b.level < level and _may_be_negative(b) else 1) for b in live
        )
        sources = [b.source.terms for b in live if b.level == level and b.source]
        live = {b for b in live if b.level < level}.union(*sources)


def _lifted(form: Form, level: int, carried: dict[Block, Block]) -> dict[Block, Matrix]:
    """The terms, all over blocks of one level."""
    terms: dict[Block, Matrix] = {}
    for block, matrix in form.terms.items():
        while block.level < level:
            if _may_be_negative(block):
                signed = dense(matrix, block.size)
                matrix = np.concatenate([signed, -signed], axis=1)
            block = carried.setdefault(block, _carrier(block))
        add_term(terms, block, matrix)
    return terms


def _carrier(block: Block) -> Block:
    source = form_of(block)
    if _may_be_negative(block):
        source = _both_signs(source)
    return Block(source.size, block.level + 1, source, RELU)


def _may_be_negative(block: Block) -> bool:
    return block.activation is None or not block.activation.nonnegative


def _both_signs(form: Form) -> Form:
    return stacked([form, times(form, np.full(form.size, -1.0))])


def _alike(terms: dict[Block, Matrix]) -> dict[Block, Matrix]:
    """The terms, with ReLUs only where a layer would have several activations."""
    if len({block.activation for block in terms}) < 2:
        return terms
    found: dict[Block, Matrix] = {}
    for block, matrix in terms.items():
        parts = () if block.activation is None else block.activation.relus
        if block.source is None or not parts or any(p.offset for p in parts):
            add_term(found, block, matrix)
            continue
        signs = [np.full(block.size, float(p.sign)) for p in parts]
        source = stacked([times(block.source, sign) for sign in signs])
        relus = Block(source.size, block.level, source, RELU)
        columns = dense(matrix, block.size)
        add_term(found, relus, joined([scaled(columns, p.factor) for p in parts], 1))
    return found


def _affine(form: Form) -> Affine:
    check_entries(form.size, sum(block.size for block in form.terms))
    matrices = [dense(matrix, block.size) for block, matrix in form.terms.items()]
    return Affine(joined(matrices, axis=1), form.bias)


def _shared_activation(blocks: Sequence[Block]) -> Activation:
    names = {
        block.activation.name: block.activation for block in blocks if block.activation
    }
    if len(names) > 1:
        raise FileFormatError(
            f"{' and '.join(sorted(names))} units would share a layer, which can have "
            "only one activation; use one activation in parallel branches, and skip "
            "connections only past ReLUs, leaky ReLUs and absolute values"
        )
    return next(iter(names.values()))
