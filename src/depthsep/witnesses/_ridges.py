"""Sums of ridges for x1 x2: one proof on an interval for each linear form."""

from flint import fmpq, fmpq_mat

from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.laws import Box, Uniform
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Expression

Form = tuple[fmpq, ...]
HALF = fmpq(1, 2)


def ridges_of(
    network: Network, box: Box
) -> list[tuple[Form, fmpq, Network, Problem]] | Inapplicable:
    """The forms a with x1 x2 = sum of c (a.x)^2, c, and the network's part for each.

    The problem of each is c x^2 on the interval of its form; its accuracy is not used.
    """
    forms: list[Form] = []
    owners: list[int] = []
    for row in _rows(network.layers[0]):
        unit = _direction(row)
        if unit is None:
            return Inapplicable("a unit reads no input")
        if unit not in forms:
            forms.append(unit)
        owners.append(forms.index(unit))
    sizes = _coefficients(forms)
    if sizes is None:
        return Inapplicable("the network's directions do not carry x1 x2 as squares")
    out: list[tuple[Form, fmpq, Network, Problem]] = []
    for number, (form, size) in enumerate(zip(forms, sizes, strict=True)):
        part = _along(network, forms, owners, number)
        if isinstance(part, Inapplicable):
            return part
        ends = [
            sorted((c * side.start, c * side.stop))
            for c, side in zip(form, box.sides, strict=True)
        ]
        on = Uniform(sum(low for low, _ in ends), sum(high for _, high in ends))
        target = Expression(f"x**2*({text(size)})")
        out.append((form, size, part, Problem(target, on, accuracy=1)))
    return out


def _rows(layer: Affine) -> list[list[fmpq]]:
    w, _, scale = layer.integers
    return [[fmpq(int(v), int(scale)) for v in row] for row in w]


def _biases(layer: Affine) -> list[fmpq]:
    _, b, scale = layer.integers
    return [fmpq(int(v), int(scale)) for v in b]


def _direction(row: list[fmpq]) -> Form | None:
    """The row with 1 as its first entry that is not 0."""
    first = next((v for v in row if v != 0), None)
    return None if first is None else tuple(v / first for v in row)


def _coefficients(forms: list[Form]) -> list[fmpq] | None:
    """c with sum of c (a.x)^2 = x1 x2, for two or three directions."""
    wanted = [fmpq(0), HALF, fmpq(0)]
    pairs = ((0, 0), (0, 1), (1, 1))
    matrix = [[a[i] * a[j] for a in forms] for i, j in pairs]
    if len(forms) == 2:  # the third equation follows, or there is no answer
        square = fmpq_mat(2, 2, [*matrix[0], *matrix[1]])
        known = fmpq_mat(2, 1, wanted[:2])
    elif len(forms) == 3:
        square = fmpq_mat(3, 3, [v for row in matrix for v in row])
        known = fmpq_mat(3, 1, wanted)
    else:
        return None
    try:
        sizes = [fmpq(v) for v in square.solve(known).entries()]
    except ZeroDivisionError:
        return None
    left = sum(c * a[1] * a[1] for c, a in zip(sizes, forms, strict=True))
    return sizes if left == 0 else None


def _along(
    network: Network, forms: list[Form], first: list[int], number: int
) -> Network | Inapplicable:
    """The units that read one form, as a network of its value."""
    owners, layers = first, list[Affine]()
    for k, layer in enumerate(network.layers):
        rows, biases = _rows(layer), _biases(layer)
        last = k == network.depth - 1
        if k == 0:
            chosen = [i for i, r in enumerate(owners) if r == number]
            lead = [next(v for v in row if v != 0) for row in rows]
            weights = [[lead[i]] for i in chosen]
        else:
            kept = [j for j, r in enumerate(owners) if r == number]
            mine = [number] if last else [_owner(row, owners) for row in rows]
            if None in mine:
                return Inapplicable("a unit reads more than one direction")
            chosen = [i for i, r in enumerate(mine) if r == number]
            weights = [[rows[i][j] for j in kept] for i in chosen]
            owners = [r for r in mine if r is not None]
        shift = [biases[i] for i in chosen]
        layers.append(Affine(weights, [fmpq(0)] if last and number else shift))
    return Network(layers)


def _owner(row: list[fmpq], owners: list[int]) -> int | None:
    found = {r for w, r in zip(row, owners, strict=True) if w != 0}
    return found.pop() if len(found) == 1 else None
