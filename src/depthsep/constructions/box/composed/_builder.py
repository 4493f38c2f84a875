"""Networks for the parts of a formula on a box."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flint import fmpq

from depthsep._errors import DepthsepError, UndecidedError
from depthsep.claims import AbstractConstruction
from depthsep.constructions.box.composed._plan import (
    Plan,
    largest_of_two,
    narrowest,
    plan_of,
)
from depthsep.constructions.box.composed._room import around, room_of
from depthsep.exact import Interval
from depthsep.formulas import Syntax, number, range_of, variable
from depthsep.laws import Box, Segment
from depthsep.networks import Affine, Network, add, compose, parallel
from depthsep.problems import Problem
from depthsep.targets import Expression, Formula, affine_form

SHARES = tuple(fmpq(k, 16) for k in (2, 4, 8, 12, 14, 15))  # for the inner parts
MORE = fmpq(65, 64)  # times its largest value, beyond which no part goes
PLUS, TIMES, LARGEST = ("+", "-"), ("*", "/"), ("max", "min")


class Builder:
    """Finds the narrowest networks for parts of a formula on one box.

    Args:
        on_lines, on_boxes: the constructions that are asked.
    """

    def __init__(
        self,
        box: Box,
        on_lines: Sequence[AbstractConstruction],
        on_boxes: Sequence[AbstractConstruction],
    ) -> None:
        self.box = box
        self.on_lines, self.on_boxes = on_lines, on_boxes
        self.names = [f"x{k}" for k in range(1, box.in_dim + 1)]
        self.cell = {
            name: Interval(side.start, side.stop)
            for name, side in zip(self.names, box.sides, strict=True)
        }
        self.known: dict[tuple[str, fmpq, int], Plan | None] = {}

    def plan(self, node: Syntax, accuracy: fmpq, depth: int) -> Plan | None:
        """The narrowest network of this depth that is known for a part."""
        key = (node.text, accuracy, depth)
        if key not in self.known:
            form = affine_form(node, self.names) or self._nearly_constant(
                node, accuracy
            )
            if form is not None:
                self.known[key] = self._passed_on(*form, depth)
            elif len(node.variables) == 1:
                self.known[key] = self._on_a_line(node, accuracy, depth)
            else:
                made = self._on_the_box(node, accuracy, depth)
                parts = self.composed(node, accuracy, depth)
                self.known[key] = narrowest([made, parts])
        return self.known[key]

    def composed(self, node: Syntax, accuracy: fmpq, depth: int) -> Plan | None:
        """From networks of the parts."""
        return narrowest(list(self._ways(node, accuracy, depth)))

    def _ways(self, node: Syntax, accuracy: fmpq, depth: int) -> Iterator[Plan | None]:
        first, *others = node.parts
        second = others[0] if others else None
        if node.kind == "neg":
            yield self._multiple(first, fmpq(-1), accuracy, depth)
        elif node.kind in PLUS and second is not None:
            yield self._sum(node, accuracy, depth)
        elif node.kind in LARGEST and len(node.variables) > 1:
            yield from self._largest(*_as_largest(node), accuracy, depth)
        elif node.kind in TIMES and second is not None and first.variables:
            inverse = node.kind == "/"
            v = Syntax("/", (number(1), second)) if inverse else second
            if v.variables:
                yield from self._products(first, v, accuracy, depth)
            else:
                yield from self._constant_times(first, v, accuracy, depth)
        elif node.kind == "*" and second is not None:
            yield from self._constant_times(second, first, accuracy, depth)
        else:
            yield from self._functions(node, accuracy, depth)

    # --------------------------------------------------------------- kinds of parts

    def _nearly_constant(
        self, node: Syntax, accuracy: fmpq
    ) -> tuple[tuple[fmpq, ...], fmpq] | None:
        """Of a part whose values leave no more than this from their middle."""
        span = self._range(node)
        if span is None or span.high - span.low > 2 * accuracy:
            return None
        return (fmpq(0),) * self.box.in_dim, (span.low + span.high) / 2

    def _passed_on(self, weights: Sequence[fmpq], constant: fmpq, depth: int) -> Plan:
        """An affine part less its least value, by one unit in every layer."""
        ends = [
            min(w * side.start, w * side.stop)
            for w, side in zip(weights, self.box.sides, strict=True)
        ]
        low = sum(ends, fmpq(0))
        layers = [Affine([list(weights)], [-low])]
        layers += [Affine([[fmpq(1)]], [fmpq(0)])] * (depth - 2)
        layers.append(Affine([[fmpq(1)]], [low + constant]))
        return Plan((1,) * (depth - 1), lambda: Network(layers))

    def _on_a_line(self, node: Syntax, accuracy: fmpq, depth: int) -> Plan | None:
        (name,) = node.variables
        k = self.names.index(name)
        found = self._outer(node.replaced({name: variable("x")}), self.box.sides[k],
                            accuracy, depth)  # fmt: skip
        chosen = [[fmpq(int(j == k)) for j in range(self.box.in_dim)]]
        inputs = Network([Affine(chosen, [fmpq(0)])])
        return found and replace(found, make=lambda: compose(found.make(), inputs))

    def _outer(
        self, profile: Syntax, on: Segment, accuracy: fmpq, depth: int
    ) -> Plan | None:
        try:
            problem = Problem(Expression.of(profile), on, "linf", accuracy)
            problem.target.check_range(problem.law, accuracy)
        except DepthsepError:
            return None
        return plan_of(self.on_lines, problem, depth)

    def _on_the_box(self, node: Syntax, accuracy: fmpq, depth: int) -> Plan | None:
        try:
            target = Formula(node.text, self.box.in_dim)
            problem = Problem(target, self.box, "linf", accuracy)
        except DepthsepError:
            return None
        return plan_of(self.on_boxes, problem, depth)

    # ---------------------------------------------------------------- ways to compose

    def _multiple(
        self, node: Syntax, factor: fmpq, accuracy: fmpq, depth: int
    ) -> Plan | None:
        found = self.plan(node, accuracy / abs(factor), depth) if factor else None
        return found and found.times(factor)

    def _constant_times(
        self, node: Syntax, constant: Syntax, accuracy: fmpq, depth: int
    ) -> Iterator[Plan | None]:
        value = self._range(constant)
        if value is not None and value.is_point:
            yield self._multiple(node, value.low, accuracy, depth)
        else:  # such as pi
            yield from self._functions(Syntax("*", (constant, node)), accuracy, depth)

    def _sum(self, node: Syntax, accuracy: fmpq, depth: int) -> Plan | None:
        exact = [affine_form(part, self.names) is not None for part in node.parts]
        each = accuracy if any(exact) else accuracy / 2
        plans = [self.plan(part, each, depth) for part in node.parts]
        if plans[0] is None or plans[1] is None:
            return None
        second = plans[1] if node.kind == "+" else plans[1].times(fmpq(-1))
        return plans[0].beside(second, add)

    def _functions(
        self, node: Syntax, accuracy: fmpq, depth: int
    ) -> Iterator[Plan | None]:
        """g(p) for functions of one part, powers, and constants over a part."""
        moving = [k for k, part in enumerate(node.parts) if part.variables]
        if len(moving) != 1:
            return
        inner = node.parts[moving[0]]
        parts = tuple(
            variable("x") if k in moving else p for k, p in enumerate(node.parts)
        )
        profile, on = Syntax(node.kind, parts), self._range(inner)
        if on is None or on.is_point:
            return
        for share in SHARES:
            room, rest = room_of(profile, on, share * accuracy), (1 - share) * accuracy
            if room is None:
                return
            for layers in range(2, depth):
                outer = self._outer(profile, room.on, rest, depth - layers + 1)
                before = self.plan(inner, room.accuracy, layers)
                if outer and before:
                    yield outer.behind(before.moved(room.shift))

    def _products(
        self, u: Syntax, v: Syntax, accuracy: fmpq, depth: int
    ) -> Iterator[Plan | None]:
        """A network for x1 * x2 behind those of both factors."""
        spans = [self._range(u), self._range(v)]
        known = [span for span in spans if span is not None and not span.is_point]
        if len(known) < len(spans):
            return
        is_exact = [affine_form(part, self.names) is not None for part in (u, v)]
        # (u + a)(v + b) - u v = v a + (u + a) b: a is small beside u
        sizes = [max(abs(span.low), abs(span.high)) * MORE for span in known]
        for share in SHARES if not all(is_exact) else (fmpq(0),):
            each = share * accuracy / (1 if any(is_exact) else 2)
            rooms = [
                min(each / size, (1 - 1 / MORE) * own)
                for size, own in zip(reversed(sizes), sizes, strict=True)
            ]
            sides = [
                Segment(span.low, span.high) if exact else around(span, room)
                for span, room, exact in zip(known, rooms, is_exact, strict=True)
            ]
            rest = (1 - share) * accuracy
            product = Problem("product", Box(tuple(sides)), "linf", rest)
            for layers in range(2, depth):
                outer = plan_of(self.on_boxes, product, depth - layers + 1)
                first = self.plan(u, rooms[0], layers)
                second = self.plan(v, rooms[1], layers)
                if outer and first and second:
                    yield outer.behind(first.beside(second, parallel))

    def _largest(
        self, u: Syntax, v: Syntax, sign: int, accuracy: fmpq, depth: int
    ) -> Iterator[Plan | None]:
        """With s the sign: s max(s u, s v), max(a, b) = relu(a - b) + b."""
        span = self._range(v)
        if span is None:
            return
        low = (span.low if sign > 0 else -span.high) - accuracy
        forms = [affine_form(part, self.names) for part in (u, v)]
        is_affine = forms[0] is not None and forms[1] is not None
        for layers in range(1 if is_affine else 2, depth):
            outer = largest_of_two(fmpq(sign), low, depth - layers + 1)
            if layers == 1:
                rows, constants = zip(*(form for form in forms if form), strict=True)
                both = Network([Affine([list(row) for row in rows], list(constants))])
                yield outer.behind(Plan((), lambda both=both: both))
                continue
            first, second = (self.plan(part, accuracy, layers) for part in (u, v))
            if first and second:
                yield outer.behind(first.beside(second, parallel))

    def _range(self, node: Syntax) -> Interval | None:
        try:
            return range_of(node, self.cell)
        except UndecidedError:
            return None


def _as_largest(node: Syntax) -> tuple[Syntax, Syntax, int]:
    """u, v and a sign: the node is sign * max(sign u, sign v)."""
    first, *others = node.parts
    sign = -1 if node.kind == "min" else 1
    if not others:
        return first, first, sign
    return (
        first,
        others[0] if len(others) == 1 else replace(node, parts=tuple(others)),
        sign,
    )
