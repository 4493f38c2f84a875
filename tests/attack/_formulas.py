"""Random formulas in one variable, as text; some simplify to what they are not."""

import random
from fractions import Fraction

SMOOTH = ("sin", "cos", "atan", "tanh", "asinh", "erf", "exp", "sinh", "cosh")
KINKED = ("abs",) * 5 + ("sign",)
GUARDED = ("tan", "asin", "acos", "acosh", "atanh", "log", "sqrt")
TRAPS = (
    "sqrt({g})**2",
    "exp(log({g}))",
    "cosh(acosh({g}))",
    "sin(asin({g}))",
    "cos(acos({g}))",
    "tanh(atanh({g}))",
    "(({g})**(1/3))**3",
    "(({g})**(1/2))**4",
    "(({g})**(-1))**(-1)",
    "log({g})-log({g})",
    "({g})/({g})",
    "({g})**2/({g})",
    "0*log({g})",
    "0/({g})",
    "max(x,log(-({g})**2-1))",
    "min({g},sqrt(-x**2-1))",
    "abs(log({g}))*0+x",
    "log(exp({g}))",
    "asin(sin({g}))",
    "log(({g})**2)",
    "sqrt(({g})**2)",
    "(({g})**2)**(1/2)",
    "sqrt((x-{c})**2-1e-{n})",
    "log((x-{c})**2+1e-{n})",
    "log((x-{c})**2-1e-{n})+{g}",
    "1/((x-{c})**2+1e-{n})",
    "max(0,sin({c})**2+cos({c})**2-1)+{g}",
    "max(sqrt(2)*sqrt(3)-sqrt(6),x)",
    "sign(sqrt(2)*sqrt(3)-sqrt(6))+{g}",
    "abs(sin({c})**2+cos({c})**2-1)+{g}",
    "({g})**(x-x)",
)


def constant(rng: random.Random) -> str:
    """A rational or decimal constant, not negative."""
    kind = rng.randrange(6)
    if kind == 0:
        return f"({rng.randint(1, 9)}/{rng.randint(2, 9)})"
    if kind == 1:
        return f"{rng.randint(0, 3)}.{rng.randint(1, 99):02d}"
    if kind == 2:
        return rng.choice(("pi", "e", "sqrt(2)", "1e-3", "1e-12"))
    return str(rng.randint(1, 5))


def formula(rng: random.Random, levels: int = 3) -> str:
    """A formula in x with at most so many levels."""
    kind = rng.random()
    if levels == 0 or kind < 0.12:
        return "x" if rng.random() < 0.75 else constant(rng)
    if kind < 0.22:
        return trap(rng, levels - 1)
    if kind < 0.5:
        operator = rng.choice("++--**/")
        return f"({formula(rng, levels - 1)}){operator}({formula(rng, levels - 1)})"
    if kind < 0.58:
        exponent = rng.choice(("2", "3", "4", "(-1)", "(1/2)", "(1/3)", "(5/2)", "0.5"))
        return f"({formula(rng, levels - 1)})**{exponent}"
    if kind < 0.64:
        name = rng.choice(("max", "min"))
        return f"{name}({formula(rng, levels - 1)},{formula(rng, levels - 1)})"
    names = SMOOTH + SMOOTH + KINKED + GUARDED
    return f"{rng.choice(names)}({formula(rng, levels - 1)})"


def trap(rng: random.Random, levels: int = 1) -> str:
    """A pattern that a simplifier may undo although it is undefined as written."""
    g, c = formula(rng, levels), f"({rng.randint(0, 3)}/{rng.randint(1, 7)})"
    return rng.choice(TRAPS).format(g=g, c=c, n=rng.choice((2, 6, 20, 82)))


def tame(rng: random.Random) -> str:
    """A formula that is smooth and bounded on every interval."""
    a, b = rng.randint(1, 6), rng.randint(0, 3)
    return rng.choice(
        (
            f"sin({a}*x+{b})",
            f"cos({a}*x)/2",
            f"exp(-{a}*x**2)",
            f"x**2-{b}*x/{a}",
            f"x**3-{b}*x",
            f"1/(1+{a}*x**2)",
            f"abs(x-{b}/{a})",
            f"tanh({a}*x)+x/{a}",
            f"sqrt(x**2+1/{a})",
            f"erf({a}*x)*x",
        )
    )


def interval(rng: random.Random) -> tuple[Fraction, Fraction]:
    """A random interval, often around 0 or below it."""
    start = Fraction(rng.randint(-12, 8), rng.choice((1, 2, 3, 4)))
    length = Fraction(rng.randint(1, 12), rng.choice((1, 2, 3, 4)))
    return rng.choice(
        (
            (start, start + length),
            (start, start + length),
            (Fraction(0), Fraction(1)),
            (Fraction(-2), Fraction(2)),
            (Fraction(-2), Fraction(-1)),
        )
    )
