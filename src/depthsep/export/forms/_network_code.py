"""ReLU networks as C, NumPy, PyTorch, JAX and LP text."""

from collections.abc import Callable

from flint import fmpq

from depthsep.exact import FLOAT32, decimal, plain, rational
from depthsep.export._networks import CodedNetwork, unit_bounds
from depthsep.export._words import float32, shown

DIGITS = 15  # of bounds in models, rounded up
PYTHON = '''\
"""{title}

{remark}
"""

import {library}{more}

WEIGHTS = [
{weights}
]
BIASES = [
{biases}
]


def {name}(x):
    """One value for each point; x has shape ({inputs},) or (..., {inputs})."""
{body}
'''
BODIES = {
    "numpy": (
        "numpy as np",
        "",
        "np.array({0}, dtype=np.{1})",
        """    h = np.asarray(x, dtype=np.{dtype}).reshape(-1, {inputs})
    for k, (w, b) in enumerate(zip(WEIGHTS, BIASES)):
        h = h @ w.T + b
        if k < len(WEIGHTS) - 1:
            h = np.maximum(h, 0)
    return h[:, 0]""",
    ),
    "torch": (
        "torch",
        "",
        "torch.tensor({0}, dtype=torch.{1})",
        """    h = x.to(torch.{dtype}).reshape(-1, {inputs})
    for k, (w, b) in enumerate(zip(WEIGHTS, BIASES)):
        h = h @ w.to(h.device).T + b.to(h.device)
        if k < len(WEIGHTS) - 1:
            h = h.relu()
    return h[:, 0]""",
    ),
    "jax": (
        "jax.numpy as jnp",
        "\nimport numpy as np",
        "np.array({0}, dtype=np.{1})",
        """    h = jnp.asarray(x, dtype=np.{dtype}).reshape(-1, {inputs})
    for k, (w, b) in enumerate(zip(WEIGHTS, BIASES)):
        h = jnp.dot(h, w.T, precision="highest") + b
        if k < len(WEIGHTS) - 1:
            h = jnp.maximum(h, 0)
    return h[:, 0]""",
    ),
}


def write_python(code: CodedNetwork, name: str, library: str) -> str:
    """A module with a function of an array."""
    loads, more, array, body = BODIES[library]
    show, dtype = _show(code), "float32" if code.format == FLOAT32 else "float64"

    def listed(values: list[object]) -> str:
        return "\n".join(f"    {array.format(v, dtype)}," for v in values)

    weights: list[object] = []
    biases: list[object] = []
    for rows, bias in code.layers:
        inner = ", ".join(f"[{', '.join(map(show, row))}]" for row in rows)
        weights.append(f"[{inner}]")
        biases.append(f"[{', '.join(map(show, bias))}]")
    title, *rest = (line.replace('"""', "'") for line in code.about())
    inputs = code.network.in_dim
    return PYTHON.format(
        title=title,
        remark="\n".join(rest),
        library=loads,
        more=more,
        weights=listed(weights),
        biases=listed(biases),
        name=name,
        inputs=inputs,
        body=body.format(dtype=dtype, inputs=inputs),
    )


