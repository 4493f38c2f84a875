"""Functions that people write, spelled out in those that are followed.

What each means is one line here; the rest of the program sees the longer formula.
"""

FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "ln", "sqrt", "erf", "sinc", "abs", "sign", "min", "max", "where"),
)
"""That are followed in balls; ln is log, sinc(x) is sin(x)/x, where(x < c, a, b)."""

NAMED: dict[str, tuple[str, str]] = {
    "relu": ("u", "max(u, 0)"),
    "relu6": ("u", "min(max(u, 0), 6)"),
    "leaky_relu": ("u", "max(u, u/100)"),
    "clip": ("u a b", "min(max(u, a), b)"),
    "hardtanh": ("u", "min(max(u, -1), 1)"),
    "hardsigmoid": ("u", "min(max(u/6 + 1/2, 0), 1)"),
    "hardswish": ("u", "u*min(max(u/6 + 1/2, 0), 1)"),
    "sigmoid": ("u", "(1 + tanh(u/2))/2"),
    "softplus": ("u", "log(1 + exp(u))"),
    "silu": ("u", "u*(1 + tanh(u/2))/2"),
    "swish": ("u", "u*(1 + tanh(u/2))/2"),
    "gelu": ("u", "u*(1 + erf(u/sqrt(2)))/2"),
    "gelu_tanh": ("u", "u*(1 + tanh(sqrt(2/pi)*(u + 0.044715*u**3)))/2"),
    "mish": ("u", "u*tanh(log(1 + exp(u)))"),
    "elu": ("u", "max(u, 0) + exp(min(u, 0)) - 1"),
    "selu": (
        "u",
        "1.0507009873554804934193349852946*(max(u, 0)"
        " + 1.6732632423543772848170429916717*(exp(min(u, 0)) - 1))",
    ),
    "log2": ("u", "log(u)/log(2)"),
    "log10": ("u", "log(u)/log(10)"),
    "log1p": ("u", "log(1 + u)"),
    "expm1": ("u", "exp(u) - 1"),
    "hypot": ("u v", "sqrt(u**2 + v**2)"),
}
"""Arguments, and what the function is of them."""

_STEPS = "it has jumps; write each jump with where(), as in where(x < 1, 0, 1)"
REFUSED = {
    "gamma": "the gamma function is not supported",
    "lgamma": "the gamma function is not supported",
    "lambertw": (
        "use its inverse x*exp(x) as a target, or sampled points as data:FILE"
    ),
    "floor": _STEPS,
    "ceil": _STEPS,
    "round": _STEPS,
    "mod": _STEPS,
    "rand": "a target cannot be random",
}
"""That people ask for, and why they are not known."""
