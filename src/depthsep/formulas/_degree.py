"""The degree of a formula as a polynomial in some of its variables."""

from collections.abc import Collection
from math import inf

from depthsep.formulas._ranges import whole_exponent
from depthsep.formulas._syntax import Syntax


def degree_in(node: Syntax, names: Collection[str]) -> float:
    """At most this, as it is written: x1*x2*exp(x3) has degree 2 in x1 and x2.

    Returns:
        inf where it is not written as a polynomial in the variables of these names.
    """
    if node.variables.isdisjoint(names):
        return 0
    if node.kind == "name":
        return 1
    parts = [degree_in(part, names) for part in node.parts]
    if node.kind in ("+", "-", "neg"):
        return max(parts)
    if node.kind == "*":
        return sum(parts)
    if node.kind == "/" and parts[1] == 0:
        return parts[0]
    if node.kind == "**" and (power := whole_exponent(node) or -1) > 0:
        return parts[0] * power
    return inf