def write_network_c(code: CodedNetwork, name: str) -> str:
    """A function of one number, or of an array of inputs."""
    kind, show = ("float", _show(code, "f")) if code.format == FLOAT32 else (
        "double", _show(code)
    )  # fmt: skip
    inputs = code.network.in_dim
    lines = ["/*", *(f" * {v.replace('*/', '* /')}" for v in code.about()), " */"]
    given = f"{kind} x" if inputs == 1 else f"const {kind} x[{inputs}]"
    lines += [f"{kind} {name}({given})", "{"]
    for k, (rows, bias) in enumerate(code.layers):
        inner = ",\n".join(f"        {{{', '.join(map(show, row))}}}" for row in rows)
        size = f"[{len(rows)}][{len(rows[0])}]"
        lines.append(f"    static const {kind} w{k}{size} = {{\n{inner}\n    }};")
        values = ", ".join(map(show, bias))
        lines.append(f"    static const {kind} b{k}[{len(bias)}] = {{{values}}};")
    widths = [inputs, *(len(bias) for _, bias in code.layers)]
    lines += [f"    {kind} h{k}[{width}];" for k, width in enumerate(widths)]
    lines += [f"    {kind} sum;", "    int i, j;", ""]
    first = "h0[0] = x;" if inputs == 1 else (
        f"for (j = 0; j < {inputs}; j++)\n        h0[j] = x[j];"
    )  # fmt: skip
    lines.append(f"    {first}")
    for k, (rows, _) in enumerate(code.layers):
        last = k == len(code.layers) - 1
        zero = show(fmpq(0))
        kept = "sum" if last else f"sum > {zero} ? sum : {zero}"
        lines += [
            f"    for (i = 0; i < {len(rows)}; i++) {{",
            f"        sum = b{k}[i];",
            f"        for (j = 0; j < {len(rows[0])}; j++)",
            f"            sum = sum + w{k}[i][j] * h{k}[j];",
            f"        h{k + 1}[i] = {kept};",
            "    }",
        ]
    return "\n".join([*lines, f"    return h{len(code.layers)}[0];", "}"]) + "\n"


def write_network_lp(code: CodedNetwork, name: str) -> str:
    """The least output as a mixed-integer model; big-M from proven bounds a unit.

    A unit h of a sum s in [L, U]: h >= s, h <= s - L (1 - a), h <= U a, a in {0, 1}.
    """
    lines = ["\\ A ReLU network; a unit that may be on or off has a binary variable."]
    rows, binaries, bounds = [], [], []
    inputs = [f"{name}_x{j + 1}" for j in range(code.network.in_dim)]
    for variable, side in zip(inputs, code.sides, strict=True):
        bounds.append(f" {shown(side.start)} <= {variable} <= {shown(side.stop)}")
    ranges = unit_bounds(code)
    for k, (weights, biases) in enumerate(code.layers):
        outputs = [f"{name}_h{k + 1}_{i + 1}" for i in range(len(biases))]
        last = k == len(code.layers) - 1
        for i, (row, bias) in enumerate(zip(weights, biases, strict=True)):
            h = f"{name}_y" if last else outputs[i]
            terms = _minus(row, inputs)
            low, high = ranges[k][i]
            if last:
                rows.append(f" out: {h} {terms} = {shown(bias)}")
                bounds.append(f" {h} free")
            elif high <= 0:
                bounds.append(f" {h} = 0")
            elif low >= 0:
                rows.append(f" on_{h}: {h} {terms} = {shown(bias)}")
            else:
                a = f"{name}_a{k + 1}_{i + 1}"
                down, up = _above(-low), _above(high)
                rows.append(f" ge_{h}: {h} {terms} >= {shown(bias)}")
                room = plain(decimal(bias + down, 2 * DIGITS, upward=True))
                drop, rise = (plain(decimal(v, DIGITS)) for v in (down, up))
                rows.append(f" le_{h}: {h} {terms} + {drop} {a} <= {room}")
                rows.append(f" off_{h}: {h} - {rise} {a} <= 0")
                binaries.append(f" {a}")
        inputs = outputs
    lines += ["Minimize", f" least: {name}_y", "Subject To", *rows, "Bounds", *bounds]
    if binaries:
        lines += ["Binary", *binaries]
    return "\n".join([*lines, "End"]) + "\n"


def _minus(row: list[fmpq], names: list[str]) -> str:
    terms = []
    for w, variable in zip(row, names, strict=True):
        if w != 0:
            sign = "-" if w > 0 else "+"
            terms.append(f"{sign} {shown(abs(w))} {variable}")
    return " ".join(terms)


def _above(value: fmpq) -> fmpq:
    """Rounded up to few digits: a larger bound of a unit is valid, too."""
    return rational(decimal(value, DIGITS, upward=True))


def _show(code: CodedNetwork, suffix: str = "") -> Callable[[fmpq], str]:
    if code.format != FLOAT32:
        return shown
    return lambda value: _single(value, suffix)


def _single(value: fmpq, suffix: str) -> str:
    number = float32(value)
    whole = not set(number) & set(".en")
    return f"{number}{'.0' if whole and suffix else ''}{suffix}"
