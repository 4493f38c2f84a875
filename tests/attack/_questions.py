"""Random targets of every kind but formulas in one variable, as options."""

import random
from fractions import Fraction

from ._formulas import constant, interval


def target(rng: random.Random) -> tuple[str, ...]:
    """A target that is no formula in one variable, with the options it needs."""
    kind = rng.randrange(9)
    if kind == 0:
        return (rng.choice(("square", "product", f"sawtooth:{rng.randint(1, 8)}")),)
    if kind == 1:
        a, b = interval(rng)
        return rng.choice(("square", "product")), f"--on={a},{b}"
    if kind == 2:
        return (f"parity:{rng.randint(1, 7)}",)
    if kind in (3, 4):
        return f"poly:{polynomial(rng)}", *_sides(rng)
    if kind == 5:
        return f"expr:{_on_a_box(rng)}", *_sides(rng)
    if kind in (6, 7):
        dim = str(rng.randint(2, 4))
        return f"inner:{_inner(rng)}", "--dim", dim
    own = rng.choice(("1-r", "r", "1-r**2", "exp(-r)", "sin(3*r)", "sqrt(r)"))
    named = ("relu", "ball", f"triangle:{rng.randint(1, 3)}", f"{own} on 0,1")
    return f"radial:{rng.choice(named)}", "--dim", str(rng.randint(2, 4))


def polynomial(rng: random.Random) -> str:
    """A polynomial in two or three variables."""
    names = ["x1", "x2", "x3"][: rng.choice((2, 2, 3))]
    terms = []
    for _ in range(rng.randint(1, 4)):
        factors = [f"{rng.choice(names)}**{rng.randint(1, 3)}" for _ in range(2)]
        terms.append("*".join([constant_rational(rng), *factors[: rng.randint(1, 2)]]))
    return rng.choice(("+", "-")).join([*terms, f"{rng.randint(0, 2)}*x2"])


def constant_rational(rng: random.Random) -> str:
    """A positive rational number."""
    return f"{rng.randint(1, 9)}/{rng.randint(1, 9)}"


def _sides(rng: random.Random) -> tuple[str, ...]:
    if rng.random() < 0.6:
        return ()
    start = Fraction(rng.randint(-4, 3), 2)
    return (f"--on={start},{start + Fraction(rng.randint(1, 6), 3)}",)


def _inner(rng: random.Random) -> str:
    shapes = (
        *("sin({k}*t)", "cos({k}*t)", "abs(t)", "t**{k}", "exp(t)", "sign(t)"),
        *("sqrt(1-t**2)", "t", "t*abs(t)", "max(t,1/{k})", "log(t+2)", "t**2-t/{k}"),
    )
    return rng.choice(shapes).format(k=rng.randint(1, 4))


def _on_a_box(rng: random.Random) -> str:
    k = rng.randint(1, 3)
    return rng.choice(
        (
            f"exp(-x1**2-x2**2/{k})",
            f"sin({k}*x1+x2)",
            f"abs(x1-x2/{k})",
            f"max(x1,{k}*x2)",
            "x1*x2+sin(x1)",
            f"1/(x1+x2+{k})",
            f"log(x1+{k})*x2",
            "sqrt(x1*x1+x2*x2)",
            f"tanh({constant(rng)}*x1*x2)",
        )
    )
