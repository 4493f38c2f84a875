"""Networks that compute the largest of N numbers, by pairs and by five groups."""

from collections.abc import Sequence

from flint import fmpq

from depthsep.networks import Circuit, Network, Wire

Group = tuple[int, ...]


def most_numbers(layers: int) -> int:
    """How many numbers `layers` hidden layers compute the largest of: 2, 5, 12, 30...

    Five groups, of which certain pairs hold at most p numbers, hold 2 p + p // 2.
    """
    most = 2
    for _ in range(layers - 1):
        most = 2 * most + most // 2
    return most


def hidden_layers_needed(count: int) -> int:
    """The fewest hidden layers with which `count` numbers are handled here."""
    layers = 1
    while most_numbers(layers) < count:
        layers += 1
    return layers


def largest_network(starts: Sequence[fmpq], layers: int, *, found: int) -> Network:
    """max(x_1, ..., x_N) wherever every x_i is at least `starts[i]`.

    Args:
        found: the hidden layer that has the largest; it is passed on from there.
    """
    circuit, output = _circuit(starts, layers, found)
    return circuit.network([output])


def largest_widths(count: int, layers: int, *, found: int) -> tuple[int, ...]:
    """Units of each hidden layer of that network."""
    return tuple(_circuit([fmpq(0)] * count, layers, found)[0].widths)


def _circuit(starts: Sequence[fmpq], layers: int, found: int) -> tuple[Circuit, Wire]:
    plan = _Plan(starts)
    wire, low = plan.largest(tuple(range(len(starts))), found), max(starts)
    for _ in range(found, layers):
        wire = plan.circuit.shared_relu(wire + -low) + low
    return plan.circuit, wire


class _Plan:
    """A circuit whose wires are maxima of groups of inputs."""

    def __init__(self, starts: Sequence[fmpq]) -> None:
        self.circuit = Circuit(len(starts))
        self.starts = starts
        self._known: dict[tuple[Group, int], Wire] = {}

    def largest(self, group: Group, layers: int) -> Wire:
        """The largest of a group, as a wire of this layer."""
        if layers == 0:
            return self.circuit.inputs[group[0]]
        key = (group, layers)
        if key not in self._known:
            self._known[key] = self._made(group, layers)
        return self._known[key]

    def _made(self, group: Group, layers: int) -> Wire:
        half = 2 ** (layers - 1)
        if len(group) <= half:
            return self._passed_on(group, layers)
        if len(group) <= 2 * half:
            left, right = group[:half], group[half:]
            a, b = (self.largest(part, layers - 1) for part in (left, right))
            return self.circuit.shared_relu(a - b) + self._passed_on(right, layers)
        return self._of_five(_five_groups(group), layers)

    def _passed_on(self, group: Group, layers: int) -> Wire:
        """The largest of a group is found a layer before, and is at least `low`."""
        low = max(self.starts[i] for i in group)
        wire = self.largest(group, layers - 1)
        return self.circuit.shared_relu(wire + -low) + low

    def _of_five(self, five: Sequence[Group], layers: int) -> Wire:
        """With M_S the largest of the union of S, all of one layer before, twice M is

        2 M_4 + relu(M_01 + M_23 - 2 M_4)
        + relu(M_01 - M_24) + relu(M_01 - M_34) + relu(M_23 - M_04) + relu(M_23 - M_14)
        - relu(M_01 + M_23 - M_04 - M_14) - relu(M_01 + M_23 - M_24 - M_34).
        """
        p, q, r, s, t = five
        last = self.largest(t, layers - 1)
        pq, rs = (self.largest(g, layers - 1) for g in (p + q, r + s))
        pt, qt, rt, st = (self.largest(g + t, layers - 1) for g in (p, q, r, s))
        relu, both = self.circuit.shared_relu, pq + rs
        plus = [both - 2 * last, pq - rt, pq - st, rs - pt, rs - qt]
        minus = [both - pt - qt, both - rt - st]
        parts = [relu(w) for w in plus] + [-1 * relu(w) for w in minus]
        return fmpq(1, 2) * self.circuit.sum(parts) + self._passed_on(t, layers)


def _five_groups(group: Group) -> list[Group]:
    """Of sizes that differ by one at most; the first and third are not the smaller."""
    size, more = divmod(len(group), 5)
    grows = ((), (0,), (0, 2), (0, 1, 2), (0, 1, 2, 3))[more]
    parts, start = [], 0
    for place in range(5):
        stop = start + size + (place in grows)
        parts.append(group[start:stop])
        start = stop
    return parts
