"""Value and two derivatives of a function over a ball."""

from dataclasses import dataclass

from flint import arb


@dataclass(frozen=True)
class Jet:
    """Enclosures of f, f' and f'' over one ball, wherever f is defined on it.

    Where f has a kink inside the ball, `first` encloses all one-sided slopes and
    `second` is unbounded (not finite): Lipschitz bounds stay valid.
    Whether it is defined is for `AbstractTarget.check_defined` to say.
    """

    value: arb
    first: arb
    second: arb
